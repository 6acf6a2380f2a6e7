"""Tournaments: who plays whom, every game stored at once, and what it all says with its uncertainty."""

from spinney.arena.play import Finished, Job, play_game
from spinney.arena.run import Arena
from spinney.arena.schedule import Pairing, schedule
from spinney.arena.standings import Standing, standings, wilson
from spinney.arena.store import Store
from spinney.arena.tune import Tuning

__all__ = [
    "Arena",
    "Finished",
    "Job",
    "Pairing",
    "Standing",
    "Store",
    "Tuning",
    "play_game",
    "schedule",
    "standings",
    "wilson",
]
