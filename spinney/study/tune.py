"""Tuning: a search for the options with which an agent wins most of its games against given opponents.

Half of the games are the search: Optuna's tree-structured Parzen estimator proposes values, and each proposal, a trial,
plays one block of games. All trials play with the same dice. A block is short and its share uncertain, so a quarter of
the games goes to the best few, with new dice, and all their games decide which one wins. It owes its figures in part
to luck, for it was chosen by them; so the last quarter is played, with new dice again, by the winner and by the untuned
agent. Only these games are what the result says.

The results are those of an arena: every game is stored when it is finished. A proposal depends on the seed and on the
trials before it, not on a state inside of Optuna, and is stored before its first game. That is all there is to resume.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

from spinney import games
from spinney.agents import build, presets_of, read_spec
from spinney.arena.play import GameResult, Job
from spinney.arena.schedule import Pairing, derive, orders
from spinney.arena.standings import Z
from spinney.arena.store import Store, check_new
from spinney.arena.summary import Share
from spinney.arena.tournament import play_all
from spinney.errors import BadOption, MissingPackage
from spinney.pool import Pool
from spinney.study.search_space import Range, Tunable

FINALISTS = 4
"""How many trials play on after the search."""
AHEAD = 2
"""Trials that are played at once, so that no core waits for the last game of a block. It does not depend on the number
of cores, for a proposal knows only the trials that were finished when it was made."""
CANDIDATE = -1
"""The agent that is tuned, in a table where opponents have their numbers."""


@dataclass(frozen=True)
class Plan:
    """How the games are shared out; all numbers of games are whole rounds."""

    block: int
    trials: int
    finalists: int
    semifinal: int
    """Games of each finalist."""
    final: int
    """Games of the winner, and as many of the untuned agent."""

    @property
    def games(self) -> int:
        return self.trials * self.block + self.finalists * self.semifinal + 2 * self.final


def make_plan(budget: int, round_: int, block: int | None = None) -> Plan:
    """Half of the games for the search, a quarter for the finalists, a quarter for the figures."""
    if budget < 8 * round_:
        raise BadOption(
            f"{budget} games are too few: a round of all seats and opponents is {round_} games, and at least 8 rounds "
            f"({8 * round_} games) are needed"
        )
    search = budget // 2
    block = int(sqrt(search / 2)) if block is None else block
    block = round_ * max(1, block // round_)
    trials = search // block
    if trials < 4:
        raise BadOption(f"blocks of {block} games leave {trials} trials for the search of {search} games; 4 are needed")
    rounds = budget // 4 // round_
    finalists = min(FINALISTS, trials, rounds)
    semifinal = rounds // finalists * round_
    final = (budget - trials * block - finalists * semifinal) // (2 * round_) * round_
    return Plan(block, trials, finalists, semifinal, final)


@dataclass
class Block:
    """Some games of one candidate."""

    spec: str
    pairings: list[Pairing]
    seats: dict[int, int]
    """Where the candidate sits, by the game's number."""
    shares: dict[int, float] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        return len(self.shares) == len(self.pairings)

    def take(self, game: GameResult) -> None:
        self.shares[game.number] = game.shares[self.seats[game.number]]


def share_of(bouts: Sequence[Block]) -> Share:
    """What a candidate won in all its games of some bouts, in the order of their numbers."""
    shares = [share for bout in bouts for _, share in sorted(bout.shares.items())]
    return Share.of(sum(shares), len(shares))


def standing(bouts: Sequence[Block]) -> float:
    """What ranks candidates: the centre of their interval, so that a few lucky games count less than many good ones."""
    found = share_of(bouts)
    return (found.share * found.games + Z * Z / 2) / (found.games + Z * Z)


def difference(one: Share, other: Share) -> tuple[float, float, float]:
    """By how much one share is larger than another, and the 95 % interval of that, after Newcombe."""
    by = one.share - other.share
    low = by - sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    high = by + sqrt((one.high - one.share) ** 2 + (other.share - other.low) ** 2)
    return by, low, high


class Tuning:
    """A tuning and its results file: what has been played, and what is to be played next."""

    def __init__(
        self,
        game: str,
        agent: str,
        ranges: Sequence[str],
        against: Sequence[str],
        budget: int,
        file: Path,
        *,
        seed: int = 1,
        block: int | None = None,
        resume: bool = False,
    ) -> None:
        _optuna()
        self.game = games.load(game)
        for spec in (agent, *against):  # wrong names and options are told before anything is compiled
            read_spec(self.game, spec)
        self.against = list(against)
        self._agents = list(dict.fromkeys([agent, *against]))
        self._tables = self._all_tables()
        self.plan = make_plan(budget, len(self._tables), block)
        check_new(file, resume)
        for spec in (agent, *against):
            build(self.game, spec)
        self.tunable = Tunable(self.game, agent, ranges)
        settings = {
            "game": game, "agent": agent, "ranges": [option.text for option in self.tunable.ranges],
            "against": self.against, "budget": budget, "block": block, "seed": seed, "limit": None, "clock": "cpu",
            "agents": self._agents, "games": self.plan.games, "presets": presets_of(self.game, self._agents),
        }  # fmt: skip
        self.seed, self.spec = seed, agent
        self.store = Store(file, settings, resume=resume)
        self._agents = list(self.store.specs)
        self._begin()

    def _begin(self) -> None:
        """Begin with what is stored."""
        self._stored = {game.number: game for game in self.store.games()}
        self._running: dict[int, Block] = {}
        self.played = len(self._stored)
        self.forfeits = [game for game in self._stored.values() if game.forfeit is not None]
        self.trials: list[Block] = []
        self.semifinals: list[Block] = []
        self.finals: list[Block] = []

    @property
    def stage(self) -> str:
        """What is being played, for people."""
        if self.finals:
            return "new games"
        return "finalists" if self.semifinals else f"trial {max(1, len(self.trials))} of {self.plan.trials}"

    def run(self, workers: int | None = None, pool: Pool | None = None) -> Iterator[GameResult]:
        """Play the games that are not stored yet, in a pool, or in so many processes here; yields each when it is
        stored."""
        self._begin()
        for game in play_all(self._jobs(), self.store, workers, pool):
            self._running.pop(game.number).take(game)
            self.played += 1
            if game.forfeit is not None:
                self.forfeits.append(game)
            yield game

    def ranking(self) -> list[tuple[str, list[Block]]]:
        """The candidates of the search and their finished bouts, the final aside; the best first."""
        bouts: dict[str, list[Block]] = {}
        for bout in [*self.trials, *self.semifinals]:
            if bout.done:
                bouts.setdefault(bout.spec, []).append(bout)
        return sorted(bouts.items(), key=lambda item: -standing(item[1]))

    def finalists(self) -> list[tuple[str, list[Block]]]:
        """Those who played on after the search; the best first."""
        chosen = {bout.spec for bout in self.semifinals}
        return [(spec, bouts) for spec, bouts in self.ranking() if spec in chosen]

    def winner(self) -> str:
        """The best of the finalists."""
        return self.finalists()[0][0]

    def figures(self) -> dict[str, Any]:
        """What came out, as plain data for JSON."""
        best, untuned = share_of(self.finals[:1]), share_of(self.finals[-1:])
        gain = dict(zip(("share", "low", "high"), difference(best, untuned), strict=True))
        return {
            "settings": self.store.settings,
            "plan": asdict(self.plan),
            "best": {"agent": self.winner(), **best._asdict()},
            "untuned": {"agent": self.spec, **untuned._asdict()},
            "difference": gain if len(self.finals) > 1 else None,
            "finalists": [{"agent": spec, **share_of(bouts)._asdict()} for spec, bouts in self.finalists()],
            "trials": [
                {"agent": bout.spec, "values": bout.values, **share_of([bout])._asdict()} for bout in self.trials
            ],
        }

    def _jobs(self) -> Iterator[Job | None]:
        """The games to play; None while those are not finished that decide what comes next."""
        plan = self.plan
        for trial in range(plan.trials):
            before = max(0, trial - AHEAD + 1)
            while not all(bout.done for bout in self.trials[:before]):
                yield None
            values = self._values(trial, self.trials[:before])
            bout = self._bout(self.tunable.with_values(values), trial * plan.block, plan.block, "search")
            bout.values = values
            self.trials.append(bout)
            yield from self._missing(bout)
        while not all(bout.done for bout in self.trials):
            yield None
        number = plan.trials * plan.block
        for spec, _ in self.ranking()[: plan.finalists]:  # fewer, if trials were of few different values
            self.semifinals.append(self._bout(spec, number, plan.semifinal, "semifinal"))
            number += plan.semifinal
        for bout in self.semifinals:
            yield from self._missing(bout)
        while not all(bout.done for bout in self.semifinals):
            yield None
        number, last = plan.games - 2 * plan.final, {self.winner(): 0, self.spec: 0}  # one, if nothing was better
        for spec in last:
            self.finals.append(self._bout(spec, number, 2 * plan.final // len(last), "final"))
            yield from self._missing(self.finals[-1])
            number += plan.final

    def _values(self, trial: int, before: Sequence[Block]) -> dict[str, Any]:
        """The values that a trial tries: those of an earlier run, or new ones, which are stored now."""
        stored: list[dict[str, Any]] = self.store.settings.get("trials", [])
        if trial < len(stored):
            return stored[trial]
        own = self.tunable.own_values() if trial == 0 else None
        values = propose(self.tunable.ranges, before, derive(self.seed, "trial", trial)) if own is None else own
        self.tunable.agent(values)  # what compiles is in the cache before the workers need it
        self.store.note(trials=[*stored, values])
        return values

    def _bout(self, spec: str, number: int, count: int, stage: str) -> Block:
        """Games of a candidate; those of one stage have the same dice for all candidates."""
        if spec not in self._agents:
            self._agents.append(spec)
            self.store.note(agents=self._agents)
        place = self._agents.index(spec)
        pairings, seats = [], {}
        for game in range(count):
            table = self._tables[game % len(self._tables)]
            dice = derive(self.seed, "dice", stage, game // len(self._tables))
            who = tuple(place if agent == CANDIDATE else agent for agent in table)
            pairings.append(Pairing(number + game, dice, who))
            seats[number + game] = table.index(CANDIDATE)
        return Block(spec, pairings, seats)

    def _missing(self, bout: Block) -> Iterator[Job]:
        """The games of a bout that are not stored; the others count at once."""
        for pairing in bout.pairings:
            if pairing.number in self._stored:
                bout.take(self._stored[pairing.number])
        specs = tuple(self._agents)
        for pairing in bout.pairings:
            if pairing.number not in bout.shares:
                self._running[pairing.number] = bout
                yield Job(pairing, self.store.settings["game"], specs, self.seed, clock="cpu")

    def _all_tables(self) -> list[tuple[int, ...]]:
        """A round: the candidate with every combination of opponents, in all orders of seats."""
        others = self.game.players - 1
        against = self.against * others if len(self.against) == 1 else self.against
        if others == 0 or len(against) < others:
            raise BadOption(
                f"{self.game!r} is for {self.game.players} players: "
                + (f"name one opponent for all seats, or at least {others}" if others else "there is no opponent")
            )
        places = [self._agents.index(spec) for spec in against]
        fields = sorted({tuple(sorted(field)) for field in combinations(places, others)})
        return [table for opponents in fields for table in orders((CANDIDATE, *opponents))]


def propose(ranges: Sequence[Range], before: Sequence[Block], seed: int) -> dict[str, Any]:
    """Values to try next, by Optuna's sampler, from the trials that are finished."""
    optuna = _optuna()
    space = {option.name: _distribution(option) for option in ranges}
    sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=max(5, 2 * len(ranges)))
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.add_trials(
        optuna.trial.create_trial(params=bout.values, distributions=space, value=share_of([bout]).share)
        for bout in before
    )  # fmt: skip
    asked = study.ask(fixed_distributions=space)
    return {option.name: option.fit(asked.params[option.name]) for option in ranges}


def _distribution(option: Range) -> Any:
    distributions = _optuna().distributions
    if not option.numeric:
        return distributions.CategoricalDistribution(option.ends)
    kind = distributions.IntDistribution if option.whole else distributions.FloatDistribution
    return kind(*option.ends, log=option.log)


def _optuna() -> Any:
    """The library, which is slow to import and need not be installed."""
    try:
        import optuna
    except ImportError:
        raise MissingPackage.of("tuning", "Optuna", "tune") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
