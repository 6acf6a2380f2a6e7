"""Positions as numbers for networks: what the planes show, their symmetries, and the same numbers in both forms."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney.errors import BadGame
from spinney.games.battlesnake import encode, encode_v2, rules
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.position import Position, Snake, to_position, to_state
from spinney.games.battlesnake.state import DOWN, LEFT, NOBODY, RIGHT, UP
from spinney.search.encoding import PlaneEncoder
from tests.games.battlesnake.positions import DIRECTIONS, MODES, WAYS
from tests.games.battlesnake.test_players import beside, next_square, random_position, set_flood, set_reached

ENCODERS = [(name, one) for name in spinney.game_names() for one in spinney.game(name).card.encoders]
SNAKES = spinney.game("battlesnake")
PAPER, OURS = encode.ENCODER, encode_v2.ENCODER
MIDDLE = 10


def after(game, seed, turns):
    """A position some turns into a random game of careful players."""
    agents = [
        game.agent("trivial" if game.name == "battlesnake" else "random", seed=seed + i) for i in range(game.players)
    ]
    state = game.start(seed)
    for _ in range(turns):
        if state.is_over:
            break
        for player in state.movers:
            state.apply(agents[player].decide(state, player=player).action, player)
    return state


def looks(record, player, encoder=OURS):
    return PlaneEncoder(SNAKES.card, encoder, plain=True).look([record], [player])[0]


@pytest.mark.parametrize(("name", "encoder"), ENCODERS, ids=lambda it: getattr(it, "version", it))
def test_plain_and_compiled_see_the_same(name, encoder):
    game = spinney.game(name)
    plain, compiled = PlaneEncoder(game.card, encoder, plain=True), PlaneEncoder(game.card, encoder)
    for seed in range(4):
        state = after(game, seed, 5 + 10 * seed)
        movers = np.array(state.movers, np.int64)
        seen = plain.look([state.record] * len(movers), movers)
        assert seen.shape[1:] == encoder.shape
        assert (seen == compiled.look([state.record] * len(movers), movers)).all()


def slow_planes(s, player):
    """The planes as the documentation describes them, square by square, from lists and sets of squares."""
    planes, position = np.zeros(OURS.shape, np.float32), to_position(s)
    snakes, area = position.snakes, s.width * s.height
    head_x, head_y = snakes[player].body[0]

    def write(plane, at, value):
        x, y = at[0] - head_x, at[1] - head_y
        right, ahead = {UP: (x, y), DOWN: (-x, -y), LEFT: (y, -x), RIGHT: (-y, x)}[s.facing[player]]
        if max(abs(right), abs(ahead)) <= MIDDLE:
            planes[plane, MIDDLE - ahead, MIDDLE + right] = value

    def away(one):
        x, y = snakes[one].body[0]
        return abs(x - head_x) + abs(y - head_y)

    others = [one for one in range(s.players) if one != player and s.cause[one] == 0]
    for order, one in enumerate([player, *sorted(others, key=away)][:4]):
        body, shorter = snakes[one].body, s.length[one] < s.length[player]
        for i, at in reversed(list(enumerate(body))):
            if at != body[0]:
                write(3 * order + 1, at, (len(body) - i) / 16)
        write(3 * order, body[0], 0.5 if shorter else 1)
        write(3 * order + 2, body[0], s.health[one] / 100)
    for at in position.food:
        write(12, at, 1)
    planes[13] = 1
    for x in range(s.width):
        for y in range(s.height):
            write(13, (x, y), 0)
    for move in range(4):
        if rules.safe_moves(s, player) >> move & 1 and OURS.output(s, player, move) >= 0:
            to, (x, y) = next_square(s, player, move), WAYS[DIRECTIONS[move]]
            path, food = set_flood(s, to)
            heads = {snakes[one].body[0] for one in others if s.length[one] >= s.length[player]}
            ground = len(set_reached(s, player, to)[player])
            danger = 1 if heads & beside(s, to) else 0
            for plane, value in enumerate((path / area, ground / area, 1 / food, danger)):
                write(14 + plane, (head_x + x, head_y + y), value)
    for one, squares in set_reached(s, NOBODY, None).items():
        for at in squares:
            write(18 if one == player else 19, at, 1)
    return planes


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), mode=st.sampled_from(MODES))
def test_planes_are_those_of_the_slow_reference(seed, mode):
    """Networks depend on them, bit for bit, on boards of all sizes. What players share is computed once."""
    s = random_position(seed, mode)
    players = [player for player in range(s.players) if s.cause[player] == 0]
    expected = [slow_planes(s, player) for player in players]
    compiled = PlaneEncoder(SNAKES.card, OURS).look([s] * len(players), np.array(players, np.int64))
    assert (compiled == np.array(expected).reshape(compiled.shape)).all()
    out, planes = SNAKES.card.out(), np.empty(OURS.size, np.float32)
    OURS.prepare(s, out)
    for player, seen in zip(players, expected, strict=True):
        OURS.encode(s, player, out, planes, 0)
        assert (planes == seen.reshape(-1)).all()


def turned(position, turns, mirrored):
    """A position of a square board turned by quarters, and perhaps mirrored."""
    side = position.options.width - 1

    def place(at):
        x, y = at
        if mirrored:
            x = side - x
        for _ in range(turns):
            x, y = y, side - x
        return x, y

    snakes = [dataclasses.replace(one, body=[place(at) for at in one.body]) for one in position.snakes]
    return dataclasses.replace(position, snakes=snakes, food=[place(at) for at in position.food])


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), turns=st.integers(3, 60))
def test_the_eight_symmetries_of_a_board(seed, turns):
    """Turned boards look the same to a snake; a mirrored one is mirrored, and left is right. Our planes hold the
    paper's."""
    state = after(SNAKES, seed, turns)
    position = to_position(state.record)
    for player in state.movers:
        whole = looks(to_state(position), player)
        assert (looks(to_state(position), player, PAPER) == whole[:14]).all()
        for quarter in range(4):
            assert (looks(to_state(turned(position, quarter, False)), player) == whole).all()
            mirrored = to_state(turned(position, quarter, True))
            assert (looks(mirrored, player) == whole[:, :, ::-1]).all()
    assert PAPER.mirror == OURS.mirror == (2, 1, 0)


def test_what_a_snake_sees():
    """A snake that goes left at the lower wall: what is below it lies to its left."""
    record = to_state(
        Position(
            BattlesnakeOptions(players=4),
            [
                Snake([(3, 0), (4, 0), (5, 0), (5, 0)], health=40),
                Snake([(9, 9), (9, 8), (9, 7)], health=80),
                Snake([(3, 2), (4, 2), (5, 2), (6, 2)]),
                Snake([], cause="wall-collision", fell=1, length=3),
            ],
            food=[(2, 0), (0, 10)],
            turn=7,
        )
    )
    seen = looks(record, 0, PAPER)
    own_head, own_body, own_health, near_head, near_body, _, far_head = seen[:7]
    assert own_head[MIDDLE, MIDDLE] == 1
    assert own_health[MIDDLE, MIDDLE] == np.float32(0.4)
    assert own_body[MIDDLE + 1, MIDDLE] == 3 / 16  # neck
    assert own_body[MIDDLE + 2, MIDDLE] == 2 / 16  # tail, with one more piece on it
    assert own_body.sum() == 5 / 16
    assert near_head[MIDDLE, MIDDLE + 2] == 1  # snake 2, as long, to the right
    assert near_body[MIDDLE + 1, MIDDLE + 2] == 3 / 16
    assert far_head[MIDDLE - (-6), MIDDLE + 9] == 0.5  # snake 1, shorter
    assert not seen[9:12].any()  # the fallen
    food, wall = seen[12:]
    assert food[MIDDLE - 1, MIDDLE] == 1
    assert food.sum() == 2
    assert wall[MIDDLE, MIDDLE - 1] == 1
    assert wall[MIDDLE, MIDDLE] == 0
    assert wall.sum() == 21 * 21 - 121


def test_what_a_snake_finds_out():
    """A snake goes right along the lower wall, and a longer one is two squares above it. Ahead it has the next square
    and the corner before the other; the square to its left is the other's. Either way all squares but one can be had
    in time, for bodies leave. Right of it is the wall."""
    record = to_state(
        Position(
            BattlesnakeOptions(players=2, width=5, height=5),
            [Snake([(2, 0), (1, 0), (0, 0)]), Snake([(2, 2), (1, 2), (0, 2), (0, 3)])],
            food=[(4, 1)],
            turn=7,
        )
    )
    room, territory, meal, danger, own, others = looks(record, 0)[14:]
    left, ahead, right = (MIDDLE, MIDDLE - 1), (MIDDLE - 1, MIDDLE), (MIDDLE, MIDDLE + 1)
    assert meal[ahead] == np.float32(1 / 3)
    assert meal[left] == np.float32(1 / 3)
    assert danger[left] == 1
    assert danger[ahead] == 0
    assert room[left] == room[ahead] == np.float32(24 / 25)
    assert territory[left] == 0
    assert territory[ahead] == np.float32(2 / 25)
    for plane in (room, territory, meal, danger):
        assert plane[right] == 0
        assert plane.sum() == plane[left] + plane[ahead]
    assert own[ahead] == others[left] == 1
    assert not (own * others).any()


def test_outputs_are_turns():
    state = after(SNAKES, 1, 5)
    record = state.record
    player = state.movers[0]
    for facing, (left, forward, right, back) in {
        UP: (LEFT, UP, RIGHT, DOWN), RIGHT: (UP, RIGHT, DOWN, LEFT),
        DOWN: (RIGHT, DOWN, LEFT, UP), LEFT: (DOWN, LEFT, UP, RIGHT),
    }.items():  # fmt: skip
        record.facing[player] = facing
        assert [PAPER.output(record, player, move) for move in (left, forward, right, back)] == [0, 1, 2, -1]


def test_other_boards_fit_the_frame():
    """Large boards are cut off at the edge of the frame, and of many snakes the nearest are seen."""
    game = spinney.game("battlesnake(players=8, width=25, height=19)")
    for turns in (0, 12):
        state = after(game, 2, turns)
        for player in state.movers:
            seen = looks(state.record, player)
            assert seen[0].sum() == 1
            heads = sorted(
                abs(state.record.head[one] % 27 - state.record.head[player] % 27)
                + abs(state.record.head[one] // 27 - state.record.head[player] // 27)
                for one in state.movers
                if one != player
            )
            for order, away in enumerate(heads[:3]):
                if away <= MIDDLE:
                    assert seen[3 * (order + 1)].any()


def test_connect_four_sees_itself_first():
    game = spinney.game("connect_four")
    state = game.start()
    for column in (3, 3, 0):
        state.apply(column)
    seen = PlaneEncoder(game.card, plain=True).look([state.record, state.record], [0, 1])
    assert seen[0, 0, 0].tolist() == [1, 0, 0, 1, 0, 0, 0]
    assert seen[0, 1, 1].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert (seen[1] == seen[0][::-1]).all()


def test_an_encoder_is_made_of_rules():
    card = spinney.game("connect_four").card
    encoder = dataclasses.replace(card.encoders[0], output=lambda s, player, action: action)
    with pytest.raises(BadGame, match="marked with @rule"):
        dataclasses.replace(card, networks=dataclasses.replace(card.networks, encoders=(encoder,)))
    with pytest.raises(BadGame, match="tictactoe has no encoder"):
        PlaneEncoder(spinney.game("tictactoe").card)
