"""The app under load: how soon a click is drawn, whether many sessions keep their time, and the server's memory.

A server runs in a process of its own. The clicks are made in a real Chromium; the other sessions are played over
WebSockets by this script, which shares the machine with the server.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import common
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json

Answer = TypeVar("Answer")
LIMIT = 1.0
"""Seconds that agents think about a move."""
OPPONENTS = {"connect_four": "uct", "colosseum": "champion", "deepsea": "champion", "saboteur": "champion"}
"""The games of the sessions, in turn, and the agents."""
GAMES_AT_ONCE = 8
CLICK = """async () => {
  const known = document.querySelector("#slider").max, began = performance.now();
  document.querySelector("#places [data-tap]").click();
  while (document.querySelector("#slider").max === known) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
"""The milliseconds from a click until the move is drawn."""


def main(
    clicks: Annotated[int, typer.Option(min=10, max=1000, help="Clicks that are timed.")] = 200,
    sessions: Annotated[int, typer.Option(min=1, max=80, help="Sessions at once.")] = 20,
    seconds: Annotated[float, typer.Option(min=5, help="How long the sessions play.")] = 45.0,
    games: Annotated[int, typer.Option(min=1, help="Games before the memory is measured again.")] = 200,
    json_to: Json = None,
) -> None:
    """Measure the app, and print a table."""
    from tests.app.browser import Server, chromium
    from tests.show.pages import BROWSER

    if BROWSER is None:
        raise spinney.SpinneyError("no Chromium is installed; the clicks need one")
    with tempfile.TemporaryDirectory() as folder, chromium(BROWSER) as browser:
        server = Server(Path(folder))
        try:
            alone = time_clicks(browser, server, clicks)
            sat = [Sitter(server, *list(OPPONENTS.items())[i % len(OPPONENTS)], seed=i) for i in range(sessions)]
            begin(play_at_once([Sitter(server, *it, seed=0) for it in OPPONENTS.items()], 3)).result()  # compiles
            playing = begin(play_at_once(sat, seconds))
            loaded = time_clicks(browser, server, clicks, seconds)
            playing.result()
            server.kill()  # what is not in the journals is lost
            server.restart()
            lost = begin(count_lost(sat)).result()
            server.stop()
            server.start(0)
            begin(play_many(server, GAMES_AT_ONCE)).result()  # loads what is compiled
            before = memory(server.process.pid)
            begin(play_many(server, games)).result()
            after = memory(server.process.pid)
        finally:
            server.stop()
    decisions = [over for sitter in sat for over in sitter.over]
    figures = {
        "clicks": {"p50": quantile(alone, 0.5), "p95": quantile(alone, 0.95), "number": len(alone)},
        "clicks_under_load": {"p50": quantile(loaded, 0.5), "p95": quantile(loaded, 0.95), "number": len(loaded)},
        "sessions": {
            "number": sessions, "decisions": len(decisions), "lost": lost, "longest_over": max(decisions, default=0.0),
            "p95_over": quantile(decisions, 0.95), "late": sum(over > 0.3 for over in decisions),
        },
        "memory": {"games": games, "before": before, "after": after},
    }  # fmt: skip
    write_json(json_to, figures)
    rows = [
        ["click to drawn, p50 and p95", f"{quantile(alone, 0.5):.0f} and {quantile(alone, 0.95):.0f} ms", len(alone)],
        [
            f"the same beside {sessions} sessions",
            f"{quantile(loaded, 0.5):.0f} and {quantile(loaded, 0.95):.0f} ms",
            len(loaded),
        ],
        [
            f"over its time of {LIMIT:g} s, p95 and longest",
            f"{quantile(decisions, 0.95):.3f} and {max(decisions, default=0.0):.3f} s",
            len(decisions),
        ],
        ["decisions late by more than 0.3 s", sum(over > 0.3 for over in decisions), len(decisions)],
        ["sessions that lost something", lost, sessions],
        [
            f"memory of the server, after {GAMES_AT_ONCE} games and after the rest",
            f"{before:.0f} and {after:.0f} MB",
            games,
        ],
    ]
    console(json_to).print(table("The app", "what", ">figure", ">of", rows=rows))


def begin(work: Coroutine[Any, Any, Answer]) -> Future[Answer]:
    """Begin what runs in an event loop of its own, beside that of Playwright."""
    return ThreadPoolExecutor(1).submit(asyncio.run, work)


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def memory(process: int) -> float:
    """The resident memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise spinney.SpinneyError("the memory of processes is only known on Linux")


def time_clicks(browser: Any, server: Any, clicks: int, most: float = 120.0) -> list[float]:
    """The milliseconds of clicks in games of two people at one screen, for at most some seconds."""
    context, times, began = browser.new_context(), list[float](), time.monotonic()
    page = context.new_page()
    while len(times) < clicks and time.monotonic() - began < most:
        room = server.begin("hex", [{}, {}])
        page.goto(f"{server.address}/room/{room['room']}?key={room['key']}")
        page.wait_for_selector("#places [data-tap]")
        for _ in range(min(60, clicks - len(times))):  # so early that nobody has won
            page.wait_for_selector("#places [data-tap]")
            times.append(page.evaluate(CLICK))
    context.close()
    return times


@dataclass
class Sitter:
    """A person without thoughts, at a game against an agent that thinks for its time."""

    server: Any
    game: str
    agent: str
    seed: int
    over: list[float] = field(default_factory=list)
    """By how many seconds each decision of the agent was over its time."""
    played: list[dict[str, Any]] = field(default_factory=list)
    """The rooms, each with the last version that was heard."""

    async def play(self, until: float) -> None:
        """Play games until a time."""
        while time.monotonic() < until:
            seats = [{}, {"agent": f"{self.agent}(seconds={LIMIT})"}]
            room = await asyncio.to_thread(self.server.begin, self.game, seats, seed=self.seed)
            self.played.append(room)
            async for status in hear(self.server, room, until, self.over):
                if status["choices"]:
                    _, answer = await self.choose(room, status)
                    assert answer == {}, answer

    async def choose(self, room: dict[str, Any], status: dict[str, Any]) -> tuple[int, Any]:
        choices = status["choices"]
        asked = {
            "key": room["key"], "player": choices["player"], "action": choices["actions"][0][0],
            "version": status["version"],
        }  # fmt: skip
        return await asyncio.to_thread(self.server.ask, f"/api/rooms/{room['room']}/choose", asked)


async def hear(server: Any, room: dict[str, Any], until: float = 0.0, over: list[float] | None = None) -> Any:
    """What a room tells, until the game is over, or the time is; of the time that agents took, what was too much."""
    from websockets.asyncio.client import connect

    began: float | None = None
    address = f"{server.address.replace('http', 'ws')}/api/rooms/{room['room']}/live?key={room['key']}"
    async with connect(address, max_size=None) as socket:
        async for text in socket:
            message = json.loads(text)
            if message["kind"] not in ("game", "step"):
                continue
            status, now = message["status"], time.monotonic()
            if began is not None and status["version"] != room.get("version") and over is not None:
                over.append(max(0.0, now - began - LIMIT))
            if status["version"] != room.get("version"):
                began = None if status["waiting"] or status["over"] else now
            room["version"] = status["version"]
            if until and now > until and status["waiting"]:
                return
            yield status
            if status["over"]:
                return


async def play_at_once(sat: Sequence[Sitter], seconds: float) -> None:
    """All sessions at the same time."""
    until = time.monotonic() + seconds
    await asyncio.gather(*(sitter.play(until) for sitter in sat))


async def count_lost(sat: Sequence[Sitter]) -> int:
    """How many rooms are not as they were when they were heard last."""

    async def version(sitter: Sitter, room: dict[str, Any]) -> str:
        async for status in hear(sitter.server, dict(room)):
            return str(status["version"])
        return ""

    return sum([await version(sitter, room) != room["version"] for sitter in sat for room in sitter.played])


async def play_many(server: Any, games: int) -> None:
    """Whole games between agents, some at a time."""
    left = iter(range(games))

    async def play() -> None:
        for seed in left:
            seats = [{"agent": "uct(iterations=2000)"}, {"agent": "random"}]
            room = await asyncio.to_thread(server.begin, "connect_four", seats, seed=seed, pause=0)
            async for _ in hear(server, room):
                pass

    await asyncio.gather(*(play() for _ in range(GAMES_AT_ONCE)))


if __name__ == "__main__":
    common.run(main)
