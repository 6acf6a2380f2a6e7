"""The course's own Colosseum Survival! simulator: a file for its `agents` folder, and the player behind it."""

from spinney.bridges.colosseum.gladiator import Gladiator

__all__ = ["Gladiator"]
