"""A search tree as one HTML page to explore it, by `tree.js`.

The nodes in a page are the most visited ones, every node after its parent, as columns. The position of a node is what
changes from its parent's; equal changes are in the page once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from spinney.agents import Decision
from spinney.errors import BadOption
from spinney.games import SIMULTANEOUS, Card
from spinney.games.frame import Frame
from spinney.search import Node
from spinney.search.node_actions import DEFERRED
from spinney.show.frames import NOTHING, FrameEncoder, Shown
from spinney.show.html import render
from spinney.show.tree_svg import kind_of

MOST = 5000
"""The nodes in a page."""
UNKNOWN = -1
"""The board of a node whose position does not follow from the root's."""


def tree_page(decision: Decision, about: str = "", most: int = MOST) -> str:
    """The page of the tree behind a decision, or of the first of its trees: the most visited nodes."""
    root = decision.tree
    if root is None or root.state is None or decision.result is None:
        raise BadOption("the decision has no tree to show")
    card = root.state.game.card
    data = tree_data(decision, most)
    movers = sorted({*data["mover"]}, key=lambda mover: (mover < 0, abs(mover)))
    return render(
        "tree.html.j2",
        title=f"{card.title}: the search tree",
        about=about,
        data=data,
        key=[(mover, kind_of(mover)[1]) for mover in movers],
        total=decision.result.nodes if len(decision.trees) == 1 else 0,
        trees=len(decision.trees),
        seen_by=decision.player + 1 if card.has_hidden else 0,
    )


def tree_data(decision: Decision, most: int = MOST) -> dict[str, Any]:
    """The nodes, their positions and the principal line as data for JSON."""
    root = decision.tree
    assert root is not None
    assert root.state is not None
    nodes = root.most_visited(most)
    place = {id(node): i for i, node in enumerate(nodes)}
    parents = [UNKNOWN, *(place[id(node.parent)] for node in nodes[1:])]
    positions = _Positions(root.state.game.card, root.state.record)
    for node, parent in zip(nodes[1:], parents[1:], strict=True):
        positions.add(node, parent)
    inside, names = Counter(parents), dict.fromkeys(positions.names)
    numbers = {name: i for i, name in enumerate(names)}
    return {
        **positions.encoder.header(),
        "player": decision.player,
        "parent": parents,
        "names": list(names),
        "name": [numbers[name] for name in positions.names],
        "visits": [node.visits for node in nodes],
        "values": [[round(value, 4) for value in node.values] for node in nodes],
        "mover": [node.mover for node in nodes],
        "proven": [i for i, node in enumerate(nodes) if node.proven],
        "weight": [float(f"{node.weight:.4g}") if node.probability is None else 0 for node in nodes],
        "probability": {i: round(node.probability, 4) for i, node in enumerate(nodes) if node.probability is not None},
        "left": [sum(row.visits > 0 for row in node.rows()) - inside[i] for i, node in enumerate(nodes)],
        "line": _line(nodes, parents, decision),
        "board": positions.boards,
        "boards": list(map(json.loads, positions.changes)),
    }


class _Positions:
    """The positions of nodes, as far as they follow from the root's, and the names of the actions between them."""

    def __init__(self, card: Card, root: Any) -> None:
        self._card = card
        self._out: Any = card.out()
        self.encoder = FrameEncoder(card)
        self.names = ["root"]
        self.boards: list[int] = []
        """For each node the number of what changes from its parent's position, or UNKNOWN."""
        self.changes: dict[str, int] = {}
        """Those changes as JSON."""
        self._records: list[Any] = []
        self._shown: list[Shown] = []
        self._keep(root, NOTHING)

    def add(self, node: Node, parent: int) -> None:
        before = self._records[parent]
        self.names.append(self._name(before, node))
        self._keep(None if before is None else self._after(before, node), self._shown[parent])

    def _keep(self, record: Any, before: Shown) -> None:
        self._records.append(record)
        if record is None:
            self._shown.append(NOTHING)
            self.boards.append(UNKNOWN)
            return
        changes, shown = self.encoder.encode(Frame(record), before)
        self._shown.append(shown)
        self.boards.append(self.changes.setdefault(json.dumps(changes), len(self.changes)))

    def _moves(self, action: int) -> list[int]:
        """The actions of all players that a joint action stands for; an inactive player has action 0."""
        moves = self._card.bound_rules.moves
        return [action // moves**player % moves for player in range(len(self._out.joint))]

    def _name(self, before: Any, node: Node) -> str:
        rules, name = self._card.bound_rules, self._card.board.name_action
        if before is None:
            return f"action {node.action}"
        mover = int(rules.mover(before))
        if mover == SIMULTANEOUS:
            moves = enumerate(self._moves(node.action))
            return ", ".join(name(before, move) for player, move in moves if rules.is_active(before, player))
        return name(before, node.action % DEFERRED if mover >= 0 else node.action)

    def _after(self, before: Any, node: Node) -> Any:
        """The position after an action; none with hidden cards, or below chance that has no nodes."""
        rules, record = self._card.bound_rules, before.copy()
        if self._card.has_hidden:
            return None
        mover = int(rules.mover(before))
        if mover == SIMULTANEOUS:
            self._out.joint[:] = self._moves(node.action)
            rules.apply_joint(record, self._out)
        else:
            rules.apply(record, node.action % DEFERRED if mover >= 0 else node.action)
        return record if int(rules.mover(record)) == node.mover else None


def _line(nodes: Sequence[Node], parents: Sequence[int], decision: Decision) -> list[int]:
    """What the search expects from the chosen action on, as far as it is in the page."""
    root = nodes[0]
    assert root.state is not None
    moves, joint = root.state.game.card.bound_rules.moves, root.mover == SIMULTANEOUS
    place = {(parent, node.action): i for i, (node, parent) in enumerate(zip(nodes, parents, strict=True))}
    line = [
        i for (parent, action), i in place.items()
        if parent == 0 and (action // moves**decision.player % moves if joint else action) == decision.action
    ][:1]  # fmt: skip
    while line and (best := nodes[line[-1]].expected()) is not None and (line[-1], best.action) in place:
        line.append(place[line[-1], best.action])
    return line
