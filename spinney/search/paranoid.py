"""A game as alpha-beta plays it: two players who move one after the other.

Simultaneous moves become such a game if the searcher moves first, and then all others together, who know its move and
want nothing but its harm (paranoid search, Sturtevant and Korf 2000). Without chance, what the searcher is sure of in
this game it can be sure of in the real one, and a move that loses here has a joint reply that beats it.

With many joint replies only one of the others replies freely at a time, while the rest make their first move (as in
best-reply search, Schadd and Winands 2011). Chance has its default outcomes. Either way a win is not proven, and a loss
is one if chance does not help.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from spinney.games.card import CHANCE, OVER, SIMULTANEOUS, Rules
from spinney.kernel import Nested, Record, i8, i32, i64, rule
from spinney.kernel.bits import count, lowest, mix, nth
from spinney.search.tree import NO_ACTION

SEARCHER, OTHERS = 0, 1
"""The two players of simultaneous moves."""
PLIES = 2
"""Plies of a turn."""
MOST_REPLIES = 64
"""With more joint replies than this, one player at a time replies freely."""
UNSURE = 1e-6
"""How far the value of a win is from certain if replies or outcomes of chance have been left out."""


class TwoPlayerRules(NamedTuple):
    """What alpha-beta needs of a game of two; `apply` also gets the record `out`."""

    mover: Any
    legal: Any
    apply: Any
    reward: Any
    evaluate: Any
    position_hash: Any


def in_turn(rules: Rules, evaluate: Any) -> TwoPlayerRules:
    """The rules of a game in which the players move in turn anyway."""
    apply = rules.apply

    @rule(inline=True)
    def make_move(s, action, out):
        apply(s, action)

    return TwoPlayerRules(rules.mover, rules.legal, make_move, rules.reward, evaluate, rules.position_hash)


@cache
def turn_record(state: type[Record], players: int) -> type[Record]:
    """A position of the game of searcher and others."""

    class Turn(Record):
        searcher = i64
        chosen = i32  # the searcher's move of this turn, or NO_ACTION: it is to move
        partial = i8  # 1: replies or outcomes of chance have been left out
        path = i64  # a hash of the moves that led here
        open = i64[players]  # the moves of the others, as bits
        position = Nested(state)

    return Turn


def paranoid(rules: Rules, evaluate: Any, players: int, *, one_reply: bool) -> TwoPlayerRules:
    """The rules of the game of searcher and others."""
    mover, legal, plausible, is_active = rules.mover, rules.legal, rules.plausible, rules.is_active
    apply, apply_joint, default_outcome, moves = rules.apply, rules.apply_joint, rules.default_outcome, rules.moves
    is_out, reward = rules.is_out, rules.reward

    @rule(inline=True)
    def turn_mover(t):
        if t.chosen != NO_ACTION:
            return OTHERS
        return OVER if mover(t.position) == OVER or is_out(t.position, t.searcher) else SEARCHER

    @rule(inline=True)
    def moves_of(s, player, out):
        """List the moves of a player in this turn; 0: it has none."""
        if mover(s) == SIMULTANEOUS:
            return plausible(s, player, out)
        return legal(s, player, out) if mover(s) == player else 0

    @rule(inline=True)
    def turn_legal(t, player, out):
        """The searcher's moves, or the joint replies: numbers whose digits are the moves of the players."""
        if player == OTHERS:
            return joint_replies(t, out)
        n = moves_of(t.position, int(t.searcher), out)
        if n == 0:
            out.action[0] = 0
        return max(n, 1)

    @rule
    def joint_replies(t, out):
        replies, single = 1, 1
        for other in range(players):
            t.open[other] = 0
            if other != t.searcher and (mover(t.position) != SIMULTANEOUS or is_active(t.position, other)):
                for i in range(moves_of(t.position, other, out)):
                    t.open[other] |= 1 << out.action[i]
                choices = max(1, count(t.open[other]))
                replies *= choices
                single += choices - 1
        if replies > (single if one_reply else MOST_REPLIES):
            t.partial = 1
            return single_replies(t, out)
        for i in range(replies):
            joint, scale, rest = 0, 1, i
            for other in range(players):
                bits = t.open[other]
                if bits:
                    choices = count(bits)
                    joint += scale * nth(bits, rest % choices)
                    rest //= choices
                scale *= moves
            out.action[i] = joint
        return replies

    @rule
    def single_replies(t, out):
        """All make their first moves, or all but one."""
        firsts, scale = 0, 1
        for other in range(players):
            if t.open[other]:
                firsts += scale * lowest(t.open[other])
            scale *= moves
        out.action[0] = firsts
        n, scale = 1, 1
        for other in range(players):
            bits = t.open[other] & (t.open[other] - 1)
            while bits:
                out.action[n] = firsts + scale * (lowest(bits) - lowest(t.open[other]))
                n += 1
                bits &= bits - 1
            scale *= moves
        return n

    @rule(inline=True)
    def make_move(t, action, out):
        t.path = mix(t.path ^ action)
        if t.chosen == NO_ACTION:
            t.chosen = action
            return
        s = t.position
        if mover(s) == SIMULTANEOUS:
            for player in range(players):
                out.joint[player] = action % moves
                action //= moves
            out.joint[t.searcher] = t.chosen
            apply_joint(s, out)
        else:
            apply(s, int(t.chosen) if mover(s) == t.searcher else action // moves ** mover(s) % moves)
        while mover(s) == CHANCE:
            t.partial = 1
            apply(s, default_outcome(s))
        t.chosen = NO_ACTION

    @rule(inline=True)
    def turn_reward(t, out):
        reward(t.position, out)
        value = out.reward[t.searcher]
        if t.partial:
            value = min(value, 1.0 - UNSURE)
        out.reward[SEARCHER], out.reward[OTHERS] = value, 1.0 - value

    @rule(inline=True)
    def turn_evaluate(t, out):
        evaluate(t.position, out)
        value = out.reward[t.searcher]
        out.reward[SEARCHER], out.reward[OTHERS] = value, 1.0 - value

    @rule(inline=True)
    def path_hash(t):
        return t.path

    return TwoPlayerRules(turn_mover, turn_legal, make_move, turn_reward, turn_evaluate, path_hash)
