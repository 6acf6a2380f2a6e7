"""An evaluation: who is nearer to the nugget."""

from spinney.games.parts import Rule
from spinney.games.saboteur.rules import FINISHED, reach_it
from spinney.games.saboteur.tiles import BONUS
from spinney.games.saboteur.tunnel import TURN, nearest, survey
from spinney.kernel import rule

TEMPO, EVEN = 0.5, 3.0
"""Turns that the move is worth, and that one is ahead by who wins three games of four."""
CURED, BLOCKED = 1.0, 6.0
"""Turns that a Malus costs with a Bonus in the hand and without."""


@rule
def race(s, out):
    """Who is nearer to the nugget, each with the own cards, and how likely it is that anybody reaches it in time.
    A draw counts nothing."""
    if s.phase == FINISHED:
        reach_it(s, out)
        return
    mine, theirs = turns_to_go(s, 0, out), turns_to_go(s, 1, out)
    ahead = theirs - mine + (TEMPO if s.player == 0 else -TEMPO)
    share = 0.5 + 0.5 * ahead / (abs(ahead) + EVEN)
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    ends = min(1.0, left / (left + min(mine, theirs)) * 1.3)
    out.reward[0] = ends * share
    out.reward[1] = ends * (1.0 - share)


@rule
def turns_to_go(s, player, out):
    """What the cheapest tunnel costs a player, in turns; who is blocked has to be cured first."""
    survey(s, player, out)
    ticks, _, _ = nearest(s, out)
    turns = ticks / TURN
    if s.malus[player] > 0:
        turns += CURED * s.malus[player] if s.hand[player, BONUS] > 0 else BLOCKED
    return turns


EVALUATIONS: dict[str, Rule] = {"race": race}
