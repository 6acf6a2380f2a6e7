"""Events of a frame in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from spinney.agents import Decision
from spinney.games import CHANCE
from spinney.games.frame import Event
from spinney.games.picture import counted


class EventLine(NamedTuple):
    """What one mover did in a frame, and the figures of the search behind it, if they are known."""

    words: str
    figures: str


def event_lines(events: Iterable[Event]) -> Iterator[EventLine]:
    """A line for each mover. Where a player has several decisions in one frame, the first with figures gives them: the
    others follow from the same search."""
    movers: dict[int, list[Event]] = {}
    for event in events:
        movers.setdefault(event.mover, []).append(event)
    for mover, group in movers.items():
        known = (search_figures(event.decision) for event in group if event.decision is not None)
        yield EventLine(f"{mover_name(mover)}: {counted(event.words for event in group)}", next(filter(None, known), ""))


def mover_name(mover: int, names: Sequence[str] = ()) -> str:
    """A player, counted from 1, with its name if there are names; or chance."""
    if mover == CHANCE:
        return "chance"
    return f"player {mover + 1} ({names[mover]})" if names else f"player {mover + 1}"


def search_figures(decision: Decision) -> str:
    """The value of the chosen action and its visits; empty if there was no search."""
    if not decision.iterations:
        return ""
    total = sum(choice.visits for choice in decision.choices)
    visits = next((choice.visits for choice in decision.choices if choice.action == decision.action), 0)
    value = f"value {decision.values[decision.player]:.3f}"
    return f"{value}, {visits:,} of {total:,} visits" if visits else value
