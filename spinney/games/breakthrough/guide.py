"""How Breakthrough is played, for people."""

GUIDE = """\
Each player begins with two rows of pawns at one end of the board, and moves towards the other end. In turn, each moves
one pawn by one row.

A pawn goes forward to the square straight ahead or to one of the two squares diagonally ahead. Straight ahead, the
square must be empty. Diagonally, it may be empty or have a pawn of the opponent, which is captured. Capturing is never
compulsory, and pawns never move backwards.

Whoever first brings a pawn to the opponent's home row wins, and so does a player who captures all pawns of the
opponent. There is always a move, and there are no draws.

The options rows and columns change the size of the board, which is 8 by 8. With fewer than six rows each player has one
row of pawns.
"""
