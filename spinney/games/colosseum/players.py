"""Scripted players."""

from spinney.games.colosseum.rollouts import CodeWeights, PaperWeights, make_rollout
from spinney.games.colosseum.rules import any_move, legal
from spinney.games.colosseum.state import SIDES, beyond, is_open, walls
from spinney.games.colosseum.values import GOES_ON, LOSS, WIN, decisive, look_ahead, parting
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule

TRIES = 300
"""The number of failed draws of one step after which a random walk is given up."""
DRAWS = 5
"""The number of losing moves that a careful player rejects before it takes any."""
TRAPPED = 3
"""The number of closed sides at which one more wall encloses a cell."""


@rule
def uniform(s, player, out, rng):
    """Any legal move, all equally likely: the same draw as `random`, without making the list."""
    return any_move(s, player, out.scratch, rng)


@rule
def walk(s, player, out, rng):
    """The official random agent: some steps in random directions, then any open side."""
    cell, other = int(s.cell[player]), int(s.cell[1 - player])
    for _ in range(below(rng, s.steps + 1)):
        side = below(rng, SIDES)
        failed = 0
        while failed <= TRIES and not (is_open(s, cell, side) and beyond(s, cell, side) != other):
            side = below(rng, SIDES)
            failed += 1
        if failed > TRIES:
            cell = int(s.cell[player])
            break
        cell = beyond(s, cell, side)
    side = below(rng, SIDES)
    while not is_open(s, cell, side):
        side = below(rng, SIDES)
    return cell * SIDES + side


@rule
def careful(s, player, out, rng):
    """Any move, drawn again up to five times if it ends the game with a loss."""
    action = any_move(s, player, out.scratch, rng)
    for _ in range(DRAWS):
        if parting(s, player, action) != LOSS:
            break
        action = any_move(s, player, out.scratch, rng)
    return action


@rule
def keen(s, player, out, rng):
    """A move that wins on the spot if there is one; else as `careful`."""
    return int(out.action[0]) if decisive(s, player, out) == 1 else careful(s, player, out, rng)


@rule
def greedy(s, player, out, rng):
    """End the game if that wins, and not if it loses; else the move with the largest territory after it. Cells that one
    more wall encloses are avoided."""
    n = legal(s, player, out)
    best, most, ties = 0, -9.0, 0
    for i in range(n):
        action = int(out.action[i])
        result, value = look_ahead(s, player, action, out.scratch)
        if result == WIN:
            return action
        if result == LOSS:
            value = -2.0
        elif result == GOES_ON and walls(s, action // SIDES) + 1 >= TRAPPED:
            value -= 1.0
        if value > most:
            best, most, ties = action, value, 0
        if value == most:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best


PLAYERS: dict[str, Rule | Player] = {
    "uniform": uniform,
    "walk": walk,
    "careful": careful,
    "keen": keen,
    "greedy": greedy,
    "paper_rollout": Player(make_rollout, PaperWeights),
    "code_rollout": Player(make_rollout, CodeWeights),
}
