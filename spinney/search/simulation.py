"""The simulation that all tree searches share: down the tree, a playout from the leaf, and back up.

What sets a search apart is how it chooses a child (`child_of`) and what it learns from the outcome besides the means
(`learn`). Where players move together, a child stands for a joint action: one number whose digits in base `moves` are
the players' actions, player 0 lowest.
"""

from __future__ import annotations

from spinney.games.card import CHANCE, OVER, SIMULTANEOUS, no_observation_key, same_action
from spinney.kernel import assign, rule
from spinney.search.beliefs import draw_roles
from spinney.search.rollout import make_sample
from spinney.search.tree import MAX_DEPTH, NO_ACTION, NONE, ROOT, back_up, exact, find_or_add, grow, prove_path


@rule
def nothing_learnt(nodes, path, o):
    """For searches that need no more than visits and means."""


def make_chance_child(rules):
    """A function that meets a chance outcome: all that can be listed get nodes at once, others as they come."""
    chance, outcomes = rules.chance, rules.outcomes

    @rule(inline=True)
    def chance_child(nodes, tree, at, s, out, rng):
        if nodes[at].first == NONE:
            n = outcomes(s, out)
            if n > 0:
                grow(nodes, tree, at, out, n, rng, True)
        return find_or_add(nodes, tree, at, chance(s, rng))

    return chance_child


@rule(inline=True)
def never_visited(node):
    """Where most searches end their way down the tree."""
    return node.visits == 0


def make_rollout(rules, policy, evaluate):
    """The usual way to judge a leaf: by rollouts. No child of it is proven by that."""
    sample = make_sample(rules, policy, evaluate)

    @rule(inline=True)
    def judge(nodes, tree, at, s, spare, out, path, rng, o):
        sample(s, spare, out, path, rng, o)
        return False

    return judge


def make_descent(rules, child_of, is_leaf, hidden=False):
    """The way down the tree for one game, with its ways to choose a child and to know a leaf.

    What a player sees after a step, besides the action, where things are hidden from it, has nodes like chance: they
    part what it can tell apart. What others do may have a public_action: then a child stands for all that look alike to it, and
    the path says which of them is meant.
    """
    mover, apply, chance, moves = rules.mover, rules.apply, rules.chance, rules.moves
    apply_joint, observation_key = rules.apply_joint, rules.observation_key
    watches = hidden and observation_key is not no_observation_key
    veiled = hidden and rules.public_action is not same_action

    @rule(inline=True)
    def step(s, player, action, out, players):
        """Make the action that leads to a child."""
        if player == SIMULTANEOUS:
            for one in range(players):
                out.joint[one] = action % moves
                action //= moves
            apply_joint(s, out)
        else:
            apply(s, action)

    @rule(inline=True)
    def descend(nodes, tree, s, out, path, rng, o):
        """From the root down to a node never visited, a proven one, or the end of the game or of the room."""
        at, depth = ROOT, 0
        path.node[0], path.notes, path.made = ROOT, 0, NO_ACTION
        while True:
            player = mover(s)
            if player == OVER:
                break
            child = child_of(nodes, tree, at, s, player, out, path, depth, rng, o)
            if child == NONE:
                if path.made != NO_ACTION:
                    step(s, player, path.made, out, len(path.reward))
                break
            action = nodes[child].action
            if veiled and player != out.searcher:
                action = path.meant
            step(s, player, action, out, len(path.reward))
            while o.open_loop and mover(s) == CHANCE:
                apply(s, chance(s, rng))
            at = child
            depth += 1
            path.node[depth] = at
            if is_leaf(nodes[at]) or nodes[at].proven or depth + 1 == MAX_DEPTH or depth == o.max_depth:
                break
            if watches and mover(s) != OVER:
                nodes[at].mover = CHANCE
                child = find_or_add(nodes, tree, at, observation_key(s, out.searcher))
                if child == NONE:
                    break
                at = child
                depth += 1
                path.node[depth] = at
                if is_leaf(nodes[at]) or depth + 1 == MAX_DEPTH or depth == o.max_depth:
                    break
        path.depth = depth
        return at

    return descend


def make_simulation(rules, child_of, is_leaf, judge, learn, hidden=False, modelled=False):
    """The search for one game, with its ways to choose a child, to know a leaf, to judge it and to learn from that.

    If things are hidden, every simulation begins with another guess of what the searching player does not know; and if
    the others may be of several kinds, with a guess of who they are.
    """
    mover, determinize = rules.mover, rules.determinize
    descend = make_descent(rules, child_of, is_leaf, hidden)

    def search(nodes, tree, root, s, spare, out, path, rng, o, iterations):
        """Run simulations; return how many, which is fewer than asked for once the root is proven."""
        for i in range(iterations):
            if nodes[ROOT].proven:
                return i
            assign(s, root)
            if hidden:
                determinize(s, out.searcher, rng)
            if modelled:
                draw_roles(out, len(path.reward), rng, o)
            at = descend(nodes, tree, s, out, path, rng, o)
            leaf = nodes[at]
            if leaf.proven:
                exact(path, leaf)
                back_up(nodes, path)
                continue
            if path.made == NO_ACTION:
                leaf.mover = mover(s)
            over = leaf.mover == OVER
            sure = judge(nodes, tree, at, s, spare, out, path, rng, o)
            back_up(nodes, path)
            learn(nodes, path, o)
            if o.solver:
                if over:
                    leaf.proven = 1
                    prove_path(nodes, path, path.depth - 1)
                elif sure:
                    prove_path(nodes, path, path.depth)
        return iterations

    return search
