"""Multiple-observer ISMCTS (Cowling, Powley and Whitehouse 2012): a tree for each player, all descended together.

The nodes of a player's tree are its own information sets: its own actions, those of the others as it sees them (the
game's rule `public_action`), and its other observations (the rule `observation_key`). The player to move selects in its
own tree; the others follow in theirs. So an opponent acts on what it knows and the searcher does not.

The trees share one block of nodes. The root of the searcher's tree is ROOT, followed by those of the next players in
turn. At their roots the opponents are told their observation of the determinization, which the searcher only guesses.
The path has the nodes of all trees, so that any back-up rule updates every tree with the rewards of all players.
"""

from __future__ import annotations

from functools import cache

from spinney.games.card import CHANCE, OVER, no_observation_key
from spinney.kernel import Record, i64, rule
from spinney.search.action_values import note
from spinney.search.tree import MAX_DEPTH, NO_ACTION, NONE, find_or_add, reserve, write
from spinney.search.workspace import path_record


@cache
def observers_path(players: int, moves: int) -> type[Record]:
    """The path of a simulation through the trees of all players."""

    class ObserversPath(path_record(players, moves)):  # type: ignore[misc]
        last = i64  # the last place of the path; `depth` counts steps
        place = i64[players]  # where each player's node is on it
        seen = i64[players]  # each player's child for the next step

    record: type[Record] = ObserversPath
    return record


def make_observers_backup(backup):
    """A back-up rule for the path through all trees."""

    @rule(inline=True)
    def back_up(nodes, work, o):
        work.path.depth = work.path.last
        backup(nodes, work, o)

    return back_up


def make_observers_descent(rules, select, is_leaf, traced=False):
    """The descent of all players' trees for one game, in which chance has no nodes."""
    mover, apply, chance, has_chance = rules.mover, rules.apply, rules.chance, rules.has_chance
    public_action, observation_key = rules.public_action, rules.observation_key
    observes = observation_key is not no_observation_key

    @rule(inline=True)
    def enter(path, player, node):
        """Go on to a node of a player's tree."""
        path.last += 1
        path.node[path.last] = node
        path.place[player] = path.last

    @rule
    def plant(nodes, work):
        """The roots of the opponents' trees."""
        others = len(work.path.place) - 1
        first = reserve(work, others)
        for root in range(first, first + others):
            write(nodes[root], 0, 0.0)
        work.tree.nodes += others

    @rule
    def observe(nodes, work, player):
        """Tell a player what it sees of the position; False if there is no memory."""
        path = work.path
        at = path.node[path.place[player]]
        nodes[at].mover = CHANCE
        child = find_or_add(nodes, work, at, observation_key(work.state, player))
        if child != NONE:
            enter(path, player, child)
        return child != NONE

    @rule
    def follow(nodes, work, player, child):
        """All trees go on by the action that leads to a child in the mover's; False if there is no memory."""
        path, action = work.path, nodes[child].action
        for one in range(len(path.place)):
            path.seen[one] = child
            if one != player:
                at = path.node[path.place[one]]
                path.seen[one] = find_or_add(nodes, work, at, public_action(work.state, action, one))
            if path.seen[one] == NONE:
                return False
        for one in range(len(path.place)):
            enter(path, one, path.seen[one])
        return True

    @rule(inline=True)
    def descend(nodes, work, o):
        """From the roots to a leaf of the mover's tree, the end of the game, or the depth or memory limit. Returns the
        last node of the searcher's tree."""
        s, path, searcher = work.state, work.path, work.out.searcher
        players = len(path.place)
        if work.tree.used == 1:
            plant(nodes, work)
        path.last, path.passed, path.overflow, path.depth = -1, 0, NO_ACTION, 0
        for i in range(players):
            enter(path, (searcher + i) % players, i)
        room = True
        for i in range(1, players):
            if observes and room:
                room = observe(nodes, work, (searcher + i) % players)
        while room:
            player = mover(s)
            if player == OVER or path.depth == o.max_depth or path.last + 2 * players >= MAX_DEPTH:
                break
            for one in range(players):
                nodes[path.node[path.place[one]]].mover = player
            child = select(nodes, work, path.node[path.place[player]], player, o)
            if child == NONE:
                break
            new, at, action = is_leaf(nodes[child]), path.place[player], nodes[child].action
            if not follow(nodes, work, player, child):
                break
            if traced:
                note(work.trace, player, action, at)
            path.depth += 1
            apply(s, action)
            while has_chance and mover(s) == CHANCE:
                apply(s, chance(s, work.rng))
            if new:
                break
            if observes and mover(s) != OVER:
                for one in range(players):
                    room = room and observe(nodes, work, one)
        return path.node[path.place[searcher]]

    return descend
