"""A game in progress: its session, its clock, its frames."""

from spinney.clock import Clock, Margin
from spinney.games.frame import Event, Frame, Replay, outcome
from spinney.play.native import NativeState
from spinney.play.replay import origin, replay_of, replay_steps
from spinney.play.seating import describe, seated, why_not_followed
from spinney.play.session import Seat, Session, TurnSeat
from spinney.play.table import Table

__all__ = [
    "Clock", "Event", "Frame", "Margin", "NativeState", "Replay", "Seat", "Session", "Table",
    "TurnSeat", "describe", "origin", "outcome", "replay_of", "replay_steps", "seated",
    "why_not_followed",
]  # fmt: skip
