"""The loop: games, training, a contest of networks, and again. Every step leaves a file when it is done, and is left
out when that is there: the same command goes on after a kill at any moment, and comes to the same result.

    settings.yaml          what decides everything
    log.jsonl              what happened when
    data/00, 01, ...       replay data: the teacher's games, then those of each network
    networks/01, 02, ...   candidates, games between them (contest.jsonl), and chosen.json
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout
from tensorboardX import SummaryWriter

from spinney import games as known_games
from spinney.arena.schedule import derive, orders
from spinney.arena.standings import wilson
from spinney.errors import BadNetwork
from spinney.files import append_atomic, file_name, make_folder, write_atomic
from spinney.games.spec import write_spec
from spinney.learn.dataset import split
from spinney.learn.gating import ContestGame, Result
from spinney.learn.jobs import ContestGames, Games, NetworkBundle, games_of, results_of
from spinney.learn.networks import encoder_for, save_network
from spinney.learn.settings import Settings
from spinney.learn.shards import Played, Shards, read_json
from spinney.learn.train import epochs_done, train
from spinney.pool import Pool


class Watcher(Protocol):
    """Who is told how far the work is."""

    def begin(self, stage: str, total: int, done: int) -> None: ...

    def advance(self, note: str = "") -> None: ...


@dataclass(frozen=True)
class Score:
    """Wins of a network with all other seats taken by one opponent."""

    opponent: str
    games: int
    share: float
    low: float
    high: float


class Loop:
    """A run in a folder, begun or to be gone on with."""

    def __init__(self, folder: Path, settings: Settings, watcher: Watcher, pool: Pool | None = None) -> None:
        """With a pool, that is where games are played; what comes out is the same."""
        self.folder, self.settings, self.watcher, self.pool = folder, settings, watcher, pool
        self.game = known_games.load(settings.game)
        settings.check()  # now, and not after the games of days
        make_folder(folder)
        self._lock = FileLock(folder / ".lock")
        file = folder / "settings.yaml"
        if file.is_file():
            if Settings.load(file) != settings:
                raise BadNetwork(
                    f"{folder} holds a run with other settings; name another folder, or use its settings.yaml"
                )
        else:
            settings.write(file)
        self._board: Any = None

    def run(self) -> list[Path]:
        """Do whatever is left to be done; the networks that were chosen, in order."""
        chosen: list[Path] = []
        with self._alone(), self._scalars():
            for iteration in range(1, self.settings.iterations + 1):
                self._play(iteration - 1, chosen[-1] if chosen else None)
                candidates = [self._train(iteration, i, chosen) for i in range(self.settings.candidates)]
                chosen.append(self._choose(iteration, candidates, chosen[-1] if chosen else None))
                self._score(iteration, chosen[-1])
        return chosen

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two runs in one folder would pack each other's games. The lock ends with the process, however that ends."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise BadNetwork(f"another run is at work in {self.folder}; wait for it, or name another folder") from None
        try:
            yield
        finally:
            self._lock.release()

    # ---- games

    def _play(self, number: int, network: Path | None) -> None:
        """A set of games: the teacher's, or of self-play with a network."""
        shards = Shards(self.folder / "data" / f"{number:02}")
        if shards.complete:
            shards.clean()
            return
        settings = self.settings
        count = settings.games if network else settings.first_games
        stored = shards.stored()
        self.watcher.begin(f"games {number}: {'self-play' if network else 'the teacher'}", count, len(stored))
        seed = derive(settings.seed, "games", number) if number else settings.seed
        seeded = settings.model_copy(update={"seed": seed})
        todo = [i for i in range(count) if i not in stored]
        started, positions = time.monotonic(), 0
        packed = None if network is None else NetworkBundle.pack(network)
        for i, one in games_of(self.pool, Games(seeded, tuple(todo), packed)):
            shards.add(i, one)
            positions += int(one.acting.sum())
            self.watcher.advance(f"{positions / (time.monotonic() - started):,.0f} positions/s")
        shards.close()
        self._log("games", set=number, games=count, played_now=len(todo), positions=positions,
                  seconds=round(time.monotonic() - started, 1))  # fmt: skip

    # ---- training

    def _train(self, iteration: int, candidate: int, before: list[Path]) -> Path:
        folder = self.folder / "networks" / f"{iteration:02}" / f"candidate-{candidate}"
        checkpoint = folder / "checkpoint.pt"
        if (folder / "network.json").is_file():
            checkpoint.unlink(missing_ok=True)
            return folder
        make_folder(folder)
        settings = self.settings
        sets = range(max(0, iteration - settings.window), iteration)
        played = Played.join(Shards(self.folder / "data" / f"{i:02}").read() for i in sets)
        encoder = encoder_for(self.game.card, settings.shape)
        samples, validation = split(self.game.card, encoder, played, settings.training.held_out)
        start = before[-1] / "network.safetensors" if settings.go_on and before else None
        training = settings.training
        if start is not None and training.next_epochs is not None:
            training = training.model_copy(update={"epochs": training.next_epochs})
        self.watcher.begin(f"training {iteration}.{candidate}", training.epochs, epochs_done(checkpoint))
        started, figures, network = time.monotonic(), None, None
        seed = derive(settings.seed, "training", iteration, candidate) % 2**63
        epochs = train(self.game.card, settings.shape, training, samples, validation, checkpoint, seed, start)
        for figures, network in epochs:  # noqa: B007  # the last one is used
            self.watcher.advance(f"loss {figures.loss:.4f}, held out {figures.held_out:.4f}")
            for name, value in asdict(figures).items():
                self._scalar(f"training-{iteration}.{candidate}/{name}", value, figures.epoch)
        assert network is not None
        assert figures is not None
        about: dict[str, Any] = {
            "config": settings.shape.model_dump(),
            "shares": shared(played),
            "reward": settings.reward,
            "data": {"sets": list(sets), "positions": len(samples), "validation": len(validation)},
            "figures": asdict(figures),
        }
        save_network(network, self.game.card, folder, about)
        checkpoint.unlink()
        self._log("training", iteration=iteration, candidate=candidate, **about["data"], **asdict(figures),
                  seconds=round(time.monotonic() - started, 1))  # fmt: skip
        return folder

    # ---- contests

    def _choose(self, iteration: int, candidates: list[Path], before: Path | None) -> Path:
        """The network that goes on.

        One candidate has to win its part of games against the network before (Algorithm 2). Several play each other
        and the network before, and whoever wins most goes on (Algorithm 3).
        """
        folder = self.folder / "networks" / f"{iteration:02}"
        file = folder / "chosen.json"
        if file.is_file():
            name: str = read_json(file)["network"]
            return self.folder / name
        entrants = [*candidates, *([before] if before else [])]
        wins, seats = [0.0] * len(entrants), [0] * len(entrants)
        if len(entrants) > 1:
            specs = [write_spec("net", {"weights": str(one), "temperature": 0.3}) for one in entrants]
            tables = self._tables(len(specs))
            fixtures = [
                self._fixture("gate", iteration, i, tuple(specs[seat] for seat in tables[i % len(tables)]))
                for i in range(self.settings.gate_games)
            ]
            for result in self._results(folder / "contest.jsonl", f"contest {iteration}", fixtures, entrants):
                for entrant, share in zip(tables[result.number % len(tables)], result.shares, strict=True):
                    wins[entrant] += share
                    seats[entrant] += 1
        rates = [won / max(1, sat) for won, sat in zip(wins, seats, strict=True)]  # not all sit equally often
        best = max(range(len(entrants)), key=lambda i: rates[i])
        if len(candidates) == 1 and before is not None:
            best = 0 if rates[0] >= self.settings.gate * sum(rates) else 1
        network = entrants[best]
        about = {
            "network": str(network.relative_to(self.folder)),
            "wins": {str(one.relative_to(self.folder)): share for one, share in zip(entrants, wins, strict=True)},
        }
        write_atomic(file, json.dumps(about, indent=2))
        self._log("contest", iteration=iteration, **about)
        return network

    def _tables(self, entrants: int) -> list[tuple[int, ...]]:
        """Who sits where: all seats are filled in turn, and all orders of a field are played."""
        players = self.game.players
        fields = [tuple((first + i) % entrants for i in range(players)) for first in range(entrants)]
        return list(dict.fromkeys(seats for one in fields for seats in orders(one)))

    def _score(self, iteration: int, network: Path) -> list[Score]:
        """Games for the record against hand-written players."""
        folder = self.folder / "networks" / f"{iteration:02}"
        file = folder / "scores.json"
        if file.is_file():
            return [Score(**one) for one in read_json(file)]
        scores = []
        players = self.game.players
        for opponent, games in self.settings.opponents.items():
            net = write_spec("net", {"weights": str(network)})
            fixtures = [
                self._fixture(
                    opponent, iteration, i, tuple(net if seat == i % players else opponent for seat in range(players))
                )
                for i in range(games)
            ]
            name = file_name(opponent)
            results = self._results(
                folder / f"scores-{name}.jsonl", f"network {iteration} v {opponent}", fixtures, [network]
            )
            share = sum(result.shares[result.number % players] for result in results) / games
            scores.append(Score(opponent, games, share, *wilson(share, games)))
            self._scalar(f"scores/{name}", share, iteration)
        told = [asdict(score) for score in scores]
        card = network / "network.json"
        write_atomic(card, json.dumps({**read_json(card), "scores": told}, indent=2))
        write_atomic(file, json.dumps(told, indent=2))
        self._log("scores", iteration=iteration, **{score.opponent: round(score.share, 4) for score in scores})
        return scores

    def _fixture(self, purpose: str, iteration: int, number: int, seats: tuple[str, ...]) -> ContestGame:
        seed = derive(self.settings.seed, purpose, iteration, number // self.game.players)
        return ContestGame(number, self.settings.game, seats, seed, 2 * self.settings.longest)

    def _results(self, file: Path, stage: str, fixtures: list[ContestGame], networks: list[Path]) -> list[Result]:
        """Play what is not in a file yet: a line a game, written when it is over. The last line may be half a one."""
        known: dict[int, Result] = {}
        if file.is_file():
            for line in file.read_text().splitlines():
                try:
                    one = Result(**json.loads(line))
                except (ValueError, TypeError):
                    continue
                known[one.number] = one
            write_atomic(file, "".join(f"{json.dumps(asdict(one))}\n" for one in known.values()))
        self.watcher.begin(stage, len(fixtures), len(known))
        todo = tuple(fixture for fixture in fixtures if fixture.number not in known)
        for result in results_of(self.pool, ContestGames(todo, tuple(NetworkBundle.pack(one) for one in networks))):
            append_atomic(file, f"{json.dumps(asdict(result))}\n")
            known[result.number] = result
            self.watcher.advance()
        return [known[fixture.number] for fixture in fixtures]

    # ---- the record

    def _log(self, event: str, **about: Any) -> None:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        append_atomic(self.folder / "log.jsonl", f"{json.dumps({'at': at, 'event': event, **about})}\n")

    @contextmanager
    def _scalars(self) -> Iterator[None]:
        """TensorBoard's files, while the loop runs."""
        self._board = SummaryWriter(str(self.folder / "tensorboard"))
        writer = self._board.file_writer.event_writer
        try:
            yield
        finally:
            try:
                self._board.close()
            except OSError:  # a full disk, of which files that matter tell; the library would try again in the end
                writer.close = lambda: None

    def _scalar(self, name: str, value: float, step: int) -> None:
        self._board.add_scalar(name, value, step)


def shared(played: Played) -> bool:
    """Whether the players share one reward in the end, or nobody has any: then their chances add up to one."""
    sums = played.rewards.sum(1)
    return bool(((abs(sums - 1) < 1e-5) | (sums == 0)).all())


def scores_of(folder: Path, iterations: Iterable[int]) -> list[list[Score]]:
    """What a finished run has written down."""
    files = [folder / "networks" / f"{iteration:02}" / "scores.json" for iteration in iterations]
    return [[Score(**one) for one in read_json(file)] for file in files]
