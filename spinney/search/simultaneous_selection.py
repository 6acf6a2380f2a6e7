"""Selection rules of simultaneous moves.

There are two kinds. A joint rule, `(nodes, work, at, o) -> child`, chooses a joint action. A player rule,
`(nodes, work, at, player, bits, o) -> move`, chooses one of a player's moves, which are bits, by that player's own
statistics at the node.

A new rule is a function here, and a line in the table of its kind: `JOINT_RULES` or `PLAYER_RULES`. The option `select`
of a search names one of them.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt

from spinney.kernel import below, rule
from spinney.kernel.bits import count, lowest, nth
from spinney.search.selection import puct
from spinney.search.tree import EXPANDED, NO_ACTION, NONE, find, find_or_add


@rule(inline=True)
def move_node(nodes, at, player, moves):
    """The node of a player's first move at a node of simultaneous moves; those of its other moves follow."""
    return nodes[at].first + player * moves


@rule
def joint_child(nodes, work, at, joint):
    """The child for a joint action, added if it is missing. If there is no memory for it, it is NONE, and the path has
    the joint action: the last nodes of a full tree still learn."""
    child = find_or_add(nodes, work, nodes[at].first, joint)
    if child == NONE:
        work.path.overflow = joint
    return child


@rule
def mas_mcts(nodes, work, at, o):
    """MAS-MCTS (Archinuk et al.): Q(a) + c * P(a) * sqrt(all visits / (1 + visits)) of a joint action a. Q is the
    sum of the players' values of their moves, normalised over all joint actions; P is the product of their priors.

    Joint actions that have been tried are compared one by one. Of the others only the best is looked for.
    """
    path, parent = work.path, nodes[at]
    players, moves = len(path.open), path.worth.shape[1]
    joint_actions, mean_of_q, tried = 1, 0.0, 0
    for player in range(players):
        first, n, total, visits = move_node(nodes, at, player, moves), 0, 0.0, 0
        for move in range(moves):
            node = nodes[first + move]
            path.worth[player, move] = -inf
            if node.expanded == EXPANDED:
                # an untried move has the mean of the parent
                source = node if node.visits > 0 else parent
                worth = source.value[player] / source.visits if source.visits > 0 else 0.0
                path.worth[player, move] = worth
                total += worth
                visits += node.visits
                n += 1
        if n > 0:
            joint_actions *= n
            mean_of_q += total / n
            tried = visits  # the same of all players who act: the visits of all joint actions
    norm = 1.0 / (mean_of_q * joint_actions) if mean_of_q > 0.0 else 0.0
    explore = o.c * sqrt(tried)
    known, n_known = nodes[parent.first], 0
    best, best_bound = NONE, -1.0
    for child in range(known.first, known.first + known.count):
        node = nodes[child]
        value = joint_value(node.action, path)
        if value == -inf:  # a move in it is dominated
            continue
        n_known += 1
        bound = norm * value + explore * node.weight / sqrt(1.0 + node.visits)
        better = bound > best_bound
        best = child if better else best
        best_bound = bound if better else best_bound
    if n_known < joint_actions:
        joint = best_untried(nodes, work, at, norm, explore, best_bound)
        if joint != NO_ACTION:
            best = joint_child(nodes, work, at, joint)
            if best != NONE:
                nodes[best].weight = joint_prior(nodes, at, path, joint)
    return best


@rule(inline=True)
def joint_value(joint, path):
    """The sum over the active players of the values of their moves in a joint action."""
    value, moves = 0.0, path.worth.shape[1]
    for player in range(len(path.open)):
        if path.open[player]:
            value += path.worth[player, joint % moves]
        joint //= moves
    return value


@rule
def joint_prior(nodes, at, path, joint):
    """The product of the active players' priors of their moves in a joint action."""
    prior, moves = 1.0, path.worth.shape[1]
    for player in range(len(path.open)):
        if path.open[player]:
            prior *= nodes[move_node(nodes, at, player, moves) + joint % moves].weight
        joint //= moves
    return prior


@rule
def rank_moves(nodes, work, at):
    """Rank each player's moves by their value, best first, to the path's `ranked`; equal ones in random order. A player
    who does not act has one move without value."""
    path, rng = work.path, work.rng
    moves = path.worth.shape[1]
    start = below(rng, moves)
    for player in range(len(path.open)):
        n = 0
        if path.open[player]:
            first = move_node(nodes, at, player, moves)
            for i in range(moves):
                move = (start + i) % moves
                if nodes[first + move].expanded == EXPANDED:
                    place = n
                    while place > 0 and path.worth[player, path.ranked[player, place - 1]] < path.worth[player, move]:
                        path.ranked[player, place] = path.ranked[player, place - 1]
                        place -= 1
                    path.ranked[player, place] = move
                    n += 1
        else:
            path.ranked[player, 0] = 0
            n = 1
        path.ranks[player] = n


@rule
def best_untried(nodes, work, at, norm, explore, best_bound):
    """The joint action with the highest bound of MAS-MCTS among those without a child, if that is more than another
    bound; else NO_ACTION.

    Branch and bound, player by player: the rest of the players can add at most their highest values and priors. Where
    the best moves of all players have not been tried together, that is the first joint action it looks at.
    """
    path = work.path
    players, moves = len(path.open), path.worth.shape[1]
    rank_moves(nodes, work, at)
    path.rest_value[players], path.rest_prior[players] = 0.0, 1.0
    for player in range(players - 1, -1, -1):
        value, prior = 0.0, 1.0
        if path.open[player]:
            first, prior = move_node(nodes, at, player, moves), 0.0
            value = path.worth[player, path.ranked[player, 0]]
            for i in range(path.ranks[player]):
                prior = max(prior, nodes[first + path.ranked[player, i]].weight)
        path.rest_value[player] = path.rest_value[player + 1] + value
        path.rest_prior[player] = path.rest_prior[player + 1] * prior
    found, player, scale = NO_ACTION, 0, 1
    path.rank[0], path.value[0], path.prior[0], path.joint[0] = 0, 0.0, 1.0, 0
    while player >= 0:
        if path.rank[player] == path.ranks[player]:
            player -= 1
            scale //= moves
            continue
        move = path.ranked[player, path.rank[player]]
        path.rank[player] += 1
        value, prior = path.value[player], path.prior[player]
        if path.open[player]:
            value += path.worth[player, move]
            prior *= nodes[move_node(nodes, at, player, moves) + move].weight
        bound = norm * (value + path.rest_value[player + 1]) + explore * prior * path.rest_prior[player + 1]
        if bound <= best_bound:
            continue
        joint = path.joint[player] + move * scale
        if player + 1 < players:
            player += 1
            scale *= moves
            path.rank[player], path.value[player], path.prior[player] = 0, value, prior
            path.joint[player] = joint
        elif find(nodes, nodes[at].first, joint) == NONE:
            found, best_bound = joint, bound
    return found


@rule
def decoupled_puct(nodes, work, at, o):
    """Each player makes the move with its own highest PUCT bound."""
    path, parent = work.path, nodes[at]
    players, moves = len(path.open), path.worth.shape[1]
    explore = o.c * sqrt(parent.visits)
    joint, scale = 0, 1
    for player in range(players):
        fpu = parent.value[player] / parent.visits if parent.visits > 0 else 0.0
        first, best, best_bound = move_node(nodes, at, player, moves), 0, -1.0
        for move in range(moves):
            node = nodes[first + move]
            if node.expanded:
                mean = node.value[player] / node.visits if node.visits > 0 else fpu
                bound = puct(mean, node.weight, node.visits, explore)
                if bound > best_bound:
                    best, best_bound = move, bound
        joint += best * scale
        scale *= moves
    return joint_child(nodes, work, at, joint)


JOINT_RULES = {"joint": mas_mcts, "decoupled": decoupled_puct}
"""The joint rules by name."""


@rule(inline=True)
def open_moves(nodes, at, player, moves):
    """The moves of a player that are searched at a node, as bits; 0: the player does not act."""
    first, bits = move_node(nodes, at, player, moves), 0
    for move in range(moves):
        bits |= (nodes[first + move].expanded == EXPANDED) << move
    return bits


@rule
def ucb1_move(nodes, work, at, player, bits, o):
    """UCB1 on a player's own means. Untried moves come first, in random order."""
    moves, untried = work.path.worth.shape[1], 0
    first = move_node(nodes, at, player, moves)
    for move in range(moves):
        if (bits >> move) & 1 and nodes[first + move].visits == 0:
            untried |= 1 << move
    if untried:
        return nth(untried, below(work.rng, count(untried)))
    best, best_bound = 0, -inf
    explore = o.c * sqrt(log(nodes[at].visits))
    for move in range(moves):
        if (bits >> move) & 1:
            node = nodes[first + move]
            bound = node.value[player] / node.visits + explore / sqrt(node.visits)
            if bound > best_bound:
                best, best_bound = move, bound
    return best


@rule
def exp3_strategy(nodes, work, at, player, bits, o):
    """The strategy of Exp3 (Auer et al. 2002) to the path's `worth`: in proportion to exp(eta * gain)."""
    worth = work.path.worth
    first, total, most = move_node(nodes, at, player, worth.shape[1]), 0.0, -inf
    for move in range(worth.shape[1]):
        if (bits >> move) & 1:
            most = max(most, nodes[first + move].gain)
    eta = o.explore / count(bits)
    for move in range(worth.shape[1]):
        weight = 0.0
        if (bits >> move) & 1:
            weight = exp(eta * (nodes[first + move].gain - most))
        worth[player, move] = weight
        total += weight
    normalise(worth, player, bits, total)


@rule
def regret_strategy(nodes, work, at, player, bits, o):
    """The strategy of regret matching (Hart and Mas-Colell 2000) to the path's `worth`: in proportion to the positive
    regrets."""
    worth = work.path.worth
    first, total = move_node(nodes, at, player, worth.shape[1]), 0.0
    for move in range(worth.shape[1]):
        weight = 0.0
        if (bits >> move) & 1:
            weight = max(0.0, nodes[first + move].gain)
        worth[player, move] = weight
        total += weight
    normalise(worth, player, bits, total)


@rule
def normalise(worth, player, bits, total):
    """Weights to probabilities; uniform over the moves if all weights are 0."""
    for move in range(worth.shape[1]):
        if total > 0.0:
            worth[player, move] /= total
        else:
            worth[player, move] = 1.0 / count(bits) if (bits >> move) & 1 else 0.0


def make_draw(strategy):
    """A player rule that draws from a strategy, and with probability `explore` uniformly."""

    @rule
    def draw(nodes, work, at, player, bits, o):
        worth, rng = work.path.worth, work.rng
        if below(rng, 1 << 20) < o.explore * (1 << 20):
            return nth(bits, below(rng, count(bits)))
        strategy(nodes, work, at, player, bits, o)
        left = below(rng, 1 << 30) / (1 << 30)
        move = last = lowest(bits)
        while move < worth.shape[1]:
            if (bits >> move) & 1:
                last = move
                left -= worth[player, move]
                if left < 0.0:
                    return move
            move += 1
        return last

    return draw


PLAYER_RULES = {"uct": ucb1_move, "exp3": make_draw(exp3_strategy), "regret": make_draw(regret_strategy)}
"""The player rules by name. Each has an update rule of the same name in learning.py."""
