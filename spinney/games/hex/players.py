"""Hand-written players of Hex, and its evaluation: by how many stones each player still lacks."""

from spinney.games.hex.rules import BOTTOM, MAX_ACTIONS, RIGHT, WORD, is_empty, near
from spinney.kernel import below, rule
from spinney.kernel.bits import lowest

FULL_SCORE = 4.0
"""The lead in stones at which the evaluation is 1."""
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
"""The steps to the neighbours of a cell in rows and columns, clockwise."""


@rule(inline=True)
def random(s, player, out, rng):
    """Any empty cell, all equally likely."""
    cells = s.size * s.size
    while True:
        cell = below(rng, cells)
        if is_empty(s, cell):
            return cell


@rule
def belongs_to(s, player, row, column):
    """Whether a cell has a stone of a player, or is beyond one of its edges."""
    if not 0 <= row < s.size:
        return player == 0
    if not 0 <= column < s.size:
        return player == 1
    cell = row * s.size + column
    word = 1 if cell >= WORD else 0
    return (s.stones[2 * player + word] >> (cell - WORD * word)) & 1 == 1


@rule
def heuristic(s, player, out, rng):
    """Saves a bridge if the opponent is in it, else makes bridges, best towards its edges, and prefers the centre. A
    bridge is two stones, or a stone and an edge, with two common neighbours."""
    best, best_score = -1, -1
    for cell in range(s.size * s.size):
        if not is_empty(s, cell):
            continue
        row, column = cell // s.size, cell % s.size
        score = 2 * s.size - abs(2 * row + 1 - s.size) - abs(2 * column + 1 - s.size) + below(rng, 4)
        for i in range(6):
            down, right = AROUND[i]
            next_down, next_right = AROUND[(i + 1) % 6]
            last_down, last_right = AROUND[(i + 2) % 6]
            ends = belongs_to(s, player, row + down, column + right)
            intruded = belongs_to(s, 1 - player, row + next_down, column + next_right)
            if ends and intruded and belongs_to(s, player, row + last_down, column + last_right):
                score += 200
            if belongs_to(s, player, row + down + next_down, column + right + next_right):
                taken = ends or belongs_to(s, 1 - player, row + down, column + right)
                if not (taken or intruded):
                    score += 20 * abs(down + next_down if player == 0 else right + next_right)
        if score > best_score:
            best, best_score = cell, score
    return best


@rule
def stones_missing(s, player):
    """The fewest stones with which a player would connect its edges, if the other player passed."""
    own_first, own_second = s.stones[2 * player], s.stones[2 * player + 1]
    empty_first, empty_second = s.empty[0], s.empty[1]
    inside = (1 << WORD) - 1
    todo_first, todo_second = s.joined[2 * player] & inside, s.joined[2 * player + 1] & inside
    next_first, next_second = 0, 0
    for i in range(s.size):
        cell = i if player == 0 else i * s.size
        if cell < WORD:
            next_first |= empty_first & 1 << cell
        else:
            next_second |= empty_second & 1 << (cell - WORD)
    for stones in range(MAX_ACTIONS):
        while todo_first | todo_second != 0:
            if todo_first != 0:
                cell = lowest(todo_first)
                todo_first &= todo_first - 1
            else:
                cell = WORD + lowest(todo_second)
                todo_second &= todo_second - 1
            first, second = near(s, cell, 0), near(s, cell, 1)
            if (first & BOTTOM if player == 0 else second & RIGHT) != 0:
                return stones
            todo_first |= first & own_first
            todo_second |= second & own_second
            own_first &= ~first
            own_second &= ~second
            next_first |= first & empty_first
            next_second |= second & empty_second
        empty_first &= ~next_first
        empty_second &= ~next_second
        todo_first, todo_second, next_first, next_second = next_first, next_second, 0, 0
    return MAX_ACTIONS


@rule
def evaluate(s, out):
    """The lead in stones that a player lacks less than the other, where the player to move has half a stone more,
    scaled to 0..1."""
    lead = stones_missing(s, 1) - stones_missing(s, 0) + (0.5 if s.turn == 0 else -0.5)
    share = 0.5 + 0.5 * max(-1.0, min(1.0, lead / FULL_SCORE))
    out.reward[0] = share
    out.reward[1] = 1.0 - share


@rule
def bias(s, player, out, n):
    """1 in the centre of the board, and less towards its edges, down to 0 in the corners."""
    for i in range(n):
        row, column = out.action[i] // s.size, out.action[i] % s.size
        far = abs(2 * row + 1 - s.size) + abs(2 * column + 1 - s.size)
        out.weight[i] = 1.0 - far / (2 * (s.size - 1))


PLAYERS = {"random": random, "heuristic": heuristic}
