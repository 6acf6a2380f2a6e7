"""The rules of Saboteur for two players, as in a course's program: lay tunnels, and reach the nugget first.

Every turn a player uses one card, and draws another as long as the deck lasts. The place of the nugget, the deal and
the draws are chance: an outcome is an objective, or a kind of card. Equal cards are one action, and the order of a hand
does not matter.
"""

from spinney.games.card import CHANCE, OVER
from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.actions import (
    ACTIONS,
    BLOCK,
    BREAK,
    CURE,
    DEALING,
    DRAWING,
    DROP,
    DROPPED,
    FINISHED,
    HAND,
    HIDING,
    LOOK,
    MOVING,
    NO_MOVE,
)
from spinney.games.saboteur.hidden import (
    any_card,
    cards_in_deck,
    determinize,
    nugget_known_to,
    observation_key,
    observe,
    public_action,
)
from spinney.games.saboteur.state import MAX_PLAYERS, Scratch, State
from spinney.kernel import below, rule
from spinney.kernel.bits import lowest

__all__ = [
    "ACTIONS",
    "BLOCK",
    "BREAK",
    "CURE",
    "DEALING",
    "DRAWING",
    "DROP",
    "DROPPED",
    "FINISHED",
    "HAND",
    "HIDING",
    "LOOK",
    "MAX_ACTIONS",
    "MAX_PLAYERS",
    "MOVING",
    "NO_MOVE",
    "Scratch",
    "State",
    "apply",
    "chance",
    "determinize",
    "legal",
    "mover",
    "nugget_known_to",
    "observation_key",
    "observe",
    "outcomes",
    "public_action",
    "reward",
    "start",
]  # fmt: skip

MAX_ACTIONS = 340
"""At most 37 cells can take a tile (4 at first, 2 more for each of 6 crosses, 1 for each of 12 forks, 1 for each tile
destroyed, 3 for each objective revealed), with at most 9 shapes of 7 cards each; and there are 7 drops."""


@rule
def start(s, config, rng):
    """Set up the board and the deck; the nugget and the deal are chance steps."""
    state.clear_board(s)
    s.phase = HIDING
    s.winner = state.NOBODY
    s.nugget = state.UNKNOWN
    s.last = NO_MOVE
    s.last_tile = tiles.EMPTY
    s.deck_size = tiles.CARDS
    for kind in range(tiles.KINDS):
        s.deck[kind] = tiles.COPIES[kind]


@rule(inline=True)
def mover(s):
    if s.phase == MOVING:
        return int(s.player)
    return OVER if s.phase == FINISHED else CHANCE


# ---- legal actions


@rule
def legal(s, player, out):
    """Tiles by cell, then Maps, a Bonus, a Malus, tiles to destroy, and a drop for each kind of card."""
    if s.phase == FINISHED:
        return 0
    n = 0
    shapes = int(s.shapes[player])
    if s.malus[player] == 0 and shapes != 0:
        for word in range(state.WORDS):
            cells = s.room[word]
            while cells != 0:
                cell = word * state.BITS + lowest(cells)
                cells &= cells - 1
                fitting = int(tiles.FITS[s.need[cell]]) & shapes
                while fitting != 0:
                    out.action[n] = lowest(fitting) * state.CELLS + cell
                    fitting &= fitting - 1
                    n += 1
    if s.hand[player, tiles.MAP] > 0:
        for objective in range(state.OBJECTIVES):
            if (s.revealed >> objective) & 1 == 0:
                out.action[n] = LOOK + objective
                n += 1
    if s.hand[player, tiles.BONUS] > 0 and s.malus[player] > 0:
        out.action[n] = CURE
        n += 1
    if s.hand[player, tiles.MALUS] > 0:
        out.action[n] = BLOCK
        n += 1
    if s.hand[player, tiles.DESTROY] > 0:
        for word in range(state.WORDS):
            cells = s.laid[word]
            while cells != 0:
                out.action[n] = BREAK + word * state.BITS + lowest(cells)
                cells &= cells - 1
                n += 1
    for kind in range(tiles.KINDS):
        out.action[n] = DROP + kind
        n += 1 if s.hand[player, kind] > 0 else 0  # compiles without a branch
    return n


# ---- chance


@rule
def chance(s, rng):
    """The place of the nugget, or a card of the deck."""
    if s.phase == HIDING:
        return below(rng, state.OBJECTIVES)
    return any_card(s, below(rng, cards_in_deck(s)))


@rule
def outcomes(s, out):
    """All outcomes and their probabilities."""
    n = 0
    if s.phase == HIDING:
        for objective in range(state.OBJECTIVES):
            out.action[n] = objective
            out.weight[n] = 1 / state.OBJECTIVES
            n += 1
        return n
    cards = cards_in_deck(s)
    for kind in range(tiles.KINDS):
        if s.deck[kind] > 0:
            out.action[n] = kind
            out.weight[n] = s.deck[kind] / cards
            n += 1
    return n


# ---- steps


@rule
def apply(s, action):
    """Make a move or a chance step, and go on to the next phase."""
    if s.phase == MOVING:
        play(s, action)
        end_move(s)
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


@rule(inline=True)
def end_move(s):
    """After a move: the end of the game if a tunnel leads to the nugget, else a card is drawn, if there is one."""
    if s.nugget != state.UNKNOWN and (s.revealed >> s.nugget) & 1:
        s.winner = s.player
        s.phase = FINISHED
    elif s.deck_size > 0:
        s.phase = DRAWING
    else:
        end_turn(s)


@rule
def play(s, action):
    """Use a card of the player to move."""
    player = int(s.player)
    s.last = action
    s.last_tile = tiles.EMPTY
    give_up(s, player, card_of(action))
    if action < LOOK:
        s.last_tile = action // state.CELLS
        state.lay(s, action % state.CELLS, action // state.CELLS)
    elif action < CURE:
        s.seen[player] |= 1 << (action - LOOK)
    elif action == CURE:
        s.malus[player] -= 1
    elif action == BLOCK:
        s.malus[1 - player] += 1
    elif action < DROP:
        s.last_tile = s.tile[action - BREAK]
        state.destroy(s, action - BREAK)
    else:
        s.dropped[player, action - DROP] += 1
        s.last = DROPPED


@rule(inline=True)
def card_of(action):
    """The kind of card that an action uses."""
    if action < LOOK:
        return int(tiles.KIND[action // state.CELLS])
    if action < CURE:
        return tiles.MAP
    if action < BREAK:
        return tiles.BONUS if action == CURE else tiles.MALUS
    return tiles.DESTROY if action < DROP else action - DROP


@rule(inline=True)
def take(s, player, kind):
    """Move a card from the deck to a hand."""
    s.deck[kind] -= 1
    s.deck_size -= 1
    s.hand[player, kind] += 1
    s.hand_size[player] += 1
    s.shapes[player] |= int(tiles.KIND_SHAPES[kind])


@rule(inline=True)
def give_up(s, player, kind):
    """Remove a card from a hand."""
    s.hand[player, kind] -= 1
    s.hand_size[player] -= 1
    if kind < tiles.TILES and s.hand[player, kind] == 0:
        s.shapes[player] &= ~int(tiles.KIND_SHAPES[kind])


@rule(inline=True)
def end_turn(s):
    """Go on to the other player; the game ends when all cards are used up."""
    s.turn += 1
    s.player = 1 - s.player
    s.phase = FINISHED if s.deck_size + s.hand_size[0] + s.hand_size[1] == 0 else MOVING


@rule
def reward(s, out):
    """1 for the player who reached the nugget; one half each if the cards are used up."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 0.5 if s.winner == state.NOBODY else 1.0 if s.winner == player else 0.0


@rule
def reach_it(s, out):
    """1 for the player who reached the nugget; a draw counts as a defeat."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 if s.winner == player else 0.0


@rule
def soon(s, out):
    """The same, discounted by the number of turns: the last card gives half as much as the first."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 - 0.5 * s.turn / tiles.CARDS if s.winner == player else 0.0
