"""How Connect four is played, for people."""

GUIDE = """\
The board stands upright and has seven columns of six cells. In turn, the two players drop a stone of their colour into
a column. It falls to the lowest free cell. A full column cannot be chosen.

Whoever first has four stones in a line wins: next to each other, above each other, or diagonally. If the board is full
and nobody has a line, the game is a draw.

The first player can force a win by beginning in the middle column. It is worth counting who will be the one to fill a
cell: stones also prepare the cell above them, for either player.
"""
