"""How Leduc poker is played, for people."""

GUIDE = """\
A small poker with two rounds of bets. With two players the deck has a jack, a queen and a king in two suits each.
Everybody puts one chip into the pot and is dealt one card, which only its owner sees.

In a round, players act in turn. To call is to put in as many chips as the highest bet; it is free while nobody has
raised. To raise is to put in two chips more in the first round, and four chips more in the second. There are at most
two raises in a round. To fold, which is possible after a raise, is to give up the hand. A round ends when all who are
left have called.

Before the second round a public card is turned over. After it, a player whose card has the same rank as the public card
has a pair and wins. Otherwise the highest rank wins, and equal ranks share the pot. If all others have folded, the last
player wins at once.

With more players (option players) the deck has one rank more than there are players.
"""
