"""How fast a network is asked: positions one by one and in batches, simulations, and self-play in games an hour.

All of it is work per CPU time of one core.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import common
import numpy as np
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json
from spinney.clock import counted_by, now
from spinney.games.spec import parse_spec, write_spec
from spinney.learn.networks import make_network, save_network
from spinney.learn.selfplay import play_with_network
from spinney.learn.settings import Shape, preset_for
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import load


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "battlesnake",
    weights: Annotated[str | None, typer.Option(help="The network; the game's usual one unless named.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time for each measurement.")] = 2.0,
    games: Annotated[int, typer.Option(min=1, help="Games of self-play at the desk preset's settings.")] = 4,
    json_to: Json = None,
) -> None:
    """Encode and evaluate positions of a game in batches of several sizes; search by one leaf and by many; self-play by
    one game at a time and by many."""
    loaded = spinney.game(game)
    screen, figures = console(json_to), dict[str, dict[int, float]]()
    with TemporaryDirectory() as folder, counted_by("cpu"):  # whatever else the machine does
        papers = make_network(loaded.card, Shape(kind="later", filters=16), 1)
        save_network(papers, loaded.card, Path(folder), {})
        asked = {"positions": weights, "papers_positions": folder}
        for name, network in asked.items():
            figures[name] = positions(loaded, network, seconds)
            single = figures[name][1]
            rows = [(size, f"{rate:,.0f}", f"{rate / single:.1f}") for size, rate in figures[name].items()]
            title = "the paper's later network, untrained" if name == "papers_positions" else f"{loaded!r}"
            screen.print(table(f"Positions a second, {title}", ">batch", ">positions/s", ">times", rows=rows))
    with counted_by("cpu"):
        figures["simulations"] = simulations(loaded, weights, seconds)
        figures["games_an_hour"] = self_play(game, weights, games)
    single = figures["simulations"][1]
    rows = [(size, f"{rate:,.0f}", f"{rate / single:.1f}") for size, rate in figures["simulations"].items()]
    screen.print(table("Search of the first position", ">leaves a batch", ">simulations/s", ">times", rows=rows))
    single = figures["games_an_hour"][1]
    rows = [(size, f"{rate:,.0f}", f"{rate / single:.1f}") for size, rate in figures["games_an_hour"].items()]
    screen.print(table("Self-play, desk preset", ">games at once", ">games/hour", ">times", rows=rows))
    write_json(json_to, figures)


def positions(game: spinney.Game, weights: str | None, seconds: float) -> dict[int, float]:
    """Positions of a random game a second, by the size of the batch."""
    state, records, players = game.start(seed=1), list[Any](), list[int]()
    mover = game.agent(game.card.searching.rollout, seed=1)
    while len(records) < 256:
        if state.is_over:
            state = game.start(seed=len(records))
        for player in state.movers:
            records.append(state.record.copy())
            players.append(player)
        for player in state.movers:
            state.apply(mover.decide(state, player).action, player)
    native = np.empty(len(records), game.card.rules.State.dtype)
    for i, record in enumerate(records):
        native[i] = type(record).native(record)
    evaluator, who = load(game.card, weights), np.array(players)
    eyes = PlaneEncoder(game.card, evaluator.encoder)
    evaluator(eyes.look(native[:2], who[:2]))
    rates = {}
    for size in (1, 4, 16, 64, 256):
        done, before = 0, now()
        while now() - before < seconds:
            first = done % (len(native) - size + 1)
            evaluator(eyes.look(native[first : first + size], who[first : first + size]))
            done += size
        rates[size] = done / (now() - before)
    return rates


def simulations(game: spinney.Game, weights: str | None, seconds: float) -> dict[int, float]:
    """Simulations a second, by the leaves of a batch."""
    rates = {}
    for size in (1, 4, 16, 64):
        agent = game.agent(f"net_search(seconds={seconds}, batch={size}{_named(weights)})", seed=1)
        state = game.start(seed=1)
        decision = agent.decide(state, state.movers[0])
        rates[size] = decision.iterations / decision.seconds
    return rates


def self_play(game: str, weights: str | None, games: int) -> dict[int, float]:
    """Games an hour, by how many are played at once. One at a time has one leaf a batch, too."""
    rates = {}
    for at_once in (1, games):
        preset = preset_for("desk", game)
        name, given = parse_spec(preset.search)
        search = write_spec(name, given if at_once > 1 else {**given, "batch": 1})
        settings = preset.model_copy(update={"together": at_once, "search": search})
        networks = spinney.game(game).card.networks
        named = weights or (networks.default if networks is not None else None)
        before = now()
        count = sum(1 for _ in play_with_network(settings, named, range(games)))
        rates[at_once] = 3600 * count / (now() - before)
    return rates


def _named(weights: str | None) -> str:
    return "" if weights is None else f", weights='{weights}'"


if __name__ == "__main__":
    common.run(main)
