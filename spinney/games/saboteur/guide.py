"""How Saboteur is played, for people."""

GUIDE = """\
Two players dig from one entrance towards three objectives at the other end of the board. One of them hides the nugget.
Whoever lays the tile that connects the nugget with the entrance wins, no matter who has laid the other tiles.

Each has seven cards, which the other does not see. In your turn you use one card, and draw another while there are any.

A tile is laid on an empty cell, as it is or turned upside down. It must fit all neighbours, opening to opening and wall
to wall, and be joined to at least one of them by an opening. It need not be connected with the entrance. Some tiles are
blocked inside: a tunnel leads into them and no further. An objective that a tunnel from the entrance reaches is
revealed to both, and is then a tile with four openings.

A Map shows only you whether the nugget is under an objective. A Malus blocks the other player, who can lay no tiles
until a Bonus undoes it; two Malus need two Bonus. A Destroy removes a tile from the board, but not the entrance or an
objective. Instead of playing a card, you may drop any card face down.

If all cards are used up and the nugget is not reached, the game is a draw.

This is the game for two of a university course: unlike in the published game nobody is a saboteur in secret, and only
one round is played.
"""
