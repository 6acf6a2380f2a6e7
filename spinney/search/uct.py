"""UCT for any number of players, with chance.

Every node keeps a reward per player, and each mover maximises its own (max^n; with two players and a zero sum this
is minimax). Chance is met in one of two ways. With explicit chance nodes (the default), a throw of the dice has its
own node, with a child per outcome, met as often as it is likely. In an open-loop search chance has no nodes: a node
stands for a sequence of actions, whatever the dice did in between, and what is legal there is asked anew each time.

Selection is UCB1 (Kocsis and Szepesvari 2006) with progressive bias (Chaslot et al. 2008):

    value / visits + c * sqrt(log(parent's visits) / visits) + bias * weight / (visits + 1)

With progressive widening (Coulom 2007; Chaslot et al. 2008) only the best actions by that weight are looked at, and
more of them as the visits grow. With lookahead, a new node is not judged by a rollout: all its children are evaluated
at once, and the best of them counts. Then the minimax value over these evaluations may have a say in the selection
(implicit minimax, Lanctot et al. 2014): (1 - minimax) * value / visits + minimax * guess.

The others are taken to choose what is best for them, or, with `others`, to play as some player of the game does, in
the tree and in rollouts; then nothing is proven about what they choose.

The solver (Winands et al. 2008, here for any number of players) marks a node as proven when its exact value is
known: the game is over there, or a child is a sure win for the mover, or all children are proven; a chance node
when all its outcomes are listed and proven. A proven node is never searched again; where the mover would choose it,
the simulation goes on below the best of the others, and the nodes above are given the proven value.
"""

from __future__ import annotations

from math import e, inf, log, sqrt
from typing import Any, Literal, Self

import pydantic

from spinney.errors import BadOption
from spinney.games import Game
from spinney.games.card import CHANCE, OVER
from spinney.kernel import Record, assign, below, bind, f64, i64, rule, uniform
from spinney.search.driver import SimulationOptions, TreeSearch
from spinney.search.found import Edge, Found
from spinney.search.playout import make_sides, no_bias
from spinney.search.simulation import (
    make_chance_child,
    make_rollout,
    make_simulation,
    never_visited,
    nothing_learnt,
)
from spinney.search.tree import (
    NEVER_PROVEN,
    NONE,
    SOME_PROVEN,
    find_or_add,
    find_or_add_after,
    grow,
    judged_record,
    minimax_path,
    node_record,
    put_in_order,
)

OTHERS = "the player that the others are taken for; none: each does what is best for itself"


class UctOptions(SimulationOptions):
    """What can be set about UCT."""

    c: float = pydantic.Field(sqrt(2), ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of UCB1")
    log_base: float = pydantic.Field(e, gt=1, le=1e6, allow_inf_nan=False, description="base of the logarithm in UCB1")
    first_play: float = pydantic.Field(
        inf, gt=-inf, description="value of an action not yet tried; infinite: try each once before any twice"
    )
    bias: float = pydantic.Field(
        0.0, ge=-1e6, le=1e6, allow_inf_nan=False, description="weight of the progressive bias; 0: none"
    )
    bias_by: str | None = pydantic.Field(
        None, description="which of the game's biases rates actions, for bias and widen; none: its usual one"
    )
    bias_untried: bool = pydantic.Field(
        True, description="whether actions not yet tried have a bias, too; if not, it is divided by the visits alone"
    )
    widen: float = pydantic.Field(
        0.0,
        ge=0,
        le=1e6,
        allow_inf_nan=False,
        description="look at 1 + widen * sqrt(visits) actions, those with the highest bias; 0: at all",
    )
    check: str | None = pydantic.Field(
        None, description="which of the game's static checks leaves actions out; none: none of them"
    )
    lookahead: bool = pydantic.Field(
        False, description="evaluate all actions of a new node at once, instead of a rollout from it"
    )
    minimax: float = pydantic.Field(
        0.0, ge=0, le=1, description="part of the minimax value in the selection, beside the mean; needs lookahead"
    )
    others: str | None = pydantic.Field(None, description=OTHERS)
    trust: float = pydantic.Field(
        1.0, ge=0, le=1, description="how often the others do that in the tree; else they do what is best for them"
    )
    choice: Literal["visits", "value", "secure"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or highest value less c / sqrt(visits)"
    )
    solver: bool = pydantic.Field(True, description="prove wins, losses and draws, and search them no more")
    open_loop: bool = pydantic.Field(False, description="no nodes for chance: a node is a sequence of actions")
    early: bool = pydantic.Field(
        False, description="stop when the rest of the budget cannot change which action has most visits"
    )
    reuse: bool = pydantic.Field(False, description="keep the part of the tree that the game has moved into")

    @pydantic.model_validator(mode="after")
    def _early_needs_visits(self) -> Self:
        if self.early and self.choice != "visits":
            raise ValueError(f"early=true goes with choice=visits, not with choice={self.choice}")
        return self

    @pydantic.model_validator(mode="after")
    def _minimax_needs_lookahead(self) -> Self:
        if self.minimax and not self.lookahead:
            raise ValueError(f"minimax={self.minimax:g} needs lookahead=true: there are no evaluations without")
        if self.lookahead and self.open_loop:
            raise ValueError("lookahead=true needs explicit chance nodes; open_loop=true has none")
        if self.lookahead and self.others is not None:
            raise ValueError("lookahead=true looks at all that the others may do; others must be none")
        return self

    @pydantic.model_validator(mode="after")
    def _trust_needs_others(self) -> Self:
        if self.trust < 1 and self.others is None:
            raise ValueError(f"trust={self.trust:g} needs others: nobody is named whom the others are taken for")
        return self

    @pydantic.model_validator(mode="before")
    @classmethod
    def _solver_needs_chance_nodes(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("open_loop") is True:
            if given.get("solver") is True:
                raise ValueError("solver=true needs explicit chance nodes; open_loop=true has none")
            return {**given, "solver": False}
        return given


TABLE = 2048
"""Visits for which the two factors of UCB1's square root are looked up: a division, a root and a logarithm less."""


FAR = 1 << 31
"""More children than a node can have."""


class Settings(Record):
    """The options that compiled code reads."""

    explore = f64  # c squared, per unit of natural logarithm
    wish = f64[TABLE]  # sqrt(explore * log(n)), the parent's part of the bound
    root = f64[TABLE]  # 1 / sqrt(n), the child's part
    first_play = f64
    bias = f64
    bias_after = f64  # added to the visits that divide the bias
    first_bias = f64
    widen = f64
    minimax = f64
    trust = f64
    cutoff = i64
    horizon = i64
    rollouts = i64
    solver = i64
    open_loop = i64


@rule(inline=True)
def parents_part(n, o):
    """What a parent's visits contribute to the exploration term of its children."""
    return o.wish[n] if n < TABLE else sqrt(o.explore * log(n))


@rule(inline=True)
def considered(n, o):
    """How many children of a node with n visits are looked at."""
    return 1 + int(o.widen * sqrt(n)) if o.widen > 0.0 else FAR


def make_selection(judged, hidden=False):
    """The three ways to choose a child, where nodes have been evaluated or not, and where things are hidden or not."""

    @rule(inline=True)
    def ucb(node, player, wish, o):
        """The upper confidence bound of a child; `wish` is its parent's part."""
        n = node.visits
        if n == 0:
            return o.first_play + o.first_bias * node.weight
        root = o.root[n] if n < TABLE else 1.0 / sqrt(n)
        bound = node.value[player] * root * root
        if judged:
            bound += o.minimax * (node.guess[player] - bound)
        bound += wish * root
        if o.bias != 0.0:
            bound += o.bias * node.weight / (n + o.bias_after)
        return bound

    @rule
    def best_child(nodes, parent, player, o):
        """The child with the highest bound, where none is proven."""
        n = nodes[parent].visits
        wish, left = parents_part(n, o), considered(n, o)
        child = nodes[parent].first
        best, best_bound = child, -inf
        while child != NONE and left > 0:
            node = nodes[child]
            bound = ucb(node, player, wish, o)
            if bound == inf:
                return child
            better = bound > best_bound  # without a branch: which child wins is hard to predict
            best = child if better else best
            best_bound = bound if better else best_bound
            child = node.next
            left -= 1
        return best

    @rule
    def best_unproven(nodes, parent, player, path, depth, o):
        """The child with the highest bound, proven ones aside: there is nothing to learn below them.

        If a proven one is worth more than that bound, the player would rather take it, and its value is what counts
        from here up: that is noted in the path.
        """
        n = nodes[parent].visits
        wish, left = parents_part(n, o), considered(n, o)
        child = nodes[parent].first
        best, best_bound = child, -inf
        sure, sure_value = NONE, -inf
        while child != NONE:
            node = nodes[child]
            if node.proven:
                value = node.value[player] / node.visits
                if value > sure_value:
                    sure, sure_value = child, value
            elif left > 0:
                left -= 1
                bound = ucb(node, player, wish, o)
                if bound > best_bound:
                    best, best_bound = child, bound
            child = node.next
        if sure_value > best_bound:
            path.noted_depth[path.notes] = depth
            path.noted_child[path.notes] = sure
            path.notes += 1
        return best

    @rule
    def best_legal(nodes, tree, parent, player, out, n, rng, o):
        """The child with the highest bound among the n actions in `out`; new ones are added. NONE if there is no
        room.

        Where things are hidden, an action is legal in some worlds only: how often it was is what counts for it in place
        of the parent's visits. The weight keeps that count. Which of those not yet tried comes first is drawn."""
        wish = parents_part(nodes[parent].visits, o)
        best, best_bound, untried, child = NONE, -inf, 0, NONE
        for i in range(n):
            child = find_or_add_after(nodes, tree, parent, child, out.action[i])
            if child == NONE:
                return best
            node = nodes[child]
            if hidden:
                node.weight += 1.0
                wish = parents_part(int(node.weight), o)
            bound = ucb(node, player, wish, o)
            if bound > best_bound:
                best, best_bound = child, bound
                untried = 1
            elif hidden and bound == best_bound and node.visits == 0:
                untried += 1
                if below(rng, untried) == 0:
                    best = child
        return best

    return best_child, best_unproven, best_legal


@rule(inline=True)
def not_grown(node):
    """Where a search that looks ahead ends its way down the tree."""
    return node.grown == 0


@rule(inline=True)
def learn_minimax(nodes, path, o):
    """Carry the evaluations of a leaf's children up the tree."""
    if o.minimax > 0.0:
        minimax_path(nodes, path)


def make_lookahead(rules, legal, evaluate):
    """Another way to judge a leaf: evaluate all its children at once. Whether some of them end the game."""
    mover, apply, reward = rules.mover, rules.apply, rules.reward

    @rule(inline=True)
    def worth(s, out, path):
        """The reward or the evaluation of a position, to the path. Whether it is the end."""
        over = mover(s) == OVER
        if over:
            reward(s, out)
        else:
            evaluate(s, out)
        for player in range(len(path.reward)):
            path.reward[player] = out.reward[player]
        return over

    @rule
    def judge(nodes, tree, at, s, spare, out, path, rng, o):
        player = mover(s)
        if player == OVER or nodes[at].grown != 0 or not grow(nodes, tree, at, out, legal(s, player, out), rng, False):
            worth(s, out, path)
            return False
        sure, best, most = False, NONE, -inf
        child = nodes[at].first
        while child != NONE:
            node = nodes[child]
            assign(spare, s)
            apply(spare, node.action)
            node.mover = mover(spare)
            if worth(spare, out, path):
                sure = True
                node.proven = o.solver
            node.visits = 1
            for one in range(len(path.reward)):
                node.value[one] = path.reward[one]
                node.guess[one] = path.reward[one]
            node.weight = path.reward[player]
            if path.reward[player] > most:
                best, most = child, path.reward[player]
            child = node.next
        for one in range(len(path.reward)):
            path.reward[one] = nodes[best].guess[one]
        if o.widen > 0.0:
            put_in_order(nodes, at, out)
        return sure

    return judge


def make(rules, legal, policy, evaluate, bias, lookahead, hidden=False, others=None):
    """The search for one game, with its choice of actions, rollout policy, evaluation and bias; and, if the others are
    taken for some player of the game, that one."""
    modelled = others is not None
    chance_child = make_chance_child(rules)
    best_child, best_unproven, best_legal = make_selection(lookahead, hidden)

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE if the tree is full."""
        if player == CHANCE:
            return chance_child(nodes, tree, at, s, out, rng)
        if modelled and player != out.searcher and (o.trust >= 1.0 or (o.open_loop and uniform(rng) < o.trust)):
            return find_or_add(nodes, tree, at, others(s, player, out, rng))
        if o.open_loop:
            return best_legal(nodes, tree, at, player, out, legal(s, player, out), rng, o)
        if nodes[at].grown == 0:
            if lookahead:
                return NONE
            n = legal(s, player, out)
            weighted = o.bias != 0.0 or o.widen > 0.0
            if weighted:
                bias(s, player, out, n)
            if not grow(nodes, tree, at, out, n, rng, weighted):
                return NONE
            if o.widen > 0.0:
                put_in_order(nodes, at, out)
            if modelled and player != out.searcher:
                nodes[at].grown = NEVER_PROVEN  # for they do not always do what is best for them
        if modelled and player != out.searcher and uniform(rng) < o.trust:
            return find_or_add(nodes, tree, at, others(s, player, out, rng))
        if nodes[at].grown == SOME_PROVEN:
            return best_unproven(nodes, at, player, path, depth, o)
        return best_child(nodes, at, player, o)

    if lookahead:
        return make_simulation(rules, child_of, not_grown, make_lookahead(rules, legal, evaluate), learn_minimax)
    judge = make_rollout(rules, policy, evaluate)
    return make_simulation(rules, child_of, never_visited, judge, nothing_learnt, hidden)


def bounds(c: float, log_base: float) -> dict[str, Any]:
    """The settings from which UCB1 is computed."""
    explore = c**2 / log(log_base)
    visits = range(1, TABLE)
    return {
        "explore": explore,
        "wish": [0.0, *(sqrt(explore * log(n)) for n in visits)],
        "root": [1.0, *(1.0 / sqrt(n) for n in visits)],
    }


class Uct(TreeSearch[UctOptions]):
    """Tree search by upper confidence bounds, for any number of players, with chance."""

    label = "uct"

    @classmethod
    def evaluates(cls, options: UctOptions) -> bool:
        return options.lookahead or super().evaluates(options)

    def node(self, game: Game) -> type[Record]:
        return judged_record(game.players) if self.options.lookahead else node_record(game.players)

    def choose(self, found: Found) -> Edge:
        return found.best(self.options.choice, self.options.c)

    def bind(self, game: Game, options: UctOptions) -> tuple[Any, Record]:
        card = game.card
        self.reuse, self.open_loop, self.early = options.reuse, options.open_loop, options.early
        self.one_sided = options.others is not None
        others = self._player("others", options.others) if options.others else None
        lookahead = options.lookahead
        for name in ("bias", "widen"):
            if getattr(options, name) != 0 and not card.biases and not (name == "widen" and lookahead):
                raise BadOption(
                    f"uct: option '{name}' = {getattr(options, name):g}: {card.name} has no bias; only 0 is allowed"
                )
        if lookahead and (card.has_chance or not card.evaluations):
            lack = "it has chance" if card.has_chance else "it has no evaluation"
            raise BadOption(f"uct: option 'lookahead' is not for {card.name}: {lack}; only false is allowed")
        bias = next(iter(card.biases.values()), no_bias)
        if options.bias_by is not None:
            bias = self._named("bias_by", options.bias_by, card.biases)
        entry = bind(
            make,
            f"{card.name}/uct",
            plain=options.plain,
            rules=self.rules,
            legal=self._named("check", options.check, card.checks) if options.check else self.rules.legal,
            policy=self.policy if others is None else make_sides(self.policy, others),
            evaluate=self.evaluate,
            bias=bias,
            lookahead=lookahead,
            others=others,
        )
        settings = Settings(
            **bounds(options.c, options.log_base),
            first_play=options.first_play,
            bias=options.bias,
            bias_after=float(options.bias_untried),
            first_bias=options.bias if options.bias_untried else 0.0,
            widen=options.widen,
            minimax=options.minimax,
            trust=options.trust,
            cutoff=self.cutoff,
            horizon=self.horizon,
            rollouts=options.rollouts,
            solver=int(options.solver),
            open_loop=int(options.open_loop),
        )
        return entry, settings
