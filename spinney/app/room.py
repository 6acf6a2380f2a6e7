"""A room: a game that people and agents play, and when each of them does something."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any, TypeVar

from spinney.agents import Decision, build, hand_written
from spinney.app.audience import Audience, Link
from spinney.app.catalogue import MOST_SECONDS
from spinney.app.film import figures_of
from spinney.app.journal import Journal
from spinney.app.keys import Access, Keys
from spinney.app.seats import TURNSTILE, Helper, Interrupted, WatchedAgent
from spinney.app.setup import Setup
from spinney.app.stored_game import StoredGame
from spinney.clock import Clock
from spinney.errors import GameOver, SpinneyError, WrongPlayer
from spinney.games import Game
from spinney.games.frame import Replay
from spinney.play.advice import reason_of

Answer = TypeVar("Answer")


class Stale(SpinneyError):
    """A choice for a position that is no longer there: another tab, or another device, was faster."""


class Busy(SpinneyError):
    """The same is being done already."""


class Room(StoredGame):
    """A game that people and agents play. Changes come one after the other. Agents think without holding up changes:
    what they decide is dropped if the game went on without them."""

    def __init__(
        self, ident: str, setup: Setup, game: Game, seed: int, keys: Keys, journal: Journal, threads: Executor
    ) -> None:
        super().__init__(setup, game, seed, keys, journal)
        self.ident, self._threads = ident, threads
        self.used = time.monotonic()
        self.problem = ""
        """Why agents cannot go on."""
        self.succession = asyncio.Lock()
        self._closed = False
        self.audience = Audience(self)
        self._loop = asyncio.get_running_loop()
        self._stop = Event()
        """Ends the thinking of agents, which is then dropped."""
        self._lock, self._wake = asyncio.Lock(), asyncio.Event()
        self._single_step = False
        """Whether agents may make a step although they are paused."""
        self._hurry = asyncio.Event()
        """Ends the pause between two steps of agents."""
        self._helper, self._hinting, self._hint_stop = Helper(game, seed), asyncio.Lock(), Event()
        self._agents: list[WatchedAgent] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._jobs: set[asyncio.Future[Any]] = set()
        """What runs on threads."""

    def prepare(self, entries: Iterator[dict[str, Any]]) -> None:
        """Make the seats, and go on to where the journal ends; this may take a while."""
        seats = [
            None if spec is None else WatchedAgent(self.game, spec, self.seed + 1 + player, self._think_later)
            for player, spec in enumerate(seat.agent for seat in self.setup.seats)
        ]
        self._agents = [seat for seat in seats if seat is not None]
        self.seat(seats, Clock(seconds=MOST_SECONDS, stop=self._stop, turnstile=TURNSTILE))
        self.restore(entries)
        self.audience.forget()
        if self.is_over:
            self._release()

    def start(self) -> None:
        """Begin to work."""
        self._tasks = [asyncio.create_task(work()) for work in (self._play, self._watch_making, self._watch_patience)]

    async def shared_replay(self) -> Replay:
        """The game so far, for those who look at it."""
        async with self._lock:
            if self.hides_cards and not self.is_over:
                raise GameOver("cards are hidden; the game can be shared when it is over")
            return self.replay()

    # ---- what browsers ask for

    async def join(self, access: Access) -> Link:
        """Another browser."""
        link = Link(access)
        async with self._lock:
            await self._run(self.audience.film, self.audience.viewer(link))
            if self._closed:
                link.send(None)  # it connects again, and finds the room that has been made since
            else:
                self.audience.links.add(link)
                self.audience.tell(link)
        self._wake.set()
        return link

    def leave(self, link: Link) -> None:
        self.audience.links.discard(link)
        self.used = time.monotonic()
        if not any(it.access.players for it in self.audience.links):
            self._hint_stop.set()

    async def change(self, act: Callable[[], None], *, interrupts: bool = False) -> None:
        """Change the game, after the change that is being made; it may end the thinking of agents."""
        self.used = time.monotonic()
        await asyncio.shield(asyncio.ensure_future(self._make_change(act, interrupts)))

    async def _make_change(self, act: Callable[[], None], interrupts: bool) -> None:
        async with self._lock:
            if self._closed:
                raise Busy("this game was just put away; try again")
            if interrupts:
                self._stop.set()
            try:
                await self._run(self._change, act)
            finally:
                self.audience.publish()
        self._wake.set()

    def _change(self, act: Callable[[], None]) -> None:
        generation = self._generation
        try:
            act()
        finally:
            if generation != self._generation:
                self.audience.forget()
            else:
                self.audience.shoot()
            for _ in self.play_forced():
                self.audience.shoot()
            if self.is_over:
                self._release()
            self.audience.prepare()

    def _check(self, access: Access, player: int, version: str) -> None:
        """Refuse a choice that is not the asker's to make, or that is meant for another position."""
        if self.is_over:
            raise GameOver("the game is over")
        if version != self.version:
            raise Stale("the game has moved on; look at the board again")
        if player not in access.players or player not in self.session.waiting_for:
            raise WrongPlayer("this is not yours to choose now")

    async def choose(self, access: Access, player: int, action: int, version: str) -> None:
        """The choice of a person."""

        def act() -> None:
            self._check(access, player, version)
            self.tell([action], player)

        await self.change(act)

    async def order(self, access: Access, player: int, given: Mapping[int, int], version: str) -> None:
        """The orders of a turn: those that a person gives, by their places in the turn; an agent gives the rest."""

        def act() -> None:
            self._check(access, player, version)
            if not self.game.card.has_turns:
                raise WrongPlayer(f"turns of {self.game.card.title} have one choice")
            state = self.session.state
            actions = self._helper.complete(state, player, given)
            ahead = state.copy()
            for action in actions:  # a wrong order raises an error before anything has changed
                ahead.apply(action, player)
            self.tell(actions, player)

        await self.change(act)

    async def undo(self, access: Access) -> None:
        """Take back the last choice that a person made, and what followed."""

        def act() -> None:
            self.take_back()
            self.problem = ""

        self._only_host(access)
        await self.change(act, interrupts=True)

    async def resign(self, access: Access, player: int) -> None:
        if player not in access.players:
            raise WrongPlayer("only your own seat can resign")
        await self.change(lambda: self.give_up(player), interrupts=True)

    async def set_pace(self, access: Access, paused: bool, pace: float) -> None:
        """Let agents go on or not, and how fast."""
        self._only_host(access)
        await self.change(lambda: self.change_pace(paused, pace), interrupts=paused and not self.paused)
        self._hurry.set()

    async def step(self, access: Access) -> None:
        """While paused: one step of the agents."""
        self._only_host(access)
        self._single_step = True
        self._hurry.set()
        self._wake.set()

    async def hint(self, access: Access, player: int, version: str) -> dict[str, Any]:
        """What a strong agent would choose for a player, and why."""
        if self._hinting.locked():
            raise Busy("a hint is being thought about")
        async with self._hinting:
            async with self._lock:
                self._check(access, player, version)
                state = self.session.state.copy()
            self._hint_stop.clear()
            decision, replaced = await self._run(self._helper.hint, state, player, self._hint_stop)
        reason = "" if replaced else reason_of(decision)
        return {"version": version, "reason": reason, "replaced": replaced, "figures": figures_of(decision)}

    async def arrive(self, invitation: str, own: str) -> str:
        """The key of a device: its own, if it has an invitation."""
        player = self.keys.player(invitation)
        if player is None:
            return invitation
        if self.keys.arrived.get(player) != own:
            await self.change(lambda: self.let_in(player, own))
        return own

    async def succeed(self, ident: str, keys: dict[str, str]) -> None:
        """The room of the rematch."""
        await self.change(lambda: self.go_on_in(ident, keys))

    def _only_host(self, access: Access) -> None:
        if not access.host:
            raise WrongPlayer("only who began the game can do this")

    # ---- what agents do

    @property
    def _agents_move(self) -> bool:
        if self.is_over or self.problem or not self.audience.links or (self.paused and not self._single_step):
            return False
        return any(self.setup.seats[it].agent is not None for it in self.session.state.movers)

    async def _play(self) -> None:
        """Let agents choose whenever it is their turn, and somebody looks."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._agents_move:
                began, self._single_step = time.monotonic(), False
                self._hurry.clear()
                await self._agents_step()
                if not self.persons:
                    with suppress(TimeoutError):
                        left = began + self.pace - time.monotonic()
                        await asyncio.wait_for(self._hurry.wait(), max(0.0, left))

    async def _agents_step(self) -> None:
        async with self._lock:
            self._stop.clear()
            before = self.version
        try:
            decisions = await self._run(self.session.decide)
        except Interrupted:
            return
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
            self.audience.publish()
            return
        async with self._lock:
            if before != self.version or self._stop.is_set() or self.is_over:
                return
            try:
                await self._run(self._change, lambda: self.make(decisions))
            except Exception as error:
                self.problem = f"{type(error).__name__}: {error}"
            self.audience.publish()

    def _think_later(self, decision: Decision) -> None:
        with suppress(RuntimeError):  # the server ends
            self._loop.call_soon_threadsafe(self.audience.think, decision)

    def _release(self) -> None:
        """The game is over: free the memory of agents. They are made again if steps are taken back."""
        for seat in self._agents:
            seat.release()
        self._helper.release()

    @property
    def making(self) -> list[str]:
        """The agents that are being made."""
        return [seat.spec for seat in self._agents if seat.made] + ["hints"] * (self._helper.made is not None)

    async def _watch_making(self) -> None:
        """Tell how far agents are that are being compiled."""
        told: list[str] = []
        while True:
            await asyncio.sleep(0.4)
            making = self.making
            if making or told:
                made = [*(it.made for it in self._agents), self._helper.made]
                self.audience.tell_making(making, [part for it in made if it is not None for part in it.progress])
            told = making

    async def _watch_patience(self) -> None:
        """Choose for persons who take too long, if there is a limit."""
        limit, waited, began = self.setup.patience, "", time.monotonic()
        while limit is not None:
            await asyncio.sleep(0.05)
            late = self.session.waiting_for if not self.is_over else ()
            if waited != self.version or not self.audience.links or self.paused or not late:
                waited, began = self.version, time.monotonic()
            elif time.monotonic() - began > limit:
                with suppress(SpinneyError):
                    await self.change(partial(self._choose_for_the_late, waited))
                began = time.monotonic()

    def _choose_for_the_late(self, version: str) -> None:
        for player in self.session.waiting_for:
            if version != self.version:
                return  # their turn is over
            state = self.session.state
            if self.game.card.has_turns:
                actions = self._helper.complete(state, player, {})
            else:
                agent = build(self.game, hand_written(self.game))
                actions = [agent.decide(state, player=player).action]
            self.tell(actions, player)

    # ---- the end

    async def _run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run a function on a thread; `close` waits for it, also if nobody else does."""
        job = self._loop.run_in_executor(self._threads, function, *arguments)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return await asyncio.shield(job)

    async def close(self) -> None:
        """End all work; the journal has everything."""
        self._closed = True
        self._stop.set()
        self._hint_stop.set()
        for task in self._tasks:
            task.cancel()
        for link in self.audience.links:
            link.send(None)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._jobs:
            await asyncio.wait(self._jobs)
        with suppress(Exception):
            self.session.close()
