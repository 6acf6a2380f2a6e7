"""Values of actions over all simulations, whatever the position: AMAF, the history heuristic, MAST and N-grams.

A simulation leaves a trace of its actions, in the tree and in the rollout. After the back-up, learning rules
`(nodes, work, o)` read it:

- `amaf` (all moves as first; Gelly and Silver 2011): the children of each node of the path whose action the node's
  mover made then or later, for the selection rules `rave` and `grave`;
- `history` (Schaeffer 1989): the mean reward of every action of every player in the whole search, for progressive
  history (Nijssen and Winands 2011) and for rollouts by MAST (Finnsson and Björnsson 2008);
- `ngrams`: the same for pairs and triples of successive actions, for rollouts by NST (Tak, Winands and Björnsson 2012).

These rollouts are greedy, but for a part `epsilon` in which the rollout policy plays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.kernel import Record, below, f64, i8, i16, i32, i64, rule, uniform
from spinney.kernel.bits import mix
from spinney.search.tree import NO_ACTION

TRACE = 1024
"""The most actions of a simulation that are recorded."""
NGRAMS = 1 << 16
"""Places for pairs and triples of actions; those with the same hash share one."""
RELIABLE = 7
"""Pairs and triples count from this number of visits on (Tak et al. 2012)."""


class Trace(Record):
    """The actions of a simulation."""

    length = i64
    tree = i64  # how many of them were made in the tree
    player = i8[TRACE]
    action = i32[TRACE]
    depth = i16[TRACE]  # of the node where it was made


class Ngrams(Record):
    """Mean rewards of successive actions, by their hash."""

    visits = i32[NGRAMS]
    value = f64[NGRAMS]


@cache
def history_record(players: int, actions: int) -> type[Record]:
    """The visits and summed rewards of every action of every player."""

    class History(Record):
        visits = i32[players, actions]
        value = f64[players, actions]

    return History


@cache
def amaf_record(players: int, actions: int) -> type[Record]:
    """What AMAF needs besides the tree."""

    class Amaf(Record):
        stamp = i64  # the number of the simulation
        referred = i64[players]  # of GRAVE: the last simulation in which the player had a node to refer to
        made = i64[players, actions]  # the last simulation, so far, in which the player made the action
        visits = f64[players, actions]  # and the statistics at the node that each player refers to
        mean = f64[players, actions]

    return Amaf


def action_memory(players: int, actions: int, kinds: tuple[str, ...]) -> dict[str, type[Record]]:
    """The records of a workspace for some kinds of learning."""
    records: dict[str, Any] = {
        "amaf": amaf_record(players, actions), "history": history_record(players, actions), "ngrams": Ngrams
    }  # fmt: skip
    return {**{name: records[name] for name in kinds}, **({"trace": Trace} if kinds else {})}


@rule(inline=True)
def note(trace, player, action, depth):
    """Record an action of a simulation."""
    if trace.length < TRACE:
        trace.player[trace.length] = player
        trace.action[trace.length] = action
        trace.depth[trace.length] = depth
        trace.length += 1


@rule
def learn_amaf(nodes, work, o):
    """From the last action of the trace back to the first: mark it, and at the node where it was made add the reward to
    all children whose action is marked for the same player."""
    path, trace, amaf = work.path, work.trace, work.amaf
    amaf.stamp += 1
    known = amaf.made.shape[1]
    for i in range(trace.length - 1, -1, -1):
        player, action = trace.player[i], trace.action[i]
        if action < known:
            amaf.made[player, action] = amaf.stamp
        if i < trace.tree:
            parent, reward = nodes[path.node[trace.depth[i]]], path.reward[player]
            for child in range(parent.first, parent.first + parent.count):
                node = nodes[child]
                if node.action < known and amaf.made[player, node.action] == amaf.stamp:
                    node.amaf_visits += 1
                    node.amaf_value += reward


@rule
def refer_to(nodes, work, at, player):
    """From this node down, GRAVE takes the player's AMAF values from here, until there is a node with enough visits
    where it moves again."""
    amaf, parent = work.amaf, nodes[at]
    amaf.referred[player] = amaf.stamp
    known = amaf.made.shape[1]
    for child in range(parent.first, parent.first + parent.count):
        node = nodes[child]
        if node.action < known:
            amaf.visits[player, node.action] = node.amaf_visits
            amaf.mean[player, node.action] = node.amaf_value / max(1, node.amaf_visits)


@rule
def learn_history(nodes, work, o):
    """Add the rewards of a simulation to its actions."""
    trace, history = work.trace, work.history
    for i in range(trace.length):
        player, action = trace.player[i], trace.action[i]
        if action < history.visits.shape[1]:
            history.visits[player, action] += 1
            history.value[player, action] += work.path.reward[player]


@rule(inline=True)
def ngram(player, action, last, before):
    """The place of a player's action after one or two others; `before` is NO_ACTION for a pair."""
    return mix(((before + 1) << 42) ^ ((last + 1) << 21) ^ (action << 4) ^ player) & (NGRAMS - 1)


@rule
def learn_ngrams(nodes, work, o):
    """Add the rewards of a simulation to its pairs and triples of actions."""
    trace, ngrams = work.trace, work.ngrams
    for i in range(1, trace.length):
        player, action, last = trace.player[i], trace.action[i], trace.action[i - 1]
        for length in range(2, 4):
            if length <= i + 1:
                place = ngram(player, action, last, trace.action[i - 2] if length == 3 else NO_ACTION)
                ngrams.visits[place] += 1
                ngrams.value[place] += work.path.reward[player]


@rule(inline=True)
def history_mean(history, player, action, unseen):
    """The mean reward of a player's action in the whole search."""
    if action >= history.visits.shape[1] or history.visits[player, action] == 0:
        return unseen
    return history.value[player, action] / history.visits[player, action]


def make_learned_rollout(rules, policy, ngrams):
    """A choice of actions in rollouts that learns: MAST, or NST with N-grams. An action that was never made is worth 1;
    NST takes the mean over the action itself, and over its pair and triple where these are known well enough."""
    legal = rules.legal

    @rule(inline=True)
    def worth(work, player, action):
        total = history_mean(work.history, player, action, 1.0)
        if ngrams:
            trace, n = work.trace, 1
            for length in range(2, 4):
                if trace.length >= length - 1:
                    before = trace.action[trace.length - 2] if length == 3 else NO_ACTION
                    place = ngram(player, action, trace.action[trace.length - 1], before)
                    if work.ngrams.visits[place] >= RELIABLE:
                        total += work.ngrams.value[place] / work.ngrams.visits[place]
                        n += 1
            total /= n
        return total

    @rule
    def choose(work, player, o):
        s, out, rng = work.state, work.out, work.rng
        if uniform(rng) < o.epsilon:
            return policy(s, player, out, rng)
        n = legal(s, player, out)
        start, best, most = below(rng, n), 0, -1.0
        for i in range(n):  # from a random one on, so that equal ones are equally likely to be first
            action = out.action[i + start - n if i + start >= n else i + start]
            value = worth(work, player, action)
            if value > most:
                best, most = action, value
        return best

    return choose
