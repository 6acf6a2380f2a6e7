"""MAS-MCTS (Archinuk et al.): a child per joint action, chosen by the players' values together.

A player's value of a joint action is the mean reward of all simulations in which it made its action there, whatever
the others did. The values of the players, normalised over the joint actions, are Q; the paper leaves open how they
become one number, here it is their sum. U prefers what has been tried little:

    Q(a) + c * P(a) * sqrt(sum of all visits / (1 + visits of a)),    P(a) = product of the players' priors

Priors are uniform here; with those of a network it is a selection rule of `net_search`.
"""

from __future__ import annotations

import pydantic

from spinney.games import Game
from spinney.games.card import CHANCE, SIMULTANEOUS
from spinney.kernel import f64, rule
from spinney.search.backup import BACKUPS
from spinney.search.leaf import LEAVES
from spinney.search.learning import LEARNING
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, SimultaneousOptions
from spinney.search.selection import mas_mcts
from spinney.search.simulation import make_chance_child, make_simulations
from spinney.search.simultaneous import (
    expand_joint,
    make_open_actions,
    most_joint_actions,
    simultaneous_parts,
    simultaneous_rules,
    uniform_priors,
    why_not_simultaneous,
)
from spinney.search.tree import NONE
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch, most_actions
from spinney.search.workspace import Settings


class JointOptions(SimultaneousOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of MAS-MCTS."""

    c: float = pydantic.Field(0.05, ge=0, le=1e6, allow_inf_nan=False, description="weight of exploration")


class JointSettings(Settings):
    """The options of joint search."""

    c = f64


def make_joint(rules, policy, evaluate, choose, leaf, backup, learn):
    """The search for one game, with a joint rule."""
    is_active = rules.is_active
    chance_child, open_actions = make_chance_child(rules), make_open_actions(rules)

    @rule(inline=True)
    def select(nodes, work, at, player, o):
        """The child to go to; NONE if the tree is full."""
        if player == CHANCE:
            return chance_child(nodes, work, at)
        if player != SIMULTANEOUS:  # a player who moves alone is left to the rollout
            return NONE
        if nodes[at].expanded == 0:
            open_actions(work)
            uniform_priors(work)
            if not expand_joint(nodes, work, at):
                return NONE
        else:
            for one in range(len(work.path.open)):
                work.path.open[one] = is_active(work.state, one)
        return choose(nodes, work, at, o)

    evaluate_leaf = leaf.make(rules, rules.legal, policy, evaluate)
    return make_simulations(rules, select, leaf.is_leaf, evaluate_leaf, backup, learn)


def build_joint(search: TreeSearch) -> Parts:
    rules, open_loop = simultaneous_rules(search), search.options.chance == "default"
    core = search.simulations(
        make_joint,
        search.settings(JointSettings, c=search.options.c, open_loop=int(open_loop)),
        rules=rules,
        policy=search.policy,
        evaluate=search.evaluation.evaluate,
        choose=mas_mcts,
        leaf=LEAVES["rollout"],
        backup=BACKUPS["mean"],
        learn=LEARNING["none"],
    )
    return Parts(core=core, **simultaneous_parts(search, rules, open_loop=open_loop))


def most_children(game: Game) -> int:
    return max(most_joint_actions(game), most_actions(game))


JOINT = TreeAlgorithm(
    label="joint",
    summary="Tree search over joint actions, for players who move together (MAS-MCTS).",
    options=JointOptions,
    refuses=why_not_simultaneous,
    search=TreeSearch,
    build=build_joint,
    most_children=most_children,
)
