"""Alpha-beta: minimax to a fixed depth, then one deeper, until the time is up. The yardstick for tree search.

For two players who move one after the other and share one point, without chance. Values are the mover's, in 0..1. A
move that is searched gets a window: values outside it cannot change the choice further up, and end the work there.
Moves are tried in the order of the evaluation after them; at the root, of the last depth's values. What a single move
decides is seen as exact, and when all values are exact, or a win is sure, the search is over.

There is no recursion: a search must be able to stop anywhere when its time is up, and to go on from there.
"""

from __future__ import annotations

from math import inf
from typing import Any

import pydantic

from spinney.clock import Clock
from spinney.errors import BadOption
from spinney.games import Card, Game, State
from spinney.games.card import OVER, no_position_hash
from spinney.kernel import Rng, assign, below, bind, block, rule, seeded
from spinney.search.alphabeta_stack import (
    DEEPEST,
    KILLERS,
    SEARCHED,
    answer,
    end_depth,
    killers_first,
    line_record,
    next_favourite,
    next_move,
    note,
    reduction,
    stands,
)
from spinney.search.base import JudgingOptions, JudgingSearch, form, why_not_sequential
from spinney.search.parallel import run_workers
from spinney.search.result import Choice, SearchResult, result_of
from spinney.search.transposition import SIZE, SURE, new_table, recall, remember, settles
from spinney.search.tree import NO_ACTION

NARROW = 1e-9
"""A window in which hardly any value lies: the answer is whether there is a better one."""
DOUBT = 1e-6
"""How far at least an evaluation is from a sure win or loss, whatever it says."""


class AlphaBetaOptions(JudgingOptions):
    """What can be set about alpha-beta."""

    iterations: int | None = pydantic.Field(None, gt=0, description="positions to evaluate per decision")
    prune_with: str | None = pydantic.Field(
        None, description="the game's static check that finds what wins at once, asked before a value is believed"
    )
    killers: bool = pydantic.Field(
        False, description="first try the moves that were too good for the other player in positions as far ahead"
    )
    transposition_table: bool = pydantic.Field(
        False,
        description="remember what was found out about positions, and ask of all moves but the first whether they are "
        "better before asking by how much",
    )
    futility_margin: float | None = pydantic.Field(
        None,
        ge=0,
        le=1,
        description="up to three moves before the end of a line, leave a position alone that looks too good for the "
        "other player by so much for each move left; none: never",
    )
    endgame: int = pydantic.Field(
        0,
        ge=0,
        le=100_000,
        description="to choose from at most so many moves, search without margin and reduce, so as to miss no sure "
        "result",
    )
    reduce: int = pydantic.Field(
        0,
        ge=0,
        le=1000,
        description="look less deep at moves after so many in the order, unless they turn out better; 0: at none",
    )


def make(rules, evaluate, check, remembers):
    """The search for one game, evaluation and static check (or None), with a table or without."""
    checks = check is not None
    answers = check or rules.legal
    mover, legal, apply, reward, key = rules.mover, rules.legal, rules.apply, rules.reward, rules.position_hash

    @rule
    def worth_after(states, line, ply, i, out):
        """What the mover has after a move, exact or as evaluated."""
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(line.action[ply, i]))
        if mover(s) == OVER:
            reward(s, out)
            line.known[ply, i] = 1
            return out.reward[line.mover[ply]]
        evaluate(s, out)
        line.known[ply, i] = 0
        return min(max(out.reward[line.mover[ply]], DOUBT), 1.0 - DOUBT)

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
        killers_first(line, ply)
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
    def back(line, table):
        """A position is done: its value is that of the move that led to it. If that is better than the first look at it
        was meant for, it is looked at again."""
        ply = line.ply - 1
        i = line.tried[ply]
        value = line.top[ply + 1]
        if remembers and line.left[ply + 1] > 1 and line.n[ply + 1] > 0:
            depth = SURE if line.guesses == line.guessed[ply + 1] else line.left[ply + 1]
            floor, beta, chosen = line.floor[ply + 1], line.beta[ply + 1], line.chosen[ply + 1]
            remember(table, line.key[ply + 1], depth, floor, beta, value, chosen)
        if line.mover[ply + 1] != line.mover[ply]:
            value = 1.0 - value
        line.ply = ply
        if value > line.alpha[ply] and (line.reduced[ply] > 0 or (line.narrow[ply] and value < line.beta[ply])):
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
            enter(states, line, 0, out, rng)
            if line.n[0] <= line.endgame:
                line.margin, line.reduce = inf, 0
            return
        for i in range(line.n[0]):
            line.worth[0, i] = line.last[i]
        line.worth[0, line.best] = SEARCHED - 1e-9
        line.ordered[0] = 1

    @rule
    def follow(states, line, table, ply, i, out, rng):
        """Go down a move, less deep if it comes late in the order, with a window as narrow as is known. Whether the
        value is there already, from the table or because the evaluation is enough."""
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(line.action[ply, i]))
        first = line.again or line.number[ply] == 0
        line.again = 0
        line.narrow[ply] = int(remembers and not first)
        line.reduced[ply] = 0 if first else reduction(line, ply)
        alpha, beta = line.alpha[ply], line.beta[ply]
        if line.narrow[ply]:
            beta = min(beta, alpha + NARROW)
        player = mover(s)
        same = player == line.mover[ply]
        left = line.left[ply] - 1 - line.reduced[ply]
        ply += 1
        line.ply = ply
        line.left[ply] = left
        line.alpha[ply] = alpha if same else 1.0 - beta
        line.beta[ply] = beta if same else 1.0 - alpha
        line.top[ply] = -1.0
        line.mover[ply] = player
        if remembers and left > 1 and look_up(line, table, ply, s):
            return True
        worth = line.worth[ply - 1, i]
        if ply > 1 and stands(line, ply, worth if same else 1.0 - worth):  # at the root, it is no evaluation
            return True
        enter(states, line, ply, out, rng)
        return False

    @rule
    def look_up(line, table, ply, s):
        """Whether the table knows the value of a position; if not, it may know a good move."""
        line.floor[ply], line.guessed[ply] = line.alpha[ply], line.guesses
        line.key[ply] = key(s)
        line.known_best[ply] = NO_ACTION
        at = recall(table, line.key[ply])
        if at < 0:
            return False
        if not settles(table[at], line.left[ply], line.alpha[ply], line.beta[ply]):
            line.known_best[ply] = table[at].action
            return False
        line.top[ply] = table[at].value
        line.guesses += int(table[at].depth != SURE)
        line.n[ply] = 0
        return True

    @rule
    def go_on(states, line, table, out, rng):
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
                    i = next_favourite(line, ply)
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
                elif follow(states, line, table, ply, i, out, rng):
                    work += 1  # what is known without one counts as an evaluation
                    done = True
        while done and line.ply > 0:
            done = back(line, table)
        if done:
            end_depth(line)
        return work

    def search(states, line, table, root, out, rng, evaluations):
        """Search for so many evaluations; return how many, which is fewer once more of them change nothing."""
        while line.owed < evaluations:
            if line.over:
                return line.owed
            if line.ply < 0:
                begin_depth(states, line, root, out, rng)
                continue
            work = go_on(states, line, table, out, rng)
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
        if options.transposition_table and self.rules.position_hash is no_position_hash:
            raise BadOption(
                f"alphabeta: option 'transposition_table': {card.name} has no rule key for that; only false is allowed"
            )
        check = (
            None if options.prune_with is None else self._named("prune_with", options.prune_with, card.searching.checks)
        )
        self.entry = bind(
            make, f"{card.name}/alphabeta", plain=plain, rules=self.rules, evaluate=self.evaluate, check=check,
            remembers=options.transposition_table,
        )  # fmt: skip
        self.rng = form(Rng, plain, seeded(options.seed))
        self.out = form(card.out, plain)
        self.states = block(card.rules.State, DEEPEST + 1, plain)
        self.line = self._new_line()
        self.table = new_table(SIZE if options.transposition_table else 1, plain)
        root = form(card.rules.State, plain)
        self._compiled(self.entry, self.states, self.line, self.table, root, self.out, self.rng, 0)

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if card.has_chance:
            return "it has chance"
        if card.rules.MAX_PLAYERS != 2:
            return "it is not for two players alone"
        return why_not_sequential(card) or (None if card.searching.evaluations else "it has no evaluation")

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        clock = self.limit(clock, state, player)
        root = form(type(state.record), self.options.plain, state.record)
        line = self.line = self._new_line()
        evaluations = run_workers(
            [lambda n: int(self.entry(self.states, line, self.table, root, self.out, self.rng, n))], clock
        )  # fmt: skip
        best = int(answer(line))
        choices, values = self._choices(line, best, player)
        return result_of(
            state, player, int(line.action[0, best]), choices, evaluations, root_values=values, nodes=int(line.n[0]) + 1
        )

    def _new_line(self) -> Any:
        line = form(line_record(self.game.card.rules.MAX_ACTIONS), self.options.plain)
        line.ply, line.deepest = -1, DEEPEST if self.max_depth < 0 else min(self.max_depth, DEEPEST)
        line.margin = inf if self.options.futility_margin is None else self.options.futility_margin
        line.endgame, line.reduce = self.options.endgame, self.options.reduce
        line.killers = int(self.options.killers)
        for ply in range(DEEPEST):
            line.known_best[ply] = NO_ACTION
            for k in range(KILLERS):
                line.killer[ply, k] = NO_ACTION
        return line

    @staticmethod
    def _choices(line: Any, best: int, player: int) -> tuple[list[Choice], tuple[float, ...]]:
        """The root's moves, as far as they were searched, with their values or upper bounds; and the best value."""

        def both(value: float) -> tuple[float, float]:
            return (value, 1.0 - value) if player == 0 else (1.0 - value, value)

        action, spent, last = line.action, line.spent, line.last  # once: numpy is slow to find a field
        seen = [i for i in range(line.n[0]) if spent[i]]
        total = max(1, sum(int(spent[i]) for i in seen))
        choices = [
            Choice(int(action[0, i]), int(spent[i]), both(float(last[i])), share=int(spent[i]) / total) for i in seen
        ]
        return choices, both(float(last[best]))
