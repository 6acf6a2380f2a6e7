"""Hand-written players of Breakthrough, its evaluation and its bias."""

from spinney.games.breakthrough.rules import (
    DIRECTIONS,
    MAX_SIDE,
    STRIDE,
    action_of,
    legal,
    origin,
    straight,
    to_first,
    to_last,
)
from spinney.kernel import below, rule
from spinney.kernel.bits import count, nth

FULL_SCORE = 40.0
"""The lead in points at which the evaluation is 1."""
ROW = (1 << STRIDE) - 1


@rule(inline=True)
def random(s, player, out, rng):
    """Any move, all equally likely."""
    first, ahead, last = to_first(s, player), straight(s, player), to_last(s, player)
    at_first, at_ahead = count(first), count(ahead)
    n = below(rng, at_first + at_ahead + count(last))
    side = 0 if n < at_first else 1 if n < at_first + at_ahead else 2
    pawns = first if side == 0 else ahead if side == 1 else last
    n -= 0 if side == 0 else at_first if side == 1 else at_first + at_ahead
    return action_of(s, player, nth(pawns, n), side)


@rule
def row_after(s, player, action):
    """The rows that a pawn has advanced after its move."""
    row = origin(s, action) // STRIDE
    return row + 1 if player == 0 else s.rows - 1 - row


@rule
def guards(s, player, action):
    """The pawns of a player that could recapture on the target of its action, without the one that moves."""
    bit = origin(s, action)
    at = bit + (action % 12) // 2 - DIRECTIONS * player - 1 + (STRIDE if player == 0 else -STRIDE)
    near = at - STRIDE if player == 0 else at + STRIDE
    column, pawns = at % STRIDE, s.pawns[player] & ~(1 << bit)
    n = 0
    if column > 0 and near > 0:
        n += pawns >> (near - 1) & 1
    if column < s.columns - 1:
        n += pawns >> (near + 1) & 1
    return n


@rule
def attackers(s, player, action):
    """The pawns of the other player that could capture on the target of a player's action."""
    beside = origin(s, action) + (action % 12) // 2 - DIRECTIONS * player - 1
    ahead = beside + STRIDE if player == 0 else beside - STRIDE
    column, pawns = beside % STRIDE, s.pawns[1 - player]
    n = 0
    if column > 0 and ahead > 0:
        n += pawns >> (ahead - 1) & 1
    if column < s.columns - 1 and ahead >= 0:
        n += pawns >> (ahead + 1) & 1
    return n


@rule
def heuristic(s, player, out, rng):
    """Wins if it can, else captures; prefers squares that it attacks at least as often as the opponent, and the
    furthest advanced pawns."""
    best, best_score = -1, -1000
    for i in range(legal(s, player, out)):
        action = out.action[i]
        row = row_after(s, player, action)
        threats = attackers(s, player, action)
        score = 2 * row + 12 * (action & 1) + below(rng, 4)
        if row == s.rows - 1:
            score = 1000
        elif threats > guards(s, player, action):
            score -= 8 + 2 * row
        elif threats == 0 and row >= s.rows // 2:
            score += 4
        if score > best_score:
            best, best_score = action, score
    return best


@rule
def advance(s, player):
    """Three points for each pawn, and one for each row that it has advanced."""
    points = 0
    for row in range(MAX_SIDE - 1):
        rows = row if player == 0 else s.rows - 2 - row
        points += (3 + rows) * count(s.pawns[player] & ROW << (STRIDE * row))
    return points


@rule
def evaluate(s, out):
    """The lead in pawns and in rows that they have advanced, scaled to 0..1."""
    lead = (advance(s, 0) - advance(s, 1)) / FULL_SCORE
    share = 0.5 + 0.5 * max(-1.0, min(1.0, lead))
    out.reward[0] = share
    out.reward[1] = 1.0 - share


@rule
def bias(s, player, out, n):
    """How far a pawn has advanced after a move, from 0 to 1; 1 for a capture."""
    for i in range(n):
        action = out.action[i]
        out.weight[i] = 1.0 if action & 1 else row_after(s, player, action) / (s.rows - 1)


PLAYERS = {"random": random, "heuristic": heuristic}
