"""Alpha-beta: minimax to a fixed depth, then one deeper, until the time is up. The yardstick for tree search.

For two players who move one after the other and share one point, without chance. Values are the mover's, in 0..1. A
move that is searched gets a window: values outside it cannot change the choice further up, and end the work there.
Moves are tried in the order of the evaluation after them; at the root, of the last depth's values. What a single move
decides is seen as exact, and when all values are exact, or a win is sure, the search is over.

There is no recursion: a search must be able to stop anywhere when its time is up, and to go on from there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pydantic

from spinney.games import Card, Game, State
from spinney.games.card import OVER
from spinney.kernel import Record, Rng, assign, below, bind, block, f64, i8, i32, i64, rule, seeded
from spinney.search.budget import Budget
from spinney.search.found import Found, Node, edges_of, shallow_tree
from spinney.search.parallel import run_workers
from spinney.search.search import JudgingOptions, JudgingSearch, form, moves_alone
from spinney.search.tree import CERTAIN, NO_ACTION

DEEPEST = 32
KILLERS = 2
SEARCHED = 2.0
"""Above every value: what `worth` says of a move that has been searched at this depth."""


class AlphaBetaOptions(JudgingOptions):
    """What can be set about alpha-beta."""

    iterations: int | None = pydantic.Field(None, gt=0, description="positions to evaluate per decision")
    check: str | None = pydantic.Field(
        None, description="the game's static check that finds what wins at once, asked before a value is believed"
    )
    killers: bool = pydantic.Field(
        False, description="first try the moves that were too good for the other player in positions as far ahead"
    )
    reduce: int = pydantic.Field(
        0,
        ge=0,
        le=1000,
        description="look less deep at moves after so many in the order, unless they turn out better; 0: at none",
    )


@cache
def line_record(actions: int) -> type[Record]:
    """The line of moves that is being looked at, with all moves of each position on it."""

    class Line(Record):
        depth = i64  # how deep the search goes now
        ply = i64  # where on the line it is; -1: a new depth begins
        deepest = i64
        reduce = i64
        killers = i64
        guesses = i64  # evaluations that the values of this depth depend on
        owed = i64  # evaluations beyond those that were asked for
        again = i64  # 1: a move turned out better than a reduced look was meant for
        over = i64  # 1: more search changes nothing
        best = i32  # the number of the best move at the root
        mover = i8[DEEPEST]
        n = i32[DEEPEST]
        left = i32[DEEPEST]  # moves to look ahead from here
        tried = i32[DEEPEST]  # the move that leads on
        number = i32[DEEPEST]  # how many moves were searched before it
        reduced = i32[DEEPEST]  # by how much less deep it is looked at
        ordered = i8[DEEPEST]  # 1: all moves of the position have been given an order
        killer = i32[DEEPEST, KILLERS]  # moves that ended the work on a position this far ahead, the latest first
        alpha = f64[DEEPEST]
        beta = f64[DEEPEST]
        top = f64[DEEPEST]  # the best value so far
        action = i32[DEEPEST, actions]
        worth = f64[DEEPEST, actions]  # the order to search in: value after the move
        known = i8[DEEPEST, actions]  # 1: the move ends the game
        last = f64[actions]  # the root's values at this depth, or at the last one
        spent = i32[actions]  # evaluations below each move of the root

    return Line


@rule
def find_killer(line, ply, k):
    """The number of a killer among the moves of a position, or -1."""
    action = line.killer[ply, k]
    for i in range(line.n[ply]):
        if line.action[ply, i] == action:
            return i
    return -1


@rule
def next_killer(line, ply):
    """A killer that has not been searched, or -1."""
    if line.killers:
        for k in range(KILLERS):
            i = find_killer(line, ply, k)
            if i >= 0 and line.worth[ply, i] < SEARCHED:
                return i
    return -1


@rule
def remember(line, ply, i):
    """A move has ended the work on its position: it may do so elsewhere."""
    action = line.action[ply, i]
    if line.killer[ply, 0] != action:
        line.killer[ply, 1] = line.killer[ply, 0]
        line.killer[ply, 0] = action


@rule
def next_move(line, ply):
    """The most promising move that has not been searched, or -1."""
    best, most = -1, -1.0
    for i in range(line.n[ply]):
        worth = line.worth[ply, i]
        better = most < worth < SEARCHED
        best = i if better else best
        most = worth if better else most
    return best


@rule
def note(line, ply, i, value):
    """A move has been searched: its value counts if it is the best. Whether the rest need not be looked at."""
    line.worth[ply, i] = SEARCHED
    line.number[ply] += 1
    if ply == 0:
        line.last[i] = value
        if value > line.top[0] and value > 1.0 - CERTAIN:  # if all is lost, what looked best one move earlier
            line.best = i
    line.top[ply] = max(line.top[ply], value)
    line.alpha[ply] = max(line.alpha[ply], value)
    if line.top[ply] >= line.beta[ply]:
        remember(line, ply, i)
        return True
    return False


@rule
def end_depth(line):
    """All moves of the root are searched: what is known now."""
    sure = not 1.0 - CERTAIN < line.top[0] < CERTAIN
    line.over = int(sure or line.guesses == 0 or line.depth == line.deepest)
    line.ply = -1


@rule
def reduction(line, ply):
    """How much less deep to look at the next move."""
    n = line.number[ply]
    if line.reduce == 0 or n < line.reduce:
        return 0
    return min(line.left[ply] - 2, 1 if n < 4 * line.reduce else 2)


def make(rules, evaluate, check):
    """The search for one game, evaluation and static check (or None)."""
    checks = check is not None
    answers = check or rules.legal
    mover, legal, apply, reward = rules.mover, rules.legal, rules.apply, rules.reward

    @rule
    def worth_after(states, line, ply, i, out):
        """What the mover has after a move, exact or as evaluated."""
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(line.action[ply, i]))
        if mover(s) == OVER:
            reward(s, out)
            line.known[ply, i] = 1
        else:
            evaluate(s, out)
            line.known[ply, i] = 0
        return out.reward[line.mover[ply]]

    @rule
    def enter(states, line, ply, out, rng):
        """List the moves of a position."""
        s = states[ply]
        line.mover[ply] = mover(s)
        n = legal(s, mover(s), out)
        line.n[ply] = n
        if ply == 0:
            for i in range(n - 1, 0, -1):  # a random order, so that equal moves are equally likely
                j = below(rng, i + 1)
                out.action[i], out.action[j] = out.action[j], out.action[i]
        for i in range(n):
            line.action[ply, i] = out.action[i]
        if line.left[ply] > 1:
            for i in range(n):
                line.worth[ply, i] = 0.0
        line.ordered[ply] = 0
        line.number[ply] = 0
        return 0

    @rule
    def put_in_order(states, line, ply, out):
        """Evaluate what comes of every move that has not been searched yet."""
        work = 0
        for i in range(line.n[ply]):
            if line.worth[ply, i] < SEARCHED:
                line.worth[ply, i] = worth_after(states, line, ply, i, out)
                work += 1
        line.ordered[ply] = 1
        return work

    @rule
    def refuted(s, player, out):
        """What a player is left with at most after the other one's answer: nothing, if that wins at once."""
        other = mover(s)
        if other != player and answers(s, other, out) == 1:
            apply(s, int(out.action[0]))
            if mover(s) == OVER:
                reward(s, out)
                return out.reward[player]
        return 1.0

    @rule
    def look(states, line, ply, out):
        """The last move of a line: evaluate each, until one is too good for the other player."""
        if line.killers:
            first = 0
            for k in range(KILLERS):
                i = find_killer(line, ply, k)
                if i >= first:
                    action = line.action[ply, first]
                    line.action[ply, first] = line.action[ply, i]
                    line.action[ply, i] = action
                    first += 1
        for i in range(line.n[ply]):
            value = worth_after(states, line, ply, i, out)
            if checks and value > line.alpha[ply] and line.known[ply, i] == 0:
                value = min(value, refuted(states[ply + 1], int(line.mover[ply]), out))
            line.guesses += 1 - line.known[ply, i]
            if ply == 0:
                line.spent[i] = 1
            if note(line, ply, i, value):
                return i + 1
        return line.n[ply]

    @rule
    def back(line):
        """A position is done: its value is that of the move that led to it."""
        ply = line.ply - 1
        i = line.tried[ply]
        value = line.top[ply + 1]
        if line.mover[ply + 1] != line.mover[ply]:
            value = 1.0 - value
        line.ply = ply
        if line.reduced[ply] > 0 and value > line.alpha[ply]:
            line.reduced[ply] = 0
            line.again = 1
            return False
        return note(line, ply, i, value)

    @rule
    def begin_depth(states, line, root, out, rng):
        """From the root, one deeper than before, in the order of the last values."""
        line.depth += 1
        line.ply, line.guesses = 0, 0
        line.left[0], line.number[0] = line.depth, 0
        line.alpha[0], line.beta[0], line.top[0] = 0.0, 1.0, -1.0
        if line.depth == 1:
            assign(states[0], root)
            return enter(states, line, 0, out, rng)
        for i in range(line.n[0]):
            line.worth[0, i] = line.last[i]
        line.worth[0, line.best] = SEARCHED - 1e-9
        line.ordered[0] = 1
        return 0

    @rule
    def follow(states, line, ply, i, out, rng):
        """Go down a move, less deep if it comes late in the order, with a window as narrow as is known."""
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(line.action[ply, i]))
        same = mover(s) == line.mover[ply]
        alpha, beta = line.alpha[ply], line.beta[ply]
        line.alpha[ply + 1] = alpha if same else 1.0 - beta
        line.beta[ply + 1] = beta if same else 1.0 - alpha
        line.top[ply + 1] = -1.0
        line.reduced[ply] = 0 if line.again else reduction(line, ply)
        line.again = 0
        line.left[ply + 1] = line.left[ply] - 1 - line.reduced[ply]
        line.ply = ply + 1
        return enter(states, line, ply + 1, out, rng)

    @rule
    def go_on(states, line, out, rng):
        """One step of the search: down to a position, or back from one; the evaluations it took."""
        ply = line.ply
        if line.left[ply] == 1:
            work = look(states, line, ply, out)
            done = True
        else:
            work = 0
            if line.again:
                i = int(line.tried[ply])
            else:
                i = -1
                if line.ordered[ply] == 0:
                    i = next_killer(line, ply)
                    if i >= 0:
                        line.worth[ply, i] = worth_after(states, line, ply, i, out)
                        work = 1
                    else:
                        work = put_in_order(states, line, ply, out)
                i = i if i >= 0 else next_move(line, ply)
            done = i < 0
            if not done:
                line.tried[ply] = i
                if line.known[ply, i]:
                    done = note(line, ply, i, line.last[i] if ply == 0 else line.worth[ply, i])
                else:
                    return work + follow(states, line, ply, i, out, rng)
        while done and line.ply > 0:
            done = back(line)
        if done:
            end_depth(line)
        return work

    def search(states, line, root, out, rng, evaluations):
        """Search for so many evaluations; return how many, which is fewer once more of them change nothing."""
        while line.owed < evaluations:
            if line.over:
                return line.owed
            work = begin_depth(states, line, root, out, rng) if line.ply < 0 else go_on(states, line, out, rng)
            if line.depth > 1:
                line.spent[line.tried[0]] += work
            line.owed += work
        line.owed -= evaluations
        return evaluations

    return search


class AlphaBeta(JudgingSearch[AlphaBetaOptions]):
    """Alpha-beta with an evaluation, deeper and deeper until the time is up."""

    label = "alphabeta"

    def __init__(self, game: Game, options: AlphaBetaOptions) -> None:
        super().__init__(game, options)
        card, plain = game.card, options.plain
        check = None if options.check is None else self._named("check", options.check, card.checks)
        self.entry = bind(
            make, f"{card.name}/alphabeta", plain=plain, rules=self.rules, evaluate=self.evaluate, check=check
        )
        self.rng = form(Rng, plain, seeded(options.seed))
        self.out = form(card.out, plain)
        self.states = block(card.rules.State, DEEPEST + 1, plain)
        self.line = self._new_line()
        self._compiled(self.entry, self.states, self.line, form(card.rules.State, plain), self.out, self.rng, 0)

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if card.has_chance:
            return "it has chance"
        if card.rules.MAX_PLAYERS != 2:
            return "it is not for two players alone"
        return moves_alone(card) or (None if card.evaluations else "it has no evaluation")

    def run(self, state: State, budget: Budget | None = None, player: int | None = None) -> Found:
        player = self._mover(state, player)
        budget = budget or self.budget(state, player)
        root = form(type(state.record), self.options.plain, state.record)
        line = self.line = self._new_line()
        evaluations = run_workers(
            [lambda n: int(self.entry(self.states, line, root, self.out, self.rng, n))], budget
        )  # fmt: skip
        tree = self._tree(line, player)
        return Found(
            mover=player,
            values=tree.values,
            edges=tuple(sorted(edges_of(tree), key=lambda edge: edge.action)),
            iterations=evaluations,
            seconds=budget.elapsed,
            nodes=int(line.n[0]) + 1,
            full=False,
            trees=(tree,),
            action=int(self.line.action[0, self.line.best]),
        )

    def _new_line(self) -> Any:
        line = form(line_record(self.game.card.rules.MAX_ACTIONS), self.options.plain)
        line.ply, line.deepest = -1, DEEPEST if self.horizon < 0 else min(self.horizon, DEEPEST)
        line.reduce, line.killers = self.options.reduce, int(self.options.killers)
        for ply in range(DEEPEST):
            for k in range(KILLERS):
                line.killer[ply, k] = NO_ACTION
        return line

    @staticmethod
    def _tree(line: Any, player: int) -> Node:
        """The root's moves, as far as they were searched: what they are worth, or at most worth."""

        def both(value: float) -> tuple[float, float]:
            return (value, 1.0 - value) if player == 0 else (1.0 - value, value)

        action, spent, last = line.action, line.spent, line.last  # once: numpy is slow to find a field
        seen = [i for i in range(line.n[0]) if spent[i]]
        moves = [(int(action[0, i]), int(spent[i]), both(float(last[i]))) for i in seen]
        return shallow_tree(2, player, both(float(line.last[line.best])), moves)
