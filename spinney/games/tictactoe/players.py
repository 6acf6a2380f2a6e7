"""The scripted player of tic-tac-toe, and its evaluation."""

from spinney.games.tictactoe.rules import CELLS, NOBODY, has_line
from spinney.kernel import below, rule

CENTRE = 4
CORNERS = 0o505


@rule
def winning_cell(marks, taken):
    """A cell that completes a line for these marks, or NOBODY."""
    for cell in range(CELLS):
        if not (taken >> cell) & 1 and has_line(marks | 1 << cell):
            return cell
    return NOBODY


@rule
def heuristic(s, player, out, rng):
    """Completes a line, else blocks the opponent's, else takes the centre, else a corner, else any cell."""
    taken = s.marks[0] | s.marks[1]
    cell = winning_cell(s.marks[player], taken)
    if cell == NOBODY:
        cell = winning_cell(s.marks[1 - player], taken)
    if cell != NOBODY:
        return cell
    if not (taken >> CENTRE) & 1:
        return CENTRE
    wanted = CORNERS & ~taken
    if wanted == 0:
        wanted = ~taken
    while True:
        cell = below(rng, CELLS)
        if (wanted >> cell) & 1:
            return cell


@rule
def evaluate(s, out):
    """An unfinished game is even."""
    out.reward[0] = 0.5
    out.reward[1] = 0.5
