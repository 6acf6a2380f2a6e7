"""The rules of Saboteur for two players, as in a course's program: lay tunnels, and be the one who reaches the nugget.

Every turn a player uses one card, and draws another while there are any. The nugget's place, the deal and the draws are
chance: which objective, and which kind of card. Equal cards are one action, and the order of a hand does not matter.
"""

from spinney.games.card import CHANCE, OVER
from spinney.games.saboteur.state import (
    BITS,
    CELLS,
    MAX_PLAYERS,
    NOBODY,
    OBJECTIVES,
    UNKNOWN,
    WORDS,
    State,
    clear_board,
    destroy,
    lay,
)
from spinney.games.saboteur.tiles import (
    BONUS,
    CARDS,
    COPIES,
    DESTROY,
    EMPTY,
    FITS,
    KIND,
    KIND_SHAPES,
    KINDS,
    MALUS,
    MAP,
    SHAPES,
    TILES,
)
from spinney.kernel import below, rule
from spinney.kernel.bits import count, lowest

__all__ = [
    "MAX_ACTIONS",
    "MAX_PLAYERS",
    "State",
    "apply",
    "chance",
    "determinize",
    "legal",
    "mover",
    "observation_key",
    "observe",
    "outcomes",
    "public_action",
    "reward",
    "start",
]  # fmt: skip

MAX_ACTIONS = 340
"""A tile is laid at one of at most 37 places (4 at first, 2 more for each of 6 crosses, 1 for each of 12 forks, 1 for
each tile destroyed, 3 for each objective revealed), and of 7 cards at most 9 shapes fit there; and 7 drops."""
HAND = 7
HIDING, DEALING, MOVING, DRAWING, FINISHED = 0, 1, 2, 3, 4
"""Phases."""

LOOK = SHAPES * CELLS
"""Actions: a shape times 256, and the cell it is laid on; a look at an objective; ..."""
CURE = LOOK + OBJECTIVES
BLOCK = CURE + 1
BREAK = BLOCK + 1
DROP = BREAK + CELLS
ACTIONS = DROP + KINDS
DROPPED = ACTIONS
"""A drop of some card: what others see of it."""
NO_MOVE = DROPPED + 1


@rule
def start(s, config, rng):
    clear_board(s)
    s.phase = HIDING
    s.player = 0
    s.turn = 0
    s.winner = NOBODY
    s.nugget = UNKNOWN
    s.last = NO_MOVE
    s.last_tile = EMPTY
    s.deck_size = CARDS
    for player in range(MAX_PLAYERS):
        s.hand_size[player] = 0
        s.malus[player] = 0
        s.seen[player] = 0
        s.shapes[player] = 0
    for kind in range(KINDS):
        s.deck[kind] = COPIES[kind]
        for player in range(MAX_PLAYERS):
            s.hand[player, kind] = 0
            s.dropped[player, kind] = 0


@rule(inline=True)
def mover(s):
    if s.phase == MOVING:
        return int(s.player)
    return OVER if s.phase == FINISHED else CHANCE


# ---- legal actions


@rule
def legal(s, player, out):
    """Tiles by place, then looks, a cure, a block, tiles to destroy, and a drop for each kind of card."""
    if s.phase == FINISHED:
        return 0
    n = 0
    shapes = int(s.shapes[player])
    if s.malus[player] == 0 and shapes != 0:
        for word in range(WORDS):
            cells = s.room[word]
            while cells != 0:
                cell = word * BITS + lowest(cells)
                cells &= cells - 1
                fitting = int(FITS[s.need[cell]]) & shapes
                while fitting != 0:
                    out.action[n] = lowest(fitting) * CELLS + cell
                    fitting &= fitting - 1
                    n += 1
    if s.hand[player, MAP] > 0:
        for objective in range(OBJECTIVES):
            if (s.revealed >> objective) & 1 == 0:
                out.action[n] = LOOK + objective
                n += 1
    if s.hand[player, BONUS] > 0 and s.malus[player] > 0:
        out.action[n] = CURE
        n += 1
    if s.hand[player, MALUS] > 0:
        out.action[n] = BLOCK
        n += 1
    if s.hand[player, DESTROY] > 0:
        for word in range(WORDS):
            cells = s.laid[word]
            while cells != 0:
                out.action[n] = BREAK + word * BITS + lowest(cells)
                cells &= cells - 1
                n += 1
    for kind in range(KINDS):
        out.action[n] = DROP + kind
        n += 1 if s.hand[player, kind] > 0 else 0  # without a branch
    return n


# ---- chance


@rule
def chance(s, rng):
    """Where the nugget is, or a card of the deck."""
    if s.phase == HIDING:
        return below(rng, OBJECTIVES)
    return any_card(s, below(rng, cards_in_deck(s)))


@rule(inline=True)
def cards_in_deck(s):
    """In the eyes of a player who cannot tell the deck from the other's cards, all of these."""
    n = 0
    for kind in range(KINDS):
        n += int(s.deck[kind])
    return n


@rule(inline=True)
def any_card(s, n):
    """The kind of the card with number n of a sorted deck."""
    kind = 0
    n -= s.deck[0]
    while n >= 0:
        kind += 1
        n -= s.deck[kind]
    return kind


@rule
def outcomes(s, out):
    n = 0
    if s.phase == HIDING:
        for objective in range(OBJECTIVES):
            out.action[n] = objective
            out.weight[n] = 1 / OBJECTIVES
            n += 1
        return n
    cards = cards_in_deck(s)
    for kind in range(KINDS):
        if s.deck[kind] > 0:
            out.action[n] = kind
            out.weight[n] = s.deck[kind] / cards
            n += 1
    return n


# ---- steps


@rule
def apply(s, action):
    if s.phase == MOVING:
        play(s, action)
        if s.nugget != UNKNOWN and (s.revealed >> s.nugget) & 1:
            s.winner = s.player
            s.phase = FINISHED
        elif s.deck_size > 0:
            s.phase = DRAWING
        else:
            end_turn(s)
    elif s.phase == HIDING:
        s.nugget = action
        s.phase = DEALING
    else:
        take(s, s.player, action)
        if s.phase == DRAWING:
            end_turn(s)
        else:
            s.player = 1 - s.player
            if s.hand_size[s.player] == HAND:
                s.phase = MOVING
                s.turn = 1


@rule
def play(s, action):
    """Use a card of the player to move."""
    player = int(s.player)
    s.last = action
    s.last_tile = EMPTY
    if action < LOOK:
        shape, cell = action // CELLS, action % CELLS
        give_up(s, player, int(KIND[shape]))
        s.last_tile = shape
        lay(s, cell, shape)
    elif action < CURE:
        give_up(s, player, MAP)
        s.seen[player] |= 1 << (action - LOOK)
    elif action == CURE:
        give_up(s, player, BONUS)
        s.malus[player] -= 1
    elif action == BLOCK:
        give_up(s, player, MALUS)
        s.malus[1 - player] += 1
    elif action < DROP:
        give_up(s, player, DESTROY)
        s.last_tile = s.tile[action - BREAK]
        destroy(s, action - BREAK)
    else:
        give_up(s, player, action - DROP)
        s.dropped[player, action - DROP] += 1
        s.last = DROPPED


@rule(inline=True)
def take(s, player, kind):
    """A card goes from the deck to a hand."""
    s.deck[kind] -= 1
    s.deck_size -= 1
    s.hand[player, kind] += 1
    s.hand_size[player] += 1
    s.shapes[player] |= int(KIND_SHAPES[kind])


@rule(inline=True)
def give_up(s, player, kind):
    """A card leaves a hand."""
    s.hand[player, kind] -= 1
    s.hand_size[player] -= 1
    if kind < TILES and s.hand[player, kind] == 0:
        s.shapes[player] &= ~int(KIND_SHAPES[kind])


@rule(inline=True)
def end_turn(s):
    s.turn += 1
    s.player = 1 - s.player
    s.phase = FINISHED if s.deck_size + s.hand_size[0] + s.hand_size[1] == 0 else MOVING


@rule
def reward(s, out):
    """One for who reached the nugget; half of it each if the cards are used up."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 0.5 if s.winner == NOBODY else 1.0 if s.winner == player else 0.0


@rule
def reach_it(s, out):
    """The same for who cares for nothing but the nugget: a draw is as bad as a defeat."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 if s.winner == player else 0.0


@rule
def soon(s, out):
    """The same for who is in a hurry: the nugget is worth half as much with the last card as with the first."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 - 0.5 * s.turn / CARDS if s.winner == player else 0.0


# ---- what is hidden


@rule(inline=True)
def nugget_known_to(s, player):
    """The nugget's place, if a player knows it: having seen it, or both of the others."""
    known = s.nugget != UNKNOWN and ((s.seen[player] >> s.nugget) & 1 == 1 or count(int(s.seen[player])) >= 2)
    return int(s.nugget) if known else UNKNOWN


@rule
def observation_key(s, player):
    """What a player has seen of the objectives. Of the own cards, which it sees as well, a search takes the average."""
    return 4 * int(s.seen[player]) + nugget_known_to(s, player) + 1


@rule
def public_action(s, action, player):
    """What a player sees of the other's action: not which card is dropped."""
    return DROPPED if action >= DROP else action


@rule
def observe(s, player):
    """Leave what a player may know: cards it cannot tell from those of the deck are put there."""
    s.nugget = nugget_known_to(s, player)
    gather(s, player)


@rule
def determinize(s, player, rng):
    """Guess what a player does not know, all possibilities equally likely.

    Every card that it has not seen may be anywhere: in the other's hand, among what the other has dropped, in the deck.
    """
    if nugget_known_to(s, player) == UNKNOWN:
        unseen = 7 & ~int(s.seen[player])
        for _ in range(below(rng, count(unseen))):
            unseen &= unseen - 1
        s.nugget = lowest(unseen)
    gather(s, player)
    other = 1 - player
    left = cards_in_deck(s)
    for _ in range(s.hand_size[other]):
        kind = any_card(s, below(rng, left))
        s.deck[kind] -= 1
        s.hand[other, kind] += 1
        s.shapes[other] |= int(KIND_SHAPES[kind])
        left -= 1
    while left > s.deck_size:
        kind = any_card(s, below(rng, left))
        s.deck[kind] -= 1
        s.dropped[other, kind] += 1
        left -= 1


@rule
def gather(s, player):
    """Put all cards that a player has not seen into the deck."""
    other = 1 - player
    for kind in range(KINDS):
        s.deck[kind] += s.hand[other, kind] + s.dropped[other, kind]
        s.hand[other, kind] = 0
        s.dropped[other, kind] = 0
    s.shapes[other] = 0
