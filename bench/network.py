"""The speed of a network: evaluations one by one and in batches, simulations, and self-play games.

All rates are per CPU time of one core.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Annotated, Any

import common
import numpy as np
import typer

import spinney
from spinney import Clock
from spinney.cli.output import Json, console, table, write_json
from spinney.games.encoding import UNIFORM
from spinney.games.spec import parse_spec, write_spec
from spinney.learn.networks import make_network, save_network
from spinney.learn.selfplay import play_with_network
from spinney.learn.settings import Shape, preset_for
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import load


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "battlesnake",
    weights: Annotated[str | None, typer.Option(help="The network; by default the game's.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time per measurement.")] = 2.0,
    games: Annotated[int, typer.Option(min=1, help="Self-play games with the settings of the preset desk.")] = 4,
    json_to: Json = None,
) -> None:
    """Measure evaluations by batch size, simulations by leaves per batch, and self-play by games at once."""
    loaded = spinney.game(game)
    screen, figures = console(json_to), dict[str, dict[int, float]]()

    def measured(key: str, rates: dict[int, float], title: str, size: str, unit: str) -> None:
        figures[key] = rates
        rows = [(n, f"{rate:,.0f}", f"{rate / rates[1]:.1f}") for n, rate in rates.items()]
        screen.print(table(title, f">{size}", f">{unit}", ">ratio", rows=rows))

    columns = ("batch", "positions/s")
    measured("positions", positions(loaded, weights, seconds), f"Evaluations, {loaded!r}", *columns)
    with TemporaryDirectory() as folder:
        papers = make_network(loaded.card, Shape(kind="later", filters=16), 1)
        save_network(papers, loaded.card, Path(folder), {})
        rates = positions(loaded, folder, seconds)
    measured("papers_positions", rates, "Evaluations, the paper's later network, untrained", *columns)
    rates = simulations(loaded, weights, seconds)
    measured("simulations", rates, "Search of the first position", "leaves per batch", "simulations/s")
    rates = self_play(game, weights, games)
    measured("games_an_hour", rates, "Self-play, preset desk", "games at once", "games/hour")
    write_json(json_to, figures)


def positions(game: spinney.Game, weights: str | None, seconds: float) -> dict[int, float]:
    """Evaluated positions of random games per second, by batch size."""
    state, records, players = game.start(seed=1), list[Any](), list[int]()
    mover = game.agent(game.card.searching.rollout, seed=1)
    while len(records) < 256:
        if state.is_over:
            state = game.start(seed=len(records))
        for player in state.movers:
            records.append(state.record.copy())
            players.append(player)
        for player in state.movers:
            state.apply(mover.decide(state, player=player).action, player)
    native = np.empty(len(records), game.card.rules.State.dtype)
    for i, record in enumerate(records):
        native[i] = type(record).native(record)
    evaluator, who = load(game.card, weights), np.array(players)
    encoder = PlaneEncoder(game.card, evaluator.encoder)
    evaluator(encoder.look(native[:2], who[:2]))
    rates = {}
    for size in (1, 4, 16, 64, 256):
        done, before = 0, process_time()
        while process_time() - before < seconds:
            first = done % (len(native) - size + 1)
            evaluator(encoder.look(native[first : first + size], who[first : first + size]))
            done += size
        rates[size] = done / (process_time() - before)
    return rates


def simulations(game: spinney.Game, weights: str | None, seconds: float) -> dict[int, float]:
    """Simulations per second, by leaves per batch."""
    rates = {}
    for size in (1, 4, 16, 64):
        agent = game.agent(write_spec("net_search", {"batch": size, "weights": weights}), seed=1)
        state = game.start(seed=1)
        decision = agent.decide(state, Clock(seconds, cpu=True), player=state.movers[0])
        rates[size] = decision.iterations / decision.seconds
    return rates


def self_play(game: str, weights: str | None, games: int) -> dict[int, float]:
    """Games per hour, by games at once. One game at a time also has one leaf per batch."""
    rates, networks = {}, spinney.game(game).card.networks
    named = weights or (UNIFORM if networks is None else networks.default)
    for at_once in (1, games):
        preset = preset_for("desk", game)
        name, given = parse_spec(preset.search)
        search = write_spec(name, given if at_once > 1 else {**given, "batch": 1})
        settings = preset.model_copy(update={"parallel_games": at_once, "search": search})
        short = settings.model_copy(update={"max_turns": 1})
        list(play_with_network(short, named, [0]))  # compiles
        before = process_time()
        count = len(list(play_with_network(settings, named, range(games))))
        rates[at_once] = 3600 * count / (process_time() - before)
    return rates


if __name__ == "__main__":
    common.run(main)
