"""What an agent answers: an action, and the search result behind it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from spinney.games.notebook import html_of
from spinney.search import Choice, Node, SearchResult


@dataclass(frozen=True)
class Decision:
    """An action and the figures behind it. Agents that do not search have no result."""

    player: int
    action: int
    name: str
    """The action in words."""
    seconds: float = 0.0
    result: SearchResult | None = None

    @property
    def values(self) -> tuple[float, ...]:
        """Expected reward of every player after the action."""
        return () if self.result is None else self.result.values

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each value, at most; empty where values are not means."""
        return () if self.result is None else self.result.errors

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The legal actions, most visited first."""
        return () if self.result is None else self.result.choices

    @property
    def iterations(self) -> int:
        return 0 if self.result is None else self.result.iterations

    @property
    def per_second(self) -> float:
        """Simulations per second of the whole decision."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation in words; of chance events, the likeliest outcome is assumed."""
        return () if self.result is None else self.result.line

    @property
    def trees(self) -> tuple[Node, ...]:
        return () if self.result is None else self.result.trees

    @property
    def tree(self) -> Node | None:
        """The root of the tree, or of the first thread's tree."""
        return self.trees[0] if self.trees else None

    def without_trees(self) -> Decision:
        """The same decision without its trees, which may be large."""
        return self if self.result is None else replace(self, result=replace(self.result, trees=()))

    def to_dict(self) -> dict[str, Any]:
        """Everything but the trees, as plain data for JSON."""
        plain = {key: value for key, value in vars(self).items() if key != "result"}
        return plain if self.result is None else plain | self.result.to_dict() | {"per_second": self.per_second}

    def _repr_html_(self) -> str:
        return html_of(self)

    def __str__(self) -> str:
        if not self.iterations:
            return f"{self.name}  ({self.seconds:.3f} s)"
        effort = f"{self.iterations:,} simulations in {self.seconds:.3f} s"
        if self.iterations >= 1000:
            effort += f" ({self.per_second:,.0f}/s)"
        return f"{self.name}  value {self.values[self.player]:.3f}, {effort}"


@dataclass(frozen=True)
class Turn:
    """All orders of a player's turn, in the order in which the game asks for them."""

    player: int
    actions: tuple[int, ...]
    seconds: float = 0.0
    iterations: int = 0
