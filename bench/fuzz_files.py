"""Damaged files: of every kind of file that Spinney reads, mutated copies are read.

A reader may refuse a file in one line, a SpinneyError. It may not fail in another way, take more than five seconds, or
ask for more than a gigabyte.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import numpy as np
import typer

import spinney
from spinney.arena import Arena, Store, play_game
from spinney.bridges.battlesnake.engine import Match
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.battlesnake.read_log import read_log
from spinney.bridges.battlesnake.server import Server
from spinney.cli.output import Json, console, table, write_json
from spinney.cli.replay import open_replay
from spinney.errors import SpinneyError
from spinney.games import card
from spinney.games.recording import record, verify
from spinney.learn.settings import Settings, preset_for
from spinney.learn.shards import Played, Shards
from spinney.limits import limit_memory
from spinney.play import Session
from spinney.search.evaluators import load, locate

LONGEST = 5
"""CPU seconds for one file."""
MEMORY = 1024
"""MiB beyond what the program has already."""
NUMBERS = ("-1", "0", "9223372036854775808", "1e308", "1e-400", "NaN", "true", "null", '"x"', "[]", "[" * 2000, "99999")


class TooSlow(Exception):
    """A file took too long."""


Reader = Callable[[Path], object]


def mutated(content: bytes, rng: random.Random) -> bytes:
    """A copy with something wrong in it."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 4, 40, 4000)))
        how = rng.randrange(7)
        if how == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at:]
        elif how == 2:
            del data[at:end]
        elif how == 3:
            data[at:at] = data[at:end]
        elif how == 4:
            data[at:end] = rng.randbytes(end - at)
        elif how == 5:
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?", bytes(data)))
            if numbers:
                found = rng.choice(numbers)
                data[found.start() : found.end()] = rng.choice(NUMBERS).encode()
        else:
            words = list(re.finditer(rb'"\w+"', bytes(data)))
            if words:
                found = rng.choice(words)
                data[found.start() : found.end()] = rng.choice([b"null", b'""', b'"\\u001b[2J"', b"{}", b"7"])
    return bytes(data)


def samples(folder: Path) -> Iterator[tuple[str, str, bytes, Reader]]:
    """Every kind of file: its name, the name of its file, a sound one, and its reader."""

    def finished(spec: str) -> Any:
        game = spinney.game(spec)
        state = game.start(3)
        Session(state, [game.agent("random", seed=seat) for seat in range(game.players)]).play()
        return state

    own = json.dumps(record(finished("deepsea(players=3)"))).encode() + b"\n"
    yield "recording", "game.jsonl", own, lambda file: list(open_replay(file, 0).frames)
    yield "recording, gzip", "game.jsonl.gz", gzip.compress(own), lambda file: list(verify(card("deepsea"), file))
    official = Path(__file__).parent.parent / "tests/conformance/data"
    for name, file in sorted((it.stem.partition(".")[0], it) for it in official.rglob("*.jsonl.gz")):
        with gzip.open(file) as lines:
            line = next(lines)
        ruled = card((name if file.parent == official else file.parent.name).partition("_")[0])
        yield f"official, {name}", "game.jsonl", line, lambda file, ruled=ruled: list(verify(ruled, file))  # type: ignore[misc]
    hlt = folder / "sound.hlt"
    writer = card("halite").formats[".hlt"].write
    assert writer is not None
    writer(hlt, finished("halite(size=16, turns=40)"), ["a", "b"])
    yield "Halite's replay", "game.hlt", hlt.read_bytes(), lambda file: list(open_replay(file).frames)
    arena = Arena("connect_four", ["heuristic", "random"], 4, folder / "sound.sqlite", keep_decisions=True)
    with closing(arena.store) as store:
        for job in arena.jobs:
            store.add(play_game(job))
    yield "results", "games.sqlite", (folder / "sound.sqlite").read_bytes(), _read_results
    log = _served_game(folder / "logs")
    yield "server's log", "log.jsonl", log.read_bytes(), lambda file: list(read_log(file).frames)
    preset_for("smoke", "connect_four").write(folder / "sound.yaml")
    yield "settings", "settings.yaml", (folder / "sound.yaml").read_bytes(), lambda file: Settings.load(file).check()
    network = locate(card("battlesnake"), "iteration_3")
    assert network is not None

    def read_network(file: Path) -> object:
        file.with_suffix(".onnx").write_bytes(network.read_bytes())
        return load(card("battlesnake"), str(file.with_suffix(".onnx")))

    yield "card of a network", "network.json", network.with_suffix(".json").read_bytes(), read_network
    played = Played(*(np.ones((4, 3), np.float32) for _ in range(6)))  # type: ignore[arg-type]
    played.save(folder / "sound.npz")
    yield "training data", "000001.npz", (folder / "sound.npz").read_bytes(), Played.load
    manifest = json.dumps({"games": 4, "shards": [{"file": "shard-0000.npz", "positions": 4, "sha256": "0" * 64}]})
    yield "manifest", "manifest.json", manifest.encode(), lambda file: Shards(file.parent).read()
    for spec in ("deepsea(players=4)", "colosseum", "saboteur", "battlesnake", "halite(size=16)", "connect_four"):
        game = spinney.game(spec)
        text = game.start(5).to_text().encode()
        yield (
            f"position, {game.name}",
            "position.txt",
            text,
            lambda file, game=game: game.from_text(  # type: ignore[misc]
                file.read_bytes().decode("utf-8", "replace"), 1
            ),
        )


def _served_game(folder: Path) -> Path:
    """The log of a snake's first move."""
    folder.mkdir()
    game = spinney.game("battlesnake(players=2)")
    match = Match(game, ["http://127.0.0.1:1"] * 2, "fuzz", seed=1)
    match.describe()
    message = Message.model_validate_json(match.snakes[0].request)
    with closing(Server(game, "hungry", log=folder, tell=lambda _: None)) as server:
        server.start(message)
        asyncio.run(server.move(message, time.perf_counter()))
        server.end(message)
    return next(folder.iterdir())


def _read_results(file: Path) -> object:
    with closing(Store(file)) as store:
        games = store.games()
    return [list(open_replay(file, game.number).frames) for game in games[:2]]


@contextmanager
def bounded() -> Iterator[None]:
    """Five seconds of CPU time."""

    def late(_: int, __: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def verdict(read: Reader, file: Path) -> tuple[str, str]:
    """What a reader did with a file, and the fault if there is one."""
    try:
        with bounded():
            read(file)
    except SpinneyError as error:
        return ("refused", "") if str(error).strip() else ("fault", "an error without words")
    except TooSlow:
        return "too slow", f"more than {LONGEST} s"
    except MemoryError:
        return "too large", f"more than {MEMORY} MiB"
    except Exception as error:
        return "fault", f"{type(error).__name__}: {error}"[:200]
    return "read", ""


def main(
    files: Annotated[int, typer.Option(min=1, help="Mutated files of each kind.")] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the mutations.")] = 1,
    only: Annotated[str, typer.Option(help="Only kinds with this in their name.")] = "",
    keep: Annotated[Path | None, typer.Option(help="A folder for the files that are faults.")] = None,
    json_to: Json = None,
) -> None:
    """Read mutated files of every kind."""
    screen, figures = console(json_to), list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as name:
        kinds = [kind for kind in samples(Path(name)) if only in kind[0]]
        limit_memory(MEMORY + resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + 1024)
        for kind, title, sound, read in kinds:
            counts, faults, slowest = Counter[str](), Counter[str](), 0.0
            for number in range(files):
                folder = Path(name, f"{len(figures)}-{number % 2}")
                folder.mkdir(exist_ok=True)
                file = folder / title
                content = mutated(sound, random.Random(f"{seed}/{kind}/{number}"))
                file.write_bytes(content)
                began = time.process_time()
                found, fault = verdict(read, file)
                slowest = max(slowest, time.process_time() - began)
                counts[found] += 1
                if fault:
                    faults[fault] += 1
                    if keep is not None:
                        keep.mkdir(exist_ok=True)
                        (keep / f"{kind.replace(' ', '-')}-{number}-{title}").write_bytes(content)
            figures.append({"kind": kind, "files": files, **counts, "slowest": slowest, "faults": dict(faults)})
            for fault, times in faults.most_common(5):
                screen.print(f"{kind}: {fault} ({times} times)", style="red")
    names = ("read", "refused", "fault", "too slow", "too large")
    rows = [(it["kind"], it["files"], *(it.get(one, 0) for one in names), f"{it['slowest']:.2f} s") for it in figures]
    columns = ("kind", ">files", *(f">{one}" for one in names), ">slowest")
    screen.print(table(f"Mutated files, seed {seed}", *columns, rows=rows))
    write_json(json_to, figures)
    if any(it["faults"] for it in figures):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
