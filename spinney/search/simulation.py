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
from spinney.search.action_values import note
from spinney.search.backup import make_prove_path, make_take_exact, oppose
from spinney.search.beliefs import draw_roles
from spinney.search.graph import make_position_node
from spinney.search.node_actions import DEFERRED
from spinney.search.observers import make_observers_backup, make_observers_descent
from spinney.search.score_bounds import bound_path, is_decided
from spinney.search.shared import make_adding, make_expansion, make_proof, make_readers
from spinney.search.tree import EXPANDED, MAX_DEPTH, NO_ACTION, NONE, ROOT, add_children, expand, find, find_or_add


def make_chance_child(rules, shared=False):
    """A function that draws a chance outcome. Outcomes that can be listed get nodes all at once, others as they are
    drawn; in a shared tree, others get none."""
    chance, outcomes = rules.chance, rules.outcomes
    state_of, claim, announce = make_expansion(shared)

    @rule(inline=True)
    def listed_child(nodes, work, at):
        if state_of(nodes[at]) <= 0:
            if not claim(nodes[at]):
                return NONE
            if not add_children(nodes, work, at, outcomes(work.state, work.out), True):
                announce(nodes[at], 0)
                return NONE
            nodes[at].mover = CHANCE
            announce(nodes[at], EXPANDED)
        return find(nodes, at, chance(work.state, work.rng))

    @rule(inline=True)
    def chance_child(nodes, work, at):
        if nodes[at].count == 0:
            n = outcomes(work.state, work.out)
            if n > 0:
                expand(nodes, work, at, n, True)
        return find_or_add(nodes, work, at, chance(work.state, work.rng))

    return listed_child if shared else chance_child


def make_descent(
    rules, select, is_leaf, open_loop, solver=False, hidden=False, traced=False, graph=False, replies=False,
    chance_groups=0, shared=False,
):  # fmt: skip
    """The descent of the tree for one game. In an open loop, chance has no nodes, or one for each of some groups of
    outcomes, below the node of the action.

    With hidden information, observations of the searcher get nodes of their own, as chance outcomes do, so that nodes
    are its information sets. A child stands for all actions of an opponent that look alike to the searcher (the game's
    rule `public_action`); the path keeps the one that is made.
    """
    mover, apply, chance, moves = rules.mover, rules.apply, rules.chance, rules.moves
    is_simultaneous, drawn = rules.is_simultaneous, open_loop and rules.has_chance
    apply_joint, is_active, observation_key = rules.apply_joint, rules.is_active, rules.observation_key
    observes = hidden and observation_key is not no_observation_key
    disguised = hidden and rules.public_action is not same_action
    grouped = drawn and chance_groups > 0
    observes = observes or grouped
    position_node = make_position_node(rules)
    group_of = make_outcome_group(rules, chance_groups)
    is_proven, _, _, _ = make_readers(shared)
    add_virtual_loss, _, _, _ = make_adding(shared)

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
    def note_step(work, player, action, depth):
        """Record an action, or those of a joint action."""
        if is_simultaneous and player == SIMULTANEOUS:
            for one in range(len(work.path.reward)):
                if is_active(work.state, one):
                    note(work.trace, one, action % moves, depth)
                action //= moves
        else:
            note(work.trace, player, action, depth)

    @rule(inline=True)
    def descend(nodes, work, o):
        """From the root to a leaf, a proven node, the end of the game, or the depth or memory limit."""
        s, path = work.state, work.path
        at, depth = ROOT, 0
        path.node[0], path.passed, path.overflow, path.depth = ROOT, 0, NO_ACTION, 0
        if replies:
            path.replied = 0
        add_virtual_loss(nodes[ROOT], o)
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
            if replies:
                if player == work.out.searcher:
                    path.replied = 0
                elif action >= DEFERRED:
                    action -= DEFERRED
                else:
                    path.replied = 1
            if traced and player != CHANCE:
                note_step(work, player, action, depth)
            step(work, player, action)
            group = 0
            while drawn and mover(s) == CHANCE:
                outcome = chance(s, work.rng)
                if grouped:
                    group = group * chance_groups + group_of(work, outcome)
                apply(s, outcome)
            at = child
            depth += 1
            if graph:
                path.edge[depth] = child
                at = position_node(nodes, work, child)
            path.node[depth] = at
            path.depth = depth
            ends = is_leaf(nodes[at])
            add_virtual_loss(nodes[at], o)
            if ends or (solver and is_proven(nodes[at])) or depth + 1 == MAX_DEPTH or depth == o.max_depth:
                break
            if observes and mover(s) != OVER:
                nodes[at].mover = CHANCE
                child = find_or_add(nodes, work, at, group if grouped else observation_key(s, work.out.searcher))
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


def make_outcome_group(rules, groups):
    """A function from a chance outcome to its group: listed outcomes that follow each other are together, others by
    their number (after Jouandeau and Cazenave 2014, who group the nodes of outcomes)."""
    outcomes = rules.outcomes

    @rule
    def group_of(work, outcome):
        n = outcomes(work.state, work.out)
        for i in range(n):
            if work.out.action[i] == outcome:
                return i * groups // n
        return outcome % groups

    return group_of


def make_simulations(
    rules, select, is_leaf, leaf, backup, learn, open_loop, solver=False, hidden=False, modelled=False, *, traced=False,
    graph=False, opposed=False, replies=False, chance_groups=0, observers=False, shared=False, bounded=False,
):  # fmt: skip
    """The search for one game, composed of its parts.

    With hidden information, each simulation begins with a determinization; with opponent models, it begins by drawing
    the model of each opponent from the beliefs. With `traced`, the actions of a simulation are recorded; with `graph`,
    there is one node per position; with `opposed`, the others have the opposite interest to the searcher's; with
    `observers`, each player has a tree of its own; a `shared` tree is grown by several threads; with `bounded`, the
    solver proves bounds.
    """
    mover, determinize = rules.mover, rules.determinize
    if observers:
        descend, back_up = make_observers_descent(rules, select, is_leaf, traced), make_observers_backup(backup.rule)
    else:
        descend, back_up = make_descent(
            rules, select, is_leaf, open_loop, solver, hidden, traced, graph, replies, chance_groups, shared
        ), backup.rule  # fmt: skip
    back_up_exact = backup.exact
    take_exact, (is_proven, _, _, _) = make_take_exact(shared), make_readers(shared)
    claim_proof, end_proof = make_proof(shared)

    @rule(inline=True)
    def is_root_proven(nodes, player):
        return is_proven(nodes[ROOT])

    @rule(inline=True)
    def prove_end(node, path):
        """The game is over at a node: the rewards are its exact value."""
        if claim_proof(node):
            if shared:
                for player in range(len(node.exact)):
                    node.exact[player] = path.reward[player]
            end_proof(node)

    prove_path, is_solved = (bound_path, is_decided) if bounded else (make_prove_path(graph, shared), is_root_proven)

    def search(nodes, work, root, o, n):
        """Run n simulations from a root; return how many, which is fewer once the root is proven."""
        path = work.path
        for i in range(n):
            if solver and is_solved(nodes, work.out.searcher):
                return i
            assign(work.state, root)
            if hidden:
                determinize(work.state, work.out.searcher, work.rng)
            if modelled:
                draw_roles(work, o)
            if traced:
                work.trace.length = 0
            at = descend(nodes, work, o)
            node = nodes[at]
            if solver and not bounded and is_proven(node):
                take_exact(path, node)
                back_up_exact(nodes, work, o)
                if graph or shared:  # by another parent or thread, which is news to this one
                    prove_path(nodes, path, path.depth - 1)
                continue
            if path.overflow == NO_ACTION:
                node.mover = mover(work.state)
            over = node.mover == OVER
            if traced:
                work.trace.tree = work.trace.length
            known, child_proven = bounded and solver and node.proven, False
            if known:  # moves learn from proven nodes, too
                take_exact(path, node)
            else:
                child_proven = leaf(nodes, work, at, o)
            if opposed:
                oppose(work)
            if solver and over:
                prove_end(node, path)
            back_up(nodes, work, o)
            learn(nodes, work, o)
            if solver and not known:
                if over:
                    prove_path(nodes, path, path.depth - 1)
                elif child_proven:
                    prove_path(nodes, path, path.depth)
        return n

    return search
