"""What searches of simultaneous moves share: the rules that they play by, and one player's part of joint actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from spinney.errors import BadGame, BadOption
from spinney.games import Card, Game, State
from spinney.games.card import Rules, no_default_outcome, no_outcomes
from spinney.kernel import Rng, below, bind, rule, uniform
from spinney.kernel.bits import count, nth
from spinney.search.memory import Worker
from spinney.search.result import Choice, best
from spinney.search.reuse import SimultaneousReuse
from spinney.search.tree import EXPANDED, NONE, ROOT, write
from spinney.search.tree_search import TreeSearch


def why_not_simultaneous(card: Card) -> str | None:
    if card.has_hidden:
        return "it hides things from its players"
    return None if card.is_simultaneous else "its players move one after the other"


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


def simultaneous_parts(search: TreeSearch, rules: Rules, *, open_loop: bool) -> dict[str, Any]:
    """The parts that all searches of simultaneous moves share."""
    game, options = search.game, search.options
    tally = bind(make_tally, f"{game.name}/tally", plain=options.plain, moves=rules.moves)

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

    def refuse(state: State) -> None:
        if state.mover >= 0:
            raise BadGame(f"{search.label} cannot search here: player {state.mover} moves alone")

    chance = rules.chance if open_loop else None
    return {
        "choices": choices,
        "choose": final_choice(options.choice),
        "open_loop": open_loop,
        "prepare": lambda worker: tally(worker.nodes, worker.work, 0),
        "refuse": refuse,
        "reuse": SimultaneousReuse(game, rules.moves, chance) if options.reuse else None,
    }


def final_choice(by: str) -> Callable[[Sequence[Choice], int, Rng], int]:
    """The final choice by `visits` or `value`, or drawn from the average `strategy`."""
    return _draw if by == "strategy" else partial(_best, by)


def _best(by: str, choices: Sequence[Choice], player: int, rng: Rng) -> int:  # nothing is drawn
    return best(choices, player, by)


def _draw(choices: Sequence[Choice], player: int, rng: Rng) -> int:
    left = uniform(rng) * sum(choice.share for choice in choices)
    for choice in choices:
        left -= choice.share
        if left < 0:
            return choice.action
    return best(choices, player)


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
