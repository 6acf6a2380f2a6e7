"""Rollouts: playing on from a position with a policy, to the end of the game or to a depth limit and an evaluation."""

from __future__ import annotations

from spinney.games.card import CHANCE, OVER, SELF_INTERESTED, SIMULTANEOUS
from spinney.kernel import assign, rule
from spinney.search.action_values import note


@rule
def no_evaluation(s, out):
    """Never called: only a game with an evaluation allows a depth limit."""


@rule
def no_bias(s, player, out, n):
    """Never called: only a game with a bias allows one."""


def make_modelled(own, opponents):
    """A policy in which modelled opponents play by their model, and the searcher and self-interested players by another
    policy."""

    @rule
    def play(s, player, out, rng):
        unmodelled = player == out.searcher or out.role[player] == SELF_INTERESTED
        return own(s, player, out, rng) if unmodelled else opponents(s, player, out, rng)

    return play


def by_policy(policy):
    """The choice of an action in a rollout, `(work, player, o)`, by a policy alone."""

    @rule(inline=True)
    def choose(work, player, o):
        return policy(work.state, player, work.out, work.rng)

    return choose


def make_playout(rules, choose, evaluate, traced=False):
    """A function that plays `work.state` on, for at most `rollout_depth` actions (-1: to the end).

    It leaves the rewards in `out`, and returns the number of actions and of chance outcomes. A joint action is one
    action. With `traced`, the actions are recorded.
    """
    mover, apply, reward, chance = rules.mover, rules.apply, rules.reward, rules.chance
    is_active, apply_joint = rules.is_active, rules.apply_joint
    has_chance, is_simultaneous = rules.has_chance, rules.is_simultaneous

    @rule(inline=True)
    def playout(work, o, rollout_depth):
        s, out = work.state, work.out
        actions, outcomes = 0, 0
        while True:
            player = mover(s)
            if player == OVER:
                reward(s, out)
                return actions, outcomes
            if has_chance and player == CHANCE:
                apply(s, chance(s, work.rng))
                outcomes += 1
            elif actions == rollout_depth:
                evaluate(s, out)
                return actions, outcomes
            elif is_simultaneous and player == SIMULTANEOUS:
                for one in range(len(out.joint)):
                    if is_active(s, one):
                        out.joint[one] = choose(work, one, o)
                if traced:
                    for one in range(len(out.joint)):
                        if is_active(s, one):
                            note(work.trace, one, out.joint[one], 0)
                apply_joint(s, out)
                actions += 1
            else:
                action = choose(work, player, o)
                if traced:
                    note(work.trace, player, action, 0)
                apply(s, action)
                actions += 1

    return playout


def make_sample(rules, choose, evaluate, traced=False):
    """A function that leaves the rewards of a rollout from `work.state` in the path."""
    playout = make_playout(rules, choose, evaluate, traced)

    @rule(inline=True)
    def sample(work, o):
        path = work.path
        rollout_depth = o.rollout_depth
        if o.max_depth >= 0:
            left = max(0, o.max_depth - path.depth)
            rollout_depth = left if rollout_depth < 0 else min(rollout_depth, left)
        playout(work, o, rollout_depth)
        for player in range(len(path.reward)):
            path.reward[player] = work.out.reward[player]

    return sample


def make_count(rules, policy):
    """A function that plays n games from a position: the raw speed of the rules."""
    playout = make_playout(rules, by_policy(policy), no_evaluation)

    def count(root, work, n):
        """The number of actions and of chance outcomes in n games; `work` has `state`, `out` and `rng`."""
        actions, outcomes = 0, 0
        for _ in range(n):
            assign(work.state, root)
            more, drawn = playout(work, 0, -1)
            actions += more
            outcomes += drawn
        return actions, outcomes

    return count


def make_census(rules, policy):
    """A function that plays one game of sequential moves, and counts the legal actions."""
    mover, legal, apply, chance = rules.mover, rules.legal, rules.apply, rules.chance

    def census(s, out, rng):
        """The sum of legal actions over all choices, the most at one choice, and the number of choices."""
        total, most, choices = 0, 0, 0
        while mover(s) != OVER:
            if mover(s) == CHANCE:
                apply(s, chance(s, rng))
                continue
            n = legal(s, mover(s), out)
            total += n
            most = max(most, n)
            choices += 1
            apply(s, policy(s, mover(s), out, rng))
        return total, most, choices

    return census
