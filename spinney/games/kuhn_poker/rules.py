"""Kuhn poker: a card each, one chip in the pot, and one chip to bet.

The deck has one card more than there are players. Each in turn passes or bets. After the first bet, all others have one
more turn, in which to bet is to call and to pass is to fold. The highest card wins the pot, among those who have bet if
anybody has. Actions, chance outcomes and movers are those of OpenSpiel.
"""

from spinney.games import dealing
from spinney.games.card import CHANCE, OVER
from spinney.games.dealing import NO_CARD, deal_card
from spinney.kernel import Record, i8, i16, rule
from spinney.kernel.bits import count

MAX_PLAYERS = 10
MAX_ACTIONS = MAX_PLAYERS + 1
"""The most that is ever listed: the cards of the deck."""
ACTIONS = 2
PASS, BET = 0, 1
NOBODY = -1
MOST_LOST = 2
"""Chips that a player can lose: the one in the pot, and the bet."""
OPEN_SPIEL = "kuhn_poker()"


class State(Record):
    players = i8
    turn = i8  # player to move, or CHANCE or OVER
    dealt = i8  # players who have their card
    taken = i8  # actions so far
    first = i8  # who bet first
    bets = i16  # a bit for each player who has bet
    deck = i16  # a bit for each card that is not dealt
    card = i8[MAX_PLAYERS]


@rule
def start(s, config, rng):
    """No cards are dealt; that is chance."""
    s.players = config.players
    s.turn = CHANCE
    s.first = NOBODY
    s.deck = (1 << (config.players + 1)) - 1
    for player in range(MAX_PLAYERS):
        s.card[player] = NO_CARD


@rule(inline=True)
def mover(s):
    return int(s.turn)


@rule(inline=True)
def legal(s, player, out):
    """Pass or bet, always."""
    out.action[0] = PASS
    out.action[1] = BET
    return 2


chance, outcomes = dealing.chance, dealing.outcomes  # a card for the next player


@rule
def apply(s, action):
    """Deal a card, or pass or bet."""
    if s.turn == CHANCE:
        deal_card(s, action)
        if s.dealt == s.players:
            s.turn = 0
        return
    if action == BET:
        if s.first == NOBODY:
            s.first = s.turn
        s.bets |= 1 << s.turn
    s.taken += 1
    end = s.players if s.first == NOBODY else s.players + s.first
    s.turn = OVER if s.taken == end else s.turn + 1 if s.turn + 1 < s.players else 0


@rule
def winner(s):
    """At the end: the highest card, among those who have bet if anybody has."""
    best = NOBODY
    for player in range(s.players):
        stays = s.bets == 0 or s.bets >> player & 1
        if stays and (best == NOBODY or s.card[player] > s.card[best]):
            best = player
    return best


@rule
def chips(s, player):
    """What a player has put into the pot."""
    return 1 + (s.bets >> player & 1)


@rule
def gain(s, player):
    """At the end: the chips that a player has won, less than 0 if it has lost."""
    return net(s, player, winner(s))


@rule(inline=True)
def net(s, player, best):
    """The same if the winner is known."""
    pot = s.players + count(int(s.bets))
    return (pot if player == best else 0) - chips(s, player)


@rule
def reward(s, out):
    """The chips won or lost, from the greatest loss at 0 to the greatest gain at 1."""
    best = winner(s)
    for player in range(s.players):
        out.reward[player] = (net(s, player, best) + MOST_LOST) / (MOST_LOST * s.players)


def scores(s):
    """The chips won or lost; before the end, those in the pot count as lost."""
    return [gain(s, player) if s.turn == OVER else -chips(s, player) for player in range(s.players)]


observe, determinize = dealing.observe, dealing.determinize


@rule(inline=True)
def observation_key(s, player):
    """A player's own card."""
    return s.card[player] - NO_CARD


@rule
def information_key(s, player):
    """A player's card, and all actions so far: who bet first, and who did after that."""
    seen = (s.first - NOBODY) + 16 * (s.taken + 32 * int(s.bets))
    return (s.card[player] - NO_CARD) + 16 * seen
