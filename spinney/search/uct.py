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

from abc import abstractmethod
from math import inf
from typing import Any, Self, TypeVar

import pydantic

from spinney.clock import Clock
from spinney.errors import BadOption, SpinneyError
from spinney.games import Card, Game, State
from spinney.games.card import CHANCE, OVER, SELF_INTERESTED, same_action
from spinney.games.parts import OpponentModels
from spinney.kernel import Record, assign, below, bind, rule
from spinney.search.beliefs import Beliefs
from spinney.search.result import Choice, SearchResult, best
from spinney.search.rollout import make_sides, no_bias
from spinney.search.selection import Settings, UcbOptions, bounds, make_selection
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
    find,
    find_or_add,
    grow,
    judged_record,
    minimax_path,
    node_record,
    put_in_order,
)
from spinney.search.tree_search import TreeSearch


class UctOptions(UcbOptions):
    """What can be set about UCT."""

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
    rollout_first: bool = pydantic.Field(
        False, description="of a new node's actions, first try the one that its rollout would begin with, not any"
    )
    lookahead: bool = pydantic.Field(
        False, description="evaluate all actions of a new node at once, instead of a rollout from it"
    )
    minimax: float = pydantic.Field(
        0.0, ge=0, le=1, description="part of the minimax value in the selection, beside the mean; needs lookahead"
    )
    solver: bool = pydantic.Field(True, description="prove wins, losses and draws, and search them no more")
    open_loop: bool = pydantic.Field(False, description="no nodes for chance: a node is a sequence of actions")
    reuse: bool = pydantic.Field(False, description="keep the part of the tree that the game has moved into")

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
            raise ValueError("lookahead=true looks at all that the others may do; others must be none")
        return self

    @pydantic.model_validator(mode="before")
    @classmethod
    def _solver_needs_chance_nodes(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("open_loop") is True:
            if given.get("solver") is True:
                raise ValueError("solver=true needs explicit chance nodes; open_loop=true has none")
            return {**given, "solver": False}
        return given


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


def make(rules, legal, policy, evaluate, others, bias, lookahead=False, hidden=False, rollout_first=False):
    """The search for one game, with its choice of actions, rollout policy, evaluation and bias; and, if the others are
    taken for some player of the game, that one."""
    modelled = others is not None
    public_action = rules.public_action
    veiled = hidden and public_action is not same_action
    chance_child = make_chance_child(rules)
    best_child, best_unproven, best_legal = make_selection(lookahead, hidden)

    @rule
    def best_guise(nodes, tree, at, s, player, out, path, n, rng, o):
        """The child with the highest bound where another player moves, by what the searcher sees of that. Of actions
        that look alike to it any one is meant, all equally likely."""
        looks = 0
        for i in range(n):
            action = out.action[i]
            look = public_action(s, action, out.searcher)
            known = looks
            if look != action:
                known = 0
                while known < looks and out.action[known] != look:
                    known += 1
            if known == looks:
                out.action[looks] = look
                looks += 1
        child = best_legal(nodes, tree, at, player, out, looks, rng, o)
        if child != NONE:
            alike = 0
            for i in range(legal(s, player, out)):
                if public_action(s, out.action[i], out.searcher) == nodes[child].action:
                    alike += 1
                    if below(rng, alike) == 0:
                        path.meant = out.action[i]
        return child

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE if the tree is full."""
        if player == CHANCE:
            return chance_child(nodes, tree, at, s, out, rng)
        known = modelled and player != out.searcher and out.role[player] != SELF_INTERESTED
        if known and (o.open_loop or not o.equals):
            action = others(s, player, out, rng)
            if veiled:
                path.meant = action
                action = public_action(s, action, out.searcher)
            return find_or_add(nodes, tree, at, action)
        if o.open_loop:
            n = legal(s, player, out)
            if veiled and player != out.searcher:
                return best_guise(nodes, tree, at, s, player, out, path, n, rng, o)
            return best_legal(nodes, tree, at, player, out, n, rng, o)
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
            if rollout_first and not known:
                child = find(nodes, at, policy(s, player, out, rng))
                if child != NONE:  # a static check may allow less than the rollout
                    return child
        if known:
            return find_or_add(nodes, tree, at, others(s, player, out, rng))
        if nodes[at].grown == SOME_PROVEN:
            return best_unproven(nodes, at, player, path, depth, o)
        return best_child(nodes, at, player, o)

    if lookahead:
        return make_simulation(rules, child_of, not_grown, make_lookahead(rules, legal, evaluate), learn_minimax)
    judge = make_rollout(rules, policy, evaluate)
    return make_simulation(rules, child_of, never_visited, judge, nothing_learnt, hidden, modelled)


AnyUcb = TypeVar("AnyUcb", bound=UcbOptions)


class UcbSearch(TreeSearch[AnyUcb]):
    """What the searches share that choose by UCB1."""

    beliefs: Beliefs | None = None
    """Who the others may be, if they are taken for somebody."""

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        if self.beliefs is not None:
            clock = self.limit(clock, state, self._mover(state, player))  # its clock runs while we look back
            self.beliefs.watch(state, clock)
            for worker in self.workers:
                self.beliefs.write(worker.settings)
        return super().run(state, clock, player)

    def choose(self, choices: list[Choice], player: int) -> int:
        return best(choices, player, self.options.choice)

    def bind(self, game: Game, options: AnyUcb) -> tuple[Any, Record]:
        card, checks = game.card, game.card.searching.checks
        self.early_stop, self.early_factor = options.early_stop, options.early_factor
        others = None
        if options.opponents is not None:
            self.beliefs = Beliefs(game, self._cast(options.opponents), options.opponent_prior, options.seed)
            others = self.beliefs.cast.policy
        entry = bind(
            make,
            f"{card.name}/{self.label}",
            plain=options.plain,
            rules=self.rules,
            legal=self._named("prune_with", options.prune_with, checks) if options.prune_with else self.rules.legal,
            policy=self.policy if others is None else make_sides(self.policy, others),
            evaluate=self.evaluate,
            others=others,
            **self.parts(card, options),
        )
        return entry, Settings(**self.settings(options))

    def _cast(self, spec: str) -> OpponentModels:
        """Whom the option `others` names."""
        try:
            return self.game.card.opponents(spec)
        except SpinneyError as error:
            raise type(error)(f"{self.label}: option 'opponents' = '{spec}': {error}") from None

    @abstractmethod
    def parts(self, card: Card, options: AnyUcb) -> dict[str, Any]:
        """What else the search is made of."""

    def settings(self, options: AnyUcb) -> dict[str, Any]:
        return {
            **bounds(options.c, options.log_base),
            "fpu": options.fpu,
            "sure": int(self.beliefs is not None and self.beliefs.sure),
            "equals": int(options.opponent_prior < 1),
            "rollout_depth": self.rollout_depth,
            "max_depth": self.max_depth,
            "rollouts": options.rollouts,
            "open_loop": int(self.open_loop),
        }


class Uct(UcbSearch[UctOptions]):
    """Tree search by upper confidence bounds, for any number of players, with chance."""

    label = "uct"

    @classmethod
    def evaluates(cls, options: UctOptions) -> bool:
        return options.lookahead or super().evaluates(options)

    def node(self, game: Game) -> type[Record]:
        return judged_record(game.players) if self.options.lookahead else node_record(game.players)

    def bind(self, game: Game, options: UctOptions) -> tuple[Any, Record]:
        self.reuse, self.open_loop = options.reuse, options.open_loop
        self.one_sided = options.opponents is not None
        return super().bind(game, options)

    def settings(self, options: UctOptions) -> dict[str, Any]:
        return {
            **super().settings(options),
            "bias": options.bias,
            "bias_after": float(options.bias_untried),
            "first_bias": options.bias if options.bias_untried else 0.0,
            "widen": options.widen,
            "minimax": options.minimax,
            "solver": int(options.solver),
        }

    def parts(self, card: Card, options: UctOptions) -> dict[str, Any]:
        lookahead = options.lookahead
        for name in ("bias", "widen"):
            if getattr(options, name) != 0 and not card.searching.biases and not (name == "widen" and lookahead):
                raise BadOption(
                    f"uct: option '{name}' = {getattr(options, name):g}: {card.name} has no bias; only 0 is allowed"
                )
        if lookahead and (card.has_chance or not card.searching.evaluations):
            lack = "it has chance" if card.has_chance else "it has no evaluation"
            raise BadOption(f"uct: option 'lookahead' is not for {card.name}: {lack}; only false is allowed")
        bias = next(iter(card.searching.biases.values()), no_bias)
        if options.bias_by is not None:
            bias = self._named("bias_by", options.bias_by, card.searching.biases)
        return {"bias": bias, "lookahead": lookahead, "rollout_first": options.rollout_first}
