"""What a player may know, and what it infers about the rest.

A player's view has the cards that it has not seen as one heap, in the place of the deck. A determinization deals them
again. Two things are inferred about the opponent's cards. What it did not play: who can win does so, and who is blocked
and drops a card has no Bonus. What it dropped: mostly the least useful of the cards that it had.
"""

from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.actions import BREAK, CURE, DROP, DROPPED, HAND, LOOK, MOVING, NO_MOVE
from spinney.kernel import below, rule, uniform
from spinney.kernel.bits import count, lowest

ANY_DROP = 0.25
"""The probability that a dropped card was any, not the least useful one."""
TRIES = 20
"""How often a card is dealt again that the opponent did not have."""


@rule(inline=True)
def cards_in_deck(s):
    """The number of cards in the deck; in a player's view, of all cards that it has not seen."""
    n = 0
    for kind in range(tiles.KINDS):
        n += int(s.deck[kind])
    return n


@rule(inline=True)
def any_card(s, n):
    """The kind of the n-th card of a sorted deck."""
    kind = 0
    n -= s.deck[0]
    while n >= 0:
        kind += 1
        n -= s.deck[kind]
    return kind


@rule(inline=True)
def nugget_known_to(s, player):
    """The place of the nugget if a player has seen it, or both other objectives; else UNKNOWN."""
    known = s.nugget != state.UNKNOWN and ((s.seen[player] >> s.nugget) & 1 == 1 or count(int(s.seen[player])) >= 2)
    return int(s.nugget) if known else state.UNKNOWN


@rule
def observation_key(s, player):
    """The objectives that a player has seen. Its own cards are left out: a search averages over them."""
    return 4 * int(s.seen[player]) + nugget_known_to(s, player) + 1


@rule
def public_action(s, action, player):
    """The opponent's action as a player sees it: without the card of a drop."""
    return DROPPED if action >= DROP else action


@rule
def observe(s, player):
    """Remove what a player may not know: all cards that it has not seen are put into the deck."""
    s.nugget = nugget_known_to(s, player)
    gather(s, player)


@rule
def determinize(s, player, rng):
    """Sample what a player does not know: the nugget under any objective that it has not seen, and the opponent's hand
    and drops as far as they can be inferred; the deck is the rest."""
    other = 1 - player
    lacks = lacking(s, player)
    if nugget_known_to(s, player) == state.UNKNOWN:
        unseen = 7 & ~int(s.seen[player])
        for _ in range(below(rng, count(unseen))):
            unseen &= unseen - 1
        s.nugget = lowest(unseen)
    gather(s, player)
    left = cards_in_deck(s)
    old = left - s.deck_size
    last = -1
    if s.hand_size[other] == HAND:
        last = any_card(s, below(rng, left))
        s.deck[last] -= 1
        left, old = left - 1, old - 1
    for i in range(old):
        kind = any_card(s, below(rng, left - i))
        for _ in range(TRIES):
            if (lacks >> kind) & 1:
                kind = any_card(s, below(rng, left - i))
        s.deck[kind] -= 1
        s.hand[other, kind] += 1
    drops = left - s.deck_size - s.hand_size[other] + (1 if last >= 0 else 0)
    for i in range(drops):
        kind = any_held(s, other, below(rng, old - i)) if uniform(rng) < ANY_DROP else least_useful(s, other)
        s.hand[other, kind] -= 1
        s.dropped[other, kind] += 1
    if last >= 0:
        s.hand[other, last] += 1
    for kind in range(tiles.KINDS):
        if s.hand[other, kind] > 0:
            s.shapes[other] |= int(tiles.KIND_SHAPES[kind])


@rule(inline=True)
def any_held(s, player, n):
    """The kind of the n-th card of a sorted hand."""
    kind = 0
    n -= s.hand[player, 0]
    while n >= 0:
        kind += 1
        n -= s.hand[player, kind]
    return kind


@rule(inline=True)
def least_useful(s, player):
    """The kind of the card that helps least, in general, to reach the nugget."""
    worst, least = -1, 1000
    for kind in range(tiles.KINDS):
        if s.hand[player, kind] > 0:
            use = int(tiles.USE[kind]) - int(s.hand[player, kind])
            if use < least:
                worst, least = kind, use
    return worst


@rule
def gather(s, player):
    """Put all cards that a player has not seen into the deck."""
    other = 1 - player
    for kind in range(tiles.KINDS):
        s.deck[kind] += s.hand[other, kind] + s.dropped[other, kind]
        s.hand[other, kind] = 0
        s.dropped[other, kind] = 0
    s.shapes[other] = 0


@rule
def lacking(s, player):
    """The kinds of cards, as bits, that the opponent did not have before it drew its last card, to judge by its last
    move: with them it would have won, or undone a Malus. The board of the state is changed, and changed back."""
    other = 1 - player
    last = int(s.last)
    if s.phase != MOVING or s.player != player or last == NO_MOVE:
        return 0
    if last == DROPPED and s.malus[other] > 0:
        return 1 << tiles.BONUS
    nugget = nugget_known_to(s, player)
    if nugget == state.UNKNOWN or s.malus[other] > 0 or last == CURE:
        return 0
    cell = last % state.CELLS if last < LOOK else last - BREAK if BREAK <= last < DROP else -1
    if last < LOOK:
        state.destroy(s, cell)
    elif cell >= 0:
        state.lay(s, cell, int(s.last_tile))
    seen = int(s.seen[other])
    for objective in range(state.OBJECTIVES):
        at = state.objective_cell(objective)
        if (last < LOOK and s.revealed >> objective & 1 and not state.has(s.reached, at)) or last == LOOK + objective:
            seen &= ~(1 << objective)
    shapes, at = 0, state.objective_cell(nugget)
    if seen >> nugget & 1 or count(seen) >= 2:
        for number in range(4):
            side = 1 << number
            to = state.beside(at, side)
            if s.tile[to] == tiles.EMPTY and state.is_joined(s, to, 15):
                shapes |= int(tiles.FITS[s.need[to]]) & through_from(s, to, tiles.opposite(side))
    if last < LOOK:
        state.lay(s, cell, last // state.CELLS)
    elif cell >= 0:
        state.destroy(s, cell)
    kinds = 0
    while shapes != 0:
        kinds |= 1 << int(tiles.KIND[lowest(shapes)])
        shapes &= shapes - 1
    return kinds


@rule
def through_from(s, cell, side):
    """The shapes that lead from the tunnels that reach a cell to one of its sides."""
    shapes = 0
    for number in range(4):
        if state.is_joined(s, cell, 1 << number):
            shapes |= int(tiles.PASSING[1 << number | side])
    return shapes
