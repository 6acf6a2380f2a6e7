"""Perft: the number of action sequences of a length, against counters that share no code with the rules."""

from __future__ import annotations

import pytest

import spinney
from spinney.games import OVER
from spinney.kernel import Record, assign, bind, block, i64


class Frame(Record):
    n = i64  # legal actions here; -1: not asked yet
    at = i64  # the next of them


def make_perft(rules):
    mover, legal, apply = rules.mover, rules.legal, rules.apply

    def perft(states, outs, frames, depth):
        """Depth first over a stack of states."""
        total, level = 0, 0
        frames[0].n = -1
        while level >= 0:
            frame, player = frames[level], mover(states[level])
            if level == depth or player == OVER:
                total += 1 if level == depth else 0
                level -= 1
                continue
            if frame.n < 0:
                frame.n = legal(states[level], player, outs[level])
                frame.at = 0
            if frame.at == frame.n:
                level -= 1
                continue
            assign(states[level + 1], states[level])
            apply(states[level + 1], outs[level].action[frame.at])
            frame.at += 1
            level += 1
            frames[level].n = -1
        return total

    return perft


def perft(state: spinney.State, depth: int, plain: bool = False) -> int:
    card = state.game.card
    states, outs, frames = (block(record, depth + 1, plain) for record in (card.rules.State, card.out, Frame))
    states[0] = state.record.copy() if plain else type(state.record).native(state.record)
    count = bind(make_perft, f"{card.name}/perft", plain=plain, rules=card.bound_rules)
    return int(count(states, outs, frames, depth))


class SlowConnectFour:
    """Columns as strings; a line is looked for from every cell in every direction."""

    def __init__(self, columns=("",) * 7):
        self.columns = columns

    def moves(self):
        if self.won() or all(len(column) == 6 for column in self.columns):
            return
        mark = "XO"[sum(map(len, self.columns)) % 2]
        for i, column in enumerate(self.columns):
            if len(column) < 6:
                yield SlowConnectFour((*self.columns[:i], column + mark, *self.columns[i + 1 :]))

    def at(self, x, y):
        return self.columns[x][y] if 0 <= x < 7 and 0 <= y < len(self.columns[x]) else " "

    def won(self):
        return any(
            self.at(x, y) != " " and len({self.at(x + i * dx, y + i * dy) for i in range(4)}) == 1
            for x in range(7)
            for y in range(6)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )


class SlowTicTacToe:
    """A string of nine characters; lines by coordinates."""

    def __init__(self, cells="." * 9):
        self.cells = cells

    def moves(self):
        if self.won():
            return
        mark = "XO"[9 - self.cells.count(".") & 1]
        for i, cell in enumerate(self.cells):
            if cell == ".":
                yield SlowTicTacToe(self.cells[:i] + mark + self.cells[i + 1 :])

    def won(self):
        rows = [self.cells[i : i + 3] for i in (0, 3, 6)]
        columns = ["".join(row[i] for row in rows) for i in range(3)]
        diagonals = ["".join(rows[i][i] for i in range(3)), "".join(rows[i][2 - i] for i in range(3))]
        return any(line in ("XXX", "OOO") for line in rows + columns + diagonals)


def slow_perft(position, depth):
    return 1 if depth == 0 else sum(slow_perft(after, depth - 1) for after in position.moves())


def slow_connect_four(moves):
    columns = [""] * 7
    for i, column in enumerate(moves):
        columns[int(column) - 1] += "XO"[i % 2]
    return SlowConnectFour(tuple(columns))


def after(game, moves):
    state = game.start()
    for move in moves:
        state.apply(move)
    return state


@pytest.mark.parametrize(
    ("moves", "depth"),
    [("", 5), ("4455", 5), ("44444436265", 5), ("121212434343656565717", 5), ("1212213443344355665656", 6)],
)
def test_connect_four(moves, depth):
    state = after(spinney.game("connect_four"), moves)
    for n in range(depth + 1):
        assert perft(state, n) == slow_perft(slow_connect_four(moves), n)
    assert perft(state, 4, plain=True) == slow_perft(slow_connect_four(moves), 4)


def test_connect_four_far_ahead():
    """The slow counter above needs minutes for these: 823536 and 5673234 are its results."""
    state = spinney.game("connect_four").start()
    assert perft(state, 7) == 823536
    assert perft(state, 8) == 5673234


def test_tictactoe_to_the_end():
    state = spinney.game("tictactoe").start()
    counts = [perft(state, n) for n in range(10)]
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert counts[:7] == [slow_perft(SlowTicTacToe(), n) for n in range(7)]
    assert perft(state, 6, plain=True) == counts[6]
