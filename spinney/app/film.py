"""A game as the browsers of one player are told it: encoded frames, and what a person taps."""

from __future__ import annotations

from typing import Any

from spinney.agents import Decision
from spinney.games import Game, State
from spinney.games.frame import Frame
from spinney.games.picture import Tap
from spinney.show.frames import NOTHING, FrameEncoder


class Film:
    """The frames so far, each as its difference from the one before."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.game, self.viewer = game, viewer
        self.frames: list[dict[str, Any]] = []
        self._encoder, self._shown = FrameEncoder(game.card, game), NOTHING

    def add(self, frame: Frame) -> None:
        seen = frame if self.viewer is None else frame.seen_by(self.game, self.viewer)
        changes, self._shown = self._encoder.encode(seen, self._shown)
        self.frames.append(changes)

    def header(self) -> dict[str, Any]:
        """What all frames share: the size of the picture, colours and styles."""
        return self._encoder.header()


def choices_of(state: State, player: int | None) -> dict[str, Any]:
    """What a player, or chance, may do: every action with its name and what a person taps for it one after the other,
    as numbers of taps."""
    taps: dict[Tap, int] = {}
    actions = [action for action, _ in state.outcomes()] if player is None else state.legal(player)
    listed = [
        [action, state.name(action), [taps.setdefault(tap, len(taps)) for tap in state.taps(action, player)]]
        for action in actions
    ]
    return {"player": player, "actions": listed, "taps": [list(tap) for tap in taps]}


def figures_of(decision: Decision, most: int = 12) -> dict[str, Any]:
    """The figures of a decision for a panel of bars."""
    listed = [
        {"action": it.action, "name": it.name, "visits": it.visits, "value": it.value, "values": list(it.values),
         "errors": list(it.errors), "proven": it.proven}
        for it in decision.choices[:most]
    ]  # fmt: skip
    return {
        "player": decision.player, "action": decision.action, "name": decision.name, "seconds": decision.seconds,
        "iterations": decision.iterations, "per_second": decision.per_second, "values": list(decision.values),
        "choices": listed, "more": max(0, len(decision.choices) - most), "line": list(decision.line),
        "total": sum(it.visits for it in decision.choices),
    }  # fmt: skip
