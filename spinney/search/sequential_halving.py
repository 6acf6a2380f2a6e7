"""The choice at the root by Gumbel noise and sequential halving (Danihelka et al. 2022).

A number of actions is drawn without replacement, in proportion to their prior probabilities: those with the highest
g(a) + log(prior), where g is Gumbel noise. The simulations are divided into as many phases as it takes to halve that
number down to one. In a phase, all actions that are left are visited equally often; after it, the better half by

    g(a) + log(prior) + (50 + most visits) * mean(a)

is kept. So few simulations are not spread over many actions, and the choice is better than a draw from the prior,
whatever their number. With a time limit, the phases are parts of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import ceil, exp, inf, log, log2

from spinney.clock import Clock
from spinney.kernel import Record, f64, i32, i64, rule, uniform
from spinney.search.memory import Worker
from spinney.search.parallel import Step
from spinney.search.result import Choice
from spinney.search.tree import ROOT

VISITS = 50.0
"""How fast the weight of the means grows: the constant c_visit of the paper; c_scale is 1."""


@cache
def root_record(actions: int) -> type[Record]:
    """The actions at the root that are considered."""

    class Root(Record):
        left = i64  # how many of them there are; 0: none have been drawn yet
        place = i32[actions]  # their places among the root's children
        score = f64[actions]  # of every child: Gumbel noise and the logarithm of the prior

    return Root


def make_root_selection(has_prior):
    """The selection at the root: of the actions that are considered, the one with the fewest visits."""

    @rule
    def draw(nodes, work, o):
        """Draw the actions to consider: the highest scores, best first."""
        parent, root = nodes[ROOT], work.root
        most = min(o.root_actions, parent.count)
        for i in range(parent.count):
            root.score[i] = -log(-log(uniform(work.rng) + 2.0**-33))
            if has_prior:
                root.score[i] += log(max(1e-9, nodes[parent.first + i].weight))
            place = min(i, most)
            while place > 0 and root.score[root.place[place - 1]] < root.score[i]:
                if place < most:
                    root.place[place] = root.place[place - 1]
                place -= 1
            if place < most:
                root.place[place] = i
        root.left = most

    @rule
    def root_child(nodes, work, o):
        root = work.root
        if root.left == 0:
            draw(nodes, work, o)
        first = nodes[ROOT].first
        best = first + root.place[0]
        for i in range(1, root.left):
            child = first + root.place[i]
            if nodes[child].visits < nodes[best].visits:
                best = child
        return best

    return root_child


class SequentialHalving:
    """Runs the simulations of a decision in phases."""

    def __init__(self, has_prior: bool, most_actions: int) -> None:
        self.has_prior, self.most_actions = has_prior, most_actions

    def step(self, worker: Worker, run: Step, clock: Clock, share: float) -> Step:
        """A step that halves the number of actions after each phase of `share` iterations, or of the time."""
        root = worker.work.root
        root.left = 0
        worker.settings.root_actions = int(max(2, min(self.most_actions, share)))
        done, phase, phases = 0, 0, 0

        def step(n: int) -> int:
            nonlocal done, phase, phases
            before = done
            while done - before < n:
                part = n - (done - before) if phases else 1  # the first simulation adds the children
                if phases and share < inf and phase < phases:
                    part = max(1, min(part, ceil(share * (phase + 1) / phases) - done))
                made = run(part)
                done += made
                phases = phases or max(1, ceil(log2(int(root.left))))
                while phase < phases - 1 and self._spent(done, share, clock) >= (phase + 1) / phases:
                    self._halve(worker)
                    phase += 1
                if made < part:
                    break
            return done - before

        return step

    @staticmethod
    def _spent(done: int, share: float, clock: Clock) -> float:
        """The part of the limits that is spent."""
        timed = clock.elapsed / max(1e-9, clock.deadline - clock.started) if clock.timed else 0.0
        return max(done / share, timed)

    def _halve(self, worker: Worker) -> None:
        root = worker.work.root
        best = self.ranking(worker)
        root.left = max(1, ceil(len(best) / 2))
        for i in range(int(root.left)):
            root.place[i] = best[i]

    def ranking(self, worker: Worker) -> list[int]:
        """The places of the actions that are left, best first."""
        root, value = worker.work.root, self._values(worker)
        places = [int(root.place[i]) for i in range(int(root.left))]
        return sorted(places, key=lambda place: -(float(root.score[place]) + value(place)))

    def _values(self, worker: Worker) -> Callable[[int], float]:
        """The weighted mean of the child at a place, for the root's mover; of one without visits, the root's mean."""
        nodes = worker.nodes
        parent = nodes[ROOT]
        first, mover = int(parent.first), int(parent.mover)
        visits = max(int(nodes[first + i].visits) for i in range(int(parent.count)))

        def value(place: int) -> float:
            node = nodes[first + place]
            source = node if node.visits > 0 else parent
            return float((VISITS + visits) * source.value[mover] / max(1, source.visits))

        return value

    def choose(self, worker: Worker, choices: list[Choice]) -> tuple[int, list[Choice]]:
        """The action that is best in the end, and the choices with the improved policy of the paper: the softmax of the
        logarithms of the prior and the weighted means."""
        nodes, value = worker.nodes, self._values(worker)
        first, count = int(nodes[ROOT].first), int(nodes[ROOT].count)
        logits = {}
        for place in range(count):
            prior = max(1e-9, float(nodes[first + place].weight)) if self.has_prior else 1.0
            logits[int(nodes[first + place].action)] = log(prior) + value(place)
        top = max(logits.values())
        weights = {action: exp(logit - top) for action, logit in logits.items()}
        total = sum(weights.values())
        shown = [replace(choice, share=weights[choice.action] / total) for choice in choices]
        return int(nodes[first + self.ranking(worker)[0]].action), shown
