"""Rules that games with a deck of cards share: `chance` and `outcomes`, and for a hidden card of each player `observe`
and `determinize`.

The records have the field `deck`, with a bit for each card that is not dealt. Those of the poker games also have
`players`, `dealt`, the number of players who have their card, and `card`, the card of each player or NO_CARD. In a
player's view the deck has all cards that the player has not seen.
"""

from spinney.errors import BadPosition
from spinney.games.notation import quoted
from spinney.kernel import below, rule
from spinney.kernel.bits import count, nth

NO_CARD = -1


@rule(inline=True)
def chance(s, rng):
    """A card of the deck, all equally likely."""
    deck = int(s.deck)
    return nth(deck, below(rng, count(deck)))


@rule
def outcomes(s, out):
    """All cards of the deck, equally likely."""
    deck, n = int(s.deck), 0
    cards = count(deck)
    while deck != 0:
        out.action[n] = nth(deck, 0)
        out.weight[n] = 1 / cards
        deck &= deck - 1
        n += 1
    return n


@rule(inline=True)
def deal_card(s, card):
    """Give a card to the next player."""
    s.card[s.dealt] = card
    s.deck &= ~(1 << card)
    s.dealt += 1


@rule
def observe(s, player):
    """Put the cards of the others back into the deck."""
    for other in range(s.dealt):
        if other != player and s.card[other] != NO_CARD:
            s.deck |= 1 << s.card[other]
            s.card[other] = NO_CARD


@rule
def determinize(s, player, rng):
    """Deal the cards that a player does not see again, all deals equally likely."""
    observe(s, player)
    for other in range(s.dealt):
        if other != player:
            card = chance(s, rng)
            s.card[other] = card
            s.deck &= ~(1 << card)


def read_cards(s, texts, names):
    """Deal the cards of a text to a new state: a name, `?` for a hidden card, `-` for one that is not dealt yet. A
    player's view has the cards of the others hidden, all of them."""
    if len(texts) != s.players:
        raise BadPosition(f"there are {len(texts)} cards between commas; needed are {s.players}")
    for player, text in enumerate(texts):
        if text not in (*names, "?", "-"):
            raise BadPosition(f"the card of player {player + 1} is {quoted(text)}; allowed: {', '.join(names)}, ?, -")
        if text == "-":
            continue
        if s.dealt < player:
            raise BadPosition(f"player {player + 1} has a card, and player {player} has none yet")
        if text != "?" and not s.deck >> names[text] & 1:
            raise BadPosition(f"two players have the card {text}")
        if text == "?":
            s.dealt += 1
        else:
            deal_card(s, names[text])
    known = sum(text not in "?-" for text in texts)
    if "?" in texts and known > 1:
        raise BadPosition(f"{known} cards are known and others hidden; in a player's view only its own card is known")
    if s.dealt == s.players:
        s.turn = 0
