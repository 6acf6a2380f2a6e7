"""A position from the point of view of a player: its own stones, and the opponent's."""

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, ROWS, stones_of
from spinney.games.encoding import Encoder
from spinney.kernel import rule


@rule
def encode(s, player, out, planes, at):
    """Write both planes; rows are from the bottom up."""
    for side in range(2):
        stones = stones_of(s, player if side == 0 else 1 - player)
        for row in range(ROWS):
            for column in range(COLUMNS):
                stone = (stones >> (column * HEIGHT + row)) & 1
                planes[at + (side * ROWS + row) * COLUMNS + column] = 1.0 if stone else 0.0


@rule
def output(s, player, action):
    """A column is its own output."""
    return action


ENCODER = Encoder(
    version=1,
    planes=("own stones", "the other's stones"),
    height=ROWS,
    width=COLUMNS,
    outputs=tuple(f"column {column + 1}" for column in range(COLUMNS)),
    encode=encode,
    output=output,
    mirror=tuple(reversed(range(COLUMNS))),
)
