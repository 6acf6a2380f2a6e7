"""The nodes of a tree for people: what a finished search knows about each, in words, text, JSON and pictures."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from spinney.display import view
from spinney.errors import SpinneyError
from spinney.games import CHANCE, SIMULTANEOUS, State
from spinney.kernel.record import numbers
from spinney.search.node_actions import DEFERRED
from spinney.search.tree import NONE, ROOT


class Row(NamedTuple):
    """The figures of a child."""

    at: int
    action: int
    visits: int
    values: tuple[float, ...]
    proven: bool


def type_of(nodes: Any) -> Any:
    """The names of the fields of nodes in either form."""
    return nodes.dtype.names if isinstance(nodes, np.ndarray) else nodes.record.fields


class Node:
    """A node of a finished search, for inspection."""

    __slots__ = (
        "_count", "_first", "_nodes", "_parent", "_state", "action", "mover", "proven", "values", "visits", "weight"
    )  # fmt: skip

    def __init__(self, nodes: Any, index: int = ROOT, parent: Node | None = None, state: State | None = None) -> None:
        self._nodes, self._parent, self._state = nodes, parent, state
        held = numbers(nodes[index])
        self.action: int = held["action"]
        """The action or chance outcome that leads here; of a joint action, the players' actions as digits."""
        self.visits: int = held["visits"]
        """How often simulations came here; with transpositions, from the parent."""
        self.weight: float = held["weight"]
        """The bias or prior of the action, or the probability of the outcome, where there is one."""
        if "link" in held and parent is not None:
            self.visits = held["edge_visits"]
            held = numbers(nodes[held["link"]]) if held["link"] != NONE else held
        exact = held["proven"] and "exact" in held
        values, visits = (held["exact"], 1) if exact else (held["value"], held["visits"])
        self.values = tuple(float(value) / max(1, visits) for value in values)
        """Mean reward of every player."""
        self.mover: int = held["mover"]
        """Who moves here; known once the node has been visited."""
        self.proven = bool(held["proven"])
        """Whether the values are exact."""
        self._first: int = held["first"]
        self._count: int = held["count"]

    @property
    def state(self) -> State | None:
        """The position, if it follows from the root's: not below chance that has no nodes, nor with hidden cards. With
        hidden information, the root's is what the searcher knows."""
        if self._state is None and self._parent is not None and (before := self._parent.state) is not None:
            if before.game.card.has_hidden:
                return None
            after = before.copy(manual_chance=True)
            try:
                for player, action in moves_of(before, self.action):
                    after.apply(action, player)
            except SpinneyError:
                return None
            self._state = after if after.mover == self.mover else None
        return self._state

    @property
    def name(self) -> str:
        """The action that leads here in words, or its number where the position before it is not known."""
        if self._parent is None:
            return "root"
        before = self._parent.state
        if before is None:
            return f"action {self.action}"
        return ", ".join(before.name(action) for _, action in moves_of(before, self.action))

    @property
    def parent(self) -> Node | None:
        return self._parent

    @property
    def probability(self) -> float | None:
        """The probability of a chance outcome, where the rules list them."""
        chance = self._parent is not None and self._parent.mover == CHANCE
        return self.weight if chance and 0.0 < self.weight <= 1.0 else None

    @property
    def children(self) -> list[Node]:
        """The children, most visited first."""
        return sorted(self._children(), key=lambda node: (-node.visits, node.action))

    def _children(self) -> Iterator[Node]:
        return (Node(self._nodes, index, self) for index in self._indices())

    def _indices(self) -> list[int]:
        """Where the children are."""
        at = numbers(self._nodes[self._first]) if self.mover == SIMULTANEOUS and self._count else None
        first, n = (self._first, self._count) if at is None else (at["first"], at["count"])
        return list(range(first, first + n))

    def expected(self) -> Node | None:
        """The child that the search expects to come next: the likeliest outcome of chance; where all is proven the best
        action, else the most visited."""
        seen = [row for row in self.rows() if row.visits]
        sure = [row for row in seen if row.proven] if self.proven else []
        if self.mover == CHANCE and seen:
            weights = dict(zip(seen, self._column("weight", [row.at for row in seen]), strict=True))
            best = max(seen, key=lambda row: (weights[row], row.visits, -row.action))
        elif sure and self.mover >= 0:
            best = max(sure, key=lambda row: (row.values[self.mover], row.visits, -row.action))
        elif seen:
            best = max(seen, key=lambda row: (row.visits, -row.action))
        return Node(self._nodes, best.at, self) if seen else None

    def principal(self, player: int, action: int, moves: int) -> list[Node]:
        """The way that the search expects from here, beginning with a player's action. Of simultaneous moves, it begins
        with the most visited joint action with this one; `moves` is their number."""
        joint = self.mover == SIMULTANEOUS
        rows = [row for row in self.rows() if (row.action // moves**player % moves if joint else row.action) == action]
        best = max(rows, key=lambda row: (row.visits, -row.action), default=None)
        node, path = None if best is None else Node(self._nodes, best.at, self), list[Node]()
        while node is not None and node.visits:
            path.append(node)
            node = node.expected()
        return path

    def rows(self) -> list[Row]:
        """The figures of the children, in the order of memory: quicker than nodes."""
        at = self._indices()
        actions, visits, values, proven = (self._column(name, at) for name in ("action", "visits", "value", "proven"))
        counts = visits
        if at and "link" in type_of(self._nodes):
            visits, links = self._column("edge_visits", at), self._column("link", at)
            known = [link if link != NONE else index for link, index in zip(links, at, strict=True)]
            counts, values, proven = (self._column(name, known) for name in ("visits", "value", "proven"))
        means = [tuple(one / max(1, n) for one in value) for n, value in zip(counts, values, strict=True)]
        if at and "exact" in type_of(self._nodes):
            exact = self._column("exact", at)
            means = [tuple(exact[i]) if proven[i] else mean for i, mean in enumerate(means)]
        return list(map(Row, at, actions, visits, means, map(bool, proven)))

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
        lines, todo = [], [(0, self)]
        while todo:
            level, node = todo.pop()
            values = " ".join(f"{value:.3f}" for value in node.values)
            proven = "  proven" if node.proven else ""
            lines.append(f"{'  ' * level + node.name:<20} {node.visits:>9} visits  values {values}{proven}")
            if level < depth:
                todo += [(level + 1, child) for child in reversed(node.children[:width]) if child.visits]
        return "\n".join(lines)

    __str__ = show

    def to_dict(self, depth: int = 2, width: int = 5) -> dict[str, Any]:
        """The most visited part of the tree as plain data for JSON: of each node the most visited children, and how
        many are left out, down to a depth."""
        shown = [child for child in self.children[:width] if child.visits] if depth > 0 else []
        return {
            "name": self.name,
            "action": None if self._parent is None else self.action,
            "mover": self.mover,
            "visits": self.visits,
            "values": list(self.values),
            "weight": self.weight,
            "probability": self.probability,
            "proven": self.proven,
            "children": [child.to_dict(depth - 1, width) for child in shown],
            "left_out": len(self._indices()) - len(shown),
        }

    def to_json(self, depth: int = 2, width: int = 5) -> str:
        """The most visited part of the tree as JSON, as in `to_dict`."""
        return json.dumps(self.to_dict(depth, width))

    def svg(self, depth: int = 3, width: int = 4, dark: bool | None = None) -> str:
        """The most visited part of the tree as a picture, for a light or a dark background, or for both."""
        return view("tree_svg")(self, depth, width, dark)

    def _repr_svg_(self) -> str:
        return self.svg()

    def most_visited(self, most: int) -> list[Node]:
        """The most visited nodes at and below this one, every node after its parent."""
        found, waiting = list[Node](), [(-self.visits, 0, self._parent, -1)]
        number = 0
        while waiting and len(found) < most:
            *_, parent, at = heapq.heappop(waiting)
            node = self if at < 0 else Node(self._nodes, at, parent)
            found.append(node)
            for row in sorted(node.rows(), key=lambda row: (-row.visits, row.action)):
                if row.visits:
                    number += 1
                    heapq.heappush(waiting, (-row.visits, number, node, row.at))
        return found

    def __repr__(self) -> str:
        return f"<Node action={self.action} visits={self.visits} values={self.values}>"


def moves_of(state: State, action: int) -> list[tuple[int | None, int]]:
    """The players' actions that a node's action stands for."""
    if state.mover != SIMULTANEOUS:
        return [(None, action % DEFERRED if state.mover >= 0 else action)]
    moves = state.game.card.bound_rules.moves
    return [(player, action // moves**player % moves) for player in state.movers]
