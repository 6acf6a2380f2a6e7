"""Morpion solitaire (examples/morpion.py) against a slow implementation, and against OpenSpiel's."""

from __future__ import annotations

import random

import pyspiel
import pytest

import spinney

MORPION = "examples/morpion.py"
VARIANTS = [(points, touching) for points in (4, 5) for touching in (False, True)]
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
CROSSES = {
    4: ["  xxx  ", "  x x  ", "xxx xxx", "x     x", "xxx xxx", "  x x  ", "  xxx  "],
    5: [
        "   xxxx   ", "   x  x   ", "   x  x   ", "xxxx  xxxx", "x        x",
        "x        x", "xxxx  xxxx", "   x  x   ", "   x  x   ", "   xxxx   ",
    ],
}  # fmt: skip


class SlowMorpion:
    """Sets of points and of lines; every line of the plane near the points is looked at for each move."""

    def __init__(self, points: int, touching: bool) -> None:
        rows = CROSSES[points]
        self.size, self.touching = points, touching
        self.points = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "x"}
        self.lines: list[tuple[tuple[int, int], ...]] = []

    def moves(self) -> set[tuple[tuple[tuple[int, int], ...], tuple[int, int]]]:
        """All lines that may be drawn, with the new point."""
        found = set()
        near = {(x + dx, y + dy) for x, y in self.points for dx in range(-4, 5) for dy in range(-4, 5)}
        for x, y in near:
            for dx, dy in WAYS:
                line = tuple((x + k * dx, y + k * dy) for k in range(self.size))
                new = set(line) - self.points
                if len(new) == 1 and all(self.may_cross(line, other) for other in self.lines):
                    found.add((line, new.pop()))
        return found

    def may_cross(self, line, other) -> bool:
        """Whether a line may be drawn beside another: those of one direction share nothing, or an end."""
        way, other_way = ((one[1][0] - one[0][0], one[1][1] - one[0][1]) for one in (line, other))
        shared = set(line) & set(other)
        if way != other_way or not shared:
            return True
        return self.touching and len(shared) == 1

    def draw(self, line, new) -> None:
        self.points.add(new)
        self.lines.append(line)


def corner(state: spinney.State) -> tuple[int, int]:
    """The upper left corner of the first cross on the board."""
    module = state.game.card.rules
    cells = [at for at in range(module.SIZE**2) if state.record.cell[at] & module.POINT]
    return min(at % module.SIZE for at in cells), min(at // module.SIZE for at in cells)


def line_of(module, action: int, points: int, left: int, top: int):
    """The points of an action's line, and its new point."""
    at, way, new = action // 20, action // 5 % 4, action % 5
    dx, dy = WAYS[way]
    line = tuple((at % module.SIZE - left + k * dx, at // module.SIZE - top + k * dy) for k in range(points))
    return line, line[new]


@pytest.mark.parametrize(("points", "touching"), VARIANTS)
def test_moves_are_those_of_a_slow_implementation(points, touching):
    game, rng = spinney.game(MORPION, points=points, touching=touching), random.Random(5)
    module = game.card.rules
    for _ in range(2):
        state, slow = game.start(), SlowMorpion(points, touching)
        left, top = corner(state)
        while not state.is_over:
            actions = {line_of(module, action, points, left, top): action for action in state.legal()}
            assert set(actions) == slow.moves()
            assert len(actions) == len(state.legal()) <= module.MAX_ACTIONS
            move = rng.choice(sorted(actions))
            state.apply(actions[move])
            slow.draw(*move)
        assert slow.moves() == set()
        assert state.scores() == [len(slow.lines)]
        assert state.rewards() == (len(slow.lines) / module.BOUNDS[points - 4][touching],)


@pytest.mark.parametrize("touching", [False, True])
def test_there_are_28_first_moves(touching):
    """As the literature says; of lines of four points, OpenSpiel has as many."""
    assert len(spinney.game(MORPION, touching=touching).start().legal()) == 28


def test_4d_is_that_of_open_spiel():
    """Random games: the number of moves, and whether the game is over, after every move."""
    theirs, game, rng = pyspiel.load_game("morpion_solitaire"), spinney.game(MORPION, points=4), random.Random(1)
    left, top = corner(game.start())
    for _ in range(30):
        one, two = game.start(), theirs.new_initial_state()
        while not one.is_over:
            mine = {tuple(sorted(line_of(game.card.rules, action, 4, left, top)[0])): action for action in one.legal()}
            other = {}
            for action in two.legal_actions():
                words = two.action_to_string(action).split()
                cells = sorted(tuple(int(it) for it in word.strip("[]").split(",")) for word in words)
                other[tuple((column - 3, row - 3) for row, column in cells)] = action
            assert {tuple(sorted(line)) for line in other} == set(mine)
            line = rng.choice(sorted(mine))
            one.apply(mine[line])
            two.apply_action(next(action for cells, action in other.items() if tuple(sorted(cells)) == line))
        assert two.is_terminal()
        assert one.scores() == [two.returns()[0]]


def test_the_board_shows_points_and_lines():
    state = spinney.game(MORPION).start()
    assert len(str(state).splitlines()) == 21
    state.apply("o10 falling 3")
    assert state.name(state.legal()[0]).split()[1] in ("across", "down", "falling", "rising")
    assert "1 lines, " in str(state)
    picture = state.game.card.board.picture(state.record)
    assert len([key for key in picture.marks if key[0] == "point"]) == 37
    assert [key for key in picture.marks if key[0] == "line"] == [("line", 0)]
