"""A room: a game in progress, its seats, and the browsers that look at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

from spinney.agents import Agent, Decision, build, strong_agent
from spinney.agents.background import BackgroundAgent
from spinney.agents.briefs import Briefs, briefs_of, from_brief, to_brief
from spinney.app.catalogue import MOST_SECONDS
from spinney.app.film import Film, choices_of, figures_of
from spinney.app.journal import Journal
from spinney.app.setup import Setup
from spinney.clock import Clock
from spinney.errors import GameOver, SpinneyError, WrongPlayer
from spinney.games import CHANCE, Game, State
from spinney.games.frame import Replay
from spinney.kernel.progress import under_way
from spinney.play import Session, origin, outcome, replay_steps

WAITING = 200
"""Messages that may wait for a slow browser, which is then cut off; it connects again and is told everything anew."""


class Stale(SpinneyError):
    """A choice for a position that is no longer there: another tab, or another device, was faster."""


@dataclass(frozen=True)
class Access:
    """What the holder of a key may do."""

    players: tuple[int, ...] = ()
    """Whose choices they make."""
    host: bool = False
    """Whether they may take back, pause, and begin again."""


SPECTATOR = Access()


class Link:
    """A browser that looks at a room."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(WAITING)
        self.film: Film | None = None
        """The frames that it is told; none: nothing may be told to it now."""
        self.told = 0
        """How many of them it has."""

    def send(self, message: dict[str, Any] | None) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            while not self.messages.empty():
                self.messages.get_nowait()
            self.messages.put_nowait(None)


class WatchedAgent:
    """A seat whose agent is made in the background, and which tells what it thinks."""

    def __init__(self, game: Game, spec: str, seed: int, tell: Callable[[Decision], None]) -> None:
        self.spec, self._tell = spec, tell
        self.background = BackgroundAgent(game, spec, seed, lambda _: None)

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        agent = self.background.current()
        if agent.plans_turns:  # it gives its orders one by one, and has planned them with the first
            decision = agent.decide(state, clock, player=player)
            self._tell(decision)
            return decision
        with agent.analyse(state, clock, player=player) as analysis:
            for decision in analysis:
                self._tell(decision)
        return decision


class Room:
    """A game that people and agents play. Changes come one after the other; what takes time runs on threads, while
    the event loop answers browsers. Everything that happens is in the journal."""

    def __init__(
        self, ident: str, setup: Setup, game: Game, seed: int, keys: dict[str, Access], journal: Journal,
        threads: Executor,
    ) -> None:  # fmt: skip
        self.ident, self.setup, self.game, self.seed, self.keys = ident, setup, game, seed, keys
        self.names = setup.names
        self.links: set[Link] = set()
        self.used = time.monotonic()
        self.paused = False
        self.problem = ""
        """Why agents cannot go on."""
        self.resigned: int | None = None
        self.successor: tuple[str, dict[str, str]] | None = None
        """The room of the rematch, and the new key for each key."""
        self.journal, self._threads = journal, threads
        self._loop = asyncio.get_running_loop()
        self._stop = Event()
        self._lock, self._wake = asyncio.Lock(), asyncio.Event()
        self._generation = 0
        """How often steps were taken back."""
        self._films: dict[int | None, Film] = {}
        self._hinter: Agent | None = None
        self._turn_began = time.monotonic()
        self._agents: list[WatchedAgent] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.session: Session

    def prepare(self) -> None:
        """Make the seats and the first position; this may take a while."""
        seats = [
            None
            if seat.agent is None
            else WatchedAgent(self.game, seat.agent, self.seed + 1 + player, self._think_later)
            for player, seat in enumerate(self.setup.seats)
        ]
        self._agents = [seat for seat in seats if seat is not None]
        clock, together = Clock(seconds=MOST_SECONDS, stop=self._stop), self.game.card.is_simultaneous
        state = self.setup.begin(self.game, self.seed)
        self.session = Session(state, seats, clock=clock, at_once=together, undoable=True)
        self.session.frame()

    def start(self) -> None:
        """Begin to work."""
        self._tasks = [asyncio.create_task(work()) for work in (self._play, self._watch_making, self._watch_patience)]

    # ---- what has happened

    def restore(self, entries: Iterator[dict[str, Any]]) -> None:
        """Do again what the journal says."""
        session = self.session
        for entry in entries:
            match entry["did"]:
                case "tell":
                    session.tell(entry["action"], entry["player"])
                case "agent":
                    if entry["figures"] is not None:
                        session.explain(from_brief(session.state, entry["player"], entry["action"], entry["figures"]))
                    session.state.apply(entry["action"], entry["player"])
                case "undo":
                    session.undo()
                    self._generation += 1
                case "resign":
                    self.resigned = entry["player"]
            self._shoot()

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.session.is_over

    @property
    def version(self) -> str:
        """Changes with every step that has taken effect."""
        return f"{self._generation}.{len(self.session.state.history)}"

    @property
    def result(self) -> str:
        if self.resigned is not None:
            return f"{self.names[self.resigned]} (player {self.resigned + 1}) resigned"
        return outcome(self.session.state, self.names) if self.session.is_over else ""

    def replay(self) -> Replay:
        """The game so far, from its beginning, with all that is hidden."""
        state, briefs = self.session.state, briefs_of(self.session.decisions)
        about = f"{self.game!r}, {origin(state)}"
        return replay_steps(state.beginning(), state.history, self.names, about, self.result, briefs)

    @property
    def briefs(self) -> Briefs:
        return briefs_of(self.session.decisions)

    def shared_replay(self) -> Replay:
        """The game so far, for those who look at it."""
        if self.game.card.has_cards and self._persons and not self.is_over:
            raise GameOver("cards are hidden; the game can be shared when it is over")
        return self.replay()

    # ---- what browsers ask for

    async def change(self, act: Callable[[], None], *, at_once: bool = False) -> None:
        """Change the game, after the change that is being made; `at_once` ends the thinking of agents first."""
        self.used = time.monotonic()
        if at_once:
            self._stop.set()
        async with self._lock:
            self._stop.clear()
            await self._loop.run_in_executor(self._threads, self._change, act)
            self._publish()
        self._wake.set()

    def _change(self, act: Callable[[], None]) -> None:
        generation = self._generation
        act()
        if generation != self._generation:  # steps were taken back
            self._films.clear()
            self.session.frame()
        else:
            self._shoot()
        self._play_forced()
        for link in self.links:
            self._film(self._viewer(link))

    async def choose(self, access: Access, player: int | None, action: int, version: str) -> None:
        """The choice of a person, or a chance outcome."""

        def act() -> None:
            if self.is_over:
                raise GameOver("the game is over")
            if version != self.version:
                raise Stale("the game has moved on; look at the board again")
            chance = self.session.state.mover == CHANCE
            if (chance and not access.host) or (not chance and player not in access.players):
                raise WrongPlayer("this is not yours to choose")
            self.session.tell(action, None if chance else player)
            self.journal.add(did="tell", player=None if chance else player, action=action)

        await self.change(act)

    async def undo(self, access: Access) -> None:
        """Take back the last choice that a person made, and what followed."""

        def act() -> None:
            self.session.undo()
            self._generation += 1
            self.journal.add(did="undo")

        self._only_host(access)
        if self.resigned is not None:
            raise GameOver("a game that was resigned stays so")
        await self.change(act, at_once=True)

    async def resign(self, access: Access, player: int) -> None:
        def act() -> None:
            if self.is_over:
                raise GameOver("the game is over")
            self.resigned = player
            self.journal.add(did="resign", player=player)

        if player not in access.players:
            raise WrongPlayer("only your own seat can resign")
        await self.change(act, at_once=True)

    async def pause(self, access: Access, paused: bool) -> None:
        self._only_host(access)
        self.paused = paused
        await self.change(lambda: None, at_once=paused)

    async def step(self, access: Access) -> None:
        """While paused: one step of the agents."""
        self._only_host(access)
        if self.paused and self._agents_move:
            await self.change(self._ask)

    async def hint(self, access: Access, player: int) -> dict[str, Any]:
        """What a strong agent would choose for a player."""
        if player not in access.players:
            raise WrongPlayer("a hint is for your own seat")
        async with self._lock:
            state = self.session.state.copy()

        def think() -> Decision:
            self._hinter = self._hinter or build(self.game, strong_agent(self.game))
            return self._hinter.decide(state, Clock(seconds=MOST_SECONDS), player=player)

        return figures_of(await self._loop.run_in_executor(self._threads, think))

    def _only_host(self, access: Access) -> None:
        if not access.host:
            raise WrongPlayer("only who began the game can do this")

    # ---- what agents do

    @property
    def _persons(self) -> bool:
        return any(seat.agent is None for seat in self.setup.seats)

    @property
    def _agents_move(self) -> bool:
        movers = self.session.state.movers
        return not self.is_over and not self.problem and any(self.setup.seats[it].agent is not None for it in movers)

    async def _play(self) -> None:
        """Let agents choose whenever it is their turn, and somebody looks."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._agents_move and self.links and not self.paused:
                began = time.monotonic()
                async with self._lock:
                    if not self._agents_move or self.paused:
                        break
                    try:
                        await self._loop.run_in_executor(self._threads, self._change, self._ask)
                    except Exception as error:
                        self.problem = f"{type(error).__name__}: {error}"
                    self._publish()
                if not self._persons:
                    await asyncio.sleep(max(0.0, self.setup.pause - (time.monotonic() - began)))

    def _ask(self) -> None:
        for decision in self.session.ask():
            figures = to_brief(decision) if decision.iterations else None
            self.journal.add(did="agent", player=decision.player, action=decision.action, figures=figures)

    def _play_forced(self) -> None:
        """The choices of persons who have only one, where others play, too."""
        state = self.session.state
        while self._agents and not self.is_over:
            forced = [(player, state.legal(player)) for player in self.session.waiting_for]
            forced = [(player, legal) for player, legal in forced if len(legal) == 1]
            if not forced:
                return
            player, (action,) = forced[0]
            state.apply(action, player)
            self.journal.add(did="agent", player=player, action=action, figures=None)
            self._shoot()

    def _think_later(self, decision: Decision) -> None:
        self._loop.call_soon_threadsafe(self._think, decision)

    def _think(self, decision: Decision) -> None:
        """Tell what an agent thinks, where that tells nobody of others' cards."""
        if decision.iterations and not (self.game.card.has_cards and self._persons):
            message = {"kind": "think", "figures": figures_of(decision)}
            for link in self.links:
                link.send(message)

    async def _watch_making(self) -> None:
        """Tell how far agents are that are being compiled."""
        made = False
        while not made:
            await asyncio.sleep(0.4)
            waiting = [seat.spec for seat in self._agents if not seat.background.is_made]
            made = not waiting
            message = {"kind": "making", "agents": waiting, "under_way": under_way()}
            for link in self.links:
                link.send(message)
        self._wake.set()

    async def _watch_patience(self) -> None:
        """Choose for persons who take too long, if there is a limit."""
        limit, version, began = self.setup.patience, "", time.monotonic()
        while limit is not None:
            await asyncio.sleep(0.05)
            if version != self.version or not self.links or self.paused:
                version, began = self.version, time.monotonic()
            elif time.monotonic() - began > limit and self.session.waiting_for and not self.is_over:
                began = time.monotonic()
                await self.change(self._choose_for_the_late)

    def _choose_for_the_late(self) -> None:
        agent = self._agents[0].background.stand_in if self._agents else build(self.game, "random")
        for player in self.session.waiting_for:
            decision = agent.decide(self.session.state, player=player)
            self.session.tell(decision.action, player)
            self.journal.add(did="tell", player=player, action=decision.action)

    # ---- what browsers are told

    def _shoot(self) -> None:
        """Add a frame to all films, unless a turn is under way."""
        if not self.session.state.waits_for_others:
            frame = self.session.frame()
            for film in self._films.values():
                film.add(frame)

    def _film(self, viewer: int | None) -> Film:
        """The film of a viewer; the first time, from the beginning of the game."""
        if viewer not in self._films:
            film, frames = Film(self.game, viewer), list(self.replay().frames)
            for frame in frames[: len(frames) - self.session.state.waits_for_others]:
                film.add(frame)
            self._films[viewer] = film
        return self._films[viewer]

    def _viewer(self, link: Link) -> int | None:
        """Whose knowledge a browser is limited to; -1: it may see nothing."""
        if not (self.game.card.has_cards and self._persons) or self.is_over:
            return None
        players = link.access.players
        if len(players) < 2:
            return players[0] if players else -1
        shown = -1 if link.film is None or link.film.viewer is None else link.film.viewer
        turn = [player for player in self.session.waiting_for if player in players]
        return turn[0] if turn else shown if shown in players else players[0]

    async def join(self, access: Access) -> Link:
        """Another browser."""
        link = Link(access)
        async with self._lock:
            viewer = self._viewer(link)
            if viewer != -1:
                await self._loop.run_in_executor(self._threads, self._film, viewer)
            self.links.add(link)
            self._tell(link)
        self._wake.set()
        return link

    def leave(self, link: Link) -> None:
        self.links.discard(link)
        self.used = time.monotonic()

    def _publish(self) -> None:
        for link in self.links:
            self._tell(link)

    def _tell(self, link: Link) -> None:
        """Tell a browser what it does not know yet."""
        viewer = self._viewer(link)
        film = None if viewer == -1 else self._films[viewer]
        message: dict[str, Any] = {"kind": "step", "status": self._status(link.access)}
        if film is None or film is not link.film:
            message |= {"kind": "game", "viewer": viewer, "room": self._about()}
            link.told = 0
        if film is not None:
            message |= {"from": link.told, "frames": film.frames[link.told :], "header": film.header()}
            link.told = len(film.frames)
        link.film = film
        link.send(message)

    def _about(self) -> dict[str, Any]:
        """What does not change in a room."""
        card = self.game.card
        return {
            "ident": self.ident, "game": repr(self.game), "title": card.title, "names": self.names, "guide": card.guide,
            "agents": [seat.agent for seat in self.setup.seats], "hidden": card.has_cards,
            "patience": self.setup.patience, "suffixes": [it for it, form in card.formats.items() if form.write],
        }  # fmt: skip

    def _status(self, access: Access) -> dict[str, Any]:
        """How the game stands, for the holder of a key."""
        session, choices = self.session, None
        state, over = session.state, self.is_over
        waiting = [] if over else list(session.waiting_for)
        mine = [player for player in waiting if player in access.players]
        chance = not over and state.mover == CHANCE
        if mine:
            choices = choices_of(state, mine[0])
        elif chance and access.host:
            choices = choices_of(state, None)
        return {
            "version": self.version, "over": over, "result": self.result, "choices": choices,
            "paused": self.paused, "problem": self.problem, "movers": [] if over else list(state.movers),
            "chance": chance, "waiting": waiting, "you": list(access.players), "host": access.host,
            "undo": access.host and session.can_undo and self.resigned is None,
        }  # fmt: skip

    async def close(self) -> None:
        """End all work; the journal has everything."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()
        for link in self.links:
            link.send(None)
        async with self._lock:
            with suppress(Exception):
                self.session.close()
