"""What searches of simultaneous moves share: the rules that they play by, and one player's part of joint actions."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from spinney.errors import BadOption
from spinney.games import CHANCE, SIMULTANEOUS, Card, Game
from spinney.games.card import Rules, no_default_outcome, no_outcomes
from spinney.kernel import f64, rule
from spinney.kernel.bits import count
from spinney.search.backup import BACKUPS
from spinney.search.leaf import LEAVES
from spinney.search.learning import MoveLearning, make_move_learning
from spinney.search.memory import Worker
from spinney.search.refutation import find_lost
from spinney.search.result import Choice
from spinney.search.rollout import by_policy
from spinney.search.score_bounds import EQUAL, lower_bound, set_exact, upper_bound
from spinney.search.simulation import make_chance_child, make_simulations
from spinney.search.simultaneous_selection import move_node
from spinney.search.tree import DOMINATED, EXPANDED, NONE, ROOT, extended_record, make_reset, reserve, write
from spinney.search.tree_search import Parts, TreeSearch, most_actions
from spinney.search.workspace import Settings, workspace_of


class SimultaneousSettings(Settings):
    """The options of searches of simultaneous moves."""

    c = f64
    explore = f64


def why_not_simultaneous(card: Card) -> str | None:
    if card.has_hidden:
        return "it has hidden information"
    return None if card.is_simultaneous else "its players move in turn"


def most_children(game: Game) -> int:
    """The most nodes that a simulation adds: for each player's moves, or for chance."""
    return max(game.card.bound_rules.moves * game.players, most_actions(game))


def simultaneous_rules(search: TreeSearch) -> Rules:
    """The rules as a search plays by them: without implausible actions, and with chance as the options say."""
    card, chance = search.game.card, chance_of(search)
    rules: Rules = search.rules if search.options.prune else search.rules._replace(plausible=search.rules.legal)
    if chance == "sample":
        return rules._replace(outcomes=no_outcomes)
    if chance == "default" and card.has_chance:
        if rules.default_outcome is no_default_outcome:
            raise BadOption(
                f"{search.label}: option 'chance' = 'default': {card.name} has no rule default_outcome for that"
            )
        return rules._replace(chance=default_chance(rules.default_outcome))
    return rules


def chance_of(search: TreeSearch) -> str:
    """How a search treats chance: by the option, or as the game allows."""
    has_default = search.rules.default_outcome is not no_default_outcome or not search.game.card.has_chance
    return search.options.chance or ("default" if has_default else "sample")


def default_chance(default_outcome: Any) -> Any:
    """Chance that always has the game's default outcome."""

    @rule
    def chance(s, rng):
        return default_outcome(s)

    return chance


def make_simultaneous(rules, policy, evaluate, make_choice, choose, extras, leaf, backup, learn, open_loop, solver):
    """The search of simultaneous moves for one game. `make_choice(rules, choose)` makes its choice of a child,
    `(nodes, work, at, o)`, at a node whose moves are in the tree."""
    chance_child, child_of = make_chance_child(rules), make_choice(rules, choose)
    find_moves, open_node = make_open_node(rules, make_reset(extras))

    has_chance, back_up_means = rules.has_chance, backup.rule

    @rule(inline=True)
    def back_up(nodes, work, o):
        """A lost root is searched on, and keeps its exact value."""
        back_up_means(nodes, work, o)
        if solver and nodes[ROOT].proven:
            set_exact(nodes[ROOT])

    @rule(inline=True)
    def select(nodes, work, at, player, o):
        """The child to go to; NONE if the tree is full, or a player moves alone, which is left to the rollout."""
        if has_chance and player == CHANCE:
            return chance_child(nodes, work, at)
        if player != SIMULTANEOUS:
            return NONE
        if nodes[at].expanded == 0:
            find_moves(work)
            if o.only > 0 and at == ROOT:
                work.path.open[work.out.searcher] = 1 << (o.only - 1)
            uniform_priors(work)
            if not open_node(nodes, work, at):
                return NONE
        return child_of(nodes, work, at, o)

    evaluate_leaf = leaf.make(rules, rules.legal, by_policy(policy), evaluate)
    return make_simulations(
        rules, select, leaf.is_leaf, evaluate_leaf, backup._replace(rule=back_up), learn, open_loop, solver,
        bounded=True,
    )  # fmt: skip


def simultaneous_parts(
    search: TreeSearch, make_choice: Any, choose: Any, learning: MoveLearning, **settings: float
) -> Parts:
    """The parts of a search with a choice of children, and what it learns of moves."""
    rules = simultaneous_rules(search)
    open_loop, solver = chance_of(search) == "default", search.options.solver
    extras = (*learning.extras, *("bounds",) * solver)
    simulate = search.bind(
        make_simultaneous,
        rules=rules,
        policy=search.policy,
        evaluate=search.evaluation.evaluate,
        make_choice=make_choice,
        choose=choose,
        extras=extras,
        leaf=LEAVES["rollout"],
        backup=BACKUPS["mean"],
        learn=make_move_learning(learning.update),
        open_loop=open_loop,
        solver=solver,
    )
    parts = Parts(
        settings=search.settings(SimultaneousSettings, **settings),
        workspace=workspace_of(search.game),
        simulate=simulate,
        node=extended_record(search.game.players, extras),
        choice=search.options.choice,
        open_loop=open_loop,
        restricts=True,
    )
    if search.options.refute:
        parts.refuted = find_lost(search.game, search.options)
        parts.drop = make_drop(rules.moves)
    return add_simultaneous(search, parts, rules, solver=solver)


def make_drop(moves: int) -> Any:
    """Search moves of a player at the root no more."""

    def drop(worker: Worker, player: int, actions: tuple[int, ...]) -> None:
        nodes = worker.nodes
        if nodes[ROOT].count > 0:
            for action in actions:
                nodes[int(move_node(nodes, ROOT, player, moves)) + action].expanded = DOMINATED

    return drop


def add_simultaneous(search: TreeSearch, parts: Parts, rules: Rules, *, solver: bool = False) -> Parts:
    """The same parts for simultaneous moves: the choices of one player, and reuse without chance nodes."""
    players, moves = search.game.players, rules.moves

    def choices(worker: Worker, player: int) -> list[Choice]:
        """A player's moves at the root."""
        nodes, found = worker.nodes, []
        for move in range(moves if nodes[ROOT].count > 0 else 0):
            node = nodes[int(move_node(nodes, ROOT, player, moves)) + move]
            if n := int(node.visits):
                values = tuple(float(node.value[one]) / n for one in range(players))
                found.append(Choice(move, n, values, share=n * int(node.expanded != DOMINATED)))
        total = sum(choice.share for choice in found)
        found = [replace(choice, share=choice.share / max(1, total)) for choice in found]
        return [with_bounds(nodes, choice, player, moves) for choice in found] if solver else found

    parts.choices = choices
    parts.default_chance = rules.chance if parts.open_loop else None
    return parts


def with_bounds(nodes: Any, choice: Choice, player: int, moves: int) -> Choice:
    """A move at the root with its bounds. It is proven if no other move can be better, or if all replies have the same
    value; the values of the others are then those after the worst reply."""
    root, known = nodes[ROOT], nodes[int(nodes[ROOT].first)]
    children = range(int(known.first), int(known.first) + int(known.count))
    after = [nodes[i] for i in children if int(nodes[i].action) // moves**player % moves == choice.action]
    if not after:
        return choice
    players = range(len(root.value))
    firsts = [int(move_node(nodes, ROOT, other, moves)) for other in players if other != player]
    replies = prod(max(1, sum(nodes[i].expanded != 0 for i in range(first, first + moves))) for first in firsts)
    uppers = [float(upper_bound(node, player)) for node in after]
    upper, most, lower = min(uppers), 1.0, 0.0
    if len(after) == replies:
        lower, most = min(float(lower_bound(node, player)) for node in after), max(uppers)
    if min(most, float(upper_bound(root, player))) - lower > EQUAL:
        return replace(choice, bounds=(lower, upper))
    worst = after[uppers.index(upper)]
    values = tuple(lower if one == player else float(worst.value[one]) / max(1, int(worst.visits)) for one in players)
    return replace(choice, bounds=(lower, upper), values=values, proven=True)


def make_open_node(rules, reset):
    """Two functions for a node of simultaneous moves. The first writes the moves that are searched to the path, as
    bits. The second adds a node for each player and move, with the priors in the path's `worth`; `reset(node)`
    initialises what else such a node has."""
    is_active, plausible, moves = rules.is_active, rules.plausible, rules.moves

    @rule
    def find_moves(work):
        s, out, path = work.state, work.out, work.path
        for player in range(len(path.open)):
            bits = 0
            if is_active(s, player):
                for i in range(plausible(s, player, out)):
                    bits |= 1 << out.action[i]
            path.open[player] = bits

    @rule
    def open_node(nodes, work, at):
        """False if there is no memory."""
        path, players = work.path, len(work.path.open)
        first = reserve(work, players * moves)
        if first == NONE:
            return False
        work.tree.nodes += players * moves
        for player in range(players):
            for move in range(moves):
                node = nodes[first + player * moves + move]
                write(node, move, path.worth[player, move])
                reset(node)
                node.expanded = EXPANDED * ((path.open[player] >> move) & 1)
        nodes[at].first = first
        nodes[at].count = players * moves
        nodes[at].expanded = EXPANDED
        return True

    return find_moves, open_node


@rule
def uniform_priors(work):
    """The same prior for each move of a player that is searched, to the path's `worth`."""
    path = work.path
    for player in range(len(path.open)):
        bits = path.open[player]
        n = count(bits)
        for move in range(path.worth.shape[1]):
            path.worth[player, move] = 1.0 / n if (bits >> move) & 1 else 0.0
