"""Leduc hold'em (Southey et al. 2005): a card each, a public card, and two rounds of bets.

The deck has two cards of each rank, and one rank more than there are players. Everybody puts one chip into the pot. In
each round players fold, call or raise in turn; two raises are allowed, of 2 chips in the first round and of 4 in the
second, before which the public card is dealt. A pair with the public card wins, else the highest rank; equal ranks
share the pot. Actions, chance outcomes and movers are those of OpenSpiel.
"""

from spinney.games import dealing
from spinney.games.card import CHANCE, OVER
from spinney.games.dealing import NO_CARD, deal_card
from spinney.kernel import Record, i8, i16, i64, rule
from spinney.kernel.bits import count

MAX_PLAYERS = 5
"""With more, the actions of a game would not fit the number of an information set."""
MAX_ACTIONS = 2 * (MAX_PLAYERS + 1)
"""The most that is ever listed: the cards of the deck."""
ACTIONS = 3
FOLD, CALL, RAISE = 0, 1, 2
RAISES = 2
"""Raises in a round."""
AMOUNTS = (2, 4)
"""What a raise costs in each round."""
MOST_LOST = 1 + RAISES * (AMOUNTS[0] + AMOUNTS[1])
"""Chips that a player can lose."""
OPEN_SPIEL = "leduc_poker()"


class State(Record):
    players = i8
    turn = i8  # player to move, or CHANCE or OVER
    round = i8  # 0 or 1
    dealt = i8  # players who have their card
    public = i8  # the public card
    raises = i8  # in this round
    calls = i8  # since the last raise, or since the round began
    stake = i8  # chips that a player must have in the pot to stay
    folded = i8  # a bit for each player who has folded
    deck = i16  # a bit for each card that is not dealt
    card = i8[MAX_PLAYERS]
    chips = i8[MAX_PLAYERS]  # in the pot
    line = i64  # all actions so far, as digits in base 4, each 1 higher than the action


@rule
def start(s, config, rng):
    """One chip of everybody is in the pot; the cards are dealt by chance."""
    s.players = config.players
    s.turn = CHANCE
    s.public = NO_CARD
    s.stake = 1
    s.deck = (1 << (2 * (config.players + 1))) - 1
    for player in range(MAX_PLAYERS):
        s.card[player] = NO_CARD
        s.chips[player] = 1


@rule(inline=True)
def mover(s):
    return int(s.turn)


@rule(inline=True)
def legal(s, player, out):
    """Fold, unless a call is free; call; raise, at most twice in a round."""
    n = 0
    if s.stake > s.chips[player]:
        out.action[n] = FOLD
        n += 1
    out.action[n] = CALL
    n += 1
    if s.raises < RAISES:
        out.action[n] = RAISE
        n += 1
    return n


chance, outcomes = dealing.chance, dealing.outcomes  # a card for the next player, or the public card


@rule
def apply(s, action):
    """Deal a card, or fold, call or raise."""
    if s.turn != CHANCE:
        bet(s, action)
    elif s.dealt < s.players:
        deal_card(s, action)
        if s.dealt == s.players:
            s.turn = 0
    else:
        s.public = action
        s.deck &= ~(1 << action)
        s.turn = next_player(s, -1)


@rule
def bet(s, action):
    """Fold, call or raise, and go on to the next player, the next round, or the end."""
    player = s.turn
    s.line = 4 * s.line + action + 1
    if action == FOLD:
        s.folded |= 1 << player
    elif action == CALL:
        s.chips[player] = s.stake
        s.calls += 1
    else:
        s.stake += AMOUNTS[s.round]
        s.chips[player] = s.stake
        s.raises += 1
        s.calls = 0
    left = players_left(s)
    settled = s.calls == (left if s.raises == 0 else left - 1)
    if left == 1 or (settled and s.round == 1):
        s.turn = OVER
    elif settled:
        s.round = 1
        s.raises = 0
        s.calls = 0
        s.turn = CHANCE
    else:
        s.turn = next_player(s, player)


@rule(inline=True)
def players_left(s):
    """The players who have not folded."""
    return s.players - count(int(s.folded))


@rule
def next_player(s, player):
    """The next player in turn who has not folded."""
    player = player + 1 if player + 1 < s.players else 0
    while s.folded >> player & 1:
        player = player + 1 if player + 1 < s.players else 0
    return player


@rule
def rank(card):
    """The rank of a card, from 0."""
    return card // 2


@rule
def strength(s, player):
    """The strength of a player's cards: the rank, and more if it is a pair with the public card."""
    own = rank(s.card[player])
    return own + s.players + 1 if s.public != NO_CARD and own == rank(s.public) else own


@rule
def best_hands(s):
    """At the end: a bit for each player who has a share in the pot."""
    best, most = 0, -1
    for player in range(s.players):
        if not s.folded >> player & 1:
            cards = strength(s, player)
            if cards > most:
                best, most = 0, cards
            if cards == most:
                best |= 1 << player
    return best


@rule
def pot(s):
    """All chips in the pot."""
    total = 0
    for player in range(s.players):
        total += s.chips[player]
    return total


@rule
def gain(s, player):
    """At the end: the chips that a player has won, less than 0 if it has lost."""
    best = best_hands(s)
    return (pot(s) / count(best) if best >> player & 1 else 0.0) - s.chips[player]


@rule
def reward(s, out):
    """The chips won or lost, from the greatest loss at 0 to the greatest gain at 1."""
    for player in range(s.players):
        out.reward[player] = (gain(s, player) + MOST_LOST) / (MOST_LOST * s.players)


def scores(s):
    """The chips won or lost; before the end, those in the pot count as lost."""
    return [gain(s, player) if s.turn == OVER else -s.chips[player] for player in range(s.players)]


observe, determinize = dealing.observe, dealing.determinize


@rule(inline=True)
def observation_key(s, player):
    """A player's own card, and the public card."""
    return (s.card[player] - NO_CARD) + 16 * (s.public - NO_CARD)


@rule
def information_key(s, player):
    """A player's card, the public card, and all actions so far."""
    return observation_key(s, player) + 256 * s.line
