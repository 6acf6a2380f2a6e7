"""What searches of simultaneous moves share: the rules that they play by, and one player's part of joint actions."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadOption
from spinney.games import CHANCE, SIMULTANEOUS, Card, Game
from spinney.games.card import Rules, no_default_outcome, no_outcomes
from spinney.kernel import below, bind, f64, rule
from spinney.kernel.bits import count, nth
from spinney.search.backup import BACKUPS
from spinney.search.leaf import LEAVES
from spinney.search.memory import Worker
from spinney.search.result import Choice
from spinney.search.simulation import make_chance_child, make_simulations
from spinney.search.tree import EXPANDED, NONE, ROOT, write
from spinney.search.tree_search import Parts, TreeSearch
from spinney.search.workspace import Settings, workspace_of


class SimultaneousSettings(Settings):
    """The options of searches of simultaneous moves."""

    c = f64
    explore = f64


def why_not_simultaneous(card: Card) -> str | None:
    if card.has_hidden:
        return "it has hidden information"
    return None if card.is_simultaneous else "its players move in turn"


def most_joint_actions(game: Game) -> int:
    """The most children of a node for joint actions."""
    joint_actions: int = game.card.bound_rules.moves**game.players
    return joint_actions


def simultaneous_rules(search: TreeSearch) -> Rules:
    """The rules as a search plays by them: without implausible actions, and with chance as the options say."""
    options, card = search.options, search.game.card
    rules: Rules = search.rules if options.prune else search.rules._replace(plausible=search.rules.legal)
    if options.chance == "sample":
        return rules._replace(outcomes=no_outcomes)
    if options.chance == "default" and card.has_chance:
        if rules.default_outcome is no_default_outcome:
            raise BadOption(
                f"{search.label}: option 'chance' = 'default': {card.name} has no rule default_outcome for that"
            )
        return rules._replace(chance=default_chance(rules.default_outcome))
    return rules


def default_chance(default_outcome: Any) -> Any:
    """Chance that always has the game's default outcome."""

    @rule
    def chance(s, rng):
        return default_outcome(s)

    return chance


def make_simultaneous(rules, policy, evaluate, make_choice, choose, leaf, backup, learn):
    """The search of simultaneous moves for one game. `make_choice(rules, choose)` makes its choice of a child,
    `(nodes, work, at, o)`."""
    chance_child, child_of, has_chance = make_chance_child(rules), make_choice(rules, choose), rules.has_chance

    @rule(inline=True)
    def select(nodes, work, at, player, o):
        """The child to go to; NONE if the tree is full, or a player moves alone, which is left to the rollout."""
        if has_chance and player == CHANCE:
            return chance_child(nodes, work, at)
        if player != SIMULTANEOUS:
            return NONE
        return child_of(nodes, work, at, o)

    evaluate_leaf = leaf.make(rules, rules.legal, policy, evaluate)
    return make_simulations(rules, select, leaf.is_leaf, evaluate_leaf, backup, learn)


def simultaneous_parts(search: TreeSearch, make_choice: Any, choose: Any, learn: Any, **settings: float) -> Parts:
    """The parts of a search with a choice of children and a learning rule."""
    rules, open_loop = simultaneous_rules(search), search.options.chance == "default"
    simulate = search.bind(
        make_simultaneous,
        rules=rules,
        policy=search.policy,
        evaluate=search.evaluation.evaluate,
        make_choice=make_choice,
        choose=choose,
        leaf=LEAVES["rollout"],
        backup=BACKUPS["mean"],
        learn=learn,
    )
    parts = Parts(
        settings=search.settings(SimultaneousSettings, open_loop=int(open_loop), **settings),
        workspace=workspace_of(search.game),
        simulate=simulate,
        choice=search.options.choice,
        open_loop=open_loop,
    )
    return add_simultaneous(search, parts, rules)


def add_simultaneous(search: TreeSearch, parts: Parts, rules: Rules) -> Parts:
    """The same parts for simultaneous moves: the choices of one player, and reuse without chance nodes."""
    game = search.game
    tally = bind(make_tally, f"{game.name}/tally", plain=search.options.plain, moves=rules.moves)

    def choices(worker: Worker, player: int) -> list[Choice]:
        """A player's part of the joint actions at the root."""
        path, players = worker.work.path, range(game.players)
        tally(worker.nodes, worker.work, player)
        visits = [int(path.tried[player, action]) for action in range(rules.moves)]
        return [
            Choice(action, n, tuple(float(path.worth[one, action]) / n for one in players), share=n / sum(visits))
            for action, n in enumerate(visits)
            if n
        ]

    parts.choices, parts.prepare = choices, lambda worker: tally(worker.nodes, worker.work, 0)
    parts.default_chance = rules.chance if parts.open_loop else None
    return parts


def make_open_actions(rules):
    """A function that writes the actions to search of each player to the path, as bits."""
    is_active, plausible = rules.is_active, rules.plausible

    @rule
    def open_actions(work):
        s, out, path = work.state, work.out, work.path
        for player in range(len(path.open)):
            bits = 0
            if is_active(s, player):
                for i in range(plausible(s, player, out)):
                    bits |= 1 << out.action[i]
            path.open[player] = bits

    return open_actions


@rule
def expand_joint(nodes, work, parent):
    """Add a child for each joint action of the open actions; False if there is no memory.

    The path's `worth` has each player's prior. The list starts at a random place, so that no action is always first.
    """
    tree, path = work.tree, work.path
    total, players, moves = 1, len(path.open), path.worth.shape[1]
    for player in range(players):
        total *= max(1, count(path.open[player]))
    first = tree.used
    if first + total > len(nodes):
        tree.full = 1
        return False
    shift = below(work.rng, total)
    for i in range(total):
        rest, joint, scale, prior = (i + shift) % total, 0, 1, 1.0
        for player in range(players):
            bits = path.open[player]
            if bits:
                n = count(bits)
                action = nth(bits, rest % n)
                rest //= n
                joint += action * scale
                prior *= path.worth[player, action]
            scale *= moves
        child = nodes[first + i]
        write(child, joint, prior)
        child.next = first + i + 1
    nodes[first + total - 1].next = NONE
    nodes[parent].first = first
    nodes[parent].expanded = EXPANDED
    tree.used = first + total
    return True


@rule
def uniform_priors(work):
    """The same prior for each open action of a player, to the path's `worth`."""
    path = work.path
    for player in range(len(path.open)):
        bits = path.open[player]
        n = count(bits)
        for action in range(path.worth.shape[1]):
            path.worth[player, action] = 1.0 / n if (bits >> action) & 1 else 0.0


def make_tally(moves):
    """A function that sums the root's children by one player's action."""

    def tally(nodes, work, player):
        """Visits to the path's `tried`, all players' rewards to its `worth`, by the player's action."""
        path = work.path
        players = len(path.open)
        for action in range(moves):
            path.tried[player, action] = 0.0
            for one in range(players):
                path.worth[one, action] = 0.0
        child = nodes[ROOT].first
        while child != NONE:
            node = nodes[child]
            action = node.action // moves**player % moves
            path.tried[player, action] += node.visits
            for one in range(players):
                path.worth[one, action] += node.value[one]
            child = node.next

    return tally
