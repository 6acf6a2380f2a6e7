"""Hand-written players."""

from spinney.games.colosseum.rollouts import CodeWeights, PaperWeights, make_rollout
from spinney.games.colosseum.rules import any_move, legal
from spinney.games.colosseum.state import SIDES, beyond, is_open, walls
from spinney.games.colosseum.values import GOES_ON, LOSS, WIN, decisive, look_ahead, parting
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule

TRIES = 300
"""Draws for one step after which a random walk is given up."""
DRAWS = 5
"""How many moves a careful player looks at before it takes what comes."""
TRAPPED = 3
"""Closed sides of a cell that the next wall makes a cage."""


@rule
def uniform(s, player, out, rng):
    """Any legal move, all equally likely: what `random` draws, without a list of them."""
    return any_move(s, player, rng)


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
    """Any move, but another one is drawn, some times, if it parts the players to the mover's loss."""
    action = any_move(s, player, rng)
    for _ in range(DRAWS):
        if parting(s, player, action) != LOSS:
            break
        action = any_move(s, player, rng)
    return action


@rule
def keen(s, player, out, rng):
    """A move that wins at once if there is one; else as `careful`."""
    return int(out.action[0]) if decisive(s, player, out) == 1 else careful(s, player, out, rng)


@rule
def greedy(s, player, out, rng):
    """Part the players if that wins, never if it loses; else have the largest territory after the move, and do not stay
    where one more wall is the end."""
    n = legal(s, player, out)
    best, most, ties = 0, -9.0, 0
    for i in range(n):
        action = int(out.action[i])
        result, worth = look_ahead(s, player, action)
        if result == WIN:
            return action
        if result == LOSS:
            worth = -2.0
        elif result == GOES_ON and walls(s, action // SIDES) + 1 >= TRAPPED:
            worth -= 1.0
        if worth > most:
            best, most, ties = action, worth, 0
        if worth == most:
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
