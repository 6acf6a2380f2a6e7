"""What a tree search found: figures at the root, and the tree for whoever wants to look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from spinney.errors import SpinneyError
from spinney.games.card import SIMULTANEOUS
from spinney.kernel import block
from spinney.kernel.record import numbers
from spinney.search.tree import CERTAIN, NONE, ROOT, node_record, write


class Node:
    """A node of a finished search, for inspection."""

    __slots__ = ("_first", "_nodes", "action", "mover", "proven", "values", "visits", "weight")

    def __init__(self, nodes: Any, index: int = ROOT) -> None:
        self._nodes = nodes
        held = numbers(nodes[index])
        self.action: int = held["action"]
        """The action or chance outcome that leads here."""
        self.visits: int = held["visits"]
        self.values = tuple(float(value) / max(1, self.visits) for value in held["value"])
        """Mean reward of every player."""
        self.weight: float = held["weight"]
        """The bias of the action, or the probability of the outcome, where there is one."""
        self.mover: int = held["mover"]
        """Who moves here; known once the node has been visited."""
        self.proven = bool(held["proven"])
        """Whether the values are exact."""
        self._first: int = held["first"]

    @property
    def children(self) -> list[Node]:
        """The children, most visited first."""
        return sorted(self._children(), key=lambda node: (-node.visits, node.action))

    def _children(self) -> Iterator[Node]:
        return (Node(self._nodes, index) for index in self._indices())

    def _indices(self) -> list[int]:
        """Where the children are."""
        nodes, index, found = self._nodes, self._first, []
        following = nodes["next"] if isinstance(nodes, np.ndarray) else None  # records are slow to read one by one
        while index != NONE:
            found.append(index)
            index = int(nodes[index].next if following is None else following[index])
        return found

    def expected(self) -> Node | None:
        """The child that the search expects to come next: where all is proven the best, else the most visited."""
        indices = self._indices()
        visits, actions, proven = (self._column(name, indices) for name in ("visits", "action", "proven"))
        seen = [i for i, n in enumerate(visits) if n]
        sure = [i for i in seen if proven[i]] if self.proven else []
        if sure:
            values, mover = self._column("value", indices), self.mover
            best = max(sure, key=lambda i: (values[i][mover] / visits[i], visits[i], -actions[i]))
        else:
            best = max(seen, key=lambda i: (visits[i], -actions[i]), default=-1)
        return Node(self._nodes, indices[best]) if seen else None

    def _column(self, name: str, indices: list[int]) -> list[Any]:
        """A field of some nodes."""
        if isinstance(self._nodes, np.ndarray):
            column: list[Any] = self._nodes[name][indices].tolist()
            return column
        return [getattr(self._nodes[index], name) for index in indices]

    def child(self, action: int) -> Node | None:
        return next((node for node in self._children() if node.action == action), None)

    def walk(self) -> Iterator[tuple[int, Node]]:
        """All nodes below and including this one with their depth, depth first, in the order of the actions."""
        todo = [(0, self)]
        while todo:
            depth, node = todo.pop()
            yield depth, node
            todo += [(depth + 1, child) for child in sorted(node._children(), key=lambda child: -child.action)]

    def show(self, depth: int = 2, width: int = 5) -> str:
        """The most visited part of the tree, a line per node."""
        lines = []
        todo = [(0, self)]
        while todo:
            level, node = todo.pop()
            values = " ".join(f"{value:.3f}" for value in node.values)
            name = f"action {node.action}" if level else "root"
            proven = "  proven" if node.proven else ""
            lines.append(f"{'  ' * level + name:<20} {node.visits:>9} visits  values {values}{proven}")
            if level < depth:
                todo += [(level + 1, child) for child in reversed(node.children[:width]) if child.visits]
        return "\n".join(lines)

    __str__ = show

    def __repr__(self) -> str:
        return f"<Node action={self.action} visits={self.visits} values={self.values}>"


@dataclass(frozen=True)
class Edge:
    """One legal action of a player at the root, over all threads."""

    action: int
    visits: int
    values: tuple[float, ...]
    proven: bool = False
    share: float = 0.0
    """How often to play it: its part of the visits, or of the average strategy where the search has one."""


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search."""

    mover: int
    values: tuple[float, ...]
    """Mean reward of every player."""
    edges: tuple[Edge, ...]
    """The legal actions, in the order of their numbers."""
    iterations: int
    seconds: float
    nodes: int
    full: bool
    """Whether the tree ran out of room; the search then went on without growing it."""
    trees: tuple[Node, ...]
    """The root of each thread's tree."""
    action: int | None = None
    """What the search has settled on, if it is not for the visits to decide."""

    def settled(self) -> Edge:
        """What the search has settled on."""
        return next(edge for edge in self.edges if edge.action == self.action)

    def best(self, choice: str = "visits", caution: float = sqrt(2)) -> Edge:
        """The final choice. A proven action counts by its exact value: it is taken if no other promises more."""

        def score(edge: Edge) -> tuple[float, float]:
            value = edge.values[self.mover]
            if edge.visits == 0:
                return (-inf, 0.0)
            if choice == "value":
                return (value, edge.visits)
            if choice == "secure":
                return (value - caution / sqrt(edge.visits), value)
            return (edge.visits, value)

        def exact(edge: Edge) -> float:
            return edge.values[self.mover]

        if not self.edges:
            raise SpinneyError("the search made no iteration, so there is nothing to choose")
        proven = [edge for edge in self.edges if edge.proven]
        sure = max(proven, key=exact, default=None)
        if sure is not None and (len(proven) == len(self.edges) or exact(sure) >= CERTAIN):
            return sure
        open_edge = max((edge for edge in self.edges if not edge.proven), key=score)
        if sure is None or exact(sure) <= 1 - CERTAIN:  # what is lost for certain is worse than what looks lost
            return open_edge
        return sure if exact(sure) >= exact(open_edge) else open_edge

    def variation(self, first: Edge) -> list[int]:
        """What the search expects after an action: the most visited way on, up to a chance node or a joint action."""
        if self.trees[0].mover == SIMULTANEOUS:
            return [first.action]
        branches = [node for tree in self.trees if (node := tree.child(first.action)) is not None]
        node = max(branches, key=lambda node: node.visits, default=None)
        line = [first.action]
        while node is not None and node.mover >= 0:
            node = node.expected()
            if node is not None:
                line.append(node.action)
        return line


def edges_of(root: Node) -> list[Edge]:
    """The actions at the root of one tree."""
    children = root.children
    total = max(1, sum(child.visits for child in children))
    return [
        Edge(child.action, child.visits, child.values, child.proven, child.visits / total)
        for child in children
    ]  # fmt: skip


def merge(trees: Sequence[Sequence[Edge]]) -> tuple[Edge, ...]:
    """The edges of several trees from one position: sums of visits, means weighted by them. What one tree has proven
    is exact for all."""
    same: dict[int, list[Edge]] = {}
    shares: dict[int, float] = {}
    total = max(1, sum(edge.visits for edges in trees for edge in edges))
    for edges in trees:
        weight = sum(edge.visits for edge in edges) / total
        for edge in edges:
            same.setdefault(edge.action, []).append(edge)
            shares[edge.action] = shares.get(edge.action, 0.0) + weight * edge.share
    return tuple(
        Edge(action, sum(p.visits for p in parts), mean_values(parts), any(p.proven for p in parts), shares[action])
        for action, parts in sorted(same.items())
    )


def mean_values(parts: Sequence[Node | Edge]) -> tuple[float, ...]:
    """Values weighted by visits, or those of a part that has been proven."""
    exact = next((part for part in parts if part.proven), None)
    if exact is not None:
        return exact.values
    visits = sum(part.visits for part in parts)
    players = range(len(parts[0].values))
    return tuple(sum(part.values[p] * part.visits for part in parts) / max(1, visits) for p in players)


def shallow_tree(
    players: int, mover: int, value: tuple[float, ...], moves: Sequence[tuple[int, int, Sequence[float]]]
) -> Node:
    """A root with the value of a position, and a child for each move: its action, its visits, everybody's means. For
    searches whose own memory is not such a tree."""
    nodes = block(node_record(players), len(moves) + 1, plain=True)
    visits = max(1, sum(n for _, n, _ in moves))
    for at, (action, n, means) in enumerate([(0, visits, value), *moves]):
        write(nodes[at], action, 0.0)
        nodes[at].visits = n
        for player, mean in enumerate(means):
            nodes[at].value[player] = mean * n
        nodes[at].next = at + 1 if 0 < at < len(moves) else NONE
    nodes[ROOT].mover, nodes[ROOT].first = mover, 1 if moves else NONE
    return Node(nodes)
