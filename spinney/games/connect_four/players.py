"""Scripted players of connect four, its evaluation and its bias."""

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, NOBODY, ROWS, drop, has_line, is_full, stones_of
from spinney.kernel import below, rule
from spinney.kernel.bits import count

BOARD = sum(((1 << ROWS) - 1) << (column * HEIGHT) for column in range(COLUMNS))
FULL_SCORE = 12.0
"""The lead in points at which the evaluation is 1."""


@rule(inline=True)
def random(s, player, out, rng):
    """Any column that is not full, all equally likely."""
    while True:
        column = below(rng, COLUMNS)
        if not is_full(s.filled, column):
            return column


@rule
def winning_column(stones, filled):
    """A column that completes a line for these stones, or NOBODY."""
    for column in range(COLUMNS):
        if not is_full(filled, column) and has_line(stones | drop(filled, column)):
            return column
    return NOBODY


@rule
def heuristic(s, player, out, rng):
    """Completes a line, else blocks the opponent's, else plays near the centre, but not below a cell on which the
    opponent wins."""
    filled = s.filled
    column = winning_column(stones_of(s, player), filled)
    if column == NOBODY:
        column = winning_column(stones_of(s, 1 - player), filled)
    if column != NOBODY:
        return column
    best, best_score = NOBODY, -1000
    for column in range(COLUMNS):
        if is_full(filled, column):
            continue
        score = 4 * (3 - abs(column - COLUMNS // 2)) + below(rng, 6)
        after = filled | drop(filled, column)
        if not is_full(after, column) and has_line(stones_of(s, 1 - player) | drop(after, column)):
            score -= 100
        if score > best_score:
            best, best_score = column, score
    return best


@rule
def open_threes(stones, filled):
    """The empty cells on which these stones would complete a line."""
    cells = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (HEIGHT - 1, HEIGHT, HEIGHT + 1):
        up, down = stones << step, stones >> step
        pair_up, pair_down = up & (up << step), down & (down >> step)
        cells |= pair_up & ((up << (2 * step)) | down)
        cells |= pair_down & ((down >> (2 * step)) | up)
    return cells & BOARD & ~filled


@rule
def evaluate(s, out):
    """The lead in cells that would complete a line (3 points each) and in centre stones (1 point), scaled to 0..1."""
    filled = s.filled
    centre = ((1 << ROWS) - 1) << (COLUMNS // 2 * HEIGHT)
    lead = 0
    for player in range(2):
        stones = stones_of(s, player)
        points = 3 * count(open_threes(stones, filled)) + count(stones & centre)
        lead += points if player == 0 else -points
    share = 0.5 + 0.5 * max(-1.0, min(1.0, lead / FULL_SCORE))
    out.reward[0] = share
    out.reward[1] = 1.0 - share


@rule
def bias(s, player, out, n):
    """1 in the centre column, and one third less for each column away from it."""
    for i in range(n):
        out.weight[i] = 1.0 - abs(out.action[i] - COLUMNS // 2) / 3.0
