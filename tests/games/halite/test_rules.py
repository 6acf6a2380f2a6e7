"""Halite: the official engine's games and maps, plain against compiled, and what always holds."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import BadOption, IllegalAction
from spinney.games.card import OVER
from spinney.games.halite import rules
from spinney.games.halite.commands import command_line, give_orders, parse
from spinney.games.halite.maps import make_map, size_from, turns_for
from spinney.games.halite.recording import first_position, replay
from spinney.games.halite.state import (
    CONSTRUCT,
    MAX_DROPOFFS,
    MAX_SHIPS,
    NONE,
    NORTH,
    SPAWN,
    STAY,
    STRIDE,
    State,
    add_dropoff,
    add_ship,
    distance,
    flip,
    is_inspired,
)
from spinney.kernel import Rng, bind, seeded
from tests.games.halite.match import compiled, make_match

DATA = Path(__file__).parents[2] / "conformance" / "data" / "halite"
CARD = spinney.game("halite").card


def lines(name):
    with gzip.open(DATA / name, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def recordings():
    return {game["id"]: game for game in lines("public.jsonl.gz")}


# ---- the official engine


def test_maps_are_the_engines():
    maps = lines("maps.jsonl.gz")
    assert len(maps) == 50
    for recorded in maps:
        made = make_map(recorded["width"], recorded["num_players"], recorded["seed"])
        assert made.halite.tolist() == recorded["halite"]
        assert [list(yard) for yard in made.yards] == recorded["factories"]
        assert made.luck == recorded["random_ids"]


def test_recordings_replay(recordings):
    assert len(recordings) == 61
    for name, recorded in recordings.items():
        turns, differences = replay(CARD, recorded)
        assert differences == [], name
        assert turns == len(recorded["turns"]) == recorded["number_turns"] - 1


def test_sizes_and_turns_are_the_engines(recordings):
    assert [turns_for(size) for size in (10, 32, 40, 48, 56, 64)] == [400, 400, 425, 450, 475, 500]
    games = [game for game in recordings.values() if "edge" not in game["tags"]]
    defaults = [(game["seed"], game["constants"]["DEFAULT_MAP_WIDTH"]) for game in games]
    assert len({size for _, size in defaults}) == 5
    assert [size_from(seed) for seed, _ in defaults] == [size for _, size in defaults]


def spoil_commands(recorded):
    recorded["turns"][1]["commands"]["0"] = ""


def spoil_halite(recorded):
    recorded["initial_halite"][3][3] += 1


def spoil_ship(recorded):
    recorded["turns"][5]["entities"]["1"][0][4] ^= 1


def spoil_deposit(recorded):
    recorded["turns"][9]["deposited"][0] += 1


def spoil_rank(recorded):
    recorded["ranks"].reverse()


def spoil_end(recorded):
    recorded["constants"]["MAX_TURNS"] += 1


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (spoil_commands, "turn 2: the recording has events"),
        (spoil_halite, "before the first turn: the recording has map"),
        (spoil_ship, "turn 6: the recording has entities"),
        (spoil_deposit, "turn 10: the recording has deposited"),
        (spoil_rank, "at the end: the recording has ranks"),
        (spoil_end, "at the end: the recording stops"),
    ],
)
def test_a_spoilt_recording_is_noticed(recordings, spoil, word):
    recorded = copy.deepcopy(recordings["public-001"])
    spoil(recorded)
    _, differences = replay(CARD, recorded)
    assert differences[0].startswith(word)


# ---- plain and compiled


@pytest.mark.parametrize(
    "spec",
    [
        "halite(players=1, size=10, turns=100, energy=9000)",
        "halite(size=34, turns=100, energy=15000)",
        "halite(players=4, size=64, turns=40, energy=20000)",
        "halite(players=4, size=12, turns=60, energy=20000, inspiration=false)",
    ],
)
def test_plain_and_compiled_play_the_same(spec):
    game = spinney.game(spec)
    for clever in (0, 2, 4):
        s = game.start(5).record
        native = State.native(s)
        orders = make_match()(s, CARD.out(), seeded(9), clever)
        assert compiled()(native, CARD.out.native(), Rng.native(seeded(9)), clever) == orders
        assert orders[0] > 50
        assert State.plain(native) == s


def test_compiled_turns_are_the_engines(recordings):
    def make_turn():
        def turn(s):
            rules.carry_out(s)

        return turn

    carry_out = bind(make_turn, "halite/turn")
    for name in ("public-013", "public-edge-02", "public-edge-03", "public-edge-12"):
        recorded = recordings[name]
        s = first_position(recorded)
        for turn in recorded["turns"]:
            for player, line in turn["commands"].items():
                give_orders(s, int(player), line)
            native = State.native(s)
            carry_out(native)
            rules.carry_out(s)
            assert State.plain(native) == s
        assert s.mover == OVER


# ---- what always holds


def assert_whole(s):
    """What the state says twice is the same both times."""
    assert s.total == sum(s.halite)
    assert all(halite >= 0 for halite in s.halite)
    ships = range(s.ships)
    assert [s.ship[s.cell[i]] for i in ships] == list(ships)
    assert sum(ship != NONE for ship in s.ship) == s.ships
    assert [s.id[i] for i in ships] == sorted({s.id[i] for i in ships})
    assert all(0 <= s.cargo[i] <= 1000 for i in ships)
    owned = [list(s.player[: s.ships]).count(player) for player in range(s.players)]
    assert s.fleet[: s.players] == owned
    structures = {s.dropoff[k] for k in range(s.dropoffs)} | set(s.yard[: s.players])
    assert structures == {cell for cell, owner in enumerate(s.owner) if owner != NONE}
    assert all(s.halite[cell] == 0 for cell in structures)
    assert sum(s.built) == s.dropoffs
    boards = State(size=s.size, players=s.players, column_bits=s.column_bits)
    for i in ships:
        flip(boards, s.player[i], s.cell[i])
    if s.inspiration:
        assert boards.bitboard == s.bitboard


def inspired_slowly(s, i):
    near = [k for k in range(s.ships) if s.player[k] != s.player[i] and distance(s, s.cell[k], s.cell[i]) <= 4]
    return len(near) >= 2


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_game_stays_whole_whatever_is_ordered(data):
    players, size = data.draw(st.sampled_from([1, 2, 4])), data.draw(st.sampled_from([10, 12, 32, 34, 64]))
    s = (
        spinney.game("halite", players=players, size=size, turns=40, energy=30000)
        .start(data.draw(st.integers(0, 99)))
        .record
    )
    cells = [y * STRIDE + x for y in range(size) for x in range(size) if s.owner[y * STRIDE + x] == NONE]
    centre = data.draw(st.sampled_from(cells))
    near = sorted(cells, key=lambda cell: distance(s, cell, centre))[:40]  # crowded
    for cell in data.draw(st.lists(st.sampled_from(near), unique=True, max_size=30)):
        add_ship(s, data.draw(st.integers(0, players - 1)), cell, data.draw(st.integers(0, 1000)), s.next_id)
        s.next_id += 1
    for _ in range(4):
        wealth = sum(s.treasury) + sum(s.cargo[: s.ships]) + s.total
        assert [is_inspired(s, i) for i in range(s.ships)] == [inspired_slowly(s, i) for i in range(s.ships)]
        orders = data.draw(st.lists(st.integers(STAY, CONSTRUCT), min_size=s.ships, max_size=s.ships))
        spawns = data.draw(st.lists(st.integers(0, 1), min_size=players, max_size=players))
        s.order[: s.ships] = [
            STAY if order == CONSTRUCT and s.owner[s.cell[i]] != NONE else order for i, order in enumerate(orders)
        ]
        s.spawn[:players] = spawns
        if data.draw(st.integers(0, 9)) == 0:
            rules.terminate(s, data.draw(st.integers(0, players - 1)))
            wealth = 10**9
        rules.carry_out(s)
        assert_whole(s)
        bonus = 2 * sum(s.cargo[: s.ships])
        assert sum(s.treasury) + sum(s.cargo[: s.ships]) + s.total <= wealth + bonus
        if s.mover == OVER:
            break


@given(seed=st.integers(0, 999), players=st.sampled_from([1, 2, 4]), picks=st.lists(st.integers(0, 99), max_size=150))
@settings(max_examples=30, deadline=None)
def test_legal_orders_are_what_the_engine_allows(seed, players, picks):
    """The same game order by order, and by lines of commands."""
    state = spinney.game("halite", players=players, size=10, turns=30, energy=9000).start(seed)
    s, told = state.record, state.record.copy()
    before = s.copy()
    for pick in picks:
        if state.is_over:
            break
        legal = state.legal()
        action = legal[pick % len(legal)]
        if s.piece == s.ships:
            before.spawn[s.mover] = int(action == SPAWN)
        else:
            before.order[s.piece] = action
        state.apply(action)
        if s.turn > told.turn:
            for player in range(players):
                give_orders(told, player, command_line(before, player))
            rules.carry_out(told)
            rules.advance(told)
            assert told == s
            before = s.copy()


def test_what_others_have_ordered_is_hidden():
    game = spinney.game("halite(size=10)")
    state, other = game.start(1), game.start(1)
    state.apply("spawn")
    other.apply("wait")
    assert state.record != other.record
    assert state.observe(1).record == other.observe(1).record
    assert state.observe(0).record != other.observe(0).record
    guesses = set()
    for seed in range(20):
        view = state.observe(1)
        rules.determinize(view.record, 1, seeded(seed))
        guesses.add(view.record.spawn[0])
        assert view.legal() == state.legal()
    assert guesses == {0, 1}


# ---- limits, errors


def position(players=2, size=32, energy=10**6):
    return spinney.game("halite", players=players, size=size, energy=energy).start(1).record


def test_fleets_have_room_for_no_more_than_fits():
    s = position(4, 64)
    cells = [cell for cell in range(STRIDE * 64) if s.owner[cell] == NONE]
    for number in range(MAX_SHIPS):
        add_ship(s, number % 4, cells[2 * number], 0, number)
    s.next_id = MAX_SHIPS
    assert not any(rules.can_spawn(s, player) for player in range(4))
    s.spawn[:] = [1] * 4
    rules.carry_out(s)
    assert s.ships == MAX_SHIPS
    assert s.treasury == [10**6] * 4
    assert_whole(s)
    s.order[0] = NORTH  # a ship is lost in the turn in which its owner spawns
    s.cargo[0] = 1000
    s.ship[s.cell[1]], s.cell[1] = NONE, s.cell[0] + STRIDE * 63
    s.ship[s.cell[1]] = 1
    s.spawn[:] = [1] * 4
    rules.carry_out(s)
    assert s.ships <= MAX_SHIPS


def test_dropoffs_have_room_for_no_more_than_fits():
    s = position()
    for cell in range(MAX_DROPOFFS // 2):
        add_dropoff(s, 0, cell // 30 * STRIDE + cell % 30)
    add_ship(s, 0, STRIDE * 31, 0, 0)
    add_ship(s, 1, STRIDE * 31 + 5, 0, 1)
    assert not rules.can_construct(s, 0)
    assert rules.can_construct(s, 1)
    s.order[:2] = [CONSTRUCT, CONSTRUCT]
    rules.carry_out(s)
    assert (s.ships, s.dropoffs) == (1, MAX_DROPOFFS // 2 + 1)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("x", "there is no command 'x'"),
        ("m 0 q", "is no move"),
        ("m 0", "is no move"),
        ("m n", "is no move"),
        ("m 7 n", "player 0 has no ship 7; it has 0"),
        ("m 1 n", "player 0 has no ship 1"),
        ("m 0 o m 0 o", "ship 0 has two commands"),
        ("gg", "player 0 spawns 2 ships"),
        ("c 0 g", "player 0 spends 4700 halite; 4600 are in the treasury"),
    ],
)
def test_fatal_commands_change_nothing(line, problem):
    s = position(energy=4600)
    s.halite[0] = 200
    add_ship(s, 0, 0, 100, 0)
    add_ship(s, 1, 5, 100, 1)
    before = s.copy()
    with pytest.raises(IllegalAction, match=problem):
        give_orders(s, 0, line)
    assert s == before
    give_orders(s, 0, "c0")
    assert s.spent[0] == 3700


def test_commands_need_no_blanks_and_end_where_the_engine_stops():
    assert parse("gm3nc 4") == [(NONE, SPAWN), (3, NORTH), (4, CONSTRUCT)]
    assert parse(" m  12   o ") == [(12, STAY)]
    assert parse("g c x m 3 n") == [(NONE, SPAWN)]
    assert parse("") == []


def test_a_player_is_terminated_between_orders():
    game = spinney.game("halite(players=4, size=10, energy=9000)")
    state = game.start(2)
    for _ in range(3):
        while True:
            state.apply(state.legal()[-1] if state.record.piece == state.record.ships else "stay")
            if not rules.under_way(state.record):
                break
        if state.record.turn == 1:
            for i in range(4):
                state.record.cargo[i] = 100
    s = state.record
    while s.mover < 2:
        state.apply(state.legal()[0])
    rules.terminate(s, 0)
    rules.terminate(s, 2)
    rules.advance(s)
    assert (s.mover, s.treasury[0], s.fleet[0], s.fleet[2]) == (3, 0, 0, 0)
    turn = s.turn
    while s.turn == turn:
        state.apply(state.legal()[0])
    assert_whole(s)
    assert [s.last_alive[player] for player in range(4)] == [turn, turn + 1, turn, turn + 1]
    assert s.mover == 1


def test_ships_of_a_terminated_player_inspire_in_that_turn_alone():
    s = spinney.game("halite(players=2, size=10)").start(1).record
    at = next(
        y * STRIDE + x for y in range(10) for x in range(8) if all(s.halite[y * STRIDE + x + d] for d in range(3))
    )
    for player, cell in ((0, at), (1, at + 1), (1, at + 2)):
        add_ship(s, player, cell, 0, s.next_id)
        s.next_id += 1
    s.halite[at] = 40
    rules.terminate(s, 1)
    rules.carry_out(s)
    assert s.cargo[0] == 3 * 10
    s.mover = 0  # the other one is out, which ends the game; what a further turn would be
    rules.carry_out(s)
    assert s.cargo[0] == 3 * 10 + 8


def test_nobody_goes_broke_on_a_map_without_halite_but_those_who_cannot_go_on_are_not_alive():
    s = spinney.game("halite(players=2, size=10)").start(1).record
    s.halite[:] = [0] * len(s.halite)
    s.total = 0
    s.treasury[:2] = [500, 500]
    add_ship(s, 0, STRIDE, 7, s.next_id)
    turn = s.turn
    for _ in range(3):
        rules.carry_out(s)
    assert s.mover != OVER, "a ship has cargo"
    assert list(s.last_alive[:2]) == [turn + 3, s.last_alive[1]]
    assert s.last_alive[1] <= turn
    assert rules.score(s, 1) == 500
    assert rules.rank(s, 0) == 1


@pytest.mark.parametrize("options", [{"size": 8}, {"size": 33}, {"size": 66}, {"players": 3}, {"energy": 999}])
def test_options_have_limits(options):
    with pytest.raises(BadOption, match=f"halite: option '{next(iter(options))}'"):
        spinney.game("halite", **options)


def test_the_map_is_the_seeds():
    game = spinney.game("halite(size=0, map_seed=3)")
    s = game.start(1).record
    assert (s.size, s.turns) == (size_from(3), turns_for(size_from(3)))
    assert s == game.start(2).record
    assert spinney.game("halite").start(1).record != spinney.game("halite").start(2).record
