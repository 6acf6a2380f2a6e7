"""The simulation that all tree searches share: descent, leaf evaluation, back-up, learning.

The parts are rules with one signature each:

- selection: `select(nodes, work, at, player, o) -> child`, from a node whose position is in `work.state`, where
  `player` (or CHANCE, or SIMULTANEOUS) is to move. NONE ends the descent there: the tree is full, or the node is to be
  evaluated;
- leaf evaluation: see leaf.py;
- back-up: see backup.py;
- learning: see learning.py.

`nodes` is the tree, `work` the workspace, `o` the settings. Where players move simultaneously, a child stands for a
joint action: one number whose digits in base `moves` are the players' actions, player 0 lowest.
"""

from __future__ import annotations

from spinney.games.card import CHANCE, OVER, SIMULTANEOUS, no_observation_key, same_action
from spinney.kernel import assign, rule
from spinney.search.backup import mean_backup, prove_path, take_exact
from spinney.search.beliefs import draw_roles
from spinney.search.tree import MAX_DEPTH, NO_ACTION, NONE, ROOT, expand, find_or_add


def make_chance_child(rules):
    """A function that draws a chance outcome. Outcomes that can be listed get nodes all at once, others as they are
    drawn."""
    chance, outcomes = rules.chance, rules.outcomes

    @rule(inline=True)
    def chance_child(nodes, work, at):
        if nodes[at].count == 0:
            n = outcomes(work.state, work.out)
            if n > 0:
                expand(nodes, work, at, n, True)
        return find_or_add(nodes, work, at, chance(work.state, work.rng))

    return chance_child


def make_descent(rules, select, is_leaf, open_loop, solver=False, hidden=False):
    """The descent of the tree for one game. In an open loop, chance has no nodes.

    With hidden information, observations of the searcher get nodes of their own, as chance outcomes do, so that nodes
    are its information sets. A child stands for all actions of an opponent that look alike to the searcher (the game's
    rule `public_action`); the path keeps the one that is made.
    """
    mover, apply, chance, moves = rules.mover, rules.apply, rules.chance, rules.moves
    is_simultaneous, drawn = rules.is_simultaneous, open_loop and rules.has_chance
    apply_joint, observation_key = rules.apply_joint, rules.observation_key
    observes = hidden and observation_key is not no_observation_key
    disguised = hidden and rules.public_action is not same_action

    @rule(inline=True)
    def step(work, player, action):
        """Make the action that leads to a child."""
        if is_simultaneous and player == SIMULTANEOUS:
            for one in range(len(work.path.reward)):
                work.out.joint[one] = action % moves
                action //= moves
            apply_joint(work.state, work.out)
        else:
            apply(work.state, action)

    @rule(inline=True)
    def descend(nodes, work, o):
        """From the root to a leaf, a proven node, the end of the game, or the depth or memory limit."""
        s, path = work.state, work.path
        at, depth = ROOT, 0
        path.node[0], path.passed, path.overflow, path.depth = ROOT, 0, NO_ACTION, 0
        while True:
            player = mover(s)
            if player == OVER:
                break
            child = select(nodes, work, at, player, o)
            if child == NONE:
                if is_simultaneous and path.overflow != NO_ACTION:
                    step(work, player, path.overflow)
                break
            action = nodes[child].action
            if disguised and player != work.out.searcher:
                action = path.private
            step(work, player, action)
            while drawn and mover(s) == CHANCE:
                apply(s, chance(s, work.rng))
            at = child
            depth += 1
            path.node[depth] = at
            path.depth = depth
            if is_leaf(nodes[at]) or (solver and nodes[at].proven) or depth + 1 == MAX_DEPTH or depth == o.max_depth:
                break
            if observes and mover(s) != OVER:
                nodes[at].mover = CHANCE
                child = find_or_add(nodes, work, at, observation_key(s, work.out.searcher))
                if child == NONE:
                    break
                at = child
                depth += 1
                path.node[depth] = at
                path.depth = depth
                if is_leaf(nodes[at]) or depth + 1 == MAX_DEPTH or depth == o.max_depth:
                    break
        return at

    return descend


def make_simulations(
    rules, select, is_leaf, leaf, backup, learn, open_loop, solver=False, hidden=False, modelled=False
):  # fmt: skip
    """The search for one game, composed of its parts.

    With hidden information, each simulation begins with a determinization; with opponent models, it begins by drawing
    the model of each opponent from the beliefs.
    """
    mover, determinize = rules.mover, rules.determinize
    descend = make_descent(rules, select, is_leaf, open_loop, solver, hidden)

    def search(nodes, work, root, o, n):
        """Run n simulations from a root; return how many, which is fewer once the root is proven."""
        path = work.path
        for i in range(n):
            if solver and nodes[ROOT].proven:
                return i
            assign(work.state, root)
            if hidden:
                determinize(work.state, work.out.searcher, work.rng)
            if modelled:
                draw_roles(work, o)
            at = descend(nodes, work, o)
            node = nodes[at]
            if solver and node.proven:
                take_exact(path, node)
                mean_backup(nodes, work, o)
                continue
            if path.overflow == NO_ACTION:
                node.mover = mover(work.state)
            over = node.mover == OVER
            child_proven = leaf(nodes, work, at, o)
            backup(nodes, work, o)
            learn(nodes, work, o)
            if solver:
                if over:
                    node.proven = 1
                    prove_path(nodes, path, path.depth - 1)
                elif child_proven:
                    prove_path(nodes, path, path.depth)
        return n

    return search
