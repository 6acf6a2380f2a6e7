"""How Kuhn poker is played, for people."""

GUIDE = """\
The smallest poker. With two players the deck has three cards: jack, queen and king. Everybody puts one chip into the
pot and is dealt one card, which only its owner sees.

In turn, each player passes or bets one more chip. If all pass, the cards are compared. After the first bet every other
player has one more turn: to bet is then to call, and to pass is to fold.

The highest card wins the pot, among those who have bet if anybody has, else among all.

A hand is over after at most a few actions. What matters is how often to bluff with a low card, and how often to call
with a middle one: who never bluffs is easily beaten. With more players (option players) the deck has one card more than
there are players.
"""
