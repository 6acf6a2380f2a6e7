"""Tuning: find the options with which an agent wins most of its games against given opponents.

Half of the games are the search: Optuna's tree-structured Parzen estimator proposes values, and each proposal, a trial,
plays one block of games. All trials play with the same dice. The share of a short block is uncertain, so the best few
trials play a quarter of the games with new dice, and all their games decide which one wins. The share of the winner is
biased upwards by that selection; so the winner and the untuned agent play the last quarter, again with new dice. Only
these games are reported as the result.

The results file is that of an arena: every game is stored when it is finished. A proposal depends only on the seed and
the trials before it, not on a state of Optuna, and is stored before its first game, so that a tuning can be resumed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

from spinney import games
from spinney.agents import build, presets_of, read_spec
from spinney.arena import GameJob, GameResult, Pairing, Store
from spinney.arena.store import check_new
from spinney.arena.tournament import play_all
from spinney.errors import BadOption, MissingPackage
from spinney.pool import Pool
from spinney.seeds import derive, seat_orders
from spinney.stats import Share, Z, difference
from spinney.study.search_space import Range, Tunable

FINALISTS = 4
"""How many trials play on after the search."""
AHEAD = 2
"""Trials that are played at the same time, so that no core waits for the last game of a block. It does not depend on
the number of cores, because a proposal uses the trials that are finished when it is made."""
CANDIDATE = -1
"""Stands for the agent that is tuned in a seating, where opponents are indices."""


@dataclass(frozen=True)
class GamePlan:
    """How the games are divided; all numbers of games are whole rounds."""

    block: int
    """Games of each trial."""
    trials: int
    finalists: int
    semifinal: int
    """Games of each finalist."""
    final: int
    """Games of the winner, and as many of the untuned agent."""

    @property
    def games(self) -> int:
        return self.trials * self.block + self.finalists * self.semifinal + 2 * self.final


def make_plan(budget: int, round_: int, block: int | None = None) -> GamePlan:
    """Half of the games for the search, a quarter for the finalists, a quarter for the winner and the untuned agent."""
    if budget < 8 * round_:
        problem = f"{budget} games are too few: a round of all seats and opponents is {round_} games"
        raise BadOption(f"{problem}, and at least 8 rounds ({8 * round_} games) are needed")
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
    return GamePlan(block, trials, finalists, semifinal, final)


@dataclass
class Block:
    """The games of one candidate in one stage."""

    spec: str
    pairings: list[Pairing]
    seats: dict[int, int]
    """The seat of the candidate, by the number of the game."""
    shares: dict[int, float] = field(default_factory=dict)
    """What the candidate won in each finished game, by the number of the game."""
    values: dict[str, Any] = field(default_factory=dict)
    """The values of the options in a trial."""

    @property
    def done(self) -> bool:
        return len(self.shares) == len(self.pairings)

    def add(self, game: GameResult) -> None:
        self.shares[game.number] = game.seats[self.seats[game.number]].share


def share_of(blocks: Sequence[Block]) -> Share:
    """The win share of a candidate in all its games of some blocks, added up in the order of their numbers."""
    shares = [share for block in blocks for _, share in sorted(block.shares.items())]
    return Share.of(sum(shares), len(shares))


def rank_value(blocks: Sequence[Block]) -> float:
    """The centre of Wilson's interval, by which candidates are ranked: it favours a share of more games."""
    found = share_of(blocks)
    return (found.share * found.games + Z * Z / 2) / (found.games + Z * Z)


class Tuning:
    """A tuning and its results file."""

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
        for spec in (agent, *against):  # errors are raised before anything is compiled
            read_spec(self.game, spec)
        self.against = list(against)
        self._agents = list(dict.fromkeys([agent, *against]))
        self._seatings = self._round()
        self.plan = make_plan(budget, len(self._seatings), block)
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
        self.store = Store(file, settings, resume=resume, notes=("agents", "trials"))
        self._agents = list(self.store.specs)
        self._load()

    def _load(self) -> None:
        """Begin with the stored games."""
        self._stored = {game.number: game for game in self.store.games()}
        self._running: dict[int, Block] = {}
        self.played = len(self._stored)
        self.forfeits = [game for game in self._stored.values() if game.forfeit is not None]
        self.trials: list[Block] = []
        self.semifinals: list[Block] = []
        self.finals: list[Block] = []

    @property
    def stage(self) -> str:
        """The stage that is being played, in words."""
        if self.finals:
            return "new games"
        return "finalists" if self.semifinals else f"trial {max(1, len(self.trials))} of {self.plan.trials}"

    def run(self, workers: int | None = None, pool: Pool | None = None) -> Iterator[GameResult]:
        """Play the games that are not stored yet, in a pool or local processes; yields each after it is stored."""
        self._load()
        for game in play_all(self._jobs(), self.store, workers, pool):
            self._running.pop(game.number).add(game)
            self.played += 1
            if game.forfeit is not None:
                self.forfeits.append(game)
            yield game

    def ranking(self) -> list[tuple[str, list[Block]]]:
        """The candidates with their finished blocks of the search and the semifinal, the best first."""
        blocks: dict[str, list[Block]] = {}
        for block in [*self.trials, *self.semifinals]:
            if block.done:
                blocks.setdefault(block.spec, []).append(block)
        return sorted(blocks.items(), key=lambda item: -rank_value(item[1]))

    def finalists(self) -> list[tuple[str, list[Block]]]:
        """The candidates that played on after the search, the best first."""
        chosen = {block.spec for block in self.semifinals}
        return [(spec, blocks) for spec, blocks in self.ranking() if spec in chosen]

    def winner(self) -> str:
        """The best finalist."""
        return self.finalists()[0][0]

    def figures(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        best, untuned = share_of(self.finals[:1]), share_of(self.finals[-1:])
        gain = dict(zip(("share", "low", "high"), difference(best, untuned), strict=True))
        return {
            "settings": self.store.settings,
            "plan": asdict(self.plan),
            "best": {"agent": self.winner(), **best._asdict()},
            "untuned": {"agent": self.spec, **untuned._asdict()},
            "difference": gain if len(self.finals) > 1 else None,
            "finalists": [{"agent": spec, **share_of(blocks)._asdict()} for spec, blocks in self.finalists()],
            "trials": [{"agent": it.spec, "values": it.values, **share_of([it])._asdict()} for it in self.trials],
        }

    def _jobs(self) -> Iterator[GameJob | None]:
        """The games to play; None while the next one depends on games that are being played."""
        plan = self.plan
        for trial in range(plan.trials):
            before = max(0, trial - AHEAD + 1)
            while not all(block.done for block in self.trials[:before]):
                yield None
            values = self._values(trial, self.trials[:before])
            block = self._block(self.tunable.with_values(values), trial * plan.block, plan.block, "search")
            block.values = values
            self.trials.append(block)
            yield from self._missing(block)
        while not all(block.done for block in self.trials):
            yield None
        number = plan.trials * plan.block
        for spec, _ in self.ranking()[: plan.finalists]:  # fewer, if trials had the same values
            self.semifinals.append(self._block(spec, number, plan.semifinal, "semifinal"))
            number += plan.semifinal
        for block in self.semifinals:
            yield from self._missing(block)
        while not all(block.done for block in self.semifinals):
            yield None
        number, last = plan.games - 2 * plan.final, {self.winner(): 0, self.spec: 0}  # one, if the untuned agent wins
        for spec in last:
            self.finals.append(self._block(spec, number, 2 * plan.final // len(last), "final"))
            yield from self._missing(self.finals[-1])
            number += plan.final

    def _values(self, trial: int, before: Sequence[Block]) -> dict[str, Any]:
        """The values of a trial: the stored ones of a resumed run, or new ones, which are stored now."""
        stored: list[dict[str, Any]] = self.store.settings.get("trials", [])
        if trial < len(stored):
            return stored[trial]
        own = self.tunable.own_values() if trial == 0 else None
        values = propose(self.tunable.ranges, before, derive(self.seed, "trial", trial)) if own is None else own
        self.tunable.agent(values)  # compile for the cache of the workers
        self.store.note(trials=[*stored, values])
        return values

    def _block(self, spec: str, number: int, count: int, stage: str) -> Block:
        """The games of a candidate in a stage; all candidates of a stage have the same dice."""
        if spec not in self._agents:
            self._agents.append(spec)
            self.store.note(agents=self._agents)
        candidate = self._agents.index(spec)
        pairings, seats = [], {}
        for game in range(count):
            seating = self._seatings[game % len(self._seatings)]
            dice = derive(self.seed, "dice", stage, game // len(self._seatings))
            agents = tuple(candidate if agent == CANDIDATE else agent for agent in seating)
            pairings.append(Pairing(number + game, dice, agents))
            seats[number + game] = seating.index(CANDIDATE)
        return Block(spec, pairings, seats)

    def _missing(self, block: Block) -> Iterator[GameJob]:
        """The games of a block that are not stored; stored games are added to the block."""
        for pairing in block.pairings:
            if pairing.number in self._stored:
                block.add(self._stored[pairing.number])
        specs = tuple(self._agents)
        for pairing in block.pairings:
            if pairing.number not in block.shares:
                self._running[pairing.number] = block
                yield GameJob(pairing, self.store.settings["game"], specs, self.seed, clock="cpu")

    def _round(self) -> list[tuple[int, ...]]:
        """The seatings of a round: the candidate with every combination of opponents, in all seat orders."""
        others = self.game.players - 1
        against = self.against * others if len(self.against) == 1 else self.against
        if others == 0 or len(against) < others:
            what = f"name one opponent for all seats, or at least {others}" if others else "there is no opponent"
            raise BadOption(f"{self.game!r} is for {self.game.players} players: {what}")
        indices = [self._agents.index(spec) for spec in against]
        matchups = sorted({tuple(sorted(chosen)) for chosen in combinations(indices, others)})
        return [seating for opponents in matchups for seating in seat_orders((CANDIDATE, *opponents))]


def tune_command(store: Store) -> str | None:
    """The command that plays the tuning of a results file again; None if it is the file of an arena."""
    settings = store.settings
    if "ranges" not in settings:
        return None
    words = ["spinney", "tune", settings["game"], settings["agent"], *settings["ranges"]]
    words += [word for spec in settings["against"] for word in ("--against", spec)]
    words += ["--games", settings["budget"], "--seed", settings["seed"]]
    words += [] if settings["block"] is None else ["--block", settings["block"]]
    return shlex.join(map(str, [*words, "--file", store.file.name]))


def propose(ranges: Sequence[Range], before: Sequence[Block], seed: int) -> dict[str, Any]:
    """The values of the next trial, proposed by Optuna's sampler from the finished trials."""
    optuna = _optuna()
    space = {option.name: _distribution(option, optuna.distributions) for option in ranges}
    sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=max(5, 2 * len(ranges)))
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.add_trials(
        optuna.trial.create_trial(params=block.values, distributions=space, value=share_of([block]).share)
        for block in before
    )  # fmt: skip
    asked = study.ask(fixed_distributions=space)
    return {option.name: option.fit(asked.params[option.name]) for option in ranges}


def _distribution(option: Range, distributions: Any) -> Any:
    if not option.numeric:
        return distributions.CategoricalDistribution(option.ends)
    kind = distributions.IntDistribution if option.whole else distributions.FloatDistribution
    return kind(*option.ends, log=option.log)


def _optuna() -> Any:
    """The optional library; it is slow to import."""
    try:
        import optuna
    except ImportError:
        raise MissingPackage.of("tuning", "Optuna", "tune") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
