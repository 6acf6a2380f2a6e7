"""Recordings of games: one JSON object per line. They are replayed step by step to find differences from the rules.

A recording in Spinney's own format has the game, its options, the seed of the first position, every step with the names
of the legal actions, the rewards, and optionally the agents:

    {"game": "tictactoe", "options": {}, "seed": 7,
     "steps": [{"mover": 0, "legal": ["1", "2", ...], "action": "1"}, ...], "rewards": [1.0, 0.0]}

Chance steps have the mover "chance" and the outcome as a number. A game that began in a given position has its text in
"position", and no seed. A step may have the figures of the search behind it in "decision". A recording without the name
of a game in the field "game" is in the format of the game's official engine, and is read by the formats of the card.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spinney.errors import BadRecording, SpinneyError
from spinney.files import read_lines
from spinney.games.card import CHANCE, Card
from spinney.games.state import Game, State

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, SpinneyError)
"""Exceptions that the replay of a damaged recording can raise."""


@dataclass
class Verdict:
    """The result of replaying a file."""

    games: int = 0
    steps: int = 0
    differences: list[str] = field(default_factory=list)


def record(
    state: State, agents: Sequence[str] | None = None, briefs: Mapping[int, dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The recording of a finished game that was played here from its first position, or from that of a text; with the
    figures of the decisions behind steps, by the numbers of the steps."""
    steps: list[dict[str, Any]] = []
    for number, (before, mover, action) in enumerate(state.steps()):
        if mover == CHANCE:
            steps.append({"mover": "chance", "action": action})
        else:
            steps.append({"mover": mover, "legal": before.names(mover), "action": before.name(action)})
            if briefs and number in briefs:
                steps[-1]["decision"] = briefs[number]
    return {
        "game": state.game.name,
        "options": state.game.options.model_dump(),
        **({"position": state.beginning().to_text()} if state.seed is None else {"seed": state.seed}),
        **({} if agents is None else {"agents": list(agents)}),
        "steps": steps,
        "rewards": list(state.rewards()),
    }


def verify(card: Card, file: Path) -> Iterator[Verdict]:
    """Replay every game of a file; yields the verdict so far after each. A file without games is an error."""
    verdict = Verdict()
    for number, recorded in enumerate(read(file), 1):
        try:
            ours = isinstance(recorded.get("game"), str)  # an official engine may have a number in this field
            official = card.formats[".jsonl"].verify if ".jsonl" in card.formats else None
            steps, differences = (_replay if official is None or ours else official)(card, recorded)
        except UNREADABLE as error:
            raise BadRecording(f"{file}: game {number} is not a recording of {card.name}: {_problem(error)}") from error
        verdict.games += 1
        verdict.steps += steps
        verdict.differences += [f"game {number}, {difference}" for difference in differences]
        yield verdict
    if not verdict.games:
        raise BadRecording(f"{file} has no games; it must have one JSON object per line")


def read(file: Path) -> Iterator[dict[str, Any]]:
    """The recordings in a file, plain or gzip."""
    try:
        for number, line in enumerate(read_lines(file), 1):
            if not line.strip():
                continue
            try:
                recorded = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise BadRecording(f"{file}: line {number} is not JSON: {error}") from None
            if not isinstance(recorded, dict):
                raise BadRecording(f"{file}: line {number} must be a JSON object")
            yield recorded
    except BadRecording:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadRecording(f"{file} cannot be read: {reason}") from None


def replayed(card: Card, recorded: dict[str, Any]) -> State:
    """The final state of a game in Spinney's own format."""
    try:
        state = _start(card, recorded)
        for step in recorded["steps"]:
            state.apply(step["action"], next(iter(state.movers), None))
    except UNREADABLE as error:
        raise BadRecording(f"this recording of {card.name} cannot be replayed: {_problem(error)}") from None
    return state


def make_step(state: State, mover: int, action: int) -> str:
    """Apply a stored step to a state; returns its name."""
    try:
        name = state.name(action)
        state.apply(action, mover)
    except UNREADABLE as error:
        raise BadRecording(f"step {len(state.history)} is not possible in {state.game.name}: {error}") from None
    return name


def differences_at(where: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """The differences between a recording and the rules, one line each. Of a dictionary, only entries that differ."""
    lines = []
    for key, value in found.items():
        wanted, got = expected[key], value
        if wanted == got:
            continue
        if isinstance(wanted, dict) and isinstance(got, dict):
            wanted = {name: it for name, it in expected[key].items() if value.get(name) != it}
            got = {name: it for name, it in value.items() if expected[key].get(name) != it}
        lines.append(f"{where}: the recording has {key} {wanted}, the rules {got}")
    return lines


def _problem(error: Exception) -> str:
    """An exception of the replay as a message about the recording."""
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    if isinstance(error, SpinneyError | ValueError):
        return str(error)
    return f"a value has the wrong type or is missing ({error})"


def _start(card: Card, recorded: dict[str, Any]) -> State:
    if recorded["game"] != card.name:
        raise ValueError(f"it is a game of {recorded['game']}")
    game = Game(card, card.options.read(card.name, recorded["options"]))
    if "position" in recorded:
        return game.from_text(recorded["position"], manual_chance=True)
    if not isinstance(recorded["seed"], int):
        raise ValueError(f"its seed is {recorded['seed']!r}, not a number")
    return game.start(recorded["seed"], manual_chance=True)


def _replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay a recording in Spinney's own format up to an illegal step; returns the steps and the differences."""
    state = _start(card, recorded)
    differences = []
    for number, step in enumerate(recorded["steps"], 1):
        player = next(iter(state.movers), None)
        mover = "chance" if state.mover == CHANCE else player
        found = {"legal": state.names(player)} if step["mover"] == mover and "legal" in step else {"mover": mover}
        differences += differences_at(f"step {number}", step, found)
        try:
            state.apply(step["action"], player)
        except SpinneyError as error:
            differences.append(f"step {number}: {error}")
            return number, differences
    if not state.is_over:
        return len(recorded["steps"]), [*differences, "at the end: the recording stops, the rules go on"]
    end = differences_at("at the end", recorded, {"rewards": list(state.rewards())})
    return len(recorded["steps"]), differences + end
