"""The cheapest tunnel, the player that plans it, and what a search looks at and thinks because of it."""

from __future__ import annotations

import random
from heapq import heappop, heappush

import pytest

import spinney
from spinney.games.saboteur import means_ends, race, rules, tunnel
from spinney.games.saboteur.state import CELLS, beside, cell_at, destroy, objective_cell
from spinney.games.saboteur.tiles import BORDER, ENTRANCE, SHAPE_NAMES, opposite
from spinney.games.saboteur.tunnel import DETOUR, LOST, SPARE, TURN
from spinney.kernel import Rng, bind, seeded
from tests.games.saboteur.positions import position
from tests.games.saboteur.test_players import DOWN, choose, make_match

GAME = spinney.game("saboteur")
CARD = GAME.card


def knows(s, player=0):
    """A player has seen the nugget."""
    s.seen[player] |= 1 << s.nugget
    return s


def cost(s, player=0):
    work = rules.Scratch()
    tunnel.find_costs(s, player, work)
    return tunnel.cheapest(s, work)[0]


# ---- what a tunnel costs


def test_tiles_in_the_hand_cost_a_turn_each():
    s = knows(position(DOWN[:3], (["8", "6"], []), nugget=1))
    assert cost(s) == 3 * TURN  # rows 9 to 11, and two cards fit each
    s = knows(position(DOWN[:3], (["8"], []), nugget=1))
    assert cost(s) == 3 * (TURN + SPARE)
    assert cost(knows(position([*DOWN, ("8", 10, 5)], (["6", "8"], []), nugget=1))) == TURN


def test_what_is_not_in_the_hand_is_waited_for():
    decks = [None, ["6", *["13", "14", "15", "4", "12"], *["Map"] * 6, *["Bonus"] * 4], ["13", "14", "15"]]
    many, few, none = (cost(knows(position(DOWN, (["1"], []), nugget=1, deck=deck))) for deck in decks)
    assert 2 * TURN < many < few < none == LOST


def test_the_other_players_cards_count_as_unseen():
    """Two that differ in what is hidden cost the same."""
    mine = ["5", "7"]
    there = knows(position(DOWN, (mine, ["8", "8"]), nugget=1))
    not_there = knows(position(DOWN, (mine, ["12", "13"]), nugget=1))
    assert cost(there) == cost(not_there)


def test_dead_ends_are_gone_round_or_destroyed():
    """The last tile of column 5 is a wall. To go round it takes three tiles, to destroy it one and the Destroy."""
    way = [*DOWN, ("8", 10, 5), ("1", 11, 5)]
    around = ["5", "5", "7", "7", "6", "6"]
    assert cost(knows(position(way, (around, []), nugget=1))) == 3 * TURN
    assert cost(knows(position(way, (["Destroy", "6", "6"], []), nugget=1))) == 2 * TURN


def test_tiles_that_lie_there_cost_nothing():
    """Rows 8 and 9 have been cut off, and are joined again by one tile."""
    s = knows(position([("0", 6, 5), ("0", 7, 5), ("0", 8, 5), ("0", 9, 5), ("6", 10, 5)], (["8", "8"], []), nugget=1))
    destroy(s, cell_at(7, 5))
    assert cost(s) == 2 * TURN


def dijkstra(s, player, work):
    """The cost of the ways, by cell and side, found without a limit and in another order."""
    costs = {(objective_cell(i), side): 0 for i in range(3) if tunnel.is_target(s, player, i) for side in (1, 2, 4, 8)}
    queue = [(0, *key) for key in costs]
    while queue:
        so_far, cell, side = heappop(queue)
        to, leave = beside(cell, side), opposite(side)
        if costs[cell, side] < so_far or s.tile[to] in (BORDER, ENTRANCE):
            continue
        for entry in {1, 2, 4, 8} - {leave}:
            new = so_far + tunnel.price(s, player, work, to, entry | leave)
            if new < costs.get((to, entry), LOST):
                costs[to, entry] = new
                heappush(queue, (new, to, entry))
    return costs


@pytest.mark.parametrize("seed", range(4))
def test_no_way_is_cheaper(seed):
    """In random games: the survey finds what another search finds, up to ways that are longer by some turns."""
    picks, state, work = random.Random(seed), GAME.start(seed), rules.Scratch()
    while not state.is_over:
        s = state.record
        if state.record.turn % 5 == 0:
            tunnel.find_costs(s, s.player, work)
            least = tunnel.cheapest(s, work)[0]
            known = dijkstra(s, s.player, work)
            for cell in range(CELLS):
                for number in range(4):
                    right, found = known.get((cell, 1 << number), LOST), work.costs[cell, number]
                    assert found == right if right < least + DETOUR else found >= right
            opened = [known[cell, 1 << n] for cell, side in known for n in range(4)
                      if side == 1 << n and s.tile[cell] != BORDER and tunnel.comes_in(s, cell, n)]  # fmt: skip
            assert least == min(opened, default=LOST)
        state.apply(picks.choice(state.legal()))


# ---- means_ends


def test_it_cures_itself_and_looks_first():
    s = position(DOWN, (["Bonus", "Map", "8"], []))
    assert choose("means_ends", s) == "Map 12 3"
    s.malus[0] = 1
    assert choose("means_ends", s) == "Bonus"


def test_it_wins_if_it_can():
    s = knows(position([*DOWN, ("8", 10, 5)], (["Map", "9", "6", "Malus"], ["8"]), nugget=1))
    assert choose("means_ends", s) == "Tile:6 11 5"


def test_it_goes_where_its_cards_lead():
    """There are no cards that lead straight down, but stairs: those that begin at the right miss the nugget by one."""
    s = knows(position(DOWN[:2], (["7", "7", "7", "5", "10"], []), nugget=2, deck=["13", *["5"] * 3, *["7"] * 2]))
    assert choose("greedy", s) == "Tile:7 8 5"
    assert choose("means_ends", s) == "Tile:5_flip 8 5"
    s = knows(position([*DOWN[:2], ("6", 8, 5), ("1", 9, 5)], (["9", "10", "6", "8"], []), nugget=1))
    assert choose("means_ends", s).endswith("8 4")  # round the dead end, where the one side leads on


def test_it_does_not_lay_the_last_but_one_for_the_other():
    s = knows(position(DOWN, (["6", "6", "13"], ["8"] * 5 + ["9"]), nugget=1))
    assert choose("means_ends", s) == "Drop 13"
    s.malus[1] = 1
    assert choose("means_ends", s) == "Tile:6 10 5"


def test_it_stops_who_is_about_to_win():
    """One tile is missing, and the other is likely to have it."""
    way, other = [*DOWN, ("8", 10, 5)], ["8", "6", "6", "6", "9", "10", "11"]
    for hand, answer in (("Malus", "Malus"), ("Destroy", "Destroy 10 5"), ("1", "Tile:1 11 5")):
        assert choose("means_ends", knows(position(way, ([hand, "10"], other), nugget=1))) == answer


def test_it_drops_what_its_plan_does_not_need():
    s = knows(position(DOWN, (["10", "9", "8"], []), nugget=1))
    s.malus[0] = 1
    assert choose("means_ends", s) == "Drop 10"
    s = knows(position(DOWN, (["Bonus", "9", "9"], []), nugget=1, deck=["6", "8", "10"]))  # there is no Malus left
    assert choose("means_ends", s) == "Drop Bonus"


def test_it_beats_greedy():
    """Over 2,000 games on each side; it wins about 0.81."""
    root = GAME.start(1, manual_chance=True).record
    native = [rules.State.native(root), rules.State.native(), CARD.out.native(), Rng.native(seeded(9))]
    players = {"one": CARD.player("means_ends"), "two": CARD.player("greedy")}
    match = bind(make_match, "saboteur/match", rules=CARD.bound_rules, **players)
    assert sum(match(*native, seat, 2000)[0] for seat in range(2)) > 0.78 * 4000


# ---- what a search needs


@pytest.mark.parametrize("seed", range(4))
def test_a_planner_looks_at_what_matters(seed):
    """In random games: each action is legal and listed once, what `means_ends` does is there, and a move that wins if
    there is one."""
    picks, state, out = random.Random(seed), GAME.start(seed), CARD.out()
    while not state.is_over:
        s, legal = state.record, state.legal()
        listed = [int(action) for action in out.action[: means_ends.planner(s, s.player, out)]]
        assert set(listed) <= set(legal)
        assert len(set(listed)) == len(listed)
        assert means_ends.means_ends(s, s.player, out, None) in listed
        known = s.copy()
        known.seen[s.player] |= 1 << s.nugget
        winning = {action for action in legal if action < rules.LOOK and _wins(known, action)}
        assert not winning or winning & {
            int(action) for action in out.action[: means_ends.planner(known, s.player, out)]
        }
        state.apply(picks.choice(listed if picks.random() < 0.6 else legal))


def _wins(s, action):
    then = s.copy()
    rules.apply(then, action)
    return then.winner == s.player


def test_idle_tiles_tell_how_careless_the_other_is():
    careful = means_ends.carelessness(position(DOWN, turn=12))
    careless = means_ends.carelessness(position([*DOWN, ("1", 10, 5), ("0", 4, 5)][1:], turn=12))
    wild = means_ends.carelessness(position([*DOWN, ("1", 10, 5), ("8", 4, 5), ("12", 3, 5)], turn=12))
    assert careful < 0.15 < careless < wild <= 0.9


def test_the_evaluation_is_a_race():
    def reward(s):
        out = CARD.out()
        race.race(s, out)
        return out.reward

    s = knows(knows(position(DOWN, (["8", "6", "6"], ["13", "14", "15"]), nugget=1)), 1)
    ahead, behind = reward(s)
    assert ahead > 0.5 > behind
    s.malus[0] = 1
    assert reward(s)[0] < ahead
    over = position([*DOWN, ("8", 10, 5)], (["8"], ["9"]), nugget=1)
    rules.apply(over, SHAPE_NAMES.index("8") * CELLS + cell_at(11, 5))
    assert reward(over) == [1.0, 0.0]


def test_soon_is_better():
    out = CARD.out()
    worth = []
    for turn in (7, 30):
        s = position([*DOWN, ("8", 10, 5)], (["8"], ["9"]), nugget=1, turn=turn)
        rules.apply(s, SHAPE_NAMES.index("8") * CELLS + cell_at(11, 5))
        rules.soon(s, out)
        worth.append(out.reward[0])
        assert out.reward[1] == 0.0
    assert 1 > worth[0] > worth[1] > 0.5
