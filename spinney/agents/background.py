"""An agent that is made in the background, and another that plays until it is ready."""

from __future__ import annotations

import threading
from collections.abc import Callable

from spinney.agents import Agent, Decision, build, hand_written
from spinney.clock import Clock
from spinney.games import Game, State
from spinney.kernel.progress import Progress, under_way

PATIENCE = 1.0
"""Seconds that the first decision waits for the agent: enough to load it from the cache."""
THREAD = "spinney makes an agent"


def is_busy() -> bool:
    """Whether an agent is being made."""
    return any(thread.name == THREAD for thread in threading.enumerate())


class BackgroundAgent:
    """A seat of a session. A thread makes the agent; until it is done, a hand-written player decides. So a person can
    begin to play while the agent is compiled; but who plays depends on the speed of the machine."""

    def __init__(self, game: Game, spec: str, seed: int | None, tell: Callable[[str], None]) -> None:
        self.spec, self.tell, self.name = spec, tell, spec
        self.stand_in = build(game, hand_written(game), seed)
        self.stood_in = False
        """Whether the hand-written player has decided."""
        self._made: Agent | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._make, args=(game, seed), name=THREAD, daemon=True)
        self._thread.start()

    def _make(self, game: Game, seed: int | None) -> None:
        try:
            self._made = build(game, self.spec, seed)
        except BaseException as error:
            self._error = error  # it is raised where somebody sees it

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        return self.current().decide(state, clock, player=player)

    def current(self) -> Agent:
        """Who decides now: the agent if it is made, else the hand-written player."""
        if not self.stood_in:
            self._thread.join(PATIENCE)
        if self._error is not None:
            raise self._error
        if self._made is not None:
            self.name = self.spec
            return self._made
        self.name = f"{self.stand_in.name} for {self.spec}"
        if not self.stood_in:
            self.stood_in = True
            self.tell(f"{self.stand_in.name} plays for {self.spec} until compilation is done")
        return self.stand_in

    @property
    def is_being_made(self) -> bool:
        return self._thread.is_alive()

    @property
    def progress(self) -> list[Progress]:
        """What is being compiled for it now."""
        return under_way(self._thread.ident)
