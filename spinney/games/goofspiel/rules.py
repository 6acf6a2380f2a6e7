"""Goofspiel: a prize card is turned over, all players bid a card at the same time, and the highest bid takes the prize.

Everybody has the cards 1 to `cards`, and so has the deck of prizes. If the highest bid is made by several players,
nobody gets the prize. The most points win. The last card has no alternative: it is played at once. Cards are counted
from 0. Actions, chance outcomes and movers are those of OpenSpiel.
"""

from spinney.games import dealing
from spinney.games.card import CHANCE, OVER, SIMULTANEOUS
from spinney.kernel import Record, i8, i16, rule
from spinney.kernel.bits import count, lowest

MAX_CARDS = 13
MAX_PLAYERS = 8
"""With more, the joint actions would not fit the field of a node."""
MOVES = MAX_CARDS
MAX_ACTIONS = MAX_CARDS
ORDERS = ("random", "ascending", "descending")
RANDOM, ASCENDING, DESCENDING = range(len(ORDERS))
"""The orders of the prizes."""
NO_PRIZE = -1
OPEN_SPIEL = "goofspiel()"


class State(Record):
    players = i8
    cards = i8
    order = i8
    phase = i8  # CHANCE, SIMULTANEOUS or OVER
    prize = i8  # the card that is bid for, or NO_PRIZE
    left = i8  # cards in each hand
    deck = i16  # a bit for each prize that has not been turned over
    hand = i16[MAX_PLAYERS]  # a bit for each card
    points = i16[MAX_PLAYERS]


@rule
def start(s, config, rng):
    """All cards are in the hands and in the deck of prizes."""
    s.players = config.players
    s.cards = config.num_cards
    s.order = ORDERS.index(config.points_order)
    s.left = config.num_cards
    s.prize = NO_PRIZE
    s.deck = (1 << config.num_cards) - 1
    for player in range(config.players):
        s.hand[player] = s.deck
    next_prize(s)


@rule(inline=True)
def mover(s):
    return int(s.phase)


@rule(inline=True)
def is_active(s, player):
    """All bid."""
    return s.phase == SIMULTANEOUS and player < s.players


@rule
def legal(s, player, out):
    """The cards of the hand, the lowest first."""
    if not is_active(s, player):
        return 0
    hand, n = s.hand[player], 0
    for card in range(s.cards):
        out.action[n] = card
        n += hand >> card & 1
    return n


chance, outcomes = dealing.chance, dealing.outcomes  # a prize


@rule(inline=True)
def apply(s, action):
    """Turn over a prize."""
    s.prize = action
    s.deck &= ~(1 << action)
    s.phase = SIMULTANEOUS


@rule(inline=True)
def next_prize(s):
    """Turn over the next prize, or leave that to chance."""
    if s.order == RANDOM:
        s.prize = NO_PRIZE
        s.phase = CHANCE
    else:
        apply(s, lowest(int(s.deck)) if s.order == ASCENDING else count(int(s.deck)) - 1)


@rule(inline=True)
def bid(s, out):
    """The highest bid takes the prize if it is alone, and all bids leave the hands. A last card is bid in any case."""
    highest, owner = -1, -1
    for player in range(s.players):
        card = lowest(int(s.hand[player])) if s.left == 1 else out.joint[player]
        s.hand[player] &= ~(1 << card)
        if card > highest:
            highest, owner = card, player
        elif card == highest:
            owner = -1
    if owner >= 0:
        s.points[owner] += s.prize + 1
    s.left -= 1


@rule
def apply_joint(s, out):
    """Settle the bids; the last prize and the last cards are played at once."""
    bid(s, out)
    if s.left > 0:
        next_prize(s)
    if s.left == 1:
        if s.order == RANDOM:
            apply(s, lowest(int(s.deck)))
        bid(s, out)
    if s.left == 0:
        s.prize = NO_PRIZE
        s.phase = OVER


@rule
def most_points(s):
    """The points of the leaders."""
    most = 0
    for player in range(s.players):
        most = max(most, s.points[player])
    return most


@rule
def reward(s, out):
    """OpenSpiel's `win_loss` rescaled to 0..1: winners share 1 and losers share -1 there, and all are 0 in a draw."""
    most, winners = most_points(s), 0
    for player in range(s.players):
        winners += s.points[player] == most
    for player in range(s.players):
        if winners == s.players:
            out.reward[player] = 0.5
        elif s.points[player] == most:
            out.reward[player] = 0.5 + 0.5 / winners
        else:
            out.reward[player] = 0.5 - 0.5 / (s.players - winners)


@rule
def point_share(s, out):
    """The part of all points that a player has: a reward for `reward=points`."""
    total = s.cards * (s.cards + 1) / 2
    for player in range(s.players):
        out.reward[player] = s.points[player] / total


def scores(s):
    """The points of the players."""
    return [int(s.points[player]) for player in range(s.players)]
