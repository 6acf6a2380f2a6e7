"""A game as one HTML page that plays it, by `replay.js`."""

from __future__ import annotations

from typing import Any

from spinney.games.frame import Replay
from spinney.show.frames import NOTHING, FrameEncoder
from spinney.show.html import render

SPEEDS = (0.5, 1, 2, 5, 10, 20, 40)
"""Frames per second."""
USUAL_SECONDS = 40
"""How long a replay should take at the initial speed."""


def replay_page(replay: Replay, graph: dict[str, Any] | None = None) -> str:
    """The page of a game; with the graph of a review, as `review_page` makes it."""
    return render("replay.html.j2", **replay_values(replay, graph))


def replay_values(replay: Replay, graph: dict[str, Any] | None = None) -> dict[str, Any]:
    """What templates need to show a game."""
    data = replay_data(replay)
    if graph is not None:
        data["curve"] = graph["curve"]
    wanted = min(10, max(1, len(data["frames"]) / USUAL_SECONDS))
    return {
        "title": f"{replay.card.title}: {' v '.join(replay.names)}",
        "replay": replay,
        "graph": graph,
        "data": data,
        "speeds": SPEEDS,
        "usual_speed": min(speed for speed in SPEEDS if speed >= wanted),
    }


def replay_data(replay: Replay) -> dict[str, Any]:
    """The frames and the result of a game as data for JSON."""
    encoder, frames, shown = FrameEncoder(replay.card, replay.game), [], NOTHING
    for frame in replay.frames:
        changes, shown = encoder.encode(frame, shown)
        frames.append(changes)
    return {**encoder.header(), "frames": frames, "result": replay.result}
