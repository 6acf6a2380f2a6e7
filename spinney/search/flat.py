"""Flat Monte Carlo: the same number of rollouts for every legal action, and the highest mean is chosen.

There is no tree beyond the root's children, and no selection: the actions take turns. Deep Diver calls it pure Monte
Carlo tree search.
"""

from __future__ import annotations

from math import inf
from typing import Any

import pydantic

from spinney.games import State
from spinney.kernel import assign
from spinney.search.backup import mean_backup
from spinney.search.base import why_not_sequential
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions
from spinney.search.rollout import by_policy, make_sample
from spinney.search.tree import ROOT, expand
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch
from spinney.search.workspace import workspace_of


class FlatOptions(SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of flat Monte Carlo."""

    rollouts_per_action: int | None = pydantic.Field(
        None, gt=0, description="simulations per legal action, instead of iterations"
    )


def make_flat(rules, policy, evaluate):
    """The search for one game, rollout policy and evaluation."""
    mover, legal, apply = rules.mover, rules.legal, rules.apply
    sample = make_sample(rules, by_policy(policy), evaluate)

    def search(nodes, work, root, o, n):
        """Run n simulations, each from the next child; return how many."""
        s, path = work.state, work.path
        for _ in range(n):
            assign(s, root)
            if nodes[ROOT].expanded == 0:
                expand(nodes, work, ROOT, legal(s, mover(s), work.out), False)
            children = work.tree.used - 1
            child = nodes[ROOT].first + nodes[ROOT].visits % children
            apply(s, nodes[child].action)
            nodes[child].mover = mover(s)
            path.depth = 1
            path.node[0] = ROOT
            path.node[1] = child
            sample(work, o)
            mean_backup(nodes, work, o)
        return n

    return search


def build_flat(search: TreeSearch) -> Parts:
    simulate = search.bind(make_flat, rules=search.rules, policy=search.policy, evaluate=search.evaluation.evaluate)
    workspace = workspace_of(search.game)
    return Parts(settings=search.settings(), workspace=workspace, simulate=simulate, choice="value")


def iterations(options: Any, state: State, player: int) -> float:
    each = options.rollouts_per_action
    return inf if each is None else each * len(state.legal(player))


FLAT = TreeAlgorithm(
    label="flat",
    summary="Flat Monte Carlo: the same number of rollouts for every legal action, and the best mean.",
    options=FlatOptions,
    refuses=why_not_sequential,
    search=TreeSearch,
    build=build_flat,
    iterations=iterations,
)
