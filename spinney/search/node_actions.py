"""The actions of a new node: the legal ones, with a bias or prior each; or the replies of best-reply search."""

from __future__ import annotations

from spinney.kernel import rule

DEFERRED = 1 << 24
"""Added to the action of a player who leaves the reply to another."""
UNIFORM_PART = 0.25
"""The part of a prior that is the same for all actions."""


def make_node_actions(legal, policy, bias, prior, has_prior, replies):
    """A function that writes the actions of a new node to `work.out`, with their weights, and returns their number.

    The prior probability of an action is how often the player `prior` chooses it, mixed with a uniform part.

    With best-reply search (Schadd and Winands 2011; here as BRS+, Esser et al. 2013), one opponent replies to the
    searcher, and the others play by the rollout policy. An opponent has its legal actions, and one more: the action of
    the policy, marked by DEFERRED, with which it leaves the reply to those after it. Once one has replied, that is the
    only action of the others until the searcher moves again.
    """
    biased, asked = bias is not None, prior is not None

    @rule
    def draw_prior(work, player, o):
        """Ask the player of the prior, before the legal actions are listed: it may overwrite them."""
        for i in range(o.prior_draws):
            work.path.drawn[i] = prior(work.state, player, work.out, work.rng)

    @rule
    def weigh(work, n, o):
        """The prior probabilities of the listed actions."""
        out = work.out
        for i in range(n):
            out.weight[i] = 1.0 / n
            if asked:
                hits = 0
                for j in range(o.prior_draws):
                    hits += work.path.drawn[j] == out.action[i]
                out.weight[i] = UNIFORM_PART / n + (1.0 - UNIFORM_PART) * hits / o.prior_draws

    @rule
    def list_replies(work, player):
        """The actions of an opponent in best-reply search."""
        s, out = work.state, work.out
        default = DEFERRED + policy(s, player, out, work.rng)
        n = 0 if work.path.replied else legal(s, player, out)
        out.action[n] = default
        return n + 1

    @rule(inline=True)
    def list_actions(work, player, o):
        s, out = work.state, work.out
        if replies and player != out.searcher:
            return list_replies(work, player)
        if asked:
            draw_prior(work, player, o)
        n = legal(s, player, out)
        if biased:
            bias(s, player, out, n)
        if has_prior:
            weigh(work, n, o)
        return n

    return list_actions
