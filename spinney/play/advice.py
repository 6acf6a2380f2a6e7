"""An agent's advice, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from spinney.agents import Decision

SURE = 2.0
"""Standard errors by which a value must be better to be called so."""


@dataclass(frozen=True)
class Advice:
    """What the agent would do, and why."""

    decision: Decision
    reasons: tuple[str, ...]
    """What the game says about it, a line each."""
    values: tuple[str, ...]
    """What the search says about it."""

    @property
    def words(self) -> tuple[str, ...]:
        """All reasons."""
        return self.reasons + self.values


def value_words(decision: Decision, names: Sequence[str]) -> list[str]:
    """The values of the best two actions of a search with their difference, and what the others can expect."""
    player, chosen = decision.player, None if decision.result is None else decision.result.chosen
    if chosen is None:
        return []
    words = f"value of {chosen.name}: {chosen.value:.2f} of 1"
    others = [it for it in decision.choices if it is not chosen]
    if others:
        second = max(others, key=lambda it: (it.visits, it.value))
        more = chosen.value - second.value
        words += f"; {second.name}: {second.value:.2f}"
        if chosen.errors and second.errors:
            error = SURE * sqrt(chosen.errors[player] ** 2 + second.errors[player] ** 2)
            words += f", {abs(more):.2f} ± {error:.2f} {'less' if more >= 0 else 'more'}"
            words += ", which may be chance" if abs(more) < error else ""
    rest = [f"{names[one]} {value:.2f}" for one, value in enumerate(decision.values) if one != player]
    return [words] + [f"expected for the others: {', '.join(rest)}"] * bool(rest)
