"""A game in progress: its session, its clock, its frames."""

from spinney.clock import Clock, Margin
from spinney.games.frame import Event, Frame, Replay, outcome
from spinney.play.native import NativeState
from spinney.play.replay import origin, replay_of, replay_steps
from spinney.play.session import Seat, Session, TurnSeat

__all__ = [
    "Clock", "Event", "Frame", "Margin", "NativeState", "Replay", "Seat", "Session", "TurnSeat", "origin",
    "outcome", "replay_of", "replay_steps",
]  # fmt: skip
