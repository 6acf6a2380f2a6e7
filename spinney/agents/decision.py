"""What an agent answers: the action, and what it thought of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spinney.games import State
from spinney.search import Edge, Node, SearchResult


@dataclass(frozen=True)
class Choice:
    """One legal action as a search saw it."""

    action: int
    name: str
    visits: int
    value: float
    """Mean reward of the player to move, in 0..1."""
    proven: bool
    """Whether the value is exact."""


@dataclass(frozen=True)
class Decision:
    """An action and the figures behind it. Agents that do not search leave the figures empty."""

    player: int
    action: int
    name: str
    seconds: float
    values: tuple[float, ...] = ()
    """Expected reward of every player after the action."""
    choices: tuple[Choice, ...] = ()
    """The legal actions, most visited first."""
    iterations: int = 0
    nodes: int = 0
    full: bool = False
    """Whether the tree ran out of room during the search."""
    variation: tuple[str, ...] = ()
    """How the search expects the game to go on, in words, up to the next chance event."""
    trees: tuple[Node, ...] = ()

    @property
    def tree(self) -> Node | None:
        """The root of the tree, or of the first thread's tree."""
        return self.trees[0] if self.trees else None

    def figures(self) -> dict[str, Any]:
        """Everything but the trees, as plain data for JSON."""
        plain = {key: value for key, value in vars(self).items() if key != "trees"}
        return {**plain, "choices": [vars(choice) for choice in self.choices]}

    def __str__(self) -> str:
        if not self.iterations:
            return f"{self.name}  ({self.seconds:.3f} s)"
        effort = f"{self.iterations:,} simulations in {self.seconds:.3f} s"
        if self.iterations >= 1000:
            effort += f" ({self.iterations / self.seconds:,.0f}/s)"
        return f"{self.name}  value {self.values[self.player]:.3f}, {effort}"


def from_search(state: State, found: SearchResult, best: Edge) -> Decision:
    """The decision that a search's findings and final choice amount to."""
    edges = sorted(found.edges, key=lambda edge: (-edge.visits, edge.action))
    choices = tuple(
        Choice(edge.action, state.name(edge.action), edge.visits, edge.values[found.mover], edge.proven)
        for edge in edges
    )  # fmt: skip
    ahead, variation = state.copy(), []
    for action in found.variation(best):
        if ahead.mover < 0:  # an open-loop tree looks past the dice
            break
        variation.append(ahead.name(action))
        if state.game.card.has_hidden:  # what the others hold is not there to go on with
            break
        ahead.apply(action)
    return Decision(
        player=found.mover,
        action=best.action,
        name=state.name(best.action),
        seconds=found.seconds,
        values=best.values,
        choices=choices,
        iterations=found.iterations,
        nodes=found.nodes,
        full=found.full,
        variation=tuple(variation),
        trees=found.trees,
    )
