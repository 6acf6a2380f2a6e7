"""How BattleSnake is played, for people."""

GUIDE = """\
Each player steers a snake. In every turn all snakes choose a direction, up, down, left or right, and then all move at
once by one square. The head goes on, and the tail leaves its square.

A snake begins with a length of 3 and a health of 100. Every turn costs one health. Food restores it to 100 and makes
the snake one longer: its tail stays where it is for a turn. New food appears at random.

A snake is out if its health is used up, if it leaves the board, or if its head runs into a body, its own or another. If
two heads meet, the shorter snake is out, and both are if they are equally long. The square that a tail is leaving is
safe. A snake that is out is removed from the board.

The last snake left wins. If the last ones are out in the same turn, the game is a draw. A single snake plays for its
length.

Modes: in royale, hazards cover the board from its sides, and cost more health; in wrapped, a snake that leaves the
board enters on the opposite side; in constrictor, there is no food, and all snakes grow in every turn. The options also
set the number of snakes, the size of the board, and how much food there is.
"""
