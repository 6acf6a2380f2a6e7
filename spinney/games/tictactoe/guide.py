"""How Tic-tac-toe is played, for people."""

GUIDE = """\
Two players mark the cells of a board of three by three in turn, the first with X, the second with O.

Whoever has three marks in a line, which may be a row, a column or a diagonal, wins. If the board is full and nobody has
a line, the game is a draw.

With correct play of both it always is. Look for a line of yours to complete first, then for one of the other player's
to block. A move that makes two threats at once wins.
"""
