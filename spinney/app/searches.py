"""The searches of those who analyse: each visitor has some columns, which think one after the other, and a review."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spinney.agents import Agent, Analysis, Decision, build, read_spec, with_limits
from spinney.app.catalogue import MOST_SECONDS, check_agent
from spinney.app.film import figures_of
from spinney.app.rooms import Full
from spinney.app.seats import TURNSTILE
from spinney.clock import Clock
from spinney.errors import BadRecording, SpinneyError, UnknownName
from spinney.files import append_atomic, write_atomic
from spinney.games import CHANCE, Game, State
from spinney.games.frame import Replay
from spinney.kernel.progress import under_way
from spinney.play.review import Findings, Review, Reviewer, begin_review, judged
from spinney.search import SEARCHES
from spinney.show.review import graph_of

COLUMNS = 2
"""Agents that think side by side."""
MOST_VISITS = 40
"""Pages that are open at once."""
MOST_SEARCHES = 8
"""Searches and reviews that go on at once, of all visitors."""
MOST_KEPT = 8
"""Columns that keep their agent and their last tree."""
EVERY = 0.3
"""Seconds between two decisions so far."""
MAKING = 0.5
"""Seconds between two messages about agents that are being compiled."""
MOST_ACTIONS = 200
"""Actions whose figures are told."""
MOST_LINE = 24
"""Steps of a principal variation that are told."""


class Mailbox:
    """Messages from threads to a browser. Of messages with the same name only the last is kept."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._filled = asyncio.Event()

    def put(self, name: str, message: dict[str, Any]) -> None:
        """Send a message, from any thread."""
        with suppress(RuntimeError):  # the app has ended
            self._loop.call_soon_threadsafe(self._put, name, message)

    def _put(self, name: str, message: dict[str, Any]) -> None:
        self._waiting[name] = message
        self._filled.set()

    async def get(self) -> dict[str, Any]:
        await self._filled.wait()
        _, message = self._waiting.popitem(last=False)
        if not self._waiting:
            self._filled.clear()
        return message


class Worker:
    """Does the last thing that it was asked for, in a thread of its own; what was asked for before is stopped."""

    def __init__(self, slots: threading.Semaphore, tell: Callable[[dict[str, Any]], None]) -> None:
        self._slots, self.tell = slots, tell
        self.lock = threading.Lock()
        self._next: Any = None
        self.busy = False
        self.halted = False
        """Whether what is done now shall end."""

    def ask(self, request: Any) -> None:
        with self.lock:
            if not self.busy and not self._slots.acquire(blocking=False):
                raise Full(f"{MOST_SEARCHES} analyses are under way here; try again when one has ended")
            self._next = request
            self._halt()
            if not self.busy:
                self.busy = True
                threading.Thread(target=self._work, name="spinney analyses for a page", daemon=True).start()

    def stop(self) -> None:
        """End what is done soon; nothing else follows."""
        with self.lock:
            self._next = None
            self._halt()

    def _halt(self) -> None:
        self.halted = True
        self.halt()

    def _work(self) -> None:
        while True:
            with self.lock:
                request, self._next, self.halted = self._next, None, False
                if request is None:
                    self.busy = False
                    self._slots.release()
                    return
            try:
                self.run(request)
            except Exception as error:
                words = str(error) if isinstance(error, SpinneyError) else f"{type(error).__name__}: {error}"
                self.tell({"number": request.number, "problem": " ".join(words.split())[:1000], "done": True})

    def halt(self) -> None:
        """End what is done now. The lock is held."""
        raise NotImplementedError

    def run(self, request: Any) -> None:
        """Do it, until it is done or halted."""
        raise NotImplementedError


@dataclass(frozen=True)
class Request:
    """What a column is to think about."""

    game: Game
    spec: str
    state: State
    player: int
    number: int
    """Told with all that is found out, so that a page knows what it belongs to."""


class Column(Worker):
    """An agent that thinks about one position after the other."""

    def __init__(self, slots: threading.Semaphore, tell: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(slots, tell)
        self._agent: tuple[str, str, Agent] | None = None
        self._analysis: Analysis | None = None
        self.making: int | None = None
        """The thread in which the agent is being compiled."""
        self.decision: Decision | None = None
        """The last final one, with its trees."""
        self.about = ""

    def halt(self) -> None:
        if self._analysis is not None:
            self._analysis.stop()

    def run(self, request: Request) -> None:
        self.decision = None
        agent, last = self._made(request), None
        with self.lock:
            if not self.halted:
                self._analysis = agent.analyse(
                    request.state, Clock(turnstile=TURNSTILE), player=request.player, every=EVERY
                )
        if self._analysis is not None:
            try:
                with self._analysis as analysis:
                    for last in analysis:
                        found = report(request.state, last)
                        self.tell({"number": request.number, "figures": found, "done": analysis.is_over})
            finally:
                self._analysis = None
            self.decision, self.about = last, f"{request.spec} in {request.game!r}"
        self.tell({"number": request.number, "figures": last and report(request.state, last), "done": True})

    def _made(self, request: Request) -> Agent:
        """The agent, which is made again only for another game or with other options."""
        name = repr(request.game)
        if self._agent is None or self._agent[:2] != (name, request.spec):
            self.making, self._agent = threading.get_ident(), None
            try:
                self._agent = (name, request.spec, build(request.game, request.spec))
            finally:
                self.making = None
        return self._agent[2]

    def finish(self) -> tuple[Decision | None, str]:
        """The last final decision; what is being thought is ended first."""
        self.stop()
        end = time.monotonic() + 5
        while self.busy and time.monotonic() < end:
            time.sleep(0.01)
        return self.decision, self.about

    def forget(self) -> None:
        """Give the memory of the agent and its tree back, unless it thinks."""
        with self.lock:
            if not self.busy:
                self._agent = self.decision = None


@dataclass(frozen=True)
class Order:
    """A review of a stored game."""

    replay: Replay
    player: int | None
    """Whose decisions are judged; none: those of all."""
    agent: str | None
    seconds: float
    kept: Path
    """The file of what has been found out before."""
    number: int


class Judge(Worker):
    """Reviews a game."""

    _reviewer: Reviewer | None = None

    def halt(self) -> None:
        if self._reviewer is not None:
            self._reviewer.stop.set()

    def run(self, order: Order) -> None:
        review = begin_review(order.replay)
        assert order.replay.game is not None
        if order.player is not None:
            review.points = [point for point in review.points if point.player == order.player]
        told = 0.0
        if not order.replay.card.has_turns:
            with self.lock:
                self._reviewer = reviewer = Reviewer(order.replay.game, order.agent, order.seconds)
                reviewer.turnstile = TURNSTILE
                if self.halted:
                    reviewer.stop.set()
            review.agent = reviewer.spec
            for _ in judged(review, reviewer, _known(order.kept)):
                if time.monotonic() - told > EVERY:
                    self._show(order, review, done=False)
                    told = time.monotonic()
        self._show(order, review, done=True)

    def _show(self, order: Order, review: Review, *, done: bool) -> None:
        self.tell({
            "number": order.number, "done": done, "judged": len(review.findings), "of": len(review.points),
            "graph": graph_of(review),
        })  # fmt: skip


def _known(file: Path) -> Findings:
    """What was found out before; a damaged file is begun again."""
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    try:
        known = Findings(text, lambda line: append_atomic(file, line))
    except BadRecording:
        known = Findings("", lambda line: append_atomic(file, line))
    if known.whole != text:
        write_atomic(file, known.whole)
    return known


class Visit:
    """A page that is open."""

    def __init__(self, slots: threading.Semaphore) -> None:
        self.ident = secrets.token_urlsafe(12)
        self.mailbox = Mailbox()
        self.columns = [Column(slots, self._teller("think", column)) for column in range(COLUMNS)]
        self.judge = Judge(slots, self._teller("review"))

    def _teller(self, kind: str, column: int = 0) -> Callable[[dict[str, Any]], None]:
        def tell(message: dict[str, Any]) -> None:
            self.mailbox.put(f"{kind} {column}", {"kind": kind, "column": column, **message})

        return tell

    async def next_message(self) -> dict[str, Any]:
        """Wait for the next message; meanwhile, there is one now and then while agents are being compiled."""
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(self.mailbox.get(), MAKING)
            threads = [column.making for column in self.columns]
            if any(threads):
                return {"kind": "making", "columns": [None if it is None else under_way(it) for it in threads]}

    def close(self) -> None:
        for worker in (*self.columns, self.judge):
            worker.stop()


class Searches:
    """All open pages, and what they may use of the machine together."""

    def __init__(self) -> None:
        self.slots = threading.Semaphore(MOST_SEARCHES)
        self._visits: dict[str, Visit] = {}
        self._used: OrderedDict[tuple[str, int], None] = OrderedDict()

    def begin(self) -> Visit:
        if len(self._visits) >= MOST_VISITS:
            raise Full(f"{MOST_VISITS} pages analyse here; try again when one is closed")
        visit = Visit(self.slots)
        self._visits[visit.ident] = visit
        return visit

    def find(self, ident: str) -> Visit:
        if ident not in self._visits:
            raise UnknownName("this page has lost its connection; load it again")
        return self._visits[ident]

    def end(self, visit: Visit) -> None:
        visit.close()
        del self._visits[visit.ident]
        for column in range(COLUMNS):
            self._used.pop((visit.ident, column), None)

    def think(self, visit: Visit, column: int, request: Request) -> None:
        """Begin to think about a position. Only the columns that were used last keep their trees."""
        visit.columns[column].ask(request)
        self._used[visit.ident, column] = None
        self._used.move_to_end((visit.ident, column))
        for ident, number in list(self._used)[: max(0, len(self._used) - MOST_KEPT)]:
            del self._used[ident, number]
            self._visits[ident].columns[number].forget()


def bounded(game: Game, spec: str, seconds: float) -> str:
    """The spec of an agent that thinks this long, and no longer than the app allows."""
    check_agent(game, spec)
    kind, options = read_spec(game, spec)
    if kind not in SEARCHES:
        return spec
    return with_limits(game, spec, seconds=min(seconds, MOST_SECONDS), iterations=getattr(options, "iterations", None))


def report(state: State, decision: Decision) -> dict[str, Any]:
    """The figures of a decision, and its principal variation with the places on the board."""
    told, result = figures_of(decision, MOST_ACTIONS), decision.result
    if result is not None:
        told |= {
            "errors": list(decision.errors), "depth": result.depth, "mean_depth": result.mean_depth,
            "nodes": result.nodes, "most_nodes": result.most_nodes, "memory": result.memory, "full": result.full,
        }  # fmt: skip
    moves = () if result is None else result.line_moves
    if state.waits_for_others or not moves:  # the line would choose again what has been chosen
        moves = ((decision.player, decision.action),)
    return told | {"steps": list(steps(state, moves))}


def steps(state: State, moves: tuple[tuple[int, int], ...]) -> list[dict[str, Any]]:
    """The steps of a line with their words and places, as far as they can be made."""
    ahead, told = state.copy(), list[dict[str, Any]]()
    rules, number = state.game.card.rules, 1
    for mover, action in moves[:MOST_LINE]:
        player = None if mover == CHANCE else mover
        try:
            taps = ahead.taps(action, player)
            step = {
                "mover": mover, "action": action, "words": ahead.name(action), "number": number,
                "places": [[tap.x, tap.y, tap.width, tap.height] for tap in taps if tap.x is not None],
            }  # fmt: skip
            if player is None:
                rules.apply(ahead.record, action)
            else:
                ahead.apply(action, player)
        except SpinneyError:
            break
        told.append(step)
        number += not ahead.waits_for_others
    return told
