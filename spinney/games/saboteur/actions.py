"""The numbers of phases and actions."""

from spinney.games.saboteur import state, tiles

HAND = 7
HIDING, DEALING, MOVING, DRAWING, FINISHED = 0, 1, 2, 3, 4
"""Phases."""

LOOK = tiles.SHAPES * state.CELLS
"""Actions: a shape times 256, plus the cell on which it is laid; from here on, a Map for each objective; then a Bonus,
a Malus, a Destroy for each cell, and a drop of each kind of card."""
CURE = LOOK + state.OBJECTIVES
BLOCK = CURE + 1
BREAK = BLOCK + 1
DROP = BREAK + state.CELLS
ACTIONS = DROP + tiles.KINDS
DROPPED = ACTIONS
"""A drop as the opponent sees it, without the card."""
NO_MOVE = DROPPED + 1
