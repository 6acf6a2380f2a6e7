"""Score bounds: what is proven where players move simultaneously (after Cazenave and Saffidine 2011, Saffidine,
Finnsson and Buro 2012).

A node has two bounds for each player, whose reward is x(m, r) after its move m and the joint reply r of the others:

    lower = max over m of min over r of lower(m, r)      the player can be sure of it, whatever the others do
    upper = min over r of max over m of upper(m, r)      the others together can hold the player to it

Joint actions without a child have the bounds 0 and 1. A node is proven when both bounds are equal for every player.
Where the players have to mix, they never are: matching pennies has the bounds 0 and 1.

A move is dominated by another one whose lower bound is at least its upper bound against every reply; it is not
searched any more.
"""

from __future__ import annotations

from spinney.games.card import CHANCE, SIMULTANEOUS
from spinney.kernel import rule
from spinney.search.simultaneous_selection import move_node
from spinney.search.tree import DOMINATED, EXPANDED, NONE, SOME_PROVEN, find

EQUAL = 1e-6
"""Bounds that are no further apart are equal: they have single precision."""


@rule(inline=True)
def lower_bound(node, player):
    return node.lower[player] if node.expanded == SOME_PROVEN else 0.0


@rule(inline=True)
def upper_bound(node, player):
    return node.upper[player] if node.expanded == SOME_PROVEN else 1.0


@rule
def narrow(node, path):
    """Narrow the bounds of a node to those in the path; whether that makes a difference."""
    changed, proven = False, True
    for player in range(len(node.value)):
        lower = max(lower_bound(node, player), path.lower[player])
        upper = min(upper_bound(node, player), path.upper[player])
        changed = changed or lower > lower_bound(node, player) or upper < upper_bound(node, player)
        path.lower[player], path.upper[player] = lower, upper
        proven = proven and upper - lower <= EQUAL
    if changed:
        node.expanded = SOME_PROVEN
        for player in range(len(node.value)):
            node.lower[player], node.upper[player] = path.lower[player], path.upper[player]
        if proven and node.proven == 0:
            node.proven = 1
            set_exact(node)
    return changed


@rule
def set_exact(node):
    """The mean of a proven node is its exact value."""
    for player in range(len(node.value)):
        node.value[player] = node.visits * node.lower[player]


@rule
def bound_chance(nodes, path, at):
    """The expected bounds of a chance node whose outcomes are listed, to the path."""
    parent, listed = nodes[at], 0.0
    for player in range(len(path.lower)):
        path.lower[player], path.upper[player] = 0.0, 0.0
    for child in range(parent.first, parent.first + parent.count):
        node = nodes[child]
        listed += node.weight
        for player in range(len(path.lower)):
            path.lower[player] += node.weight * lower_bound(node, player)
            path.upper[player] += node.weight * upper_bound(node, player)
    for player in range(len(path.lower)):
        path.lower[player] /= listed
        path.upper[player] /= listed


@rule
def count_moves(nodes, path, at):
    """The number of each player's moves at a node to the path's `ranks`, and the first one to its `rank`. A player who
    does not act has one move, 0. Returns the number of joint actions."""
    moves, joint_actions = path.worth.shape[1], 1
    for player in range(len(path.open)):
        path.ranks[player], path.rank[player] = 0, 0
        first = move_node(nodes, at, player, moves)
        for move in range(moves - 1, -1, -1):
            if nodes[first + move].expanded:
                path.ranks[player] += 1
                path.rank[player] = move
        path.ranks[player] = max(1, path.ranks[player])
        joint_actions *= path.ranks[player]
    return joint_actions


@rule
def bound_moves(nodes, path, at):
    """For every player and move, the replies that have a child to the path's `ranked`, and the lowest bound after them
    to its `worth`; and the lower bounds of the players to its `lower`."""
    joint_actions, known, moves = count_moves(nodes, path, at), nodes[nodes[at].first], path.worth.shape[1]
    for player in range(len(path.open)):
        for move in range(moves):
            path.ranked[player, move], path.worth[player, move] = 0, 1.0
    for child in range(known.first, known.first + known.count):
        joint = nodes[child].action
        for player in range(len(path.open)):
            move = joint % moves
            joint //= moves
            path.ranked[player, move] += 1
            path.worth[player, move] = min(path.worth[player, move], lower_bound(nodes[child], player))
    for player in range(len(path.open)):
        path.lower[player] = 0.0
        for move in range(moves):
            if path.ranked[player, move] * path.ranks[player] == joint_actions:
                path.lower[player] = max(path.lower[player], path.worth[player, move])


@rule
def best_against(nodes, path, at, player, child, enough):
    """The upper bound of a player against the reply in a child's joint action, in which the player makes its first
    move; 1 if that is not below `enough`."""
    moves, joint, bound = path.worth.shape[1], nodes[child].action, upper_bound(nodes[child], player)
    first, scale = move_node(nodes, at, player, moves), moves**player
    for move in range(path.rank[player] + 1, moves):
        if bound >= enough:
            return 1.0
        if nodes[first + move].expanded:
            other = find(nodes, nodes[at].first, joint + (move - path.rank[player]) * scale)
            if other == NONE:
                return 1.0
            bound = max(bound, upper_bound(nodes[other], player))
    return bound


@rule
def bound_replies(nodes, path, at):
    """The upper bounds of the players, to the path."""
    known, moves, scale = nodes[nodes[at].first], path.worth.shape[1], 1
    for player in range(len(path.open)):
        bound = 1.0
        for child in range(known.first, known.first + known.count):
            if nodes[child].action // scale % moves == path.rank[player]:
                bound = min(bound, best_against(nodes, path, at, player, child, bound))
        path.upper[player] = bound
        scale *= moves


@rule
def is_searched(nodes, path, at, joint, but):
    """Whether the moves of a joint action are searched, but for that of one player."""
    moves = path.worth.shape[1]
    for player in range(len(path.open)):
        if player != but and nodes[move_node(nodes, at, player, moves) + joint % moves].expanded == DOMINATED:
            return False
        joint //= moves
    return True


@rule
def is_covered(nodes, path, at, player, move, other):
    """Whether another move of a player is at least as good as a move, against every reply that is searched."""
    moves = path.worth.shape[1]
    known, scale = nodes[nodes[at].first], moves**player
    for child in range(known.first, known.first + known.count):
        joint = nodes[child].action
        if joint // scale % moves == move and is_searched(nodes, path, at, joint, player):
            rival = find(nodes, nodes[at].first, joint + (other - move) * scale)
            least = 0.0 if rival == NONE else lower_bound(nodes[rival], player)
            if upper_bound(nodes[child], player) > least:
                return False
    return True


@rule
def drop_dominated(nodes, path, at, joint_actions):
    """Search the dominated moves of a node no more. Of moves that are equally good, none is dropped."""
    moves = path.worth.shape[1]
    for player in range(len(path.open)):
        first, replies = move_node(nodes, at, player, moves), joint_actions // path.ranks[player]
        for move in range(moves):
            if nodes[first + move].expanded != EXPANDED or path.ranked[player, move] < replies:
                continue
            for other in range(moves):
                if (
                    other != move
                    and nodes[first + other].expanded == EXPANDED
                    and is_covered(nodes, path, at, player, move, other)
                    and not (path.ranked[player, other] == replies and is_covered(nodes, path, at, player, other, move))
                ):
                    nodes[first + move].expanded = DOMINATED
                    break


@rule
def bound_node(nodes, path, at):
    """The bounds of a node from those of its children; whether they have changed."""
    node = nodes[at]
    if node.expanded == 0:  # nothing is known of its outcomes, or there is no memory
        return False
    if node.mover == CHANCE:
        bound_chance(nodes, path, at)
    elif node.mover == SIMULTANEOUS:
        bound_moves(nodes, path, at)
        bound_replies(nodes, path, at)
        joint_actions = 1
        for player in range(len(path.open)):
            joint_actions *= path.ranks[player]
        drop_dominated(nodes, path, at, joint_actions)
    else:
        return False
    return narrow(node, path)


@rule
def bound_path(nodes, path, depth):
    """The bounds of the end of the game below the node at a depth of the path, and what follows for that node and its
    ancestors."""
    end = nodes[path.node[depth + 1]]
    for player in range(len(path.reward)):
        path.lower[player], path.upper[player] = path.reward[player], path.reward[player]
    narrow(end, path)
    i = depth
    while i >= 0 and bound_node(nodes, path, path.node[i]):
        i -= 1


@rule
def is_decided(nodes, player):
    """Whether more simulations are of no use to a player at the root: its reward there is proven, and not the lowest.
    One who is lost goes on, because the others have yet to find the replies."""
    return nodes[0].proven and nodes[0].lower[player] > 0.0
