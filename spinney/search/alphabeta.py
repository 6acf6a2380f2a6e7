"""Alpha-beta with iterative deepening, the yardstick for Monte Carlo tree search.

For two players who move one after the other and share one point, without chance. Values are the mover's, in 0..1.
Moves are tried in the order of the evaluation after them; at the root, of the last depth's values. Rewards at the end
of the game are exact; when all values are exact, or a win is certain, the search is over.

There is no recursion: a search must be able to stop anywhere when its time is up, and to go on from there.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import pydantic

from spinney.clock import Clock
from spinney.errors import BadOption
from spinney.games import Card, Game, State
from spinney.games.card import OVER, no_default_outcome, no_position_hash, out_record
from spinney.kernel import SEARCHES, Rng, assign, below, bind, block, next32, rule, seeded
from spinney.search.alphabeta_stack import (
    DEEPEST,
    KILLERS,
    SEARCHED,
    AlphaBetaSettings,
    answer,
    end_depth,
    futile,
    killers_first,
    next_favourite,
    next_move,
    note,
    stack_record,
)
from spinney.search.base import Algorithm, Evaluation, Search, why_not_sequential
from spinney.search.options import EvaluationOptions, SearchOptions
from spinney.search.parallel import run_steps
from spinney.search.paranoid import MOST_REPLIES, PLIES, SEARCHER, TwoPlayerRules, in_turn, paranoid, turn_record
from spinney.search.result import Choice, SearchResult, result_of
from spinney.search.transposition import EXACT_DEPTH, PATHS, SIZE, Entry, cuts_off, lookup, new_table, store
from spinney.search.tree import CERTAIN, NO_ACTION
from spinney.search.workspace import fill_rng, form, nested_record

NULL_WINDOW = 1e-9
"""Width of the null window of the scout search."""
DOUBT = 1e-6
"""The least distance of an evaluation from a certain win or loss."""


class AlphaBetaOptions(EvaluationOptions, SearchOptions):
    """Options of alpha-beta."""

    iterations: int | None = pydantic.Field(None, gt=0, description="positions to evaluate per decision")
    prune_with: str | None = pydantic.Field(
        None, description="the game's static check that finds immediate wins, asked before an evaluation is trusted"
    )
    killers: bool = pydantic.Field(
        False, description="killer moves: first try the moves that caused cutoffs at the same ply"
    )
    transposition_table: bool = pydantic.Field(
        False,
        description="keep searched positions in a transposition table, and search all moves but the first with a null "
        "window",
    )
    futility_margin: float | None = pydantic.Field(
        None,
        ge=0,
        le=1,
        description="reverse futility pruning: cut off when the evaluation exceeds beta by this margin per ply left, "
        "up to three plies before the end of a line; none: never",
    )
    root_margin: float = pydantic.Field(
        0.0,
        ge=0,
        le=1,
        description="find the exact values of all actions that are less than this much worse than the best",
    )
    replies: Literal["all", "one"] = pydantic.Field(
        "all",
        description="simultaneous moves: all joint replies of the others, up to 64; or those of one other at a time",
    )


def make_alphabeta(rules, check, remembers, in_pairs):
    """The search for one game as a game of two, and a static check (or None), with a transposition table or without.
    `in_pairs`: only the second of two moves changes the position."""
    checks = check is not None
    answers = check or rules.legal
    mover, legal, apply, reward, hash_of = rules.mover, rules.legal, rules.apply, rules.reward, rules.position_hash
    evaluate, plies = rules.evaluate, PLIES if in_pairs else 1

    @rule
    def worth_after(states, work, ply, i):
        """The mover's value after a move: the reward, or the evaluation."""
        stack, out = work.stack, work.out
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(stack.action[ply, i]), work.out)
        if mover(s) == OVER:
            reward(s, out)
            stack.known[ply, i] = 1
            return out.reward[stack.mover[ply]]
        evaluate(s, out)
        stack.known[ply, i] = 0
        return min(max(out.reward[stack.mover[ply]], DOUBT), 1.0 - DOUBT)

    @rule(inline=True)
    def estimate(states, work, ply, i):
        """The worth of a move for the order; the number of evaluations."""
        stack = work.stack
        if in_pairs and stack.mover[ply] == SEARCHER:  # the position after it is the same
            stack.worth[ply, i], stack.known[ply, i] = 0.5, 0
            return 0
        stack.worth[ply, i] = worth_after(states, work, ply, i)
        return 1

    @rule
    def enter(states, work, ply):
        """List the moves of a position."""
        stack, out = work.stack, work.out
        s = states[ply]
        stack.mover[ply] = mover(s)
        n = legal(s, mover(s), out)
        stack.n[ply] = n
        if ply == 0:
            for i in range(n - 1, 0, -1):  # a random order, so that equal moves are equally likely
                j = below(work.rng, i + 1)
                out.action[i], out.action[j] = out.action[j], out.action[i]
        for i in range(n):
            stack.action[ply, i] = out.action[i]
        if stack.left[ply] > 1:
            for i in range(n):
                stack.worth[ply, i] = 0.0
        stack.ordered[ply] = 0
        stack.number[ply] = 0

    @rule
    def order_moves(states, work, ply):
        """Evaluate the positions after all moves that have not been searched; the number of evaluations."""
        stack, count = work.stack, 0
        for i in range(stack.n[ply]):
            if stack.worth[ply, i] < SEARCHED:
                count += estimate(states, work, ply, i)
        stack.ordered[ply] = 1
        return count

    @rule
    def refuted(s, player, out):
        """The most that a player can get, by the static check: 0 if the opponent wins at once."""
        other = mover(s)
        if other != player and answers(s, other, out) == 1:
            apply(s, int(out.action[0]), out)
            if mover(s) == OVER:
                reward(s, out)
                return out.reward[player]
        return 1.0

    @rule
    def search_last(states, work, ply, o):
        """The last ply of a line: evaluate each move until a cutoff; the number of evaluations."""
        stack = work.stack
        killers_first(stack, ply, o)
        for i in range(stack.n[ply]):
            value = worth_after(states, work, ply, i)
            if checks and value > stack.alpha[ply] and stack.known[ply, i] == 0:
                value = min(value, refuted(states[ply + 1], int(stack.mover[ply]), work.out))
            stack.guesses += 1 - stack.known[ply, i]
            if ply == 0:
                stack.spent[i] = 1
            if note(stack, ply, i, value, o):
                return i + 1
        return stack.n[ply]

    @rule
    def go_back(stack, table, o):
        """A position is done: its value is that of the move that led to it. When a null-window search fails high, the
        move is searched again."""
        ply = stack.ply - 1
        i = stack.tried[ply]
        value = stack.top[ply + 1]
        if remembers and stack.left[ply + 1] > 1 and stack.n[ply + 1] > 0:
            depth = EXACT_DEPTH if stack.guesses == stack.guessed[ply + 1] else stack.left[ply + 1]
            floor, beta, chosen = stack.floor[ply + 1], stack.beta[ply + 1], stack.chosen[ply + 1]
            store(table, stack.hash[ply + 1], depth, floor, beta, value, chosen)
        if stack.mover[ply + 1] != stack.mover[ply]:
            value = 1.0 - value
        stack.ply = ply
        if stack.scout[ply] and stack.alpha[ply] < value < stack.beta[ply]:
            stack.research = 1
            return False
        return note(stack, ply, i, value, o)

    @rule
    def begin_depth(states, work, root):
        """From the root, one move deeper than before, in the order of the last values."""
        stack = work.stack
        stack.depth += plies
        stack.ply, stack.guesses = 0, 0
        stack.left[0], stack.number[0] = stack.depth, 0
        stack.alpha[0], stack.beta[0], stack.top[0] = 0.0, 1.0, -1.0
        if stack.depth <= plies:
            assign(states[0], root)
            enter(states, work, 0)
            return
        for i in range(stack.n[0]):
            stack.worth[0, i] = stack.last[i]
        stack.worth[0, stack.best] = SEARCHED - 1e-9
        stack.ordered[0] = 1

    @rule
    def follow(states, work, table, ply, i, o):
        """Make a move and search the position after it, with a null window unless it is the first. Whether its value is
        known already, from the transposition table or by reverse futility pruning."""
        stack = work.stack
        s = states[ply + 1]
        assign(s, states[ply])
        apply(s, int(stack.action[ply, i]), work.out)
        first = stack.research or stack.number[ply] == 0
        stack.research = 0
        stack.scout[ply] = int(remembers and not first)
        alpha, beta = stack.alpha[ply], stack.beta[ply]
        if stack.scout[ply]:
            beta = min(beta, alpha + NULL_WINDOW)
        player = mover(s)
        same = player == stack.mover[ply]
        left = stack.left[ply] - 1
        ply += 1
        stack.ply = ply
        stack.left[ply] = left
        stack.alpha[ply] = alpha if same else 1.0 - beta
        stack.beta[ply] = beta if same else 1.0 - alpha
        stack.top[ply] = -1.0
        stack.mover[ply] = player
        if remembers and left > 1 and known_value(stack, table, ply, s):
            return True
        worth = stack.worth[ply - 1, i]
        evaluated = ply > 1 and (not in_pairs or player == SEARCHER)  # at the root, the worth is of an earlier depth
        if evaluated and futile(stack, ply, worth if same else 1.0 - worth, o):
            return True
        enter(states, work, ply)
        return False

    @rule
    def known_value(stack, table, ply, s):
        """Whether the transposition table has the value of a position; if not, it may have a move to try first."""
        stack.floor[ply], stack.guessed[ply] = stack.alpha[ply], stack.guesses
        stack.hash[ply] = hash_of(s)
        stack.known_best[ply] = NO_ACTION
        at = lookup(table, stack.hash[ply])
        if at < 0:
            return False
        if not cuts_off(table[at], stack.left[ply], stack.alpha[ply], stack.beta[ply]):
            stack.known_best[ply] = table[at].action
            return False
        stack.top[ply] = table[at].value
        stack.guesses += int(table[at].depth != EXACT_DEPTH)
        stack.n[ply] = 0
        return True

    @rule
    def go_on(states, work, table, o):
        """One step of the search: down to a position, or back from one; the number of evaluations."""
        stack = work.stack
        ply = stack.ply
        if stack.left[ply] == 1:
            count = search_last(states, work, ply, o)
            done = True
        else:
            count = 0
            if stack.research:
                i = int(stack.tried[ply])
            else:
                i = -1
                if stack.ordered[ply] == 0:
                    i = next_favourite(stack, ply, o)
                    count = estimate(states, work, ply, i) if i >= 0 else order_moves(states, work, ply)
                i = i if i >= 0 else next_move(stack, ply)
            done = i < 0
            if not done:
                stack.tried[ply] = i
                if stack.known[ply, i]:
                    done = note(stack, ply, i, stack.last[i] if ply == 0 else stack.worth[ply, i], o)
                elif follow(states, work, table, ply, i, o):
                    count += 1  # what is known without one counts as an evaluation
                    done = True
        while done and stack.ply > 0:
            done = go_back(stack, table, o)
        if done:
            end_depth(stack, o)
        return count

    def search(states, work, table, root, o, n):
        """Search for n evaluations; return how many, which is fewer once more of them change nothing."""
        stack = work.stack
        while stack.owed < n:
            if stack.over:
                return stack.owed
            if stack.ply < 0:
                begin_depth(states, work, root)
                continue
            count = go_on(states, work, table, o)
            if stack.depth > 1:
                stack.spent[stack.tried[0]] += count
            stack.owed += count
        stack.owed -= n
        return n

    return search


class AlphaBeta(Search[AlphaBetaOptions]):
    """Alpha-beta with an evaluation and iterative deepening."""

    def __init__(self, algorithm: Algorithm, game: Game, options: AlphaBetaOptions) -> None:
        super().__init__(algorithm, game, options)
        card, plain, evaluation = game.card, options.plain, Evaluation(self)
        self.state: Any = card.rules.State
        """The record of a position."""
        if card.is_simultaneous:
            self.state = turn_record(card.rules.State, game.players)
        self.rules = self.rules._replace(reward=evaluation.reward)
        if options.transposition_table and not card.is_simultaneous and self.rules.position_hash is no_position_hash:
            raise BadOption(
                f"alphabeta: option 'transposition_table': {card.name} has no rule position_hash for that; only false "
                "is allowed"
            )
        checks = card.searching.checks
        self.entry = bind(
            make_alphabeta,
            f"{card.name}/alphabeta",
            plain=plain,
            rules=self._two_player_rules(evaluation),
            check=None if options.prune_with is None else self.named("prune_with", options.prune_with, checks),
            remembers=options.transposition_table,
            in_pairs=card.is_simultaneous,
        )
        most = DEEPEST // (PLIES if card.is_simultaneous else 1)
        deepest = most if evaluation.max_depth < 0 else min(evaluation.max_depth, most)
        margin = inf if options.futility_margin is None else options.futility_margin
        settings = AlphaBetaSettings(
            deepest=deepest * (DEEPEST // most),
            killers=int(options.killers),
            futility_margin=margin,
            root_margin=options.root_margin,
        )
        self.settings = form(AlphaBetaSettings, plain, settings)
        self.states = block(self.state, DEEPEST + 1, plain)
        size = PATHS if card.is_simultaneous else SIZE
        self.table = new_table(Entry, size if options.transposition_table else 1, plain)
        self.rng: Any = seeded(options.seed, SEARCHES)
        work, root = self._workspace(), form(self.state, plain)
        self.stack = work.stack
        """The stack of the last decision."""
        self.compiled(self.entry, self.states, work, self.table, root, self.settings, 0)

    def _two_player_rules(self, evaluation: Evaluation) -> TwoPlayerRules:
        """The game as one of two players who move in turn."""
        if not self.game.card.is_simultaneous:
            return in_turn(self.rules, evaluation.evaluate)
        one_reply = self.options.replies == "one"
        return paranoid(self.rules, evaluation.evaluate, self.game.players, one_reply=one_reply)

    def _root(self, state: State, player: int) -> Any:
        """A position as the search has it."""
        record = state.record
        if self.game.card.is_simultaneous:
            path = next32(self.rng)  # entries of earlier decisions are for other paths
            record = self.state(position=record, searcher=player, chosen=NO_ACTION, path=path)
        return form(self.state, self.options.plain, record)

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        clock = self.limit(clock, state, player)
        root = self._root(state, player)
        work = self._workspace()
        work.out.searcher = player
        arguments = (self.states, work, self.table, root, self.settings)

        def found(evaluations: int) -> SearchResult:
            return self._found(state, player, evaluations, work.stack)

        evaluations = run_steps([lambda n: int(self.entry(*arguments, n))], clock, found)
        self.rng, self.stack = work.rng, work.stack
        return found(evaluations)

    def _found(self, state: State, player: int, evaluations: int, stack: Any) -> SearchResult:
        """What the stack says after this many evaluations, wherever the search is."""
        best = int(answer(stack))
        table = self.table if self.options.transposition_table else ()
        return result_of(
            state, player, int(stack.action[0, best]), self._choices(stack, player), evaluations, means=False,
            root_values=self._values(float(stack.last[best]), player),
            nodes=int(stack.n[0]) + 1,
            memory=len(table) * Entry.dtype.itemsize,
            depth=int(stack.depth),
        )  # fmt: skip

    def _values(self, value: float, player: int) -> tuple[float, ...]:
        """The values of all players: the others share what the searcher does not get."""
        players = self.game.players
        return tuple(value if one == player else (1.0 - value) / (players - 1) for one in range(players))

    def _workspace(self) -> Any:
        """A workspace for one decision."""
        card = self.game.card
        actions, out = card.rules.MAX_ACTIONS, card.out
        if card.is_simultaneous:
            actions = max(MOST_REPLIES, self.rules.moves * self.game.players)
            out = out_record(max(actions, card.rules.MAX_ACTIONS), max(2, card.rules.MAX_PLAYERS), card.scratch)
        records = {"stack": stack_record(actions), "out": out, "rng": Rng}
        work = form(nested_record("AlphaBetaWorkspace", **records), self.options.plain)
        fill_rng(work.rng, self.rng)
        stack = work.stack
        stack.ply = -1
        for ply in range(DEEPEST):
            stack.known_best[ply] = NO_ACTION
            for k in range(KILLERS):
                stack.killer[ply, k] = NO_ACTION
        return work

    def _choices(self, stack: Any, player: int) -> list[Choice]:
        """The root's moves, as far as they were searched: their values, or upper bounds of them."""
        action, spent, last = stack.action, stack.spent, stack.last  # once: NumPy is slow to find a field
        seen = [i for i in range(stack.n[0]) if spent[i]]
        total = max(1, sum(int(spent[i]) for i in seen))
        return [
            Choice(
                int(action[0, i]), int(spent[i]), self._values(float(last[i]), player),
                not 1.0 - CERTAIN < last[i] < CERTAIN,
                share=int(spent[i]) / total,
            )
            for i in seen
        ]  # fmt: skip


def why_not_alphabeta(card: Card) -> str | None:
    if card.is_simultaneous and not card.has_hidden:
        if card.has_chance and card.bound_rules.default_outcome is no_default_outcome:
            return "it has chance without a default outcome"
    elif card.has_chance:
        return "it has chance"
    elif card.rules.MAX_PLAYERS != 2:
        return "it is not for two players alone"
    elif why := why_not_sequential(card):
        return why
    return None if card.searching.evaluations else "it has no evaluation"


ALPHABETA = Algorithm(
    label="alphabeta",
    summary="Alpha-beta with an evaluation, deeper and deeper until the time is up.",
    options=AlphaBetaOptions,
    refuses=why_not_alphabeta,
    search=AlphaBeta,
)
