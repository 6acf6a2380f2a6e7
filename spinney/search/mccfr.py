"""Outcome-sampling Monte Carlo counterfactual regret minimisation (Lanctot et al. 2009), an equilibrium method.

Every simulation is one game from its first position, and one of the players in turn learns from it. Each player
draws actions by regret matching: in proportion to the positive regrets of its information set. The learner explores as
well, and what it sees is divided by the probability with which it sampled it. Regrets are per information set, which
the game's rule `information_key` numbers; so are the average strategies, which approach an equilibrium in games of two
players whose rewards have a constant sum. The others' strategies are averaged where the learner's sampling leads.

The simulations begin where the game does, not at the position of a decision: which hidden cards are likely there
depends on how everybody plays until then, which is just what is sought. A decision is drawn from the average strategy
of the information set, which has the same value whether it was learnt now or before.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pydantic

from spinney.clock import Clock
from spinney.errors import BadGame, BadOption
from spinney.games import Card, Game, State
from spinney.games.card import CHANCE, OVER, no_information_key
from spinney.kernel import SEARCHES, Record, Rng, assign, below, bind, f64, i8, i32, i64, rule, seeded, uniform
from spinney.kernel.bits import mix
from spinney.search.base import Algorithm, Search
from spinney.search.options import SearchOptions
from spinney.search.parallel import Found, run_steps
from spinney.search.result import Choice, SearchResult, final_choice, result_of
from spinney.search.transposition import new_table
from spinney.search.tree import MAX_DEPTH
from spinney.search.workspace import fill_rng, form, nested_record

NOWHERE = -1
"""No place in the table."""

Strategy = dict[tuple[int, int], dict[int, float]]
"""The probability of each action, by player and information key."""


class MccfrOptions(SearchOptions):
    """Options of Monte Carlo counterfactual regret minimisation."""

    explore: float = pydantic.Field(
        0.6, gt=0, le=1, description="part of the learner's actions that are drawn uniformly at random"
    )
    information_sets: int = pydantic.Field(
        100_000, ge=1, le=100_000_000, description="most information sets that are learnt; others are played at random"
    )
    reuse: bool = pydantic.Field(False, description="keep what was learnt for the next decisions, of any game")


class MccfrSettings(Record):
    """The options that compiled code reads."""

    explore = f64


@cache
def information_set_record(players: int, actions: int) -> type[Record]:
    """What is known of an information set with a choice. Actions are indices."""

    class InformationSet(Record):
        key = i64
        player = i32
        known = i8  # 0: this place of the table is free
        legal = i8[actions]
        regret = f64[actions]  # counterfactual regrets, summed
        strategy = f64[actions]  # strategies, summed, each as likely as the player itself makes it to get here
        visits = i32[actions]  # how often the player made the action when it learnt
        weight = f64[actions]  # the importance weights of these simulations
        value = f64[actions, players]  # and the weighted rewards

    return InformationSet


@cache
def trajectory_record(players: int) -> type[Record]:
    """The choices of the learner in one simulation."""

    class Trajectory(Record):
        learner = i64
        sets = i64  # information sets in the table
        full = i64  # 1: there was no room for another
        length = i64
        at = i32[MAX_DEPTH]  # the information set
        action = i32[MAX_DEPTH]
        probability = f64[MAX_DEPTH]  # of the action by the learner's strategy
        sampled = f64[MAX_DEPTH]  # and with exploration
        before = f64[MAX_DEPTH]  # the probability that the learner sampled all its actions before
        reach = f64[players]  # of each player's actions so far; the learner's are those sampled

    return Trajectory


@rule
def place_of(table, player, key):
    """The place of an information set in the table, or that where it would be."""
    at = mix(key ^ player) % len(table)
    while table[at].known and (table[at].key != key or table[at].player != player):
        at = at + 1 if at + 1 < len(table) else 0
    return at


@rule
def match_regrets(one, out, n):
    """Regret matching: probabilities of the n actions in `out`, to its weights."""
    total = 0.0
    for i in range(n):
        out.weight[i] = max(0.0, one.regret[out.action[i]])
        total += out.weight[i]
    for i in range(n):
        out.weight[i] = out.weight[i] / total if total > 0.0 else 1.0 / n


@rule
def draw(out, n, rng):
    """An action of `out` by its weights: its index."""
    drawn, left = 0, uniform(rng)
    for i in range(n):
        if out.weight[i] > 0.0:
            drawn = i
            left -= out.weight[i]
            if left < 0.0:
                break
    return drawn


@rule
def find_or_add_set(table, work, player, key, n):
    """The place of an information set with n actions, which are in `out`; NOWHERE if there is no room for it."""
    at = place_of(table, player, key)
    one, path = table[at], work.path
    if not one.known:
        if path.sets == 3 * len(table) // 4:
            path.full = 1
            return NOWHERE
        path.sets += 1
        one.known = 1
        one.key = key
        one.player = player
        for i in range(n):
            one.legal[work.out.action[i]] = 1
    return at


@rule
def add_strategy(one, work, player, n):
    """Average the strategy of a player who does not learn. The simulation comes here as often as all make it; what is
    added counts as often as this player does."""
    path, out = work.path, work.out
    others = 1.0
    for other in range(len(path.reach)):
        if other != player:
            others *= path.reach[other]
    for i in range(n):
        one.strategy[out.action[i]] += out.weight[i] / others


@rule
def add_regrets(table, work):
    """From the learner's last choice to its first: sum the regrets, for which the reward of the game stands in for the
    choice's value, divided by the probability of sampling it."""
    path, reward = work.path, work.out.reward
    players = len(path.reach)
    gain, tail = reward[path.learner] - 1.0 / players, 1.0
    for i in range(path.length - 1, -1, -1):
        one, action = table[path.at[i]], path.action[i]
        weight = 1.0 / path.before[i]
        share = weight * tail / path.sampled[i]
        for other in range(len(one.regret)):
            one.regret[other] -= share * path.probability[i] * gain
        one.regret[action] += share * gain
        one.visits[action] += 1
        one.weight[action] += share
        for player in range(players):
            one.value[action, player] += share * reward[player]
        tail *= path.probability[i] / path.sampled[i]


def make_mccfr(rules):
    """The simulations for one game."""
    mover, legal, apply, chance, reward = rules.mover, rules.legal, rules.apply, rules.chance, rules.reward
    information_key = rules.information_key

    @rule
    def choose(table, work, player, n, o):
        """Draw one of the n actions in `out`, and note it if the player learns."""
        path, out, rng = work.path, work.out, work.rng
        at = NOWHERE
        if path.length < MAX_DEPTH:
            at = find_or_add_set(table, work, player, information_key(work.state, player), n)
        if at == NOWHERE:
            return out.action[below(rng, n)]
        match_regrets(table[at], out, n)
        if player != path.learner:
            add_strategy(table[at], work, player, n)
            drawn = draw(out, n, rng)
            path.reach[player] *= out.weight[drawn]
            return out.action[drawn]
        drawn = below(rng, n) if uniform(rng) < o.explore else draw(out, n, rng)
        path.at[path.length] = at
        path.action[path.length] = out.action[drawn]
        path.probability[path.length] = out.weight[drawn]
        path.sampled[path.length] = o.explore / n + (1.0 - o.explore) * out.weight[drawn]
        path.before[path.length] = path.reach[player]
        path.reach[player] *= path.sampled[path.length]
        path.length += 1
        return out.action[drawn]

    def search(table, work, root, o, n):
        """Run n simulations from a root; return how many."""
        s, path, out = work.state, work.path, work.out
        for _ in range(n):
            assign(s, root)
            path.length = 0
            for player in range(len(path.reach)):
                path.reach[player] = 1.0
            while mover(s) != OVER:
                player = mover(s)
                if player == CHANCE:
                    apply(s, chance(s, work.rng))
                    continue
                count = legal(s, player, out)
                apply(s, choose(table, work, player, count, o) if count > 1 else out.action[0])
            reward(s, out)
            add_regrets(table, work)
            path.learner = (path.learner + 1) % len(path.reach)
        return n

    return search


class Mccfr(Search[MccfrOptions]):
    """Monte Carlo counterfactual regret minimisation."""

    def __init__(self, algorithm: Algorithm, game: Game, options: MccfrOptions) -> None:
        super().__init__(algorithm, game, options)
        card, plain = game.card, options.plain
        first, other = (game.start(seed, manual_chance=True).record for seed in range(2))
        if first != other:
            raise BadGame(
                f"mccfr cannot play {card.name}: its rule start draws random numbers; whatever is random must be chance"
            )
        self.entry = bind(make_mccfr, f"{card.name}/mccfr", plain=plain, rules=self.rules)
        self.root = form(card.rules.State, plain, first)
        self.settings = form(MccfrSettings, plain, MccfrSettings(explore=options.explore))
        records = {"state": card.rules.State, "path": trajectory_record(game.players), "out": card.out, "rng": Rng}
        self.work = form(nested_record("MccfrWorkspace", **records), plain)
        fill_rng(self.work.rng, seeded(options.seed, SEARCHES))
        self.rng = seeded(options.seed, SEARCHES + 1)
        """For the choice of actions."""
        self.table: Any = None
        self._forget()
        self.compiled(self.entry, self.table, self.work, self.root, self.settings, 0)

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        clock = self.limit(clock, state, player)
        if not self.options.reuse:
            self._forget()

        def found(simulations: int) -> SearchResult:
            return self._found(state, player, simulations, self.rng.copy())

        simulations = self._simulate(clock, found)
        return self._found(state, player, simulations, self.rng)

    def _found(self, state: State, player: int, simulations: int, rng: Rng) -> SearchResult:
        """What the table says of a position after this many simulations."""
        choices = self._choices(state, player)
        values = [
            sum(choice.share * choice.values[one] for choice in choices) for one in range(self.game.players)
        ]  # fmt: skip
        return result_of(
            state, player, final_choice(choices, player, "strategy", rng), choices, simulations, means=False,
            root_values=tuple(values), nodes=int(self.work.path.sets), full=bool(self.work.path.full),
        )  # fmt: skip

    def solve(self, iterations: int) -> Strategy:
        """Run more simulations, whatever the options say, and return the average strategy of the whole game: of every
        information set with a choice that they came to."""
        self._simulate(Clock(iterations=iterations), lambda simulations: simulations)
        table = self.table
        if self.options.plain:
            known = [table[i] for i in range(len(table)) if table[i].known]
        else:
            known = table[table["known"] > 0]
        return {(int(one.player), int(one.key)): _average(one) for one in known}

    def _simulate(self, clock: Clock, found: Found) -> int:
        arguments = (self.table, self.work, self.root, self.settings)
        return run_steps([lambda n: int(self.entry(*arguments, n))], clock, found)

    def _forget(self) -> None:
        """An empty table, a quarter of which stays free, so that its places are found quickly."""
        most, card = self.options.information_sets, self.game.card
        record = information_set_record(self.game.players, card.actions)
        try:
            self.table = new_table(record, most + most // 3 + 1, self.options.plain)
        except MemoryError:
            raise BadOption(f"option 'information_sets': there is no memory for {most:,} of them here") from None
        self.work.path.sets = self.work.path.full = 0

    def _choices(self, state: State, player: int) -> list[Choice]:
        """The legal actions with the average strategy; all equally likely where the simulations did not come."""
        legal = state.legal(player)
        one = self.table[int(place_of(self.table, player, int(self.rules.information_key(state.record, player))))]
        shares = _average(one) if one.known else dict.fromkeys(legal, 1 / len(legal))
        choices = []
        for action in legal:
            weight = float(one.weight[action]) or 1.0
            values = tuple(float(one.value[action, seat]) / weight for seat in range(self.game.players))
            choices.append(Choice(action, int(one.visits[action]), values, share=shares[action]))
        return choices


def _average(one: Any) -> dict[int, float]:
    """The average strategy of an information set; all actions equally likely if the player never came there by its own
    strategy while another one learnt."""
    legal = [action for action in range(len(one.legal)) if one.legal[action]]
    total = sum(float(one.strategy[action]) for action in legal)
    return {action: float(one.strategy[action]) / total if total else 1 / len(legal) for action in legal}


def why_not_mccfr(card: Card) -> str | None:
    if card.is_simultaneous:
        return "its players move simultaneously"
    return "it has no rule information_key" if card.bound_rules.information_key is no_information_key else None


MCCFR = Algorithm(
    label="mccfr",
    summary="Counterfactual regret minimisation by sampling games: an equilibrium of small games.",
    options=MccfrOptions,
    refuses=why_not_mccfr,
    search=Mccfr,
)
