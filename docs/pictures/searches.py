"""A diagram of each search. The numbers are examples that a search could have."""

from __future__ import annotations

from spinney.show.diagram import Picture, ends, node


def flat() -> Picture:
    it = Picture("flat: every action gets the same number of rollouts, and the best mean is chosen", height=245)
    it.levels("the position", "a child for\neach action", "rewards of\nrollouts")
    children = [
        node("3 visits, mean 0.67", *ends("1", "0", "1"), kind="second", edge="a"),
        node("3 visits, mean 0.33", *ends("0", "0", "1"), kind="second", edge="b"),
        node("3 visits, mean 1.00", *ends("1", "1", "1"), kind="second", edge="c", way="taken"),
    ]
    it.tree(node("9 visits", *children), 170, 40, across=60)
    return it


def uct() -> Picture:
    it = Picture("uct: selection, expansion, rollout and back-up", height=415)
    it.levels("1  select", "", "2  expand", "3  rollout", "4  back up")
    played = node("1 visit\n1 : 0", *ends("1 : 0", way="played"), kind="second", way="taken")
    left = node("3 visits\n2 : 1", node("1 visit\n0 : 1", kind="second"), played, way="taken")
    middle = node("2 visits\n2 : 0", node("1 visit\n1 : 0", kind="second"))
    children = [
        node("6 visits\n5 : 1", left, middle, kind="second", way="taken"),
        node("3 visits\n1 : 2", node("1 visit\n1 : 0"), node("1 visit\n0 : 1"), kind="second"),
        node("2 visits\n0 : 2", node("1 visit\n0 : 1"), kind="second"),
    ]
    it.tree(node("11 visits\n6 : 5", *children), 205, 45, across=90)
    it.arrow((155, 360), (155, 45))
    it.tree(node("player 1 is to move"), 570, 285)
    it.tree(node("player 2 is to move", kind="second"), 570, 325)
    it.note(570, 370, "visits, and the summed rewards\nof player 1 : player 2", dim=True)
    return it


def many_players() -> Picture:
    it = Picture("Three players: each maximises its own reward", height=260)
    it.levels("player 1", "player 2", "rewards\nof 1, 2, 3")
    low, high = ends("0.5, 0.2, 0.3", "0.1, 0.6, 0.3", way="")
    best, other = ends("0.4, 0.5, 0.1", "0.3, 0.1, 0.6", way="")
    high.way = best.way = "taken"
    children = [
        node("0.1, 0.6, 0.3", low, high, kind="second"),
        node("0.4, 0.5, 0.1", best, other, kind="second", way="taken"),
    ]
    it.tree(node("0.4, 0.5, 0.1", *children), 190, 45, across=145)
    return it


def chance() -> Picture:
    it = Picture("Chance: a node for each outcome, or none at all", height=325)
    faces = zip("23456", ("1/9", "2/9", "3/9", "2/9", "1/9"), strict=True)
    outcomes = [node(f"after {face}", edge=share) for face, share in faces]
    it.tree(node("before", node("dice", *outcomes, kind="chance", edge="dive")), 55, 80, across=80)
    it.tree(node("before", node("after any throw", edge="dive")), 590, 80, down=160)
    it.note(215, 30, "chance nodes")
    it.note(590, 30, "open loop")
    it.note(215, 295, "sampled, not selected; a plan for each outcome", dim=True)
    it.note(590, 295, "one plan for the average", dim=True)
    it.line((470, 20), (470, 305), "faint")
    return it


def solver() -> Picture:
    it = Picture("The solver: proven nodes are not searched again", height=325)
    it.levels("player 1", "player 2,\nor chance", "below")
    won = [*ends("0 : 1", "1 : 0", way=""), node("open", way="faint")]
    won[0].way = "taken"
    drawn = [*ends("1 : 0", "0 : 1", way="")]
    for child in drawn:
        child.edge = "1/2"
    for child in (*won[:2], *drawn):
        child.proven = True
    children = [
        node("0 : 1", *won, kind="second", proven=True),
        node("1/2 : 1/2", *drawn, kind="chance", proven=True),
        node("12 visits\n8 : 4", node("..."), kind="second", way="taken"),
    ]
    it.tree(node("open", *children), 160, 45, across=100)
    it.note(
        20, 275, "Double frame: proven. On the left player 2 has a winning move; the outcomes of the dice\n"
        "average to a half. Simulations skip proven nodes.", anchor="start", dim=True,
    )  # fmt: skip
    return it


def joint() -> Picture:
    it = Picture("joint: a child for each joint action, and each player's view of it", height=320)
    it.levels("both choose", "a child for each\njoint action", "each player's\nview of L, R", top=45, down=110)
    children = [
        node("5 visits\n4 : 1", kind="both", edge="L, L"),
        node("4 visits\n2 : 2", kind="both", edge="L, R", way="taken"),
        node("6 visits\n3 : 3", kind="both", edge="R, L"),
        node("5 visits\n1 : 4", kind="both", edge="R, R"),
    ]
    it.tree(node("20 visits", *children, kind="both"), 210, 45, across=130, down=110)
    for x, words, kind, seen in (
        (275, "player 1, L: 6 in 9", "first", (0, 1)),
        (535, "player 2, R: 6 in 9", "second", (1, 3)),
    ):
        view = it.tree(node(words, kind=kind), x, 265)
        for child in seen:
            it.arrow((children[child].x, 185), (view.x + (-20, 20)[child == seen[1]], 247))
    return it


def decoupled() -> Picture:
    it = Picture("decoupled: each player chooses by its own statistics", height=320)
    it.levels("statistics of\neach player", "each chooses\nits action", "the result", top=45, down=110)
    for x, words, kind, chosen in (
        (290, "player 1\nL: 6 in 9\nR: 4 in 11", "first", "L"),
        (510, "player 2\nL: 4 in 11\nR: 6 in 9", "second", "R"),
    ):
        it.tree(node(words, node(chosen, kind=kind, way="taken"), kind=kind), x, 55, down=100)
        it.line((x, 169), (405 if chosen == "R" else 395, 235), "taken")
    it.tree(node("4 visits\n2 : 2", kind="both"), 400, 260)
    return it


def infoset() -> Picture:
    it = Picture("infoset: one tree for all worlds, or a tree for each", height=385)
    it.note(185, 30, "ismcts")
    it.note(545, 30, "determinized")
    it.line((360, 20), (360, 365), "faint")
    it.tree(node("what the player sees", kind="plain"), 185, 70)
    it.arrow((185, 84), (185, 129), "a world per simulation")
    children = [
        node("5 visits\nlegal in 9", kind="second", way="taken"),
        node("3 visits\nlegal in 9", kind="second"),
        node("1 visit\nlegal in 3", kind="second", way="rollout"),
    ]
    it.tree(node("9 visits", *children), 75, 145, across=110, down=100)
    it.note(
        185, 325, "Dashed: not legal in the world of this\nsimulation. An action that is rarely legal\n"
        "has 1 visit in 3, not 1 in 9.", dim=True,
    )  # fmt: skip
    it.tree(node("what the player sees", kind="plain"), 545, 70)
    for number, (left, right) in enumerate(((2, 1), (1, 2), (2, 1))):
        x = 440 + 105 * number
        it.arrow((545, 84), (x, 129))
        it.tree(
            node(f"world {number + 1}", node(f"{left}", kind="second"), node(f"{right}", kind="second")),
            x - 22,
            145,
            44,
            70,
        )
        it.arrow((x, 235), (545 + 20 * (number - 1), 271))
    it.tree(node("visits: 5 and 4", kind="plain"), 545, 288)
    it.note(545, 335, "in a world nothing is hidden;\nvisits are added at the root", dim=True)
    return it


def mccfr() -> Picture:
    it = Picture("mccfr: a sampled game, and the table of information sets", height=400)
    it.note(170, 25, "a game from its beginning")
    call = node("has K", *ends("1 : 0", way=""), kind="first", way="taken", edge="bet")
    call.children[0].way, call.children[0].edge = "taken", "bet"
    reply = node("has J", node("over", kind="end", edge="pass"), call, kind="second", way="taken", edge="pass")
    first = node("has K", reply, node("has J", kind="second", edge="bet"), way="taken", edge="K, J")
    it.tree(node("deal", first, node("has Q", edge="Q, J"), kind="chance"), 60, 60, across=100, down=75)
    it.note(540, 25, "information sets in the table")
    for y, words, kind in (
        (75, "player 1: K, before any action\nregrets and rewards", "first"),
        (185, "player 2: J, after a pass\nadd to the average strategy", "second"),
        (295, "player 1: K, after a pass and a bet\nregrets and rewards", "first"),
    ):
        it.tree(node(words, kind=kind), 540, y)
    it.note(540, 365, "player 1 learns; in the next\nsimulation player 2 does", dim=True)
    return it


def alphabeta() -> Picture:
    it = Picture("alphabeta: branches that cannot change the choice are cut off", height=290)
    it.levels("player 1\nmaximises", "player 2\nminimises", "evaluations")
    best = ends("0.4", "0.6", way="")
    best[0].way = "taken"
    children = [
        node("0.3", *ends("0.3", "0.5", way=""), kind="second"),
        node("0.2 or less", *ends("0.2", way=""), *ends("?", "?", way="faint"), kind="second"),
        node("0.4", *best, kind="second", way="taken"),
    ]
    it.tree(node("0.4", *children), 170, 45)
    it.note(415, 250, "cutoff: player 1 has 0.3 already", dim=True)
    return it


def forest() -> Picture:
    it = Picture("forest: a tree for each ship, and shared simulations", height=355)
    it.levels("a tree for\neach ship", "each ship's\nown reward", "one simulation\nfor all", top=75, down=92)
    for x, kind, name, reward in (
        (225, "first", "ship 1", "120 > 90: 1"),
        (415, "first", "ship 2", "40 < 75: 0"),
        (605, "second", "a rival's ship", "60 = 60: 1/2"),
    ):
        orders = [node(order, kind=kind, way="taken" if order == "E" else "") for order in "NES"]
        it.tree(node(name, *orders, kind=kind), x - 45, 40, across=45)
        it.arrow((x, 138), (x, 227))
        it.arrow((x + 52, 227), (x + 52, 138), reward)
    turns = "50 turns: each ship goes down its own tree,\nthen follows the default policy"
    it.tree(node(turns, kind="plain", least=560), 415, 252)
    it.note(
        415, 318, "120 > 90: its score in the simulation, and its mean score in the search of the\n"
        "turn before. More is 1, less is 0, equal is 1/2.", dim=True,
    )  # fmt: skip
    return it


def nrpa() -> Picture:
    it = Picture("nrpa: each level adapts its playouts toward its best sequence", height=330)
    it.levels("level 2", "level 1", "playouts", top=45, down=95)
    searches = [
        node("best 6", *ends("4", "6", "5", way="rollout"), kind="plain"),
        node("best 9", *ends("6", "7", "9", way="rollout"), kind="plain", way="taken"),
        node("best 8", *ends("8", "7", "8", way="rollout"), kind="plain"),
    ]
    searches[1].children[2].way = "taken"
    it.tree(node("best 9", *searches, kind="plain"), 150, 45, across=62, down=95)
    it.note(
        20, 285, "After each search below it, a level makes the actions of its best sequence more probable.\n"
        "The next search below begins with these probabilities.", anchor="start", dim=True,
    )  # fmt: skip
    return it


def net_search() -> Picture:
    it = Picture("net_search: leaves are evaluated by the network in batches", height=400)
    waiting = [node("waits", kind="plain", edge=f"p {share}", way="taken") for share in ("0.6", "0.3", "0.7")]
    children = [
        node("5 visits", *waiting[:2], kind="second", edge="p 0.5", way="taken"),
        node("2 visits", *waiting[2:], kind="second", edge="p 0.4", way="taken"),
        node("1 visit", kind="second", edge="p 0.1"),
    ]
    it.tree(node("8 visits", *children), 60, 45, across=95, down=90)
    for leaf in waiting:
        it.arrow((leaf.x, 242), (leaf.x, 282))
    it.tree(node("a batch of leaves", kind="plain", least=250), 155, 300)
    it.tree(node("network", kind="third"), 390, 300)
    it.tree(node("p for each action,\nv for each player", kind="plain"), 590, 300)
    it.arrow((280, 300), (350, 300))
    it.arrow((426, 300), (515, 300))
    it.arrow((590, 274), (590, 213))
    evaluated = [node("", kind="second", edge=f"p {share}") for share in ("0.2", "0.5", "0.3")]
    it.tree(node("1 visit, v", *evaluated), 505, 100, across=85, down=90)
    it.note(590, 50, "each leaf is expanded,\nand v is backed up", dim=True)
    it.note(
        20, 360, "Thick: waiting for the network. A virtual loss makes the next simulation\n"
        "take another path.", anchor="start", dim=True,
    )  # fmt: skip
    return it


def threads() -> Picture:
    it = Picture("threads: independent trees, added at the root", height=300)
    it.levels("a tree for\neach thread", "", "added at\nthe root", top=60, down=90)
    for x, (a, b) in ((210, (60, 40)), (400, (70, 30)), (590, (50, 50))):
        it.tree(
            node(f"{a + b} visits", node(f"{a}", kind="second", edge="a"), node(f"{b}", kind="second", edge="b")),
            x - 35,
            45,
        )
        it.arrow((x, 150), (400 + (x - 400) / 6, 192))
    it.tree(
        node("300 visits", node("180", kind="second", edge="a", way="taken"), node("120", kind="second", edge="b")),
        365,
        210,
        down=60,
    )
    return it


SEARCHES = (
    flat, uct, many_players, chance, solver, joint, decoupled, infoset, mccfr, alphabeta, forest, nrpa, net_search,
    threads,
)  # fmt: skip
DIAGRAMS = {draw.__name__: draw for draw in SEARCHES}
