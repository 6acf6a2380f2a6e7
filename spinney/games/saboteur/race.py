"""The evaluation `race`: which player is nearer to the nugget."""

from spinney.games.parts import Rule
from spinney.games.saboteur.rules import FINISHED, reach_it
from spinney.games.saboteur.tiles import BONUS
from spinney.games.saboteur.tunnel import TURN, cheapest, find_costs
from spinney.kernel import rule

TEMPO, EVEN = 0.5, 3.0
"""The value of the move in turns, and the lead in turns with which a player wins three games of four."""
CURED, BLOCKED = 1.0, 6.0
"""The cost of a Malus in turns, with a Bonus in the hand and without."""


@rule
def race(s, out):
    """Which player is nearer to the nugget, each with its own cards, times how likely it is that one of them reaches it
    in time. A draw counts 0."""
    if s.phase == FINISHED:
        reach_it(s, out)
        return
    mine, theirs = turns_to_go(s, 0, out.scratch), turns_to_go(s, 1, out.scratch)
    ahead = theirs - mine + (TEMPO if s.player == 0 else -TEMPO)
    share = 0.5 + 0.5 * ahead / (abs(ahead) + EVEN)
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    ends = min(1.0, left / (left + min(mine, theirs)) * 1.3)
    out.reward[0] = ends * share
    out.reward[1] = ends * (1.0 - share)


@rule
def turns_to_go(s, player, work):
    """The cost in turns of a player's cheapest tunnel, and of its Malus cards."""
    find_costs(s, player, work)
    ticks, _, _ = cheapest(s, work)
    turns = ticks / TURN
    if s.malus[player] > 0:
        turns += CURED * s.malus[player] if s.hand[player, BONUS] > 0 else BLOCKED
    return turns


EVALUATIONS: dict[str, Rule] = {"race": race}
