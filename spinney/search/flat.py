"""Flat Monte Carlo: the same number of rollouts for every legal action, and the best mean wins.

Deep Diver calls this pure Monte Carlo tree search. There is no tree beyond the root's children, and no selection: the
actions take turns.
"""

from __future__ import annotations

from math import inf
from typing import Any

import pydantic

from spinney.games import Game, State
from spinney.kernel import Record, assign, bind, i64
from spinney.search.result import Choice, best
from spinney.search.rollout import make_sample
from spinney.search.tree import ROOT, back_up, grow
from spinney.search.tree_search import SimulationOptions, TreeSearch


class FlatOptions(SimulationOptions):
    """What can be set about flat Monte Carlo."""

    rollouts_per_action: int | None = pydantic.Field(
        None, gt=0, description="simulations per legal action, instead of iterations"
    )


class Settings(Record):
    """The options that compiled code reads."""

    rollout_depth = i64
    max_depth = i64
    rollouts = i64


def make(rules, policy, evaluate):
    """The search for one game, rollout policy and evaluation."""
    mover, legal, apply = rules.mover, rules.legal, rules.apply
    sample = make_sample(rules, policy, evaluate)

    def search(nodes, tree, root, s, spare, out, path, rng, o, iterations):
        """Run simulations, each from the child whose turn it is; return how many."""
        for _ in range(iterations):
            assign(s, root)
            if nodes[ROOT].grown == 0:
                grow(nodes, tree, ROOT, out, legal(s, mover(s), out), rng, False)
            children = tree.used - 1
            child = nodes[ROOT].first + nodes[ROOT].visits % children
            apply(s, nodes[child].action)
            nodes[child].mover = mover(s)
            path.depth = 1
            path.node[0] = ROOT
            path.node[1] = child
            sample(s, spare, out, path, rng, o)
            back_up(nodes, path)
        return iterations

    return search


class Flat(TreeSearch[FlatOptions]):
    """Flat Monte Carlo: the same number of rollouts for every legal action, and the best mean."""

    label = "flat"

    def iterations(self, state: State, player: int) -> float:
        each = (
            inf
            if self.options.rollouts_per_action is None
            else self.options.rollouts_per_action * len(state.legal(player))
        )
        return min(each, super().iterations(state, player))

    def choose(self, choices: list[Choice], player: int) -> int:
        return best(choices, player, "value")

    def bind(self, game: Game, options: FlatOptions) -> tuple[Any, Record]:
        entry = bind(
            make,
            f"{game.name}/flat",
            plain=options.plain,
            rules=self.rules,
            policy=self.policy,
            evaluate=self.evaluate,
        )
        return entry, Settings(rollout_depth=self.rollout_depth, max_depth=self.max_depth, rollouts=options.rollouts)
