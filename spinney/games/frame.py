"""Frames: the steps of a game as data, whatever the game came from and however it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spinney.games.card import Card
from spinney.games.state import Game, State


@dataclass(frozen=True)
class Event:
    """One thing that happened: an action of a player, or a chance outcome."""

    mover: int
    """A player, or CHANCE."""
    words: str
    decision: Any = None
    """The `spinney.Decision` behind it, if it is known."""
    action: int | None = None
    """The number of the action or outcome; none: it is not known, or there were several."""
    seen: tuple[str, ...] | None = None
    """With hidden information: the words as each player sees what happened, which may be empty."""


@dataclass(frozen=True)
class Frame:
    """One step of a game: a position, and the events that led to it since the frame before. Actions that take effect
    together are one frame, with the chance events after them."""

    record: Any
    events: tuple[Event, ...] = ()

    def without_trees(self) -> Frame:
        """The same frame, with decisions that do not hold the trees behind them: to keep many frames."""
        events = (
            event if event.decision is None else replace(event, decision=event.decision.without_trees())
            for event in self.events
        )
        return replace(self, events=tuple(events))

    def seen_by(self, game: Game, player: int) -> Frame:
        """The frame as far as a player may know it: with hidden cards, without those of others, the words that tell of
        them, and the figures of others' decisions. At the end of a game, everybody knows the position."""
        state = State(game, self.record)
        if not game.card.has_cards and not state.waits_for_others:
            return self
        events = []
        for event in self.events:
            words = event.words if event.seen is None else event.seen[player]
            if words:
                decision = event.decision if event.mover == player else None
                events.append(replace(event, words=words, decision=decision, seen=None))
        return Frame(self.record if state.is_over else state.observe(player).record, tuple(events))


@dataclass
class Replay:
    """A whole game: what it is, and its frames. The result is known when the frames have been read to their end."""

    card: Card
    names: Sequence[str]
    """Who sits where."""
    about: str
    frames: Iterable[Frame] = ()
    result: str = ""
    game: Game | None = None
    """The game with its options, to go on from a frame, and for the text of each position; none: they are not known."""


def outcome(state: State, names: Sequence[str]) -> str:
    """Who won a finished game, in a line; players are counted from 1 for people."""
    rewards, winners = state.rewards(), state.winners()
    who = " and ".join(f"{names[player]} (player {player + 1})" for player in winners)
    listed = ", ".join(f"{reward:g}" for reward in rewards)
    if len(rewards) == 1:
        return f"the end (reward {listed})"
    if len(winners) in (0, len(rewards)):
        return f"a draw (rewards {listed})"
    return f"{who} {'wins' if len(winners) == 1 else 'win'} (rewards {listed})"
