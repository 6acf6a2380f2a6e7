"""How Pig is played, for people."""

GUIDE = """\
In your turn you roll a die as often as you like. What it shows is added to the points of this turn, which are not yet
yours.

If you stop, the points of the turn are added to your score, and the next player rolls. If you roll a one, the points of
this turn are lost, and the next player rolls.

The first player with 100 points wins. A player whose score and turn together reach the goal can only stop, and has won.
A game that takes too many actions ends without a winner.

The options set the number of players, the points that win (winscore), the faces of the die (diceoutcomes), and the
greatest number of actions (horizon). In piglet every roll but a one is worth a single point.
"""
