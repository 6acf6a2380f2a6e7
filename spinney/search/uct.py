"""UCT for any number of players, with chance.

Every node keeps a reward per player, and each mover maximises its own (max^n; with two players and a zero sum this is
minimax). With explicit chance nodes (the default), a chance event has a node of its own with a child per outcome. In
an open loop, chance has no nodes: a node stands for a sequence of actions, and the legal actions are generated anew in
every simulation.

Selection is by a bound (selection.py), UCB1 by default (Kocsis and Szepesvari 2006), with progressive bias and
progressive widening (Chaslot et al. 2008; Coulom 2007). With lookahead, a leaf is not evaluated by a rollout: all its
children are evaluated at once, and the best of them counts. Then the minimax value of these evaluations may be mixed
with the mean (implicit minimax, Lanctot et al. 2014).

Opponents maximise their own reward, or play as opponent models do, in the tree and in rollouts; then nothing is proven
about their choices.

The solver (Winands et al. 2008, here for any number of players) marks a node as proven when its exact value is known:
the game is over there, or a child is a certain win for the mover, or all children are proven; a chance node when all
its outcomes are listed and proven. A proven node is not searched again. Where the mover prefers it, the simulation
goes on below the best of the other children, and the ancestors get the proven value.
"""

from __future__ import annotations

from typing import Any, Self

import pydantic

from spinney.errors import BadOption, SpinneyError
from spinney.games.card import CHANCE, ROLES, SELF_INTERESTED, same_action
from spinney.kernel import below, f64, i64, rule
from spinney.search.backup import BACKUPS
from spinney.search.base import why_not_sequential
from spinney.search.beliefs import SEATS, Beliefs
from spinney.search.leaf import LEAVES
from spinney.search.learning import LEARNING
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, UcbOptions
from spinney.search.rollout import make_modelled, no_bias
from spinney.search.selection import BOUNDS, TABLE, make_child_selection, ucb1_tables
from spinney.search.simulation import make_chance_child, make_simulations
from spinney.search.tree import (
    NEVER_PROVEN,
    NONE,
    SOME_PROVEN,
    expand,
    find,
    find_or_add,
    minimax_record,
    sort_children,
)
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch, stops_rollouts
from spinney.search.workspace import Settings, workspace_of


class UctOptions(UcbOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of UCT."""

    bias: float = pydantic.Field(
        0.0, ge=-1e6, le=1e6, allow_inf_nan=False, description="weight of the progressive bias; 0: none"
    )
    bias_by: str | None = pydantic.Field(
        None, description="which of the game's biases rates actions, for bias and widen; none: its default one"
    )
    bias_untried: bool = pydantic.Field(
        True, description="whether untried actions have a bias, too; if not, it is divided by the visits alone"
    )
    widen: float = pydantic.Field(
        0.0,
        ge=0,
        le=1e6,
        allow_inf_nan=False,
        description="progressive widening: consider the 1 + widen * sqrt(visits) actions of highest bias; 0: all",
    )
    rollout_first: bool = pydantic.Field(
        False, description="try the action first that the rollout policy chooses at a new node, not a random one"
    )
    lookahead: bool = pydantic.Field(
        False, description="evaluate all actions of a new node at once, instead of a rollout from it"
    )
    minimax: float = pydantic.Field(
        0.0, ge=0, le=1, description="implicit minimax: weight of the minimax value beside the mean; needs lookahead"
    )
    solver: bool = pydantic.Field(True, description="prove wins, losses and draws, and search them no more")
    open_loop: bool = pydantic.Field(False, description="no nodes for chance: a node is a sequence of actions")
    reuse: bool = pydantic.Field(False, description="keep the subtree of the position that the game has reached")

    @pydantic.model_validator(mode="after")
    def _minimax_needs_lookahead(self) -> Self:
        if self.minimax and not self.lookahead:
            raise ValueError(f"minimax={self.minimax:g} needs lookahead=true: there are no evaluations without")
        if self.lookahead and self.open_loop:
            raise ValueError("lookahead=true needs explicit chance nodes; open_loop=true has none")
        if self.rollout_first and (self.lookahead or self.open_loop):
            other = "lookahead" if self.lookahead else "open_loop"
            raise ValueError(f"rollout_first=true needs nodes with all actions, and rollouts; {other} must be false")
        if self.lookahead and self.opponents is not None:
            raise ValueError("lookahead=true evaluates all actions of the opponents; opponents must be none")
        return self

    @pydantic.model_validator(mode="before")
    @classmethod
    def _solver_needs_chance_nodes(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("open_loop") is True:
            if given.get("solver") is True:
                raise ValueError("solver=true needs explicit chance nodes; open_loop=true has none")
            return {**given, "solver": False}
        return given


class UcbSettings(Settings):
    """The options of searches by upper confidence bounds."""

    c2_log2 = f64  # c squared times log(2)
    root_log = f64[TABLE]  # sqrt(c^2 * log(n)), the parent's part of UCB1
    inverse_root = f64[TABLE]  # 1 / sqrt(n), the child's part
    fpu = f64
    bias = f64
    bias_after = f64  # added to the visits that divide the bias
    first_bias = f64
    widen = f64
    minimax = f64
    certain = i64  # there is one opponent model, with certainty
    self_interested = i64  # an opponent may be none of the models
    belief = f64[SEATS, ROLES]  # the probability of each model for each player


def make_uct(
    rules, legal, policy, evaluate, opponents, bias, bound, leaf, backup, learn, biased, widens, minimax, rollout_first,
    hidden, open_loop, solver,
):  # fmt: skip
    """The search for one game. Code for options that are off is not compiled."""
    modelled, weighted = opponents is not None, biased or widens
    leaf_expands, has_chance = leaf.expands, rules.has_chance
    public_action = rules.public_action
    disguised = hidden and public_action is not same_action
    chance_child = make_chance_child(rules)
    best_child, best_unproven, best_available = make_child_selection(bound, biased, widens, minimax, hidden)

    @rule
    def best_public(nodes, work, at, player, n, o):
        """The child with the highest bound where an opponent moves, by what the searcher sees of its actions. Of the
        actions that look alike, one is drawn."""
        s, out, path = work.state, work.out, work.path
        seen = 0
        for i in range(n):
            action = out.action[i]
            public = public_action(s, action, out.searcher)
            known = seen
            if public != action:
                known = 0
                while known < seen and out.action[known] != public:
                    known += 1
            if known == seen:
                out.action[seen] = public
                seen += 1
        child = best_available(nodes, work, at, player, seen, o)
        if child != NONE:
            alike = 0
            for i in range(legal(s, player, out)):
                if public_action(s, out.action[i], out.searcher) == nodes[child].action:
                    alike += 1
                    if below(work.rng, alike) == 0:
                        path.private = out.action[i]
        return child

    @rule(inline=True)
    def select(nodes, work, at, player, o):
        """The child to go to; NONE if the tree is full."""
        s, out = work.state, work.out
        if has_chance and player == CHANCE:
            return chance_child(nodes, work, at)
        known = False
        if modelled:
            known = player != out.searcher and out.role[player] != SELF_INTERESTED
            if known and (open_loop or not o.self_interested):
                action = opponents(s, player, out, work.rng)
                if disguised:
                    work.path.private = action
                    action = public_action(s, action, out.searcher)
                return find_or_add(nodes, work, at, action)
        if open_loop:
            n = legal(s, player, out)
            if disguised and player != out.searcher:
                return best_public(nodes, work, at, player, n, o)
            return best_available(nodes, work, at, player, n, o)
        if nodes[at].expanded == 0:
            if leaf_expands:
                return NONE
            n = legal(s, player, out)
            if weighted:
                bias(s, player, out, n)
            if not expand(nodes, work, at, n, weighted):
                return NONE
            if widens:
                sort_children(nodes, work, at)
            if modelled and player != out.searcher:
                nodes[at].expanded = NEVER_PROVEN  # models do not always choose the best action
            if rollout_first and not known:
                child = find(nodes, at, policy(s, player, out, work.rng))
                if child != NONE:  # a static check may allow less than the rollout
                    return child
        if modelled and known:
            return find_or_add(nodes, work, at, opponents(s, player, out, work.rng))
        if solver and nodes[at].expanded == SOME_PROVEN:
            return best_unproven(nodes, work, at, player, o)
        return best_child(nodes, at, player, o)

    evaluate_leaf = leaf.make(rules, legal, policy, evaluate, solver, widens)
    return make_simulations(
        rules, select, leaf.is_leaf, evaluate_leaf, backup, learn, open_loop, solver, hidden, modelled
    )  # fmt: skip


def ucb_parts(
    search: TreeSearch, *, open_loop: bool, leaf: str = "rollout", backup: str = "mean", hidden: bool = False,
    solver: bool = False, bias: Any = no_bias, rollout_first: bool = False, settings: dict[str, Any] | None = None,
    **more: Any,
) -> Parts:  # fmt: skip
    """The parts of a search by upper confidence bounds."""
    card, options = search.game.card, search.options
    beliefs = opponents = None
    if options.opponents is not None:
        beliefs = opponent_beliefs(search)
        opponents = beliefs.models.policy
    checks, settings = card.searching.checks, settings or {}
    simulate = search.bind(
        make_uct,
        rules=search.rules,
        legal=search.named("prune_with", options.prune_with, checks) if options.prune_with else search.rules.legal,
        policy=search.policy if opponents is None else make_modelled(search.policy, opponents),
        evaluate=search.evaluation.evaluate,
        opponents=opponents,
        bias=bias,
        bound=BOUNDS[options.select],
        leaf=LEAVES[leaf],
        backup=BACKUPS[backup],
        learn=LEARNING["none"],
        biased=settings.get("bias", 0) != 0,
        widens=settings.get("widen", 0) > 0,
        minimax=backup == "minimax",
        rollout_first=rollout_first,
        hidden=hidden,
        open_loop=open_loop,
        solver=solver,
    )
    return Parts(
        settings=search.settings(
            UcbSettings,
            **ucb1_tables(options.c, options.log_base),
            fpu=options.fpu,
            certain=int(beliefs is not None and beliefs.certain),
            self_interested=int(options.opponent_prior < 1),
            **settings,
        ),
        workspace=workspace_of(search.game),
        simulate=simulate,
        choice=options.choice,
        beliefs=beliefs,
        open_loop=open_loop,
        early_stop=options.early_stop,
        early_factor=options.early_factor,
        **more,
    )


def opponent_beliefs(search: TreeSearch) -> Beliefs:
    """The beliefs about the opponent models that the option `opponents` names."""
    game, options = search.game, search.options
    try:
        models = game.card.opponents(options.opponents)
    except SpinneyError as error:
        raise type(error)(f"{search.label}: option 'opponents' = '{options.opponents}': {error}") from None
    return Beliefs(game, models, options.opponent_prior, options.seed)


def build_uct(search: TreeSearch) -> Parts:
    game, card, options = search.game, search.game.card, search.options
    for name in ("bias", "widen"):
        if getattr(options, name) != 0 and not card.searching.biases and not (name == "widen" and options.lookahead):
            raise BadOption(
                f"uct: option '{name}' = {getattr(options, name):g}: {card.name} has no bias; only 0 is allowed"
            )
    if options.lookahead and (card.has_chance or not card.searching.evaluations):
        lack = "it has chance" if card.has_chance else "it has no evaluation"
        raise BadOption(f"uct: option 'lookahead' is not for {card.name}: {lack}; only false is allowed")
    bias = next(iter(card.searching.biases.values()), no_bias)
    if options.bias_by is not None:
        bias = search.named("bias_by", options.bias_by, card.searching.biases)
    return ucb_parts(
        search,
        open_loop=options.open_loop,
        solver=options.solver,
        leaf="lookahead" if options.lookahead else "rollout",
        backup="minimax" if options.minimax else "mean",
        bias=bias,
        rollout_first=options.rollout_first,
        settings={
            "bias": options.bias,
            "bias_after": float(options.bias_untried),
            "first_bias": options.bias if options.bias_untried else 0.0,
            "widen": options.widen,
            "minimax": options.minimax,
        },
        node=minimax_record(game.players) if options.lookahead else None,
    )


UCT = TreeAlgorithm(
    label="uct",
    summary="Tree search by upper confidence bounds, for any number of players, with chance.",
    options=UctOptions,
    refuses=why_not_sequential,
    search=TreeSearch,
    build=build_uct,
    evaluates=lambda options: options.lookahead or stops_rollouts(options),
)
