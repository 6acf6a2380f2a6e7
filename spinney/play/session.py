"""A game in progress: the one loop that drives a game."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from spinney.agents import Decision
from spinney.clock import Clock
from spinney.errors import BadGame, SpinneyError, WrongPlayer
from spinney.games import State
from spinney.games.frame import Event, Frame

UNDOS = 200
"""The most choices that can be taken back one after the other."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Seat(Protocol):
    """Who chooses for a player: an agent, or a program that is asked over a network."""

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision: ...


class _Before(NamedTuple):
    """A session before a choice that can be taken back."""

    state: State
    """Without its history."""
    history: list[tuple[int, int]]
    steps: int
    """How many of the history's steps were made."""
    events: list[Event]
    decisions: dict[int, Decision]


@runtime_checkable
class TurnSeat(Seat, Protocol):
    """A seat that is told when a turn begins, before the first choice of the turn is asked for: a program that gives
    all its orders of a turn at once."""

    def begin_turn(self, state: State, player: int) -> None: ...


class Session:
    """A state and its seats. A seat is an agent, or None for a player whose choices are told from outside: a person,
    an official engine, or a real table. A state with manual chance is told its dice, too."""

    def __init__(
        self,
        state: State,
        seats: Sequence[Seat | None] = (),
        *,
        clock: Clock | None = None,
        at_once: bool = False,
        ask_forced: bool = False,
        undoable: bool = False,
        events: bool = True,
    ) -> None:
        """Start with a state and a seat for each player; without seats, all choices are told from outside.

        - clock: the time control of all decisions; none: the agents' own options.
        - at_once: ask players who move simultaneously, and begin the turns of all seats, at the same time, on threads.
        - ask_forced: ask agents where they have one legal action, too.
        - undoable: keep what `undo` needs.
        - events: note what happens, in words, for frames.
        """
        seats = seats or [None] * state.game.players
        if len(seats) != state.game.players:
            raise BadGame(f"{state.game!r} is for {state.game.players} players, and there are {len(seats)} seats")
        if wrong := [seat for seat in seats if seat is not None and not hasattr(seat, "decide")]:
            raise BadGame(f'a seat is {wrong[0]!r}; it must be an agent, such as game.agent("random"), or None')
        self.seats, self.clock = seats, clock
        self.ask_forced, self.undoable, self.events = ask_forced, undoable, events
        self._turn_seats = [(player, seat) for player, seat in enumerate(seats) if isinstance(seat, TurnSeat)]
        self._threads = ThreadPoolExecutor(len(seats)) if at_once else None
        self._events: list[Event] = []
        self._decisions: dict[int, Decision] = {}
        """Decisions whose actions have not taken effect yet."""
        self.decisions: dict[int, Decision] = {}
        """The decisions behind steps by the numbers of the steps, as far as events are noted and there was a search."""
        self._undo: deque[_Before] = deque(maxlen=UNDOS)
        for before, mover, action in state.steps() if events and state.seed is not None else ():
            self._note(before, mover, action)  # chance events before the first choice
        self._enter(state)

    def _enter(self, state: State) -> None:
        """Go on with a state."""
        self.state = state
        state.listener = self._note if self.events else None
        self.decisions = {step: it for step, it in self.decisions.items() if step < len(state.history)}

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def can_undo(self) -> bool:
        """Whether there is a choice to take back."""
        return bool(self._undo)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The players to move whose choices are told from outside."""
        return tuple(player for player in self.state.movers if self.seats[player] is None)

    def frames(self) -> Iterator[Frame]:
        """The position now, and a frame per step of the agents, until the end or a choice told from outside."""
        yield self.frame()
        while not self.state.is_over:
            if self.ask() and not self.state.waits_for_others:
                yield self.frame()
            elif self.waiting_for:
                return

    def play(self) -> State:
        """Play to the end, without frames."""
        while not self.state.is_over:
            if not self.ask():
                raise WrongPlayer(f"player {self.waiting_for[0]} has no agent; its choices have to be told")
            self._events.clear()
        return self.state

    def ask(self) -> list[Decision]:
        """Let the agents who have to choose now decide, and apply their decisions; none if all choices have to be told.
        Nobody sees what others choose at the same time. A forced action is made without asking."""
        decisions = self.decide()
        self.make(decisions)
        return decisions

    def decide(self) -> list[Decision]:
        """What the agents who have to choose now decide, without applying it. With `at_once`, choices that others make
        at the same time may be told meanwhile."""
        if self._turn_seats and not self.state.waits_for_others:
            self._for_each(lambda found: found[1].begin_turn(self.state, found[0]), self._turn_seats)
        movers = self.state.movers
        if not movers and not self.state.is_over:
            raise BadGame("chance is to move, and this state leaves that to you; start it without manual_chance")
        players = [player for player in movers if self.seats[player] is not None]
        return self._for_each(self._decide, players)

    def make(self, decisions: Iterable[Decision]) -> None:
        """Apply decisions of agents."""
        for decision in decisions:
            self._decisions[decision.player] = decision
            self.state.apply(decision.action, decision.player)

    def _for_each(self, call: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
        """Call a function for each item, on threads if the session has some. No call is running any more when an error
        of one of them is raised."""
        if self._threads is None or len(items) < 2:
            return [call(item) for item in items]
        calls = [self._threads.submit(call, item) for item in items]
        wait(calls)
        return [each.result() for each in calls]

    def _decide(self, player: int) -> Decision:
        state = self.state if self._threads is None else self.state.copy()  # a state is not for several threads
        if not self.ask_forced and len(legal := state.legal(player)) == 1:
            return Decision(player, legal[0], state.name(legal[0]))
        seat = self.seats[player]
        assert seat is not None
        first = player not in state.decided
        return seat.decide(state, None if self.clock is None else self.clock.start(first=first), player=player)

    def tell(self, action: int | str, player: int | None = None) -> None:
        """A choice, or a chance outcome, from outside; a wrong one raises an error and changes nothing."""
        before = self._before() if self.undoable else None
        self.state.apply(action, player)
        if before is not None:
            self._undo.append(before)

    def make_forced(self) -> tuple[int, int] | None:
        """Make a choice that is told from outside, where a player has only one; returns the player and the action, or
        None if there is no such choice. `undo` takes back the choice before it."""
        for player in self.waiting_for:
            if len(legal := self.state.legal(player)) == 1:
                self.state.apply(legal[0], player)
                return player, legal[0]
        return None

    def _before(self) -> _Before:
        """The session now. Its history goes on in the same list, so that many can be kept."""
        state, history = self.state.copy(), self.state.history
        state.history = []
        return _Before(state, history, len(history), self._events.copy(), self._decisions.copy())

    def explain(self, decision: Decision) -> None:
        """The decision behind the next step of its player, if that is told from outside."""
        self._decisions[decision.player] = decision

    def tell_all(self, actions: Mapping[int, int | str]) -> None:
        """The choices of players who move simultaneously; a wrong one raises an error and changes nothing."""
        ahead, before = self.state.copy(), self._before()
        ahead.listener = self.state.listener
        try:
            for player, action in actions.items():
                ahead.apply(action, player)
        except SpinneyError:
            self._events, self._decisions = before.events, before.decisions
            raise
        self.state = ahead
        if self.undoable:
            self._undo.append(before)

    def undo(self) -> None:
        """Take back the last choice that was told, and all that followed from it."""
        if not self._undo:
            unkept = "" if self.undoable else "; the session keeps them only with undoable=True"
            raise WrongPlayer(f"there is no choice to take back{unkept}")
        before = self._undo.pop()
        before.state.history = before.history[: before.steps]
        self._events, self._decisions = before.events, before.decisions
        self._enter(before.state)

    def follow(
        self,
        position: Any,
        guesses: Iterable[Sequence[tuple[int, int]]] = (),
        equal: Callable[[Any, Any], bool] = operator.eq,
    ) -> bool:
        """Go on from a position that an official engine tells.

        Guesses are steps, (mover, action) each, that may have led to it from the position before. If one of them does,
        the game has a history, so that a search can reuse its tree; else the position is taken as it is. `equal` tells
        whether two records show the same position.
        """
        for steps in guesses:
            ahead, events, decisions = self.state.copy(manual_chance=True), self._events.copy(), self._decisions.copy()
            ahead.listener = self.state.listener
            try:
                for mover, action in steps:
                    ahead.apply(action, mover if mover >= 0 else None)
                if equal(ahead.record, position):
                    self._enter(ahead)
                    return True
            except SpinneyError:
                pass  # these steps are not legal
            self._events, self._decisions = events, decisions
        state = State(self.state.game, position)
        state.decided = self.state.decided.copy()
        self._enter(state)
        return False

    def frame(self) -> Frame:
        """The position now, and the events since the last frame."""
        events, self._events = tuple(self._events), []
        return Frame(self.state.record.copy(), events)

    def _note(self, before: State, mover: int, action: int) -> None:
        """A step is about to be made."""
        decision, game = self._decisions.pop(mover, None), before.game
        if decision is not None and decision.result is not None:
            self.decisions[len(before.history)] = decision.without_trees()
        seen = tuple(before.name(action, one) for one in range(game.players)) if game.card.has_hidden else None
        self._events.append(Event(mover, before.name(action), decision, action, seen))

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown()
