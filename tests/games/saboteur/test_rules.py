"""The rules of Saboteur: every position against a second implementation, recorded games, and what must not pass."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE, OVER
from spinney.errors import BadRecording, IllegalAction
from spinney.games import recording as recordings
from spinney.games.saboteur import official, recording, rules, state, tiles
from spinney.games.saboteur.rules import BREAK, DROP, LOOK
from spinney.games.saboteur.state import CELLS, cell_at, clear_board, destroy, lay
from spinney.games.saboteur.tiles import CARD_NAMES, SHAPE_NAMES
from spinney.kernel import assign, bind, seeded
from spinney.search.rollout import make_count
from spinney.search.workspace import fill_rng, playout_record
from tests.games.saboteur.positions import position
from tests.games.saboteur.reference import COPIES, MASKS, Reference

CARD = spinney.game("saboteur").card
PUBLIC = Path(__file__).parents[2] / "conformance" / "data" / "saboteur" / "public.jsonl.gz"


def legal(s, player=None):
    out = CARD.out()
    n = rules.legal(s, s.player if player is None else player, out)
    assert len(set(out.action[:n])) == n <= rules.MAX_ACTIONS
    return list(out.action[:n])


def places(actions):
    """The tile moves among actions, as name and cell."""
    return {
        (SHAPE_NAMES[action // CELLS], (state.row_of(action % CELLS), state.column_of(action % CELLS)))
        for action in actions
        if action < LOOK
    }


def act(s, text):
    """Make a move of the player to move by its name, without the draw."""
    action = next(action for action in legal(s) if CARD.board.name_action(s, action) == text)
    rules.apply(s, action)
    return s


# ---- tables


def test_the_tiles_are_those_of_the_masks():
    for code, name in enumerate((*SHAPE_NAMES, "entrance", "objective")):
        mask = MASKS[name]
        sides = sum(bit for bit, edge in zip((1, 2, 4, 8), (1, 5, 7, 3), strict=True) if mask[edge] == "1")
        assert (tiles.SIDES[code], tiles.THROUGH[code]) == (sides, int(mask[4]))
    for shape, name in enumerate(SHAPE_NAMES):
        card = name.removesuffix("_flip")
        assert CARD_NAMES[tiles.KIND[shape]] == card
        assert MASKS[name] == (MASKS[card][::-1] if name.endswith("_flip") else MASKS[card])
    turned = {f"{name}_flip" for name in MASKS if MASKS[name] != MASKS[name][::-1] and "_" not in name}
    assert turned == {name for name in SHAPE_NAMES if name.endswith("_flip")}
    assert {name: int(tiles.COPIES[kind]) for kind, name in enumerate(CARD_NAMES)} == COPIES
    assert (tiles.CARDS, tiles.SHAPES) == (55, 26)


# ---- whole games


@given(seed=st.integers(0, 2**32), kind=st.sampled_from(["random", "greedy", "official_random"]))
@settings(max_examples=25, deadline=None)
def test_every_position_of_every_game(seed, kind):
    s = spinney.game("saboteur").start(seed, manual_chance=True).record
    rng, out, policy = seeded(seed), CARD.out(), CARD.player(kind)
    choose = random.Random(seed)
    while rules.mover(s) != OVER:
        if rules.mover(s) == CHANCE:
            rules.apply(s, rules.chance(s, rng))
            continue
        check_position(s)
        action = policy(s, s.player, out, rng)
        if choose.random() < 0.3:  # walk into corners, destroy, drop
            action = choose.choice(legal(s))
        rules.apply(s, action)
        check_tunnels(s)
    if s.winner == state.NOBODY:
        assert (s.turn, s.deck_size, s.hand_size) == (56, 0, [0, 0])
        assert not s.revealed >> s.nugget & 1
    else:
        assert s.revealed >> s.nugget & 1
        assert s.winner == s.player
    assert legal(s, 0) == []


def check_position(s):
    """The legal actions, and that no card is lost."""
    reference, player, actions = Reference(s), s.player, legal(s)
    held = {CARD_NAMES[kind] for kind in recording.cards(s, player)}
    cells = [(row, column) for row in range(14) for column in range(14)]
    expected = {
        (name, cell)
        for name in SHAPE_NAMES
        if s.malus[player] == 0 and name.removesuffix("_flip") in held
        for cell in cells
        if reference.fits(name, cell)
    }
    assert places(actions) == expected
    others = [CARD.board.name_action(s, action) for action in actions if action >= LOOK]
    wanted = [f"Drop {CARD_NAMES[kind]}" for kind in sorted(set(recording.cards(s, player)))]
    if "Destroy" in held:
        laid = sorted(cell for cell, name in reference.tiles.items() if name not in ("entrance", "objective"))
        wanted = [f"Destroy {row} {column}" for row, column in laid] + wanted
    wanted = ["Malus"] * ("Malus" in held) + wanted
    wanted = ["Bonus"] * ("Bonus" in held and s.malus[player] > 0) + wanted
    wanted = [f"Map 12 {3 + 2 * i}" for i in range(3) if "Map" in held and not s.revealed >> i & 1] + wanted
    assert others == wanted
    assert sum(s.hand_size) + s.deck_size + s.turn - 1 == 55
    assert sum(s.deck) == s.deck_size
    for owner in range(2):
        assert sum(s.hand[owner, kind] for kind in range(tiles.KINDS)) == s.hand_size[owner]


def check_tunnels(s):
    """What is reached, what is revealed, and that the memory for floods is left empty."""
    reference = Reference(s)
    reached = {(state.row_of(cell), state.column_of(cell)) for cell in official.cells_of(s.reached)}
    assert reached == reference.reached()
    assert {cell for cell in reached if reference.tiles[cell] == "objective"} <= reference.revealed
    assert s.pending == [0] * 4
    for player in range(2):
        assert s.seen[player] & s.revealed == s.revealed


def test_plain_and_compiled_play_the_same_games():
    root = spinney.game("saboteur").start(1, manual_chance=True).record
    for name in ("random", "greedy", "official_random", "paper_opening"):
        policy = CARD.player(name)
        plain = bind(make_count, "saboteur/test", plain=True, rules=CARD.bound_rules, policy=policy)
        compiled = bind(make_count, "saboteur/test", rules=CARD.bound_rules, policy=policy)
        work, native = playout_record(CARD)(), playout_record(CARD).native()
        for form in (work, native):
            fill_rng(form.rng, seeded(3))
        for _ in range(5):
            assert plain(root, work, 3) == compiled(rules.State.native(root), native, 3)
            assert rules.State.native(work.state).tobytes() == native.state.tobytes()


def test_a_copy_is_independent():
    s = position([("8", 6, 5)], (["0"], []))
    other = rules.State()
    assign(other, s)
    act(other, "Tile:0 7 5")
    assert s == position([("8", 6, 5)], (["0"], []))


# ---- the deal


def test_the_deal():
    game = spinney.game("saboteur")
    s = game.start(7, manual_chance=True)
    assert s.outcomes() == [(place, pytest.approx(1 / 3)) for place in range(3)]
    s.apply(2)
    assert [s.name(kind) for kind, _ in s.outcomes()] == [f"player 1 draws {name}" for name in CARD_NAMES]
    assert dict(s.outcomes())[tiles.MAP] == pytest.approx(6 / 55)
    for kind in (tiles.MALUS, tiles.BONUS, tiles.MALUS):  # alternately, the first player first
        s.apply(kind)
    assert dict(s.outcomes())[tiles.BONUS] == pytest.approx(3 / 52)
    assert tiles.MALUS not in dict(s.outcomes())
    with pytest.raises(IllegalAction):
        s.apply(tiles.MALUS)
    while s.mover == CHANCE:
        s.apply(s.outcomes()[0][0])
    record = s.record
    assert (s.mover, record.turn, record.deck_size, record.hand_size) == (0, 1, 41, [7, 7])
    assert (record.hand[0, tiles.MALUS], record.hand[1, tiles.BONUS]) == (2, 1)


def test_deals_are_uniform():
    hands = [0] * tiles.KINDS
    nuggets = [0] * 3
    games = 2000
    for seed in range(games):
        s = spinney.game("saboteur").start(seed).record
        nuggets[s.nugget] += 1
        for kind in recording.cards(s, 1):
            hands[kind] += 1
    assert all(abs(n - games / 3) < 100 for n in nuggets)
    for kind, n in enumerate(hands):
        mean = 7 * games * tiles.COPIES[kind] / 55
        assert abs(n - mean) < 5 * mean**0.5


# ---- positions


def test_a_dead_end_is_entered_but_never_left():
    s = position([("13", 6, 5), ("8", 7, 5)])
    assert state.has(s.reached, cell_at(6, 5))
    assert not state.has(s.reached, cell_at(7, 5))


def test_destroying_cuts_off_and_an_island_can_be_built_on():
    s = position([("0", 6, 5), ("0", 7, 5), ("8", 8, 5)], (["Destroy", "0", "8"], ["8"]))
    act(s, "Destroy 7 5")
    assert not state.has(s.reached, cell_at(8, 5))
    assert ("8", (9, 5)) in places(legal(s, 1))
    s.phase, s.player = rules.MOVING, 0
    act(s, "Tile:0 7 5")
    assert state.has(s.reached, cell_at(8, 5))


def test_objectives():
    """A closed side may lie against an objective that nobody knows, and gets no support from it."""
    way = [("0", row, 5) for row in range(6, 10)] + [("8", 10, 5)]
    s = position(way, (["10", "8", "Map"], ["8", "9"]), nugget=2)
    assert not {cell for _, cell in places(legal(s))} & {(11, 3), (11, 7), (12, 4), (12, 6), (13, 5)}
    act(s, "Tile:8 11 5")
    assert (s.revealed, s.seen, s.winner) == (0b010, [0b010, 0b010], state.NOBODY)
    assert ("8", (12, 4)) in places(legal(s, 1))
    assert ("8", (13, 5)) in places(legal(s, 1))
    s.phase = rules.MOVING
    looks = [action for action in legal(s, 0) if LOOK <= action < BREAK]
    assert [CARD.board.name_action(s, action) for action in looks] == ["Map 12 3", "Map 12 7"]


def test_who_lays_the_last_tile_wins_and_one_tile_may_open_several():
    way = [("0", row, 5) for row in range(6, 10)] + [("8", 10, 5), ("8", 11, 5)]
    s = position(way[:-1], ([], ["8", "Map"]), nugget=1, player=1)
    act(s, "Tile:8 11 5")
    assert (rules.mover(s), s.winner, s.deck_size) == (OVER, 1, position(way, ([], ["Map"])).deck_size)
    out = CARD.out()
    rules.reward(s, out)
    assert out.reward == [0.0, 1.0]
    s = position([*way[:-1], ("10", 12, 6)], ([], ["8", "Map"]), nugget=0, player=1)
    act(s, "Tile:8 11 5")
    assert s.revealed == 0b110


def test_looking_never_wins_and_is_private():
    s = position((), (["Map"], []), nugget=2)
    act(s, "Map 12 7")
    assert (s.seen, s.revealed, s.winner) == ([0b100, 0], 0, state.NOBODY)


def test_malus_and_bonus():
    s = position((), (["Malus", "Malus"], ["Bonus", "8", "Bonus"]))
    act(s, "Malus")
    rules.apply(s, tiles.KINDS - 4)  # the draw
    assert places(legal(s)) == set()
    act(s, "Bonus")
    assert s.malus == [0, 0]
    assert ("8", (6, 5)) in places(legal(s, 1))
    assert rules.CURE not in legal(s, 1)


def test_the_last_card_is_a_draw():
    s = position((), (["Map"], ["8"]), deck=["0"])
    act(s, "Drop Map")
    assert rules.mover(s) == CHANCE
    rules.apply(s, 0)
    act(s, "Drop 8")
    assert rules.mover(s) == 0
    act(s, "Drop 0")
    assert rules.mover(s) == OVER
    out = CARD.out()
    rules.reward(s, out)
    assert out.reward == [0.5, 0.5]


def test_positions_need_cards_that_are_there():
    with pytest.raises(ValueError, match="more cards Malus than"):
        position((), (["Malus"] * 2, ["Malus"]))
    with pytest.raises(ValueError, match="more cards 13 than"):
        position([("13", 6, 5)], deck=["13"])


# ---- the program's texts


def test_moves_are_read_back():
    state = spinney.game("saboteur").start(1)
    hand = recording.cards(state.record, 0)
    for action in state.legal():
        assert official.read_move(official.move_text(action, hand), hand) == action
        assert state.parse(state.name(action)) == action
    for text in (
        "Foo 2 0",
        "Map 12 4",
        "Drop 7 0",
        "Drop -1 0",
        "Destroy 14 3",
        "Tile:8 -1 3",
        "Tile:16 3 3",
        "Tile:8 a b",
    ):
        with pytest.raises(ValueError, match=r"no move|invalid literal"):
            official.read_move(text, hand)


# ---- recordings


def test_recorded_games():
    *_, verdict = recordings.verify(CARD, PUBLIC)
    assert (verdict.games, verdict.steps, verdict.differences) == (504, 20_590, [])


@pytest.fixture(scope="module")
def recorded():
    """Some games of those who destroy, block and win."""
    return [game for game in recordings.read(PUBLIC) if game["winner"] != "draw"][:60]


def change(key, value):
    def spoil(game):
        move = next(move for move in game["moves"] if key in move)
        move[key] = value(move[key])

    spoil.__name__ = key
    return spoil


def spoil_winner(game):
    game["winner"] = 1 - game["winner"]


def spoil_end(game):
    game["moves"].pop()


def spoil_turn(game):
    game["end_turn"] += 1


def spoil_nugget(game):
    game["hidden"].reverse()
    game["hidden"].append(game["hidden"].pop(0))


def spoil_move(game):
    game["moves"][0]["m"] = f"Tile:8 5 5 {game['moves'][0]['p']}"


def spoil_deck(game):
    first = game["deck"][0]
    other = next(i for i, name in enumerate(game["deck"]) if name != first)
    game["deck"][0], game["deck"][other] = game["deck"][other], first


def more(number):
    return number + 1


SPOILERS = [
    *(change(key, more) for key in ("t", "p", "n", "u", "uc", "rc", "d", "bc")),
    *(change(key, lambda texts: texts[1:]) for key in ("L", "R")),
    *(change(key, lambda flags: "111" if flags != "111" else "000") for key in ("rv", "s0", "s1")),
    change("ml", lambda counts: [counts[0] + 1, counts[1]]), change("o", lambda text: "nugget" + text[1:]),
    change("P", lambda where: {**where, "8": ""}), change("h", lambda text: text[::-1]),
    change("B", lambda text: text.replace("entrance", "8")),
    spoil_winner, spoil_end, spoil_turn, spoil_nugget, spoil_move, spoil_deck,
]  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
def test_spoilt_recordings_differ(spoil, recorded):
    game = next(
        game for game in recorded
        if all(any(key in move for move in game["moves"]) for key in "LRPB") and game["hidden"][1] != "nugget"
    )  # fmt: skip
    game = copy.deepcopy(game)
    assert recording.replay(CARD, copy.deepcopy(game))[1] == []
    spoil(game)
    assert recording.replay(CARD, game)[1] != []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": {"1": ["8"], "0": ["8"]}}, "the hands have"),
        ({"hands": {"1": ["13"] * 7, "0": ["8"] * 7}}, "more cards 13 than"),
        ({"hidden": ["nugget"] * 3}, "its objectives are"),
        ({"deck": ["Foo"]}, "not in tuple"),
        ({"moves": [{}]}, "lacks"),
    ],
)
def test_what_is_no_recording(change, message, recorded, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({**recorded[0], **change}))
    with pytest.raises(BadRecording, match=message):
        list(recordings.verify(CARD, file))


# ---- mutants: rules that are slightly wrong must be found out by the recordings


def objectives_support(s):
    clear_board(s)
    for objective in range(3):
        state.fit_neighbours(s, state.objective_cell(objective))


def forgets_dead_ends(s, cell, shape):
    lay(s, cell, shape)
    if not tiles.THROUGH[shape] and state.is_joined(s, cell, int(tiles.SIDES[shape])):
        state.add(s.pending, cell)
        state.flood(s, cell)


def never_cuts_off(s, cell):
    reached = list(s.reached)
    destroy(s, cell)
    s.reached[:] = reached


def keeps_needs(s, cell):
    needs = list(s.need)
    destroy(s, cell)
    s.need[:] = needs


MUTANTS = [
    (state, "clear_board", objectives_support), (state, "lay", forgets_dead_ends), (state, "destroy", never_cuts_off),
    (state, "destroy", keeps_needs), (rules, "BLOCK", rules.CURE), (rules, "give_up", lambda s, player, kind: None),
    (rules, "HAND", 6),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name", "mutant"), MUTANTS)
def test_mutants_are_caught(module, name, mutant, monkeypatch, recorded):
    monkeypatch.setattr(module, name, mutant)

    def fails(game):
        try:
            return bool(recording.replay(CARD, copy.deepcopy(game))[1])
        except (ValueError, IndexError, StopIteration):
            return True

    assert any(fails(game) for game in recorded)


def test_no_drop_names_a_card_in_what_all_see():
    s = position((), (["Map", "8"], []))
    act(s, "Drop Map")
    assert s.last == DROP + tiles.KINDS
