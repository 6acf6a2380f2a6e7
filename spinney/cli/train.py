"""`spinney train`: trains networks by self-play."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spinney import games
from spinney.cli.output import MOST_WORKERS, Json, Ray, console, long_run, table, write_json
from spinney.errors import BadGame, BadNetwork, MissingPackage, SpinneyError
from spinney.files import check_target
from spinney.games.spec import parse_spec, suggest
from spinney.pool import open_pool
from spinney.stats import interval


def train(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it; it needs an encoder.")],
    preset: Annotated[str | None, typer.Option(help="The settings: paper, desk (the default) or smoke.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A YAML file of settings instead of a preset.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for all results; by default train-GAME.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of all random numbers; by default the preset's.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Processes that play the games.")] = 1,
    ray: Ray = None,
    json_to: Json = None,
) -> None:
    """Train networks by self-play: games by search, training, gating against the last network, and again.

    A folder holds all results, and the settings in one YAML file. The same command resumes a run that was stopped or
    killed. Finished games and epochs are not lost.

    Needs torch: pip install 'spinney-mcts[learn]'

    Example: spinney train battlesnake --preset smoke
    """
    check_target(json_to, read=settings)
    loaded = games.load(game)
    if not loaded.card.encoders:
        names = [name for name in games.game_names() if games.card(name).encoders]
        raise BadGame(f"{loaded.name} has no encoder, which training needs; games with one: {', '.join(names)}")
    try:
        from spinney.learn.loop import Loop, scores_of
        from spinney.learn.settings import PRESETS, Settings, preset_for
    except ImportError as error:
        raise MissingPackage.of("training", error.name or "torch", "learn") from None
    if settings is not None and preset is not None:
        raise SpinneyError("--settings and --preset cannot be combined")
    if preset is not None and preset not in PRESETS:
        raise SpinneyError(f"there is no preset '{preset}'; {suggest(preset, PRESETS)}")
    chosen = preset_for(preset or "desk", game) if settings is None else Settings.load(settings)
    named = games.load(chosen.game)
    if named.name != loaded.name or (parse_spec(game)[1] and named.options != loaded.options):
        raise BadNetwork(f"{settings} has settings for {chosen.game}, not for {game}")
    if seed is not None:
        chosen = chosen.model_copy(update={"seed": seed})
    folder = out or Path(f"train-{loaded.name}")
    screen = console(json_to)
    running = long_run(screen, json_to, lambda: f"all finished work is in {folder}: the same command resumes it")
    with running, open_pool(workers, ray) if workers > 1 or ray else nullcontext() as pool:
        networks = Loop(folder, chosen, Bars(screen), pool).run()
    iterations = range(1, chosen.iterations + 1)
    scores = scores_of(folder, iterations)
    rows = [
        (iteration, one["opponent"], one["games"], f"{one['share']:.1%}", interval(one["low"], one["high"]))
        for iteration, each in zip(iterations, scores, strict=True)
        for one in each
    ]
    screen.print(table("Networks without search; one opponent has all other seats", ">iteration", "opponent", ">games",
                       ">wins", ">95 %", rows=rows))  # fmt: skip
    screen.print(f"the network is {networks[-1] / 'network.onnx'}; play it as net(weights='{networks[-1]}')",
                 soft_wrap=True)  # fmt: skip
    write_json(json_to, {"networks": [str(one) for one in networks], "scores": scores})


class Bars:
    """A progress bar for each stage; without a terminal, about ten lines per stage."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._progress = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False), console=screen, disable=not screen.is_terminal,
        )  # fmt: skip

    def begin(self, stage: str, total: int, done: int) -> None:
        for task in self._progress.task_ids[-1:]:
            self._progress.stop_task(task)
        self._progress.start()
        self._progress.add_task(stage, total=total, completed=done, note="")
        if not self._screen.is_terminal:
            self._screen.print(f"{stage}: {done} of {total} done")

    def advance(self, note: str = "") -> None:
        task = self._progress.tasks[-1]
        self._progress.update(task.id, advance=1, note=note)
        done, total = int(task.completed), int(task.total or 0)
        if not self._screen.is_terminal and done % max(1, total // 10) == 0:
            self._screen.print(f"{task.description}: {done} of {total}  {note}")
