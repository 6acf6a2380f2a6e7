"""How Halite III is played, for people."""

GUIDE = """\
Fleets of ships collect halite on a map that wraps around. Each player has a shipyard and a treasury of 5000 halite. A
turn is played by all at once: everybody gives an order to each ship, and to the shipyard, and only then do all orders
take effect. You are asked for one order after the other.

A ship stays or moves by one cell to the north, south, east or west. A ship that stays mines a quarter of the halite on
its cell, rounded up, until it carries 1000. Leaving a cell costs a tenth of the halite on it, which the ship must have
on board. On your shipyard or a dropoff of yours a ship unloads everything into your treasury.

Ships that meet on a cell are all lost, your own as well; their cargo falls on the cell, or goes to the owner of a
structure there. Ships that swap places do not meet. A ship with two or more ships of opponents within four steps is
inspired: it mines three times as much.

A new ship costs 1000 and appears on the shipyard. A ship can become a dropoff for 4000, less what it carries and what
is on its cell.

After 400 to 500 turns, more on larger maps, the player with the most halite in the treasury wins. A player with neither
a ship nor the price of one is out. The options set the size of the map, the number of players, the turns, the first
treasury (energy), and whether there is inspiration.
"""
