"""The result of a search: one type from the tree to JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import inf, sqrt
from typing import Any

from spinney.errors import SpinneyError
from spinney.games import State
from spinney.kernel import uniform
from spinney.search.line import Step, depth_of, steps_of
from spinney.search.node import Node
from spinney.search.tree import CERTAIN


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action at the root as a search saw it."""

    action: int
    visits: int
    values: tuple[float, ...]
    """Mean reward of every player."""
    proven: bool = False
    """Whether the values are exact."""
    share: float = 0.0
    """The probability of playing it: its part of the visits, or of the average strategy where the search has one."""
    name: str = ""
    value: float = 0.0
    """Mean reward of the player who chooses."""
    bounds: tuple[float, float] = (0.0, 1.0)
    """Of a simultaneous move, what is proven of the reward of the player who chooses: it is sure of the first, and the
    others have a reply that holds it to the second."""
    errors: tuple[float, ...] = ()
    """The standard error of each value, at most: see `standard_errors`. Empty where values are not means."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about a position."""

    player: int
    """Who chooses."""
    action: int
    """What the search chose."""
    choices: tuple[Choice, ...]
    """The actions that were searched, most visited first."""
    root_values: tuple[float, ...]
    """Mean reward of every player in all simulations."""
    iterations: int
    nodes: int = 0
    full: bool = False
    """Whether the tree ran out of memory; the search then went on without growing it."""
    line: tuple[str, ...] = ()
    """The principal variation in words, through chance events, of which the likeliest outcome is assumed."""
    line_moves: tuple[tuple[int, int], ...] = ()
    """The same as movers and actions; those of simultaneous moves one after the other."""
    trees: tuple[Node, ...] = ()
    """The root of each tree; none in searches without such trees, and while the search goes on."""
    left_out: int = 0
    """Visits of actions that are not among the choices, of figures that were stored."""
    most_nodes: int = 0
    """The nodes for which there is memory, of all trees; 0: unlimited."""
    memory: int = 0
    """Bytes of the nodes in use, or of the transposition table."""
    depth: int = 0
    """Steps of the principal variation in the tree, chance outcomes included; of several trees, the longest. Of
    alpha-beta, the plies of the deepest search, which may not be finished."""
    mean_depth: float = 0.0
    """How many of these steps a simulation followed on the average; 0 where there are no simulations in a tree."""

    @property
    def chosen(self) -> Choice | None:
        """The choice of the action; none for an action without figures."""
        return next((choice for choice in self.choices if choice.action == self.action), None)

    @property
    def values(self) -> tuple[float, ...]:
        """Expected reward of every player after the chosen action."""
        return self.root_values if self.chosen is None else self.chosen.values

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each value, at most; empty where values are not means."""
        return () if self.chosen is None else self.chosen.errors

    def to_dict(self) -> dict[str, Any]:
        """Everything but the trees, as plain data for JSON."""
        plain = {key: value for key, value in vars(self).items() if key != "trees"}
        choices = [asdict(choice) for choice in self.choices]
        return plain | {"choices": choices, "values": self.values, "errors": self.errors}


def result_of(
    state: State, player: int, action: int, choices: Sequence[Choice], iterations: int, *, means: bool = True,
    trees: tuple[Node, ...] = (), **more: Any,
) -> SearchResult:  # fmt: skip
    """The result of a search of a state, with names for its actions, and standard errors if its values are means."""
    named = tuple(
        replace(
            choice, name=state.name(choice.action), value=choice.values[player],
            errors=standard_errors(choice) if means else (),
        )
        for choice in sorted(choices, key=lambda choice: (-choice.visits, choice.action))
    )  # fmt: skip
    moves = state.game.card.bound_rules.moves
    paths = [tree.principal(player, action, moves) for tree in trees]
    line = [Step(state.name(action), ((player, action),))]
    if any(paths):
        tree, path = max(zip(trees, paths, strict=True), key=lambda pair: pair[1][0].visits if pair[1] else 0)
        line = [*steps_of(state, tree, path)] or line
        more["depth"], more["mean_depth"] = depth_of(trees, paths)
    more.setdefault("root_values", mean_values(trees or named))
    more.setdefault("line", tuple(step.words for step in line if step.words))
    more.setdefault("line_moves", tuple(move for step in line for move in step.moves))
    return SearchResult(player, action, named, iterations=iterations, trees=trees, **more)


def standard_errors(choice: Choice) -> tuple[float, ...]:
    """The most that the standard error of each mean can be: rewards from 0 to 1 with a mean v have a variance of at
    most v(1 - v), so that of n of them is sqrt(v(1 - v) / n). It says how much chance there is in the mean, as if
    simulations were independent; not how far the mean is from the value of best play."""
    if choice.proven:
        return (0.0,) * len(choice.values)
    inside = (min(1.0, max(0.0, value)) for value in choice.values)
    return tuple(sqrt(value * (1.0 - value) / max(1, choice.visits)) for value in inside)


def choices_of(root: Node) -> list[Choice]:
    """The actions at the root of one tree, most visited first."""
    rows = sorted(root.rows(), key=lambda row: (-row.visits, row.action))
    total = max(1, sum(row.visits for row in rows))
    return [Choice(row.action, row.visits, row.values, row.proven, row.visits / total) for row in rows]


def merge(trees: Sequence[Sequence[Choice]]) -> list[Choice]:
    """The choices of several trees from one position, by action: sums of visits, means weighted by them. What one tree
    has proven is exact for all."""
    same: dict[int, list[Choice]] = {}
    shares: dict[int, float] = {}
    total = max(1, sum(choice.visits for choices in trees for choice in choices))
    for choices in trees:
        weight = sum(choice.visits for choice in choices) / total
        for choice in choices:
            same.setdefault(choice.action, []).append(choice)
            shares[choice.action] = shares.get(choice.action, 0.0) + weight * choice.share
    return [
        Choice(
            action,
            sum(p.visits for p in parts),
            mean_values(parts),
            any(p.proven for p in parts),
            shares[action],
            bounds=(max(p.bounds[0] for p in parts), min(p.bounds[1] for p in parts)),
        )
        for action, parts in sorted(same.items())
    ]


def mean_values(parts: Sequence[Node] | Sequence[Choice]) -> tuple[float, ...]:
    """Values weighted by visits, or those of a part that has been proven."""
    exact = next((part for part in parts if part.proven), None)
    if exact is not None:
        return exact.values
    visits = sum(part.visits for part in parts)
    players = range(len(parts[0].values))
    return tuple(sum(part.values[p] * part.visits for part in parts) / max(1, visits) for p in players)


def final_choice(choices: Sequence[Choice], player: int, by: str, rng: Any) -> int:
    """The action to play: by `visits` or `value`, or drawn from the average `strategy`."""
    if by == "strategy":
        left = uniform(rng) * sum(choice.share for choice in choices)
        for choice in choices:
            left -= choice.share
            if left < 0:
                return choice.action
    return best(choices, player, by)


def best(choices: Sequence[Choice], player: int, by: str = "visits") -> int:
    """The final choice, by most visits or by the highest value. A proven action counts by its exact value: it is taken
    if no other promises more. A refuted action is taken only if all are: the others have a reply that holds the player
    to what another action is sure of, or to the lowest reward."""

    def score(choice: Choice) -> tuple[float, float]:
        value = choice.values[player]
        if choice.visits == 0:
            return (-inf, 0.0)
        return (value, choice.visits) if by == "value" else (choice.visits, value)

    def exact(choice: Choice) -> float:
        return choice.values[player]

    def refuted(lower: float, upper: float) -> bool:
        return (upper <= sure_of and lower < sure_of) or upper <= 0 < held_to

    if not choices:
        raise SpinneyError("the search made no iteration, so there is nothing to choose")
    sure_of, held_to = max(choice.bounds[0] for choice in choices), max(choice.bounds[1] for choice in choices)
    choices = [choice for choice in choices if not refuted(*choice.bounds)]
    proven = [choice for choice in choices if choice.proven]
    sure = max(proven, key=lambda choice: (exact(choice), choice.visits), default=None)
    if sure is not None and (len(proven) == len(choices) or exact(sure) >= CERTAIN):
        return sure.action
    unproven = max((choice for choice in choices if not choice.proven), key=score)
    if sure is None or exact(sure) <= 1 - CERTAIN:  # a proven loss is worse than a probable one
        return unproven.action
    return sure.action if exact(sure) >= exact(unproven) else unproven.action
