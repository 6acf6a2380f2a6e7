"""The figures of decisions in files of games: rounded, and of the most visited actions only."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from spinney.agents.decision import Decision
from spinney.errors import BadRecording
from spinney.files import inflate
from spinney.games import State
from spinney.search import Choice, SearchResult

Briefs = dict[int, dict[str, Any]]
"""The figures of decisions by the numbers of the steps that they led to."""
KEPT = 5
"""Actions of a decision whose figures are kept, besides the chosen one."""
STEPS = 10
"""Steps of the principal variation that are kept."""
DIGITS = 4
"""Decimals of values and seconds."""


def briefs_of(decisions: Mapping[int, Decision]) -> Briefs:
    """The figures of decisions in which there was a search."""
    return {step: to_brief(decision) for step, decision in decisions.items() if decision.iterations}


def to_brief(decision: Decision) -> dict[str, Any]:
    """The figures of a decision as plain data. A choice is its action, visits, values, and 1 if they are exact."""
    assert decision.result is not None
    kept = [*decision.choices[:KEPT]]
    kept += [choice for choice in decision.choices[KEPT:] if choice.action == decision.action]
    total = sum(choice.visits for choice in decision.choices) + decision.result.left_out
    return {
        "iterations": decision.iterations,
        "seconds": round(decision.seconds, DIGITS),
        "values": _rounded(decision.result.root_values),
        "choices": [[it.action, it.visits, _rounded(it.values), int(it.proven)] for it in kept],
        "left_out": total - sum(choice.visits for choice in kept),
        "line": list(decision.line[:STEPS]),
    }


def from_brief(state: State, player: int, action: int, brief: Any) -> Decision:
    """The decision behind an action in a position, from its stored figures."""
    try:
        choices = tuple(
            Choice(
                int(number), int(visits), tuple(map(float, values)), bool(proven), name=state.name(int(number)),
                value=float(values[player]),
            )
            for number, visits, values, proven in brief["choices"]
        )  # fmt: skip
        result = SearchResult(
            player, action, choices, tuple(map(float, brief["values"])), int(brief["iterations"]),
            left_out=int(brief["left_out"]), line=tuple(map(str, brief["line"])),
        )  # fmt: skip
        return Decision(player, action, state.name(action), float(brief["seconds"]), result)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        step = len(state.history)
        raise BadRecording(f"the figures of the decision of step {step} are damaged: {error!r}") from None


def pack(briefs: Briefs) -> bytes:
    """The figures of a game's decisions as compressed JSON: pairs of a step and its figures."""
    return zlib.compress(json.dumps([*briefs.items()], separators=(",", ":")).encode(), 9)


def unpack(packed: bytes) -> Briefs:
    """The reverse of `pack`; damaged data are a BadRecording. No data are no decisions."""
    if not packed:
        return {}
    try:
        return {int(step): brief for step, brief in json.loads(inflate(packed))}
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRecording(f"its decisions are damaged: {error}") from None


def _rounded(values: tuple[float, ...]) -> list[float]:
    return [round(value, DIGITS) for value in values]
