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

from typing import Any

from spinney.errors import BadOption, SpinneyError
from spinney.games.card import CHANCE, ROLES, SELF_INTERESTED, no_outcomes, no_position_hash, same_action
from spinney.kernel import below, f64, i64, rule
from spinney.search.action_values import action_memory, make_learned_rollout, refer_to
from spinney.search.backup import BACKUPS, Backup, make_mean_backup
from spinney.search.base import why_not_sequential
from spinney.search.beliefs import SEATS, Beliefs
from spinney.search.graph import Buckets, graph_backup
from spinney.search.leaf import LEAVES
from spinney.search.learning import make_learning
from spinney.search.node_actions import make_node_actions
from spinney.search.observers import observers_path
from spinney.search.rollout import by_policy, make_modelled, no_bias
from spinney.search.selection import BOUNDS, TABLE, make_child_selection, ucb1_tables
from spinney.search.sequential_halving import SequentialHalving, make_root_selection, root_record
from spinney.search.shared import make_expansion
from spinney.search.simulation import make_chance_child, make_simulations
from spinney.search.tree import (
    EXPANDED,
    NEVER_PROVEN,
    NONE,
    ROOT,
    SOME_PROVEN,
    add,
    add_children,
    extended_record,
    find,
    make_reset,
    sort_children,
)
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch, stops_rollouts
from spinney.search.uct_options import UctOptions
from spinney.search.workspace import Settings, workspace_of


class UcbSettings(Settings):
    """The options of searches by upper confidence bounds."""

    c = f64
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
    equivalence = f64
    reference_visits = i64
    history = f64
    epsilon = f64
    prior_draws = i64
    root_actions = i64
    virtual_loss = i64


def make_uct(
    rules, legal, policy, evaluate, opponents, bias, prior, bound, leaf, backup, extras, learns, rollouts, biased,
    widens, minimax, rollout_first, hidden, open_loop, solver, multiplayer, chance_groups, graph, halves, observers,
    shared,
):  # fmt: skip
    """The search for one game. Code for options that are off is not compiled."""
    modelled, has_prior, refers = opponents is not None, bound.has_prior, bound.refers
    weighted = biased or widens or has_prior
    leaf_expands, has_chance, replies = leaf.expands, rules.has_chance, multiplayer == "best_reply"
    public_action = rules.public_action
    disguised = hidden and not observers and public_action is not same_action
    chance_child, reset = make_chance_child(rules, shared), make_reset(extras)
    best_child, best_unproven, best_available = make_child_selection(
        bound, reset, biased, widens, minimax, hidden, graph, observers, shared
    )  # fmt: skip
    state_of, claim, announce = make_expansion(shared)
    list_actions = make_node_actions(legal, policy, bias if biased or widens else None, prior, has_prior, replies)
    root_child = make_root_selection(has_prior)

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

    @rule
    def child_for(nodes, work, at, action):
        """The child that an action leads to, added if it is missing; NONE if there is no memory."""
        child = find(nodes, at, action)
        if child == NONE:
            child = add(nodes, work, at, nodes[at].count, action)
            if child != NONE:
                reset(nodes[child])
        return child

    @rule(inline=True)
    def refer(nodes, work, at, player, o):
        """Let GRAVE refer to a node with enough visits, or to the first where the player moves."""
        if nodes[at].visits > o.reference_visits or work.amaf.referred[player] != work.amaf.stamp:
            refer_to(nodes, work, at, player)

    @rule(inline=True)
    def select(nodes, work, at, player, o):
        """The child to go to; NONE if the tree is full, or another thread expands the node."""
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
                return child_for(nodes, work, at, action)
        if open_loop:
            if refers:
                refer(nodes, work, at, player, o)
            n = legal(s, player, out)
            if o.only > 0 and at == ROOT:
                n, out.action[0] = 1, o.only - 1
            if disguised and player != out.searcher:
                return best_public(nodes, work, at, player, n, o)
            return best_available(nodes, work, at, player, n, o)
        if state_of(nodes[at]) <= 0:
            if leaf_expands or not claim(nodes[at]):
                return NONE
            n = list_actions(work, player, o)
            if o.only > 0 and at == ROOT:
                n, out.action[0] = 1, o.only - 1
            if not add_children(nodes, work, at, n, weighted):
                announce(nodes[at], 0)
                return NONE
            if extras:
                for child in range(nodes[at].first, nodes[at].first + nodes[at].count):
                    reset(nodes[child])
            if widens:
                sort_children(nodes, work, at)
            nodes[at].mover = player  # here, too: another thread may still evaluate the node
            # models do not always choose the best action
            announce(nodes[at], NEVER_PROVEN if modelled and player != out.searcher else EXPANDED)
            if rollout_first and not known:
                child = find(nodes, at, policy(s, player, out, work.rng))
                if child != NONE:  # a static check may allow less than the rollout
                    return child
        if modelled and known:
            return child_for(nodes, work, at, opponents(s, player, out, work.rng))
        if halves and at == ROOT:
            return root_child(nodes, work, o)
        if refers:
            refer(nodes, work, at, player, o)
        if solver and state_of(nodes[at]) == SOME_PROVEN:
            return best_unproven(nodes, work, at, player, o)
        return best_child(nodes, work, at, player, o)

    traced = bool(learns)
    choose = make_learned_rollout(rules, policy, rollouts == "nst") if rollouts else by_policy(policy)
    evaluate_leaf = leaf.make(rules, legal, choose, evaluate, solver, widens, traced)
    return make_simulations(
        rules, select, leaf.is_leaf, evaluate_leaf, backup, make_learning(learns), open_loop, solver, hidden, modelled,
        traced=traced, graph=graph, opposed=multiplayer != "max_n", replies=replies, chance_groups=chance_groups,
        observers=observers, shared=shared,
    )  # fmt: skip


def ucb_parts(
    search: TreeSearch, *, open_loop: bool, leaf: str = "rollout", backup: Backup | None = None, hidden: bool = False,
    solver: bool = False, bias: Any = no_bias, prior: Any = None, extras: tuple[str, ...] = (),
    rollout_first: bool = False, multiplayer: str = "max_n", chance_groups: int = 0, halves: bool = False,
    observers: bool = False, virtual_loss: int = 0, settings: dict[str, Any] | None = None, **more: Any,
) -> Parts:  # fmt: skip
    """The parts of a search by upper confidence bounds. With a virtual loss, all threads grow one tree."""
    game, card, options = search.game, search.game.card, search.options
    beliefs = opponents = None
    if options.opponents is not None:
        beliefs = opponent_beliefs(search)
        opponents = beliefs.models.policy
    checks, settings, bound = card.searching.checks, settings or {}, BOUNDS[options.select]
    shared = virtual_loss > 0
    extras = (*bound.extras, *extras, *("shared",) * shared)
    rollouts = {None: (), "mast": ("history",), "nst": ("history", "ngrams")}[options.learn]
    learns = tuple(dict.fromkeys((*bound.learns, *rollouts)))
    memory = action_memory(game.players, card.actions, learns)
    records = memory | ({"root": root_record(card.rules.MAX_ACTIONS)} if halves else {})
    if "graph" in extras:
        records["buckets"] = Buckets
    if observers:
        records["path"] = observers_path(game.players, card.bound_rules.moves)
    simulate = search.bind(
        make_uct,
        rules=search.rules,
        legal=search.named("prune_with", options.prune_with, checks) if options.prune_with else search.rules.legal,
        policy=search.policy if opponents is None else make_modelled(search.policy, opponents),
        evaluate=search.evaluation.evaluate,
        opponents=opponents,
        bias=bias,
        prior=prior,
        bound=bound,
        leaf=LEAVES[leaf],
        backup=backup or mean_backup_of(extras),
        extras=extras,
        learns=learns,
        rollouts=options.learn,
        biased=settings.get("bias", 0) != 0,
        widens=settings.get("widen", 0) > 0,
        minimax=settings.get("minimax", 0) > 0,
        rollout_first=rollout_first,
        hidden=hidden,
        open_loop=open_loop,
        solver=solver,
        multiplayer=multiplayer,
        chance_groups=chance_groups,
        graph="graph" in extras,
        halves=halves,
        observers=observers,
        shared=shared,
    )
    return Parts(
        settings=search.settings(
            UcbSettings,
            **ucb1_tables(options.c, options.log_base),
            fpu=options.fpu,
            certain=int(beliefs is not None and beliefs.certain),
            self_interested=int(options.opponent_prior < 1),
            equivalence=options.equivalence,
            reference_visits=options.reference_visits,
            history=options.history,
            epsilon=options.epsilon,
            virtual_loss=virtual_loss,
            **settings,
        ),
        workspace=workspace_of(game, **records),
        simulate=simulate,
        node=extended_record(game.players, extras),
        choice=options.choice,
        beliefs=beliefs,
        one_player=beliefs is not None or multiplayer != "max_n",
        forgets=tuple(name for name in memory if name != "trace"),
        open_loop=open_loop,
        early_stop=options.early_stop,
        early_factor=options.early_factor,
        halving=SequentialHalving(bound.has_prior, options.root_actions) if halves else None,
        restricts=leaf == "rollout" and not halves,
        **more,
    )


def mean_backup_of(extras: tuple[str, ...]) -> Backup:
    """The back-up of visits and means into nodes with further statistics."""
    if "shared" in extras:
        backup = make_mean_backup("squares" in extras, shared=True)
        return Backup(backup, backup)
    return BACKUPS["squares" if "squares" in extras else "mean"]


def opponent_beliefs(search: TreeSearch) -> Beliefs:
    """The beliefs about the opponent models that the option `opponents` names."""
    game, options = search.game, search.options
    try:
        models = game.card.opponents(options.opponents)
    except SpinneyError as error:
        raise type(error)(f"{search.label}: option 'opponents' = '{options.opponents}': {error}") from None
    return Beliefs(game, models, options.opponent_prior, options.seed)


def build_uct(search: TreeSearch) -> Parts:
    card, options = search.game.card, search.options
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
    if options.transpositions and (search.rules.position_hash is no_position_hash or card.has_chance):
        lack = "it has chance" if card.has_chance else "it has no rule position_hash"
        raise BadOption(f"uct: option 'transpositions' is not for {card.name}: {lack}; only false is allowed")
    if options.parallel == "tree" and card.has_chance and search.rules.outcomes is no_outcomes:
        raise BadOption(
            f"uct: option 'parallel' = 'tree' is not for {card.name}: its rules do not list the chance outcomes; "
            "only root is allowed"
        )
    return ucb_parts(
        search,
        open_loop=options.open_loop,
        solver=options.solver,
        leaf="lookahead" if options.lookahead else "rollout",
        backup=Backup(graph_backup, graph_backup)
        if options.transpositions
        else BACKUPS["minimax"]
        if options.minimax
        else None,
        bias=bias,
        prior=search.player("prior", options.prior) if options.prior else None,
        extras=("minimax",) * options.lookahead + ("graph",) * options.transpositions,
        rollout_first=options.rollout_first,
        multiplayer=options.multiplayer,
        chance_groups=options.chance_groups,
        halves=options.root == "gumbel",
        virtual_loss=options.virtual_loss if options.parallel == "tree" else 0,
        settings={
            "bias": options.bias,
            "bias_after": float(options.bias_untried),
            "first_bias": options.bias if options.bias_untried else 0.0,
            "widen": options.widen,
            "minimax": options.minimax,
            "prior_draws": options.prior_draws,
            "root_actions": options.root_actions,
        },
    )


UCT = TreeAlgorithm(
    label="uct",
    summary="Tree search by upper confidence bounds, for any number of players, with chance.",
    options=UctOptions,
    refuses=why_not_sequential,
    search=TreeSearch,
    build=build_uct,
    evaluates=lambda options: options.lookahead or stops_rollouts(options),
    shares=lambda options: options.parallel == "tree",
)
