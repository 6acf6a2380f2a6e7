"""The training loop: games, training, gating, and again.

Every step writes a file when it is finished, and is skipped if the file exists. A run that was killed can be resumed by
the same command, with the same result.

    settings.yaml          the settings, which determine the result
    log.jsonl              a log of the steps, with times
    data/00, 01, ...       replay data: the teacher's games, then the self-play games of each network
    networks/01, 02, ...   candidates, gating games (contest.jsonl), and the chosen network (chosen.json)
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout
from tensorboardX import SummaryWriter

from spinney import games as known_games
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
from spinney.seeds import derive, seat_orders
from spinney.stats import Share


class Reporter(Protocol):
    """Receives the progress of a run."""

    def begin(self, stage: str, total: int, done: int) -> None: ...

    def advance(self, note: str = "") -> None: ...


class Loop:
    """A run in a folder, new or resumed."""

    def __init__(self, folder: Path, settings: Settings, reporter: Reporter, pool: Pool | None = None) -> None:
        """Games are played in the pool, or in this process without one. The result is the same."""
        self.folder, self.settings, self.reporter, self.pool = folder, settings, reporter, pool
        self.game = known_games.load(settings.game)
        settings.check()
        make_folder(folder)
        self._lock = FileLock(folder / ".lock")
        file = folder / "settings.yaml"
        if file.is_file():
            if Settings.load(file) != settings:
                problem = f"{folder} contains a run with other settings"
                raise BadNetwork(f"{problem}; use another folder, or its settings.yaml")
        else:
            settings.write(file)
        self._tensorboard: Any = None

    def run(self) -> list[Path]:
        """Run all steps that are not finished; returns the chosen network of each iteration."""
        chosen: list[Path] = []
        last: Path | None = None
        try:
            locked = self._lock.acquire(timeout=0)  # it is released when the process ends, even if it is killed
        except Timeout:
            raise BadNetwork(f"another run is using {self.folder}; wait for it, or use another folder") from None
        with locked, self._summary_writer():
            for iteration in range(1, self.settings.iterations + 1):
                self._play(iteration - 1, last)
                candidates = [self._train(iteration, i, last) for i in range(self.settings.candidates)]
                last = self._choose(iteration, candidates, last)
                self._score(iteration, last)
                chosen.append(last)
        return chosen

    # ---- games

    def _play(self, number: int, network: Path | None) -> None:
        """Play a set of games: the teacher's, or self-play with a network."""
        shards = Shards(self.folder / "data" / f"{number:02}")
        if shards.complete:
            shards.clean()
            return
        settings = self.settings
        count = settings.games if network else settings.first_games
        stored = shards.stored()
        self.reporter.begin(f"games {number}: {'self-play' if network else 'the teacher'}", count, len(stored))
        seed = derive(settings.seed, "games", number) if number else settings.seed
        seeded = settings.model_copy(update={"seed": seed})
        todo = [i for i in range(count) if i not in stored]
        started, positions = time.monotonic(), 0
        bundle = None if network is None else NetworkBundle.pack(network)
        for i, played in games_of(self.pool, Games(seeded, tuple(todo), bundle)):
            shards.add(i, played)
            positions += int(played.acting.sum())
            self.reporter.advance(f"{positions / (time.monotonic() - started):,.0f} positions/s")
        shards.close()
        self._log("games", set=number, games=count, played_now=len(todo), positions=positions,
                  seconds=round(time.monotonic() - started, 1))  # fmt: skip

    # ---- training

    def _train(self, iteration: int, candidate: int, last: Path | None) -> Path:
        """Train a candidate on the latest games; returns its folder."""
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
        start = last / "network.safetensors" if settings.warm_start and last else None
        training = settings.training
        if start is not None and training.next_epochs is not None:
            training = training.model_copy(update={"epochs": training.next_epochs})
        self.reporter.begin(f"training {iteration}.{candidate}", training.epochs, epochs_done(checkpoint))
        started, figures, network = time.monotonic(), None, None
        seed = derive(settings.seed, "training", iteration, candidate) % 2**63
        epochs = train(self.game.card, settings.shape, training, samples, validation, checkpoint, seed, start)
        for figures, network in epochs:  # noqa: B007  # the last network is used
            self.reporter.advance(f"loss {figures.loss:.4f}, held out {figures.held_out:.4f}")
            for name, value in asdict(figures).items():
                self._tensorboard.add_scalar(f"training-{iteration}.{candidate}/{name}", value, figures.epoch)
        assert network is not None
        assert figures is not None
        sums = played.rewards.sum(1)
        about: dict[str, Any] = {
            "config": settings.shape.model_dump(),
            "shares": bool(((abs(sums - 1) < 1e-5) | (sums == 0)).all()),  # rewards add up to 1 if anybody wins
            "reward": settings.reward,
            "data": {"sets": list(sets), "positions": len(samples), "validation": len(validation)},
            "figures": asdict(figures),
        }
        save_network(network, self.game.card, folder, about)
        checkpoint.unlink()
        self._log("training", iteration=iteration, candidate=candidate, **about["data"], **asdict(figures),
                  seconds=round(time.monotonic() - started, 1))  # fmt: skip
        return folder

    # ---- gating

    def _choose(self, iteration: int, candidates: list[Path], last: Path | None) -> Path:
        """Gating: the network that plays the next games.

        A single candidate needs a share of the wins against the last network (Algorithm 2). Several candidates play
        each other and the last network, and the one with the highest win share is chosen (Algorithm 3).
        """
        folder = self.folder / "networks" / f"{iteration:02}"
        file = folder / "chosen.json"
        if file.is_file():
            name: str = read_json(file)["network"]
            return self.folder / name
        entrants = [*candidates, *([last] if last else [])]
        wins, seats = [0.0] * len(entrants), [0] * len(entrants)
        if len(entrants) > 1:
            specs = [write_spec("net", {"weights": str(one), "temperature": 0.3}) for one in entrants]
            seatings = self._seatings(len(specs))
            by_seat = [tuple(specs[entrant] for entrant in seating) for seating in seatings]
            games = self._contest_games("gate", iteration, self.settings.gate_games, by_seat)
            for result in self._results(folder / "contest.jsonl", f"contest {iteration}", games, entrants):
                for entrant, share in zip(seatings[result.number % len(seatings)], result.shares, strict=True):
                    wins[entrant] += share
                    seats[entrant] += 1
        rates = [won / max(1, count) for won, count in zip(wins, seats, strict=True)]
        best = rates.index(max(rates))
        if len(candidates) == 1 and last is not None:
            best = 0 if rates[0] >= self.settings.gate * sum(rates) else 1
        network = entrants[best]
        about = {
            "network": str(network.relative_to(self.folder)),
            "wins": {str(one.relative_to(self.folder)): share for one, share in zip(entrants, wins, strict=True)},
        }
        write_atomic(file, json.dumps(about, indent=2))
        self._log("contest", iteration=iteration, **about)
        return network

    def _seatings(self, entrants: int) -> list[tuple[int, ...]]:
        """The entrants by seat, for each game of a round: seats are filled cyclically, in all orders."""
        players = self.game.players
        lineups = [tuple((first + i) % entrants for i in range(players)) for first in range(entrants)]
        return list(dict.fromkeys(seats for one in lineups for seats in seat_orders(one)))

    def _score(self, iteration: int, network: Path) -> None:
        """Play games against hand-written players, and add the win shares to the network's card."""
        folder = self.folder / "networks" / f"{iteration:02}"
        file = folder / "scores.json"
        if file.is_file():
            return
        scores, players = [], self.game.players
        net = write_spec("net", {"weights": str(network)})
        for opponent, count in self.settings.opponents.items():
            seatings = [tuple(net if seat == one else opponent for seat in range(players)) for one in range(players)]
            games = self._contest_games(opponent, iteration, count, seatings)
            name, stage = file_name(opponent), f"network {iteration} v {opponent}"
            results = self._results(folder / f"scores-{name}.jsonl", stage, games, [network])
            score = Share.of(sum(result.shares[result.number % players] for result in results), count)
            scores.append({"opponent": opponent, **score._asdict()})
            self._tensorboard.add_scalar(f"scores/{name}", score.share, iteration)
        card = network / "network.json"
        write_atomic(card, json.dumps({**read_json(card), "scores": scores}, indent=2))
        write_atomic(file, json.dumps(scores, indent=2))
        self._log("scores", iteration=iteration, **{score["opponent"]: round(score["share"], 4) for score in scores})

    def _contest_games(
        self, purpose: str, iteration: int, count: int, seatings: Sequence[tuple[str, ...]]
    ) -> list[ContestGame]:
        """Games with the specs of the seatings in turn."""
        settings, players = self.settings, self.game.players
        seeds = [derive(settings.seed, purpose, iteration, number // players) for number in range(count)]
        return [
            ContestGame(number, settings.game, seatings[number % len(seatings)], seed, 2 * settings.max_turns)
            for number, seed in enumerate(seeds)
        ]

    def _results(self, file: Path, stage: str, games: list[ContestGame], networks: list[Path]) -> list[Result]:
        """Play the games that are not in a file yet, and append a line for each. An incomplete last line is dropped."""
        known: dict[int, Result] = {}
        if file.is_file():
            for line in file.read_text().splitlines():
                try:
                    one = Result(**json.loads(line))
                except (ValueError, TypeError):
                    continue
                known[one.number] = one
            write_atomic(file, "".join(f"{json.dumps(asdict(one))}\n" for one in known.values()))
        self.reporter.begin(stage, len(games), len(known))
        todo = tuple(game for game in games if game.number not in known)
        for result in results_of(self.pool, ContestGames(todo, tuple(NetworkBundle.pack(one) for one in networks))):
            append_atomic(file, f"{json.dumps(asdict(result))}\n")
            known[result.number] = result
            self.reporter.advance()
        return [known[game.number] for game in games]

    # ---- logs

    def _log(self, event: str, **about: Any) -> None:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        append_atomic(self.folder / "log.jsonl", f"{json.dumps({'at': at, 'event': event, **about})}\n")

    @contextmanager
    def _summary_writer(self) -> Iterator[None]:
        """Open the TensorBoard log while the loop runs."""
        self._tensorboard = SummaryWriter(str(self.folder / "tensorboard"))
        writer = self._tensorboard.file_writer.event_writer
        try:
            yield
        finally:
            try:
                self._tensorboard.close()
            except OSError:  # the disk is full; without this, the library tries again when the process exits
                writer.close = lambda: None


def scores_of(folder: Path, iterations: Iterable[int]) -> list[list[dict[str, Any]]]:
    """The scores of a finished run: the win shares of each network against opponents that have all other seats."""
    return [read_json(folder / "networks" / f"{iteration:02}" / "scores.json") for iteration in iterations]
