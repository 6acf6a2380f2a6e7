"""Tournaments: the schedule, the results file, standings and reports."""

from spinney.arena.play import GameJob, GameResult, SeatResult, play_game
from spinney.arena.schedule import Pairing, schedule
from spinney.arena.standings import Standing, Standings, standings
from spinney.arena.store import Store
from spinney.arena.tournament import Arena

__all__ = [
    "Arena", "GameJob", "GameResult", "Pairing", "SeatResult", "Standing", "Standings", "Store", "play_game",
    "schedule", "standings",
]  # fmt: skip
