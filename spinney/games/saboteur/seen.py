"""Saboteur as one player sees it: a game whose position has only what that player knows.

All cards that the player has not seen are in the deck, as in an observation. The other player may make any move that
one of these cards allows. What the player's own cards, Maps and the tunnels show is chance. What nobody tells, a card
that the other one draws, is one outcome.
"""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.errors import BadPosition
from spinney.games.card import CHANCE
from spinney.games.options import Options
from spinney.games.saboteur import rules, state, tiles
from spinney.games.saboteur.rules import DROPPED, reward
from spinney.kernel import i8, rule
from spinney.kernel.bits import count, lowest

__all__ = ["MAX_ACTIONS", "MAX_PLAYERS", "Scratch", "SeenOptions", "State", "reward"]

MAX_PLAYERS, Scratch = state.MAX_PLAYERS, state.Scratch
MAX_ACTIONS = 2048
"""At most 37 cells can take a tile, of at most 31 shapes; and fewer than 300 actions are something else."""
PLAIN = True
"""Nobody searches in this game."""
NOTHING, NUGGET, UNSEEN = 0, 1, tiles.KINDS
"""Outcomes, beside the kinds of cards: what an objective is, and a card that the other player draws."""


class SeenOptions(Options):
    seat: int = pydantic.Field(1, ge=1, le=state.MAX_PLAYERS, description="the player who sees it")


class State(state.State):
    viewer = i8
    asked = i8  # objectives of which it has to be told what they are, as bits


@rule
def start(s, config, rng):
    """The other player has its cards; the own ones are told one by one."""
    rules.start(s, config, rng)
    s.viewer = config.seat - 1
    s.player = s.viewer
    s.phase = rules.DEALING
    s.hand_size[1 - s.viewer] = rules.HAND
    s.deck_size -= rules.HAND


@rule
def mover(s):
    """As in the game, but chance tells what has been seen."""
    return CHANCE if s.asked != 0 else rules.mover(s)


@rule
def legal(s, player, out):
    """The own moves; of the other player, all that are possible with some card that has not been seen."""
    if player == s.viewer:
        return rules.legal(s, player, out)
    for kind in range(tiles.KINDS):
        s.hand[player, kind] = s.deck[kind]
    shapes = 0
    for kind in range(tiles.KINDS):
        if s.deck[kind] > 0:
            shapes |= int(tiles.KIND_SHAPES[kind])
    s.shapes[player] = shapes
    n = rules.legal(s, player, out)
    for kind in range(tiles.KINDS):
        s.hand[player, kind] = 0
    s.shapes[player] = 0
    kept = 0
    for i in range(n):
        if out.action[i] < rules.DROP:
            out.action[kept] = out.action[i]
            kept += 1
    out.action[kept] = DROPPED
    return kept + 1


@rule
def chance(s, rng):
    """Never called: the outcomes are told."""
    return 0


@rule
def outcomes(s, out):
    """The place of the nugget, an own card, or a card that is not seen."""
    if s.asked != 0:
        out.action[0], out.action[1] = NOTHING, NUGGET
        unknown = state.OBJECTIVES - count(int(s.seen[s.viewer])) + count(int(s.asked))
        out.weight[0], out.weight[1] = 1.0 - 1.0 / unknown, 1.0 / unknown
        return 2
    if s.player != s.viewer:
        out.action[0], out.weight[0] = UNSEEN, 1.0
        return 1
    return rules.outcomes(s, out)


@rule
def apply(s, action):
    """A move, what an objective is, or a card."""
    if s.asked != 0:
        tell(s, action)
    elif s.phase == rules.MOVING:
        known = int(s.seen[s.viewer])
        if s.player == s.viewer:
            rules.play(s, action)
        else:
            play_unseen(s, action)
        if s.nugget == state.UNKNOWN:
            s.asked = int(s.seen[s.viewer]) & ~known
        if s.asked == 0:
            rules.end_move(s)
    elif s.phase == rules.DRAWING and s.player != s.viewer:
        draw_unseen(s)
    elif s.phase == rules.DRAWING:
        rules.apply(s, action)
    else:
        rules.take(s, s.viewer, action)
        if s.hand_size[s.viewer] == rules.HAND:
            s.player = 0
            s.phase = rules.MOVING
            s.turn = 1


@rule
def play_unseen(s, action):
    """A move of the player whose cards are not seen. Its card is one of those that have not been seen; after a drop
    that is still so."""
    player = int(s.player)
    if action == DROPPED:
        s.hand_size[player] -= 1
        s.last = DROPPED
        s.last_tile = tiles.EMPTY
        return
    rules.take(s, player, rules.card_of(action))
    s.deck_size += 1
    s.hand_size[player] -= 1
    rules.play(s, action)


@rule
def draw_unseen(s):
    """A card that is not seen: one less in the deck, and all unseen cards stay together."""
    s.deck_size -= 1
    s.hand_size[s.player] += 1
    rules.end_turn(s)


@rule
def tell(s, what):
    """What an objective is that the viewer sees now. If two are nothing, the third is the nugget."""
    objective = lowest(int(s.asked))
    s.asked &= ~(1 << objective)
    if what == NUGGET:
        s.nugget = objective
        s.asked = 0
    elif count(int(s.seen[s.viewer] & ~s.asked)) == state.OBJECTIVES - 1:
        s.nugget = lowest(7 & ~int(s.seen[s.viewer] & ~s.asked))
        s.asked = 0
    if s.asked == 0:
        rules.end_move(s)


def as_seen(s: Any, viewer: int) -> Any:
    """The position of a game, as far as a player may know it."""
    if s.phase in (rules.HIDING, rules.DEALING):
        raise BadPosition("the cards are not dealt yet in this position; begin without one, and enter them")
    seen: Any = State()
    for name, field in rules.State.fields.items():
        value = getattr(s, name)
        setattr(seen, name, field.copy(value) if field.shape else value)
    seen.viewer = viewer
    rules.observe(seen, viewer)
    if sum(seen.hand[viewer, kind] for kind in range(tiles.KINDS)) != seen.hand_size[viewer]:
        raise BadPosition(f"the hand of player {viewer + 1} is hidden; at the table you know your own cards")
    return seen
