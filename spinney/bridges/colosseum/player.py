"""The player behind an agent of the simulator: it answers in time, and always with a legal move."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from spinney import games
from spinney.agents import Agent, build
from spinney.bridges.colosseum.view import Move, View, read
from spinney.clock import Clock, freeze_gc
from spinney.errors import BadOption, SpinneyError
from spinney.games import State
from spinney.games.colosseum.state import SIDES
from spinney.play import Session

FIRST, LATER = 30.0, 2.0
"""Seconds for the first move of a game, and for every other: the course's limits."""
MARGIN = 0.2
"""Seconds of these that are kept in reserve, for other work of the machine."""

_log = logging.getLogger(__name__)
_logged: set[str] = set()
"""Errors that have been logged; each is logged once in a process."""
_ready: set[tuple[str, str]] = set()
"""Games and agents that have decided once in this process."""


class SimulatorPlayer:
    """An agent for one game of the simulator, which makes a new one for every game.

    Making the first one compiles the agent, or loads it from the cache, so that no move waits for that. The compiled
    code is the same for all sizes of the board, and for all games of the process.
    """

    def __init__(
        self, agent: str, first: float = FIRST, later: float = LATER, margin: float = MARGIN, game: str = "colosseum"
    ) -> None:
        """Play with an agent, by its spec, of a game, by its name or by the path of a .py file."""
        if not 0 <= margin < min(first, later):
            raise BadOption(
                f"a margin of {margin:g} s; it must be 0 or more, and less than the {min(first, later):g} s of a move"
            )
        self.spec = agent
        self.moves = 0
        self._clock = Clock(seconds=later, first_seconds=first, reserve=margin)
        self._agent: Agent | None = None
        self._session: Session | None = None
        try:
            self._agent = _make(game, agent)
        except SpinneyError:
            raise
        except Exception as error:  # the simulator would end; a game with other legal moves is better
            _log_once(f"cannot make {agent}; legal moves are made without it", error)

    @property
    def ready(self) -> bool:
        """Whether there is an agent; without one, moves are legal and no more than that."""
        return self._agent is not None

    def step(self, chess_board: Any, my_pos: Any, adv_pos: Any, max_step: Any) -> Move:
        """A move, as the simulator wants it: `((row, column), side)`."""
        clock = self._clock.start(first=self.moves == 0)
        self.moves += 1
        try:
            view = read(chess_board, my_pos, adv_pos, max_step)
        except Exception as error:
            _log_once("cannot read the position; the answer may be illegal", error)
            return _move_without_view(my_pos)
        legal = view.moves()
        try:
            move = self._decide(view, clock)
            if move in legal or not legal:  # the simulator does not ask a player without a legal move
                return move
            _log_once(f"{self.spec} made the illegal move {move}; a legal move is made instead")
        except Exception as error:
            _log_once(f"{self.spec} failed; a legal move is made instead", error)
        return view.some_move()

    def _decide(self, view: View, clock: Clock) -> Move:
        """The agent's move."""
        if self._agent is None:
            return view.some_move()
        session = self._follow(self._agent, view)
        if session.is_over:  # the simulator does not ask then
            return view.some_move()
        legal = session.state.legal(0)
        action = int(legal[0] if len(legal) == 1 else self._agent.decide(session.state, clock, player=0).action)
        session.tell(action, 0)
        row, column = divmod(action // SIDES, view.size)
        return (row, column), action % SIDES

    def _follow(self, agent: Agent, view: View) -> Session:
        """Go on to a position. If a move of the opponent leads there from the position after the last move here, a
        search can reuse its tree."""
        record = view.record()
        if self._session is None:
            self._session = Session(State(agent.game, record), events=False)
        else:
            self._session.follow(record, self._replies(self._session.state, view), _same)
        return self._session

    @staticmethod
    def _replies(state: State, view: View) -> Iterator[list[tuple[int, int]]]:
        """The opponent's legal moves to the cell where they stand now, with one of the walls around it."""
        row, column = view.theirs
        place = SIDES * (row * view.size + column)
        walls = {place + side for side in range(SIDES) if view.closed[row, column, side]}
        return ([(1, action)] for action in walls.intersection(state.legal(1)))


def _make(game: str, spec: str) -> Agent:
    """An agent; the first of a kind decides once, so that everything it needs is in memory."""
    loaded = games.load(game)
    agent = build(loaded, spec)
    if (game, spec) in _ready:
        return agent
    agent.decide(loaded.start(seed=1), Clock(seconds=0.05))
    _ready.add((game, spec))
    freeze_gc()
    return build(loaded, spec)


def _same(one: Any, other: Any) -> bool:
    """Whether two records show the same position. The numbers of connected walls may differ."""
    return bool(
        (one.size, one.mover, one.steps) == (other.size, other.mover, other.steps)
        and list(one.cell) == list(other.cell)
        and list(one.open) == list(other.open)
    )


def _move_without_view(my_pos: Any) -> Move:
    """An answer where the arguments cannot be read: the simulator replaces it if it is illegal."""
    try:
        row, column = (int(number) for number in my_pos)
    except Exception:
        row, column = 0, 0
    return (row, column), 0


def _log_once(message: str, error: Exception | None = None) -> None:
    if message not in _logged:
        _logged.add(message)
        _log.error("%s", message, exc_info=error)
