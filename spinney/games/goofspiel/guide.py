"""How Goofspiel is played, for people."""

GUIDE = """\
Every player has the same hand of cards, from 1 up to 13. The cards of another suit are the prizes.

In each round a prize is turned over, and all players bid for it: each secretly chooses a card of the hand, and all show
it at the same time. The highest card takes the prize, which is worth as many points as its number. If the highest bid
was made by several players, nobody gets the prize. All cards that were bid are gone.

The game ends when all prizes are turned over. The last card is played without a choice. Whoever has the most points
wins.

The options set the number of players, the number of cards (num_cards), and the order of the prizes (points_order):
random, ascending or descending.
"""
