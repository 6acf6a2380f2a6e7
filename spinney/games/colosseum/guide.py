"""How Colosseum Survival is played, for people."""

GUIDE = """\
Two players stand on a board of square cells with some walls. In your turn you walk, and then put up a wall.

A walk has at most half as many steps as the board has cells on a side, rounded up, so four steps on a board of 8 by 8.
You step up, right, down or left, not through walls and not onto the other player's cell, and you may also stay where
you are. Then you put up a wall on one side of the cell where you stand. The side must be open. Walls are never removed.

The game ends when no way leads from one player to the other. Each player then owns the cells of their own region, and
the larger region wins; equal regions are a draw. Cells that neither player can reach count for nobody. You may lose by
a wall of your own.

The first position is drawn at random and symmetric under a half-turn. The option size sets the cells on a side, and
year the course's rules for the first position: those of 2023 have fewer walls.
"""
