"""The rules of Colosseum Survival!: every position against a second implementation, and recorded games."""

from __future__ import annotations

import copy
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import OVER
from spinney.errors import BadOption, BadRecording
from spinney.games import recording as recordings
from spinney.games.colosseum import recording, rules, space, state
from spinney.games.colosseum.recording import position
from spinney.kernel import Rng, bind, seeded
from tests.games.colosseum.reference import OFFSETS, Reference, walls_of

CARD = spinney.game("colosseum").card
PUBLIC = Path(__file__).parents[2] / "conformance" / "data" / "colosseum" / "public.jsonl.gz"
UP, RIGHT, DOWN, LEFT = range(4)


def legal(s, player=None):
    out = CARD.out()
    n = rules.legal(s, s.mover if player is None else player, out)
    assert len(set(out.action[:n])) == n <= rules.MAX_ACTIONS
    return list(out.action[:n])


# ---- whole games


@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16]),
    year=st.sampled_from([2022, 2023]),
    stay=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_every_position_of_every_game(seed, size, year, stay):
    s = spinney.game("colosseum", size=size, year=year).start(seed).record
    choose = random.Random(seed)
    while rules.mover(s) != OVER:
        reference, player, before = Reference(s), s.mover, s.copy()
        actions = legal(s)
        assert sorted(actions) == reference.legal(player)
        assert reference.result() == (False, rules.scores(s))
        assert s == before
        action = choose.choice(actions)
        if stay:  # long games: walls that part nobody, and pockets
            quiet = [each for each in choose.sample(actions, min(8, len(actions))) if not parts(s, each)]
            action = quiet[0] if quiet else action
        rules.apply(s, action)
        assert s.flooded == before.flooded
        check_wall(before, s, player, action)
    reference = Reference(s)
    apart, scores = reference.result()
    assert apart
    assert scores == s.score == rules.scores(s)
    assert sum(scores) <= size * size
    assert legal(s, 0) == []
    out = CARD.out()
    rules.reward(s, out)
    assert out.reward == [(scores[0] > scores[1]) + 0.5 * (scores[0] == scores[1]), 1 - out.reward[0]]


def parts(s, action):
    after = s.copy()
    rules.apply(after, action)
    return rules.mover(after) == OVER


def check_wall(before, s, player, action):
    """One new wall, where it should be; it closes a ring exactly if it cuts two cells apart, and the end is noticed."""
    cell, side = divmod(action, 4)
    row, column = divmod(cell, s.size)
    to = row + OFFSETS[side][0], column + OFFSETS[side][1]
    reference = Reference(s)
    assert reference.walls - Reference(before).walls == {frozenset([(row, column), to])}
    assert reference.players[player] == (row, column)
    regions = reference.regions()
    assert state.close(before, cell, side) == (regions[row, column] != regions[to])
    assert (s.mover == OVER) == reference.result()[0]
    assert s.mover in (1 - player, OVER)
    for group in reference.joined_corners():  # a name for all walls that touch, and for these alone
        names = {s.joined[0] if corner is None else name_of(s, corner) for corner in group}
        assert len(names) == 1
        others = {name_of(s, corner) for corner in inner_corners(s.size) if corner not in group}
        assert names.isdisjoint(others | {state.FREE})


def inner_corners(size):
    """The corners of cells that are not on the border: a row and a column of lines."""
    return [(row, column) for row in range(1, size) for column in range(1, size)]


def name_of(s, corner):
    """What the state calls the walls at a corner."""
    row, column = corner
    return s.joined[row * s.size + column - 1]


@given(seed=st.integers(0, 2**32), size=st.integers(3, 16), year=st.sampled_from([2022, 2023]))
@settings(max_examples=80, deadline=None)
def test_the_first_position(seed, size, year):
    s = spinney.game("colosseum", size=size, year=year).start(seed).record
    steps = (size + 1) // 2
    walls = walls_of(s)
    assert len(walls) == (2 * steps if year == 2022 else 2 * (size // 2 - 1))
    assert (s.mover, s.steps) == (0, steps)
    half_turn = {frozenset((size - 1 - row, size - 1 - column) for row, column in wall) for wall in Reference(s).walls}
    assert half_turn == Reference(s).walls
    assert s.cell[0] + s.cell[1] == size * size - 1
    assert s.cell[0] != s.cell[1]
    assert not Reference(s).result()[0]


def test_in_2023_only_the_players_are_drawn_again(monkeypatch):
    """The players begin apart, as it were, three times; the walls must stay what they were in 2023, and only then."""
    draw = rules.draw_players
    for year, stay in ((2022, False), (2023, True)):
        boards = []

        def apart(s, rng, boards=boards):
            found = draw(s, rng)
            boards.append(walls_of(s))
            return found and len(boards) > 3

        monkeypatch.setattr(rules, "draw_players", apart)
        config = spinney.game("colosseum", size=8, year=year).options
        for seed in range(5):
            boards.clear()
            rules.start(CARD.rules.State(), config, seeded(seed))
            assert len(boards) > 3
            assert all(board == boards[0] for board in boards) == stay


def test_all_first_cells_are_drawn():
    game = spinney.game("colosseum", size=3)
    assert {game.start(seed).record.cell[0] for seed in range(200)} == {0, 1, 2, 3, 5, 6, 7, 8}
    edges = {tuple(wall) for seed in range(200) for wall in walls_of(game.start(seed).record)}
    assert len(edges) == 12


@pytest.mark.parametrize("size", [3, 5, 8, 12, 16])
def test_plain_and_compiled_play_the_same(size):
    def make(legal, any_move, apply, mover):
        def play(s, out, rng, listed):
            moves = 0
            while mover(s) >= 0:
                n = legal(s, mover(s), out)
                listed += n
                apply(s, any_move(s, mover(s), out.scratch, rng))
                moves += 1
            return moves, listed

        return play

    rules_used = {name: getattr(rules, name) for name in ("legal", "any_move", "apply", "mover")}
    compiled, plain = bind(make, "colosseum/play", **rules_used), bind(make, "colosseum/play", plain=True, **rules_used)
    game = spinney.game("colosseum", size=size)
    rng, native_rng = seeded(size), Rng.native(seeded(size))
    for seed in range(15):
        s = game.start(seed).record
        native = rules.State.native(s)
        out, native_out = CARD.out(), CARD.out.native()
        assert plain(s, out, rng, 0) == compiled(native, native_out, native_rng, 0)
        assert s == rules.State.plain(native)
        assert out.action == native_out.action.tolist()


# ---- counts


def test_most_legal_moves():
    """From every cell of every board, without walls and with the opponent out of the way."""
    most = 0
    for size in range(3, 17):
        steps = (size + 1) // 2
        inner = [[4 - (r in (0, size - 1)) - (c in (0, size - 1)) for c in range(size)] for r in range(size)]
        for row in range(size):
            for column in range(size):
                sides = sum(
                    inner[r][c]
                    for r in range(size)
                    for c in range(size)
                    if abs(r - row) + abs(c - column) <= steps
                )  # fmt: skip
                most = max(most, sides)
    assert most == rules.MAX_ACTIONS
    assert len(legal(position(16, [], [(7, 7), (15, 15)]))) == most


@pytest.mark.parametrize("size", [3, 7, 8, 10, 11, 16])
def test_any_move_is_each_legal_move_once(size, monkeypatch):
    s = spinney.game("colosseum", size=size).start(5).record
    found = []
    for draw in range(len(legal(s))):
        monkeypatch.setattr(rules, "below", lambda rng, n, draw=draw: draw)
        found.append(rules.any_move(s, 0, rules.Scratch(), None))
    assert found == legal(s)  # so `uniform` plays as `random` does, draw for draw


def test_words():
    for size in range(3, 17):
        s = position(size, [], [(0, 0), (1, 1)])
        assert [state.word_of(s, cell) for cell in range(size * size)] == [c // s.span for c in range(size * size)]


# ---- positions


def test_the_opponent_is_in_the_way():
    s = position(5, [[0, 0, DOWN], [0, 1, DOWN], [0, 2, DOWN]], [(0, 0), (0, 1)])
    assert legal(s) == [0 * 4 + RIGHT]  # its only exit is taken: it can but stay, and wall itself in
    rules.apply(s, RIGHT)
    assert (s.mover, s.score) == (OVER, [1, 24])


def test_exactly_as_many_steps_as_allowed():
    s = position(8, [], [(0, 0), (7, 7)])
    cells = {divmod(action // 4, 8) for action in legal(s)}
    assert max(sum(cell) for cell in cells) == 4
    assert (0, 4) in cells
    assert (0, 0) in cells


def test_regions_of_nobody_count_for_nobody():
    """Three strips of 2, 1 and 2 columns."""
    walls = [[row, column, RIGHT] for row in range(5) for column in (1, 2)]
    s = position(5, walls[:-1], [(4, 0), (4, 4)])
    assert s.mover == OVER
    assert s.score == [10, 15]
    s = position(5, walls[:-2], [(4, 0), (4, 4)])
    rules.apply(s, (4 * 5 + 1) * 4 + RIGHT)
    assert (s.mover, s.score) == (OVER, [10, 15])
    s = position(5, walls, [(4, 0), (4, 4)])
    assert (s.mover, s.score) == (OVER, [10, 10])
    out = CARD.out()
    rules.reward(s, out)
    assert out.reward == [0.5, 0.5]


def test_a_pocket_is_no_end():
    """Cutting off a corner without anybody in it: the score goes down for both, and the game goes on."""
    s = position(4, [[0, 0, DOWN]], [(0, 1), (3, 3)])
    assert rules.scores(s) == [16, 16]
    rules.apply(s, 1 * 4 + LEFT)
    assert s.mover == 1
    assert rules.scores(s) == [15, 15]


def test_the_mover_may_lose_or_win_at_once():
    walls = [[0, 0, DOWN]]
    s = position(4, walls, [(0, 0), (2, 2)])
    rules.apply(s, RIGHT)
    assert s.score == [1, 15]
    s = position(4, walls, [(0, 1), (0, 0)])
    rules.apply(s, 1 * 4 + LEFT)
    assert s.score == [15, 1]


def test_options():
    game = spinney.game("colosseum")
    assert (game.options.size, game.options.year) == (8, 2022)
    for options in ({"size": 2}, {"size": 17}, {"size": 8.0}, {"year": 2021}, {"sise": 4}):
        with pytest.raises(BadOption):
            spinney.game("colosseum", **options)


# ---- recordings


def test_recorded_games():
    *_, verdict = recordings.verify(CARD, PUBLIC)
    assert (verdict.games, verdict.steps, verdict.differences) == (500, 12_769, [])


@pytest.fixture(scope="module")
def recorded():
    return [game for game in recordings.read(PUBLIC) if 5 <= game["board_size"] <= 8][:40]


def spoil_move(game):
    game["moves"][0] = [game["p1"][0], game["p1"][1], game["moves"][0][2]]


def spoil_legal(game):
    game["legal"][1] += 1


def spoil_ended(game):
    game["ended"][0] = 1


def spoil_score(game):
    game["score1"][-1] += 1


def spoil_winner(game):
    game["winner"] = 2


def spoil_walls(game):
    game["walls"].pop()


def spoil_players(game):
    game["p0"], game["p1"] = game["p1"], game["p0"][::-1]


def spoil_steps(game):
    game["max_step"] += 1


def spoil_end(game):
    for key in ("moves", "legal", "ended", "score0", "score1"):
        game[key].pop()


def spoil_list(game):
    game["full"] = [{"ply": 0, "moves": [[0, 0, 1]] * game["legal"][0]}]


SPOILERS = [
    spoil_move, spoil_legal, spoil_ended, spoil_score, spoil_winner, spoil_walls, spoil_players, spoil_steps, spoil_end,
    spoil_list,
]  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILERS)
def test_spoilt_recordings_differ(spoil, recorded):
    game = copy.deepcopy(next(game for game in recorded if game["board_size"] == 8))
    assert recording.replay(CARD, copy.deepcopy(game))[1] == []
    spoil(game)
    assert recording.replay(CARD, game)[1] != []


def test_what_is_no_recording(tmp_path):
    file = tmp_path / "games.jsonl"
    for text in ("{}", '{"board_size": 8, "moves": [], "legal": []}'):
        file.write_text(text)
        with pytest.raises(BadRecording):
            list(recordings.verify(CARD, file))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"walls": [[0, 3, RIGHT]]}, "no wall"),
        ({"walls": [[0, 0, RIGHT], [0, 1, LEFT]]}, "no wall"),
        ({"players": [(0, 0), (4, 1)]}, "not on the board"),
        ({"players": [(1, 1), (1, 1)]}, "two on different cells are allowed"),
        ({"players": [(0, 0)]}, "two on different cells are allowed"),
        ({"mover": 2}, "0 and 1 are allowed"),
        ({"size": 2}, "a board of 2x2; 3 to 16 cells"),
        ({"size": 17}, "a board of 17x17; 3 to 16 cells"),
    ],
)
def test_what_is_no_position(given, message):
    with pytest.raises(BadRecording, match=message):
        position(**{"size": 4, "walls": [], "players": [(0, 0), (1, 1)], **given})


# ---- mutants: rules that are slightly wrong must be found out by the recordings


def too_far(s, player, work):
    s.steps += 1
    space.reach(s, player, work)
    s.steps -= 1


def one_step(s, player, work):
    steps, s.steps = s.steps, 1
    space.reach(s, player, work)
    s.steps = steps


def over_the_opponent(s, player, work):
    other = s.cell[1 - player]
    s.cell[1 - player] = s.size * s.size - 1 if s.cell[player] == 0 else 0
    space.reach(s, player, work)
    s.cell[1 - player] = other


def never_a_ring(s, cell, side):
    state.close(s, cell, side)
    return False


def always_a_ring_of_borders(s, cell, side):
    state.close(s, cell, side)
    return s.joined[cell + s.size] == state.BORDER


def not_up(s, word, side):
    return space.open_cells(s, word, side) if side else space.open_cells(s, word, DOWN)


def counts_of_the_first(s):
    s.mover = OVER
    s.score[0] = s.score[1] = space.region(s, s.cell[0], -1)


MUTANTS = [
    ("reach", too_far), ("reach", one_step), ("reach", over_the_opponent), ("close", never_a_ring),
    ("close", always_a_ring_of_borders), ("open_cells", not_up), ("end", counts_of_the_first),
    ("can_meet", lambda s: True), ("can_meet", lambda s: False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "mutant"), MUTANTS)
def test_mutants_are_caught(name, mutant, monkeypatch, recorded):
    monkeypatch.setattr(rules, name, mutant)
    assert any(recording.replay(CARD, game)[1] for game in recorded)
