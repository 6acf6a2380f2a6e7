"""The course's own Colosseum Survival! simulator: a file for its `agents` folder, and the player behind it."""

from spinney.bridges.colosseum.player import SimulatorPlayer

__all__ = ["SimulatorPlayer"]
