"""The agents of a room: made in the background, watched while they think, and interrupted when the game goes on without
them; and the agent that gives hints and orders the rest of a turn."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from spinney.agents import Decision, strong_agent
from spinney.agents.background import BackgroundAgent
from spinney.app.catalogue import MOST_SECONDS
from spinney.clock import Clock, Turnstile
from spinney.errors import SpinneyError
from spinney.games import Game, State
from spinney.play.orders import Completer

TURNSTILE = Turnstile(os.cpu_count() or 1)
"""All searches of the app share the cores."""
EVERY = 0.3
"""Seconds between two reports of what an agent thinks."""


class Interrupted(SpinneyError):
    """An agent was stopped before it had decided."""


class WatchedAgent:
    """An agent at a seat, which tells what it thinks."""

    def __init__(self, game: Game, spec: str, seed: int, tell: Callable[[Decision], None]) -> None:
        self.game, self.spec, self.seed, self._tell = game, spec, seed, tell
        self._agent: BackgroundAgent | None = None
        self.make()

    def make(self) -> BackgroundAgent:
        """The agent, which is begun to be made if there is none."""
        if self._agent is None:
            self._agent = BackgroundAgent(self.game, self.spec, self.seed, lambda _: None)
        return self._agent

    def release(self) -> None:
        """Free its memory: the game is over."""
        self._agent = None

    @property
    def made(self) -> BackgroundAgent | None:
        """The agent, while it is being made."""
        return self._agent if self._agent is not None and self._agent.is_being_made else None

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        assert clock is not None
        assert player is not None
        agent = self.make().current()

        def so_far(found: Any) -> None:
            self._tell(Decision(player, found.action, state.name(found.action), clock.elapsed, found))

        follows = agent.plans_turns and state.waits_for_others
        decision = agent.decide(state, replace(clock, watch=so_far, every=EVERY), player=player)
        if clock.stop.is_set():
            raise Interrupted("stopped")
        if follows and decision.result is not None:  # the figures of the turn's first order are enough
            return replace(decision, result=None)
        self._tell(decision)
        return decision


class Helper:
    """What people are helped by: an agent for hints, and one that orders the rest of a turn. Both are made when they
    are asked for the first time. They do one thing at a time."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self._lock = threading.Lock()
        self._hinter: BackgroundAgent | None = None
        self._completer = Completer(game, seed)

    def release(self) -> None:
        self._hinter = None
        self._completer.release()

    @property
    def made(self) -> BackgroundAgent | None:
        """The agent for hints, while it is being made."""
        return self._hinter if self._hinter is not None and self._hinter.is_being_made else None

    def hint(self, state: State, player: int, stop: threading.Event) -> tuple[Decision, bool]:
        """What an agent would do, and whether a hand-written player had to say it: the strong agent is being made."""
        with self._lock:
            if self._hinter is None:
                self._hinter = BackgroundAgent(self.game, strong_agent(self.game), self.seed, lambda _: None)
            agent = self._hinter.current()
            decision = agent.decide(state, Clock(seconds=MOST_SECONDS, stop=stop, turnstile=TURNSTILE), player=player)
            return decision.without_trees(), self._hinter.name != self._hinter.spec

    def complete(self, state: State, player: int, given: Mapping[int, int]) -> list[int]:
        """All actions of the player's turn, around those that are given by their places in the turn."""
        with self._lock:
            return self._completer.complete(state, player, given)
