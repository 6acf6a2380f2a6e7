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


def reason_of(decision: Decision) -> str:
    """Why a decision was made, in words."""
    if not decision.iterations or len(decision.choices) < 2:
        return f"{decision.name}: a rule of a hand-written player."
    first = next((it for it in decision.choices if it.action == decision.action), decision.choices[0])
    others = [it for it in decision.choices if it is not first and it.visits]
    if first.proven and first.value >= 1:
        words = f"{decision.name} wins whatever follows."
    elif first.proven and first.value <= 0:
        words = f"Every choice loses if the others play well; {decision.name} is as good as any."
    else:
        words = f"{decision.name} is worth {_share(first.value)} of a win"
        second = max(others, key=lambda it: it.value, default=None)
        if second is None:
            words += "."
        elif first.value - second.value < 0.01:
            words += f", hardly more than {second.name}."
        else:
            words += f"; the next best, {second.name}, {_share(second.value)}."
    line = ", ".join(decision.line[1:6])
    return words + (f" Expected then: {line}." if line else "")


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"
