"""The principal variation: what a search expects to happen, in words and in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from spinney.games import CHANCE, SIMULTANEOUS, State
from spinney.games.card import Rules, no_default_outcome
from spinney.search.node import Node
from spinney.search.node_actions import DEFERRED


def depth_of(trees: Sequence[Node], paths: Sequence[Sequence[Node]]) -> tuple[int, float]:
    """The length of the longest path, and how many of its steps a simulation followed on the average."""
    followed = sum(node.visits for path in paths for node in path)
    return max(map(len, paths), default=0), followed / max(1, sum(tree.visits for tree in trees))


class Step(NamedTuple):
    """A step of a line."""

    words: str
    """Empty where there is nothing to say of a chance outcome."""
    moves: tuple[tuple[int, int], ...]
    """The mover and the action, of each player who moves simultaneously."""


def steps_of(state: State, root: Node, path: Sequence[Node]) -> Iterator[Step]:
    """The steps of a path, chance outcomes included. In a tree without chance nodes, it is the default outcome of the
    game or else the likeliest one. With hidden information only the first step is known; the line ends, too, where what
    follows is unknown, or not legal after the outcome that was assumed."""
    card = state.game.card
    rules, name, record = card.bound_rules, card.board.name_action, state.record.copy()
    out: Any = card.out()
    before, assumed = root, False
    for node in path:
        while rules.mover(record) == CHANCE != before.mover:
            outcome, assumed = _likeliest(rules, record, out), True
            if outcome is None:
                return
            yield _chance(name(record, outcome), outcome)
            rules.apply(record, outcome)
        if rules.mover(record) != before.mover:
            return
        if before.mover == SIMULTANEOUS:
            actions = [node.action // rules.moves**player % rules.moves for player in range(state.game.players)]
            active = [(player, it) for player, it in enumerate(actions) if rules.is_active(record, player)]
            yield Step(", ".join(name(record, action) for _, action in active), tuple(active))
        elif before.mover == CHANCE:
            yield _chance(name(record, node.action), node.action)
        else:
            action = node.action % DEFERRED
            if assumed and action not in out.action[: rules.legal(record, before.mover, out)]:
                return
            yield Step(name(record, action), ((before.mover, action),))
        if card.has_hidden:
            return
        if before.mover == SIMULTANEOUS:
            out.joint[: len(actions)] = actions
            rules.apply_joint(record, out)
        else:
            rules.apply(record, node.action if before.mover == CHANCE else action)
        before = node


def _chance(words: str, outcome: int) -> Step:
    return Step(f"chance: {words}" if words else "", ((CHANCE, outcome),))


def _likeliest(rules: Rules, record: Any, out: Any) -> int | None:
    """The default outcome, or the most probable one; none if the rules say neither."""
    if rules.default_outcome is not no_default_outcome:
        return int(rules.default_outcome(record))
    listed = range(rules.outcomes(record, out))
    best = max(listed, key=lambda i: (out.weight[i], -out.action[i]), default=None)
    return None if best is None else int(out.action[best])
