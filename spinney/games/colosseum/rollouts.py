"""The paper's rollouts: random moves, more often towards the opponent than away from it.

The player's cell divides the board into quarters. A move is toward the opponent if it ends in the opponent's quarter,
away from it if it ends in the opposite one, and else neutral. The classes are sets of cells, so that moves need not be
listed.
"""

import pydantic

from spinney.games.colosseum.rules import any_move, nth_move, only
from spinney.games.colosseum.space import has, open_cells, reach
from spinney.games.colosseum.state import DOWN, LEFT, RIGHT, SIDES, UP, beyond, is_open, walls
from spinney.games.options import Options
from spinney.games.parts import Rule
from spinney.kernel import below, rule
from spinney.kernel.bits import count


class PaperWeights(Options):
    """The paper gives no numbers, but says that moves toward the opponent are more likely."""

    toward: int = pydantic.Field(45, ge=1, le=1000, description="weight of a move toward the opponent")
    neutral: int = pydantic.Field(35, ge=1, le=1000, description="weight of a move to either side")
    away: int = pydantic.Field(20, ge=1, le=1000, description="weight of a move away from the opponent")
    wary: bool = pydantic.Field(False, description="lower the class of moves to cells with walls")
    own: bool = pydantic.Field(True, description="only the searching player moves like this, the other uniformly")


class CodeWeights(PaperWeights):
    """The weights of the authors' program, in which the walls of a cell lower its class."""

    toward: int = pydantic.Field(35, ge=1, le=1000, description="weight of a move toward the opponent")
    neutral: int = pydantic.Field(45, ge=1, le=1000, description="weight of a move to either side")
    wary: bool = pydantic.Field(True, description="lower the class of moves to cells with walls")


def make_rollout(toward: int, neutral: int, away: int, wary: bool, own: bool) -> Rule:
    """The rollout policy with these weights."""

    @rule
    def rollout(s, player, out, rng):
        """Enclose the opponent if that takes one wall; else a random move by the weights of the classes."""
        work = out.scratch
        caging = cage(s, player, work)
        if caging >= 0:
            return caging
        if own and player != out.searcher:
            return any_move(s, player, work, rng)
        reach(s, player, work)
        n_toward, n_neutral, n_away = 0, 0, 0
        for word in range(s.words):
            towards, neutrals, aways = classes(s, player, work, word, wary)
            n_toward += moves(s, word, towards)
            n_neutral += moves(s, word, neutrals)
            n_away += moves(s, word, aways)
        n = below(rng, n_toward * toward + n_neutral * neutral + n_away * away)
        wanted = 0
        if n >= n_toward * toward:
            n -= n_toward * toward
            wanted = 1
            if n >= n_neutral * neutral:
                n -= n_neutral * neutral
                wanted = 2
        n //= toward if wanted == 0 else neutral if wanted == 1 else away
        for word in range(s.words):
            towards, neutrals, aways = classes(s, player, work, word, wary)
            work.reached[word] = towards if wanted == 0 else neutrals if wanted == 1 else aways
        return nth_move(s, work, n)

    return rollout


@rule
def static_check(s, player, out):
    """The legal moves, or only the one that encloses the opponent."""
    return only(s, player, cage(s, player, out.scratch), out)


@rule
def cage(s, player, work):
    """The move that closes the only open side of the opponent's cell, or -1."""
    cell = int(s.cell[1 - player])
    if walls(s, cell) != SIDES - 1:
        return -1
    side = UP
    while not is_open(s, cell, side):
        side += 1
    front = beyond(s, cell, side)
    reach(s, player, work)
    near = has(s, work.reached, front)
    return front * SIDES + (side + 2) % SIDES if near else -1


@rule(inline=True)
def moves(s, word, cells):
    """The number of moves that end on these cells of a word."""
    n = 0
    for side in range(SIDES):
        n += count(cells & open_cells(s, word, side))
    return n


@rule
def classes(s, player, work, word, wary):
    """The reached cells of a word by class: toward the opponent, neutral, and away from it."""
    size, full = int(s.size), s.full
    row, column = s.cell[player] // size, s.cell[player] % size
    down, right = s.cell[1 - player] // size - row, s.cell[1 - player] % size - column
    before = min(max(row * size - word * s.span, 0), s.span)
    vertical = full & ~((1 << before) - 1)  # the cells from this row downwards, or those above it
    if down < 0:
        vertical = full & ~vertical
    horizontal = s.column * ((1 << size) - (1 << column))
    if right < 0:
        horizontal = full & ~horizontal
    if down == 0:
        vertical = horizontal
    elif right == 0:
        horizontal = vertical
    cells = work.reached[word]
    toward = cells & vertical & horizontal
    away = cells & ~(vertical | horizontal)
    neutral = cells & ~(toward | away)
    if wary:
        up, beside = ~open_cells(s, word, UP), ~open_cells(s, word, RIGHT)
        under, left = ~open_cells(s, word, DOWN), ~open_cells(s, word, LEFT)
        two = up & beside | under & left | (up | beside) & (under | left)
        three = up & beside & (under | left) | under & left & (up | beside)
        away |= neutral & two | toward & three
        neutral = neutral & ~two | toward & two & ~three
        toward &= ~two
    return toward, neutral, away
