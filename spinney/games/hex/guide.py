"""How Hex is played, for people."""

GUIDE = """\
The board is a parallelogram of hexagons. Each player has two opposite edges in their colour: the first player the top
and the bottom, the second player the left and the right.

In turn, each puts a stone on any free cell. Stones never move and are never taken.

Whoever connects their own two edges with an unbroken chain of stones wins. A cell has up to six neighbours: those
beside it, two above it and two below it. Exactly one player can have such a chain in the end, so there are no draws.

The board has 11 cells on a side; the option board_size makes it smaller. There is no swap of sides after the first
move, so that the first player has an advantage.
"""
