"""The games that OpenSpiel has, too: every step is the same there. The poker games are in test_poker_rules.py."""

from __future__ import annotations

import pyspiel
import pytest

import spinney
from spinney import games
from spinney.games.hex.board import stone_on
from spinney.games.hex.players import AROUND, stones_missing
from spinney.play import Session
from tests.games import beside_open_spiel
from tests.games.test_perft import perft

SPECS = {
    "connect_four": 100,
    "tic_tac_toe": 300,
    "breakthrough": 50,
    "breakthrough(rows=6,columns=4)": 150,
    "breakthrough(rows=5,columns=3)": 200,
    "breakthrough(rows=3,columns=8)": 300,
    "hex": 30,
    "hex(board_size=8)": 50,
    "hex(board_size=3)": 400,
    "hex(board_size=2)": 700,
    "pig": 20,
    "pig(players=4,winscore=30)": 40,
    "pig(players=10,horizon=25)": 100,
    "pig(diceoutcomes=4,winscore=12,piglet=True)": 40,
    "goofspiel": 100,
    "goofspiel(players=5,num_cards=7)": 200,
    "goofspiel(players=3,num_cards=6,points_order=ascending)": 400,
    "goofspiel(num_cards=4,points_order=descending)": 600,
}
"""Random games of each."""


@pytest.mark.parametrize("spec", SPECS)
def test_every_step_is_that_of_open_spiel(spec):
    assert beside_open_spiel.check_steps(spec, SPECS[spec]) > 1500


def test_every_game_of_open_spiel_is_compared():
    rules = [games.card(name).rules for name in games.game_names()]
    named = {getattr(module, "OPEN_SPIEL", None) for module in rules} - {None, "kuhn_poker()", "leduc_poker()"}
    assert named == {f"{spec}()" for spec in SPECS if "(" not in spec}


def count_theirs(state, depth):
    """Action sequences of a length, by OpenSpiel."""
    return 1 if depth == 0 else sum(count_theirs(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize(
    ("spec", "depth"),
    [("breakthrough", 3), ("breakthrough(rows=5,columns=3)", 6), ("hex(board_size=3)", 7), ("hex(board_size=9)", 2)],
)
def test_compiled_rules_count_as_many_positions(spec, depth):
    state = spinney.game(spec).start()
    assert perft(state, depth) == count_theirs(pyspiel.load_game(spec).new_initial_state(), depth)
    assert perft(state, depth - 1, plain=True) == perft(state, depth - 1)


@pytest.mark.parametrize("spec", ["breakthrough(rows=4,columns=3)", "hex(board_size=3)", "hex(board_size=9)"])
def test_position_hashes_tell_positions_apart(spec):
    """Two positions have the same hash if and only if the boards and the movers are the same."""
    hashes, boards = {}, {}
    for state, ours in beside_open_spiel.games(spec, 60):
        board, key = (str(state), state.current_player()), ours.game.card.rules.position_hash(ours.record)
        assert hashes.setdefault(board, key) == key
        assert boards.setdefault(key, board) == board
        assert 0 <= key < 2**63
    assert len(hashes) > 300


@pytest.mark.parametrize("spec", ["goofspiel()", "goofspiel(players=3,num_cards=5)"])
def test_points_of_goofspiel_are_those_of_open_spiel(spec):
    """They are its returns with another option. The reward `points` is the part of all points."""
    theirs = pyspiel.load_game(spec.replace("(", "(returns_type=total_points,").replace(",)", ")"))
    for state, ours in beside_open_spiel.games(spec, 50):
        if state.is_terminal():
            points, out = theirs.deserialize_state(state.serialize()).returns(), ours.game.card.out()
            assert ours.scores() == points
            ours.game.card.all_rewards["points"](ours.record, out)
            assert out.reward[: len(points)] == pytest.approx([it / theirs.max_utility() for it in points])


def missing_by_dijkstra(s, player):
    """The stones that a player of Hex lacks, from the cells of its first edge to those of its last."""
    size = s.size
    cells = {(row, column): stone_on(s, row * size + column) for row in range(size) for column in range(size)}
    cost = {cell: int(owner is None) for cell, owner in cells.items() if owner != 1 - player}
    ways = [(cost[cell], cell) for cell in cost if cell[player] == 0]
    found = {}
    while ways:
        ways.sort(reverse=True)
        total, (row, column) = ways.pop()
        if (row, column) not in found:
            found[row, column] = total
            around = ((row + down, column + right) for down, right in AROUND)
            ways += [(total + cost[cell], cell) for cell in around if cell in cost and cell not in found]
    return min((total for cell, total in found.items() if cell[player] == size - 1), default=None)


def test_missing_stones_of_hex():
    for state, ours in beside_open_spiel.games("hex(board_size=8)", 3):
        if not state.is_terminal():
            for player in range(2):
                assert stones_missing(ours.record, player) == missing_by_dijkstra(ours.record, player)


@pytest.mark.parametrize(
    ("spec", "better", "worse", "least"),
    [
        ("breakthrough", "heuristic", "random", 0.95),
        ("hex(board_size=7)", "heuristic", "random", 0.85),
        ("pig", "hold", "random", 0.95),
        ("pig", "race", "hold(at=50)", 0.6),
        ("goofspiel", "match", "random", 0.8),
        ("goofspiel", "overbid", "match", 1.0),
    ],
)
def test_hand_written_players_win(spec, better, worse, least):
    game, won = spinney.game(spec), 0.0
    for seed in range(60):
        seats = [game.agent(worse, seed=seed), game.agent(worse, seed=seed)]
        seats[seed % 2] = game.agent(better, seed=seed)
        won += Session(game.start(seed), seats).play().rewards()[seed % 2]
    assert won / 60 >= least
