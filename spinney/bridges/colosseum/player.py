"""The player behind an agent of the simulator: it keeps to the clock, and always has a legal move."""

from __future__ import annotations

import logging
import time
from typing import Any

from spinney import games
from spinney.agents import Agent, SearchAgent, build
from spinney.bridges.colosseum.view import Move, View, read
from spinney.clock import freeze_gc
from spinney.errors import BadOption, SpinneyError
from spinney.games import State
from spinney.games.colosseum.state import SIDES

FIRST, LATER = 30.0, 2.0
"""Seconds for the first move of a game, and for every other: the course's limits."""
MARGIN = 0.2
"""Seconds of them that are left, for a machine that has other things to do."""
LEAST = 0.01
"""Seconds that an agent is given at least."""

_log = logging.getLogger(__name__)
_told: set[str] = set()
"""Faults that have been logged: the same one is not worth a second entry in every move."""
_ready: set[str] = set()
"""Agents that have thought once in this process."""


class SimulatorPlayer:
    """An agent for one game of the simulator, which makes a new one for every game.

    Making the first one compiles the agent, or loads it from the cache, so that no move waits for that; the compiled
    code is the same for all sizes of the board, and for all games of the process.
    """

    def __init__(self, agent: str, first: float = FIRST, later: float = LATER, margin: float = MARGIN) -> None:
        if not 0 <= margin < min(first, later):
            raise BadOption(
                f"a margin of {margin:g} s; it must be 0 or more, and less than the {min(first, later):g} s of a move"
            )
        self.spec = agent
        self.first, self.later, self.margin = first, later, margin
        self.moves = 0
        self._state: State | None = None
        """The position after the last move here."""
        self._agent: Agent | None = None
        try:
            self._agent = _make(agent)
        except SpinneyError:
            raise
        except Exception as fault:  # the simulator would end; a game with other moves is better
            _tell(f"cannot make {agent}; legal moves are made without it", fault)

    def step(self, chess_board: Any, my_pos: Any, adv_pos: Any, max_step: Any) -> Move:
        """A move, as the simulator wants it: `((row, column), side)`."""
        started = time.perf_counter()
        seconds = (self.later if self.moves else self.first) - self.margin
        self.moves += 1
        try:
            view = read(chess_board, my_pos, adv_pos, max_step)
        except Exception as fault:
            _tell("cannot read the position; the answer may be illegal", fault)
            return _blind_move(my_pos)
        legal = view.moves()
        try:
            move = self._think(view, max(LEAST, seconds), started)
            if move in legal or not legal:  # the simulator does not ask who has no legal move
                return move
            _tell(f"{self.spec} made the illegal move {move}; a legal move is made instead", None)
        except Exception as fault:
            _tell(f"{self.spec} failed; a legal move is made instead", fault)
        self._state = None
        return view.some_move()

    def _think(self, view: View, seconds: float, started: float) -> Move:
        """The agent's move."""
        agent = self._agent
        if agent is None:
            return view.some_move()
        state = self._follow(agent, view)
        if state.is_over:  # it does not ask then, either
            return view.some_move()
        legal = state.legal(0)
        action = int(legal[0] if len(legal) == 1 else _decide(agent, state, seconds, started))
        row, column = divmod(action // SIDES, view.size)
        move = ((row, column), action % SIDES)
        state.apply(action)
        self._state = state
        return move

    def _follow(self, agent: Agent, view: View) -> State:
        """The position as a state. If one move of the opponent leads there from the last one, the state has both in
        its history, and a search may go on with the tree that it has."""
        record, last = view.record(), self._state
        new = State(agent.game, record)
        new.decided = {0} if self.moves > 1 else set()
        if last is None or last.is_over or last.record.size != record.size:
            return new
        row, column = view.theirs
        walls = {(row * view.size + column) * SIDES + side for side in range(SIDES) if view.closed[row, column, side]}
        for action in walls.intersection(last.legal(1)):  # they have put up one of the walls around them
            then = last.copy()
            then.apply(action)
            if _same(then.record, record):
                return then
        return new


def _make(spec: str) -> Agent:
    """An agent; the first of a kind thinks for a moment, so that all that it needs is in memory."""
    agent = build(games.load("colosseum"), spec)
    if spec not in _ready:
        _decide(agent, agent.game.start(seed=1), 0.05, time.perf_counter())
        _ready.add(spec)
        freeze_gc()
    return build(agent.game, spec)


def _decide(agent: Agent, state: State, seconds: float, started: float) -> int:
    """An agent's action within a time, and within the limits of its own options."""
    if not isinstance(agent, SearchAgent):
        return agent.decide(state).action
    agent.limit = seconds
    return agent.decide(state, started=started).action


def _same(one: Any, other: Any) -> bool:
    """Whether two records show one position. Names of walls that hang together may differ."""
    return bool(
        one.mover == other.mover
        and one.steps == other.steps
        and list(one.cell) == list(other.cell)
        and list(one.open) == list(other.open)
    )


def _blind_move(my_pos: Any) -> Move:
    """An answer to a question that makes no sense: the simulator replaces it if it is illegal."""
    try:
        row, column = (int(number) for number in my_pos)
    except Exception:
        row, column = 0, 0
    return (row, column), 0


def _tell(what: str, fault: Exception | None) -> None:
    """Log a fault, once in a process."""
    if what not in _told:
        _told.add(what)
        _log.error("%s", what, exc_info=fault)
