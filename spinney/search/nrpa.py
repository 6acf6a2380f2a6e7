"""Nested rollout policy adaptation (Rosin 2011): one player, no chance, nothing hidden.

A playout chooses actions by a softmax of the weights of their codes. A search of level n makes `level_iterations`
searches of level n - 1, and after each one adapts its own weights toward its best sequence; a search of level 0 is a
playout. The best sequence of all, the plan, is kept from one decision to the next while the game follows it.

There is no recursion: after a playout, the levels whose searches have ended are gone through from the lowest up. So a
search can stop after any playout, and go on from there.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Any

import pydantic

from spinney.clock import Clock
from spinney.games import Card, Game, State
from spinney.games.card import OVER, own_code
from spinney.kernel import SEARCHES, Record, Rng, assign, bind, block, f64, i32, i64, rule, seeded, uniform
from spinney.kernel.bits import mix
from spinney.search.base import Algorithm, Evaluation, Search, why_not_sequential
from spinney.search.options import EvaluationOptions, SearchOptions
from spinney.search.parallel import Step, run_steps
from spinney.search.result import Choice, SearchResult, result_of
from spinney.search.reuse import LastSearch
from spinney.search.tree import NO_ACTION
from spinney.search.workspace import fill_rng, form, nested_record

CODES = 1 << 16
"""The most weights of a policy. Codes that are at least as many share weights, by a hash."""
LONGEST = 1024
"""The most actions of a sequence that are recorded, and adapted to."""
LISTED = 1 << 17
"""The most legal actions of all positions of a sequence together; more are not recorded either."""
NOTHING = -1.0
"""The score of no sequence: below all rewards."""


class NrpaOptions(EvaluationOptions, SearchOptions):
    """Options of nested rollout policy adaptation."""

    iterations: int | None = pydantic.Field(None, gt=0, description="playouts per decision")
    levels: int = pydantic.Field(3, ge=0, le=10, description="levels of the nesting; 0: playouts by uniform choice")
    level_iterations: int = pydantic.Field(
        100, ge=1, le=1_000_000, description="searches of the level below, and adaptations, in a search of a level"
    )
    alpha: float = pydantic.Field(1.0, gt=0, le=100, description="learning rate of an adaptation")
    threads: int = pydantic.Field(
        1, ge=1, le=256, description="independent searches, one thread each; they share the iterations; the best counts"
    )


class NrpaSettings(Record):
    """The options that compiled code reads."""

    levels = i64
    level_iterations = i64
    alpha = f64
    max_depth = i64  # -1: none


@cache
def level_record(codes: int, listed: int) -> type[Record]:
    """A level: its policy, and its best sequence. Level 0 has the last playout; the one above the highest has the plan,
    and the uniform policy that a run begins with."""

    class Level(Record):
        count = i64  # searches of the level below
        score = f64  # reward of the sequence
        length = i64
        action = i32[LONGEST]
        end = i32[LONGEST]  # where the legal actions of each position end in `place`
        chosen = i32[LONGEST]  # where the one that was made is
        place = i32[listed]  # places of the codes of the legal actions, position by position
        policy = f64[codes]  # the weights

    return Level


@cache
def root_record(actions: int) -> type[Record]:
    """The legal actions of the root: playouts that began with each, and the best reward of these."""

    class Root(Record):
        visits = i64[actions]
        best = f64[actions]

    return Root


@cache
def scratch_record(actions: int, listed: int) -> type[Record]:
    class Scratch(Record):
        weight = f64[actions]
        probability = f64[listed]  # of each legal action of a sequence

    return Scratch


@rule
def keep(source, target):
    """Copy a sequence."""
    target.score = source.score
    target.length = source.length
    for step in range(source.length):
        target.action[step] = source.action[step]
        target.end[step] = source.end[step]
        target.chosen[step] = source.chosen[step]
    if source.length > 0:
        for i in range(source.end[source.length - 1]):
            target.place[i] = source.place[i]


@rule
def begin(level, above):
    """A new search of a level, with the policy of the level above."""
    level.count = 0
    level.score = NOTHING
    level.length = 0
    for i in range(len(level.policy)):
        level.policy[i] = above.policy[i]


@rule
def adapt(level, work, alpha):
    """One step of gradient ascent: make the actions of a level's sequence more probable, by alpha."""
    policy, probability = level.policy, work.scratch.probability
    first = 0
    for step in range(level.length):
        end = level.end[step]
        top = policy[level.place[first]]
        for i in range(first + 1, end):
            top = max(top, policy[level.place[i]])
        total = 0.0
        for i in range(first, end):
            probability[i] = exp(policy[level.place[i]] - top)
            total += probability[i]
        for i in range(first, end):
            probability[i] /= total
        first = end
    first = 0
    for step in range(level.length):  # all probabilities are those before the adaptation
        end = level.end[step]
        policy[level.place[level.chosen[step]]] += alpha
        for i in range(first, end):
            policy[level.place[i]] -= alpha * probability[i]
        first = end


@rule
def go_up(levels, work, o):
    """A playout is done, which was a search of level 0: go on at the level above, and if its search ends, at the next.
    When the highest level ends, all begin anew."""
    at = 1
    while at <= o.levels:
        level = levels[at]
        if levels[at - 1].score >= level.score:
            keep(levels[at - 1], level)
        adapt(level, work, o.alpha)
        level.count += 1
        if level.count < o.level_iterations:
            break
        at += 1
    for lower in range(at - 1, 0, -1):
        begin(levels[lower], levels[lower + 1])


@rule
def drop_first(level, action):
    """An action was made: a sequence that begins with it loses it, another is forgotten."""
    if level.length < 2 or level.action[0] != action:
        level.score = NOTHING
        level.length = 0
        return
    gone = level.end[0]
    level.length -= 1
    for step in range(level.length):
        level.action[step] = level.action[step + 1]
        level.end[step] = level.end[step + 1] - gone
        level.chosen[step] = level.chosen[step + 1] - gone
    for i in range(level.end[level.length - 1]):
        level.place[i] = level.place[i + gone]


def make_nrpa(rules, evaluate, codes):
    """The search of one game, for a number of weights, and what it does when an action was made."""
    mover, legal, apply, reward, action_code = rules.mover, rules.legal, rules.apply, rules.reward, rules.action_code

    @rule(inline=True)
    def place_of(s, action):
        code = action_code(s, action)
        return code if 0 <= code < codes else mix(code) & (codes - 1)

    @rule
    def draw(levels, work, n, first, listed):
        """The index of an action, drawn by the policy of level 1; the places of their codes are listed if they fit."""
        s, out, weight, policy = work.state, work.out, work.scratch.weight, levels[1].policy
        top = 0.0
        for i in range(n):
            place = place_of(s, out.action[i])
            weight[i] = policy[place]
            top = weight[i] if i == 0 else max(top, weight[i])
            if listed:
                levels[0].place[first + i] = place
        total = 0.0
        for i in range(n):
            weight[i] = exp(weight[i] - top)
            total += weight[i]
        left = uniform(work.rng) * total
        for i in range(n - 1):
            left -= weight[i]
            if left < 0.0:
                return i
        return n - 1

    @rule
    def playout(levels, work, root, o):
        """Play from the root by the policy of level 1; the sequence becomes that of level 0."""
        s, out, level = work.state, work.out, levels[0]
        assign(s, root)
        depth, first = 0, 0
        level.length = 0
        while mover(s) != OVER and depth != o.max_depth:
            n = legal(s, 0, out)
            listed = level.length == depth and depth < LONGEST and first + n <= len(level.place)
            i = draw(levels, work, n, first, listed)
            action = out.action[i]
            if listed:
                level.action[depth] = action
                level.chosen[depth] = first + i
                level.end[depth] = first + n
                level.length += 1
                first += n
            apply(s, action)
            depth += 1
        if mover(s) == OVER:
            reward(s, out)
        else:
            evaluate(s, out)
        level.score = out.reward[0]

    def search(levels, work, root, o, n):
        """Make n playouts; return how many, which is fewer once the plan has the highest reward."""
        plan, last = levels[o.levels + 1], levels[0]
        for done in range(n):
            if plan.score >= 1.0:
                return done
            playout(levels, work, root, o)
            action = last.chosen[0]
            work.root.visits[action] += 1
            work.root.best[action] = max(work.root.best[action], last.score)
            if last.score > plan.score:
                keep(last, plan)
            go_up(levels, work, o)
        return n

    def follow(levels, action, o):
        """Go on from the position after an action. If the plan did not begin with it, begin a new run."""
        plan = levels[o.levels + 1]
        for at in range(o.levels + 2):
            drop_first(levels[at], action)
        if plan.length == 0:
            for i in range(codes):
                plan.policy[i] = 0.0
            for at in range(o.levels, 0, -1):
                begin(levels[at], levels[at + 1])

    return search, follow


class Worker:
    """The levels of one thread, and its workspace."""

    def __init__(self, level: type[Record], workspace: type[Record], options: NrpaOptions, stream: int) -> None:
        self.levels = block(level, options.levels + 2, options.plain)
        self.plan = self.levels[options.levels + 1]
        for at in range(len(self.levels)):  # new memory may have anything in it
            self.levels[at].length = 0
        self.work = form(workspace, options.plain)
        fill_rng(self.work.rng, seeded(options.seed, SEARCHES + stream))

    def actions(self) -> list[int]:
        """The plan."""
        return [int(action) for action in self.plan.action[: self.plan.length]]


class Nrpa(Search[NrpaOptions]):
    """Nested rollout policy adaptation."""

    def __init__(self, algorithm: Algorithm, game: Game, options: NrpaOptions) -> None:
        super().__init__(algorithm, game, options)
        card, plain, evaluation = game.card, options.plain, Evaluation(self)
        actions, rules = card.rules.MAX_ACTIONS, self.rules._replace(reward=evaluation.reward)
        codes = CODES if rules.action_code is not own_code else min(CODES, 1 << (card.actions - 1).bit_length())
        listed = max(actions, min(LONGEST * actions, LISTED))
        self.entry, self.follow = bind(
            make_nrpa, f"{card.name}/nrpa", plain=plain, rules=rules, evaluate=evaluation.evaluate, codes=codes
        )
        settings = NrpaSettings(
            levels=options.levels,
            level_iterations=options.level_iterations,
            alpha=options.alpha,
            max_depth=evaluation.max_depth,
        )
        self.settings = form(NrpaSettings, plain, settings)
        workspace = nested_record(
            "NrpaWorkspace", state=card.rules.State, out=card.out, rng=Rng, root=root_record(actions),
            scratch=scratch_record(actions, listed),
        )  # fmt: skip
        level = level_record(codes, listed)
        self.workers = [Worker(level, workspace, options, stream) for stream in range(options.threads)]
        self.last: LastSearch | None = None
        """Where the game was at the last decision."""
        for worker in self.workers:
            self.compiled(self.follow, worker.levels, NO_ACTION, self.settings)
        worker, root = self.workers[0], form(card.rules.State, plain)
        self.compiled(self.entry, worker.levels, worker.work, root, self.settings, 0)

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        clock = self.limit(clock, state, player)
        path = None if self.last is None else self.last.path(state)
        self.last = None  # after an interruption a new run begins
        root = form(type(state.record), self.options.plain, state.record)
        for worker in self.workers:
            for action in [NO_ACTION] if path is None else path:
                self.follow(worker.levels, action, self.settings)
            worker.work.out.searcher = player
            worker.work.root.visits[:] = [0] * len(worker.work.root.visits)
            worker.work.root.best[:] = [NOTHING] * len(worker.work.root.best)

        def found(playouts: int) -> SearchResult:
            return self._found(state, player, playouts)

        playouts = run_steps([self._step(worker, root) for worker in self.workers], clock, found)
        self.last = LastSearch(self.game, list(state.history), state.record.copy(), player, False, None)
        return found(playouts)

    def _found(self, state: State, player: int, playouts: int) -> SearchResult:
        """The best plan after this many playouts."""
        best = max(self.workers, key=lambda worker: float(worker.plan.score))
        score, plan = float(best.plan.score), best.actions()
        return result_of(
            state, player, plan[0], self._choices(state, plan[0], score), playouts, means=False,
            root_values=(score,), line=self._names(state, plan), line_moves=tuple((player, action) for action in plan),
        )  # fmt: skip

    def _step(self, worker: Worker, root: Any) -> Step:
        """A function that makes playouts."""
        arguments = (worker.levels, worker.work, root, self.settings)
        return lambda n: int(self.entry(*arguments, n))

    def _choices(self, state: State, action: int, score: float) -> list[Choice]:
        """The actions at the root: how many playouts began with each, and the best reward of these, or of the plan."""
        roots = [worker.work.root for worker in self.workers]
        out: Any = self.game.card.out()
        n = self.rules.legal(state.record, 0, out)
        visits = [sum(int(root.visits[i]) for root in roots) for i in range(n)]
        best = [max(float(root.best[i]) for root in roots) for i in range(n)]
        made = max(1, sum(visits))
        choices = []
        for one, count, most in zip(out.action, visits, best, strict=False):
            if one == action:
                choices.append(Choice(one, count, (score,), score >= 1.0, count / made))
            elif count:
                choices.append(Choice(one, count, (most,), share=count / made))
        return choices

    def _names(self, state: State, plan: list[int]) -> tuple[str, ...]:
        """The plan in words."""
        record, names = state.record.copy(), []
        for action in plan:
            names.append(self.game.card.board.name_action(record, action))
            self.rules.apply(record, action)
        return tuple(names)


def why_not_nrpa(card: Card) -> str | None:
    if card.rules.MAX_PLAYERS != 1:
        return "it is not for one player alone"
    if card.has_chance:
        return "it has chance"
    return why_not_sequential(card)


NRPA = Algorithm(
    label="nrpa",
    summary="Nested rollout policy adaptation, for one player without chance: a playout policy learns the best line.",
    options=NrpaOptions,
    refuses=why_not_nrpa,
    search=Nrpa,
)
