"""Tournaments: who plays whom, every game stored at once, and what it all says with its uncertainty."""

from spinney.arena.play import GameResult, Job, play_game
from spinney.arena.schedule import Pairing, schedule
from spinney.arena.standings import Standing, standings, wilson
from spinney.arena.store import Store
from spinney.arena.tournament import Arena

__all__ = [
    "Arena",
    "GameResult",
    "Job",
    "Pairing",
    "Standing",
    "Store",
    "play_game",
    "schedule",
    "standings",
    "wilson",
]
