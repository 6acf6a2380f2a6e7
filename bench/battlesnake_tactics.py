"""How often agents avoid moves that lose by force: positions of BattleSnake in which a move is proven to be lost.

The positions are from games in the official engine. In each, two programs have proven that some moves lose against any
of the replies of the others together.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.agents import build
from spinney.bridges.battlesnake.messages import Message, options_of, position_of, with_options
from spinney.cli.output import Json, console, table, write_json
from spinney.games.battlesnake.board import DIRECTIONS
from spinney.games.battlesnake.position import to_state
from spinney.stats import wilson

POSITIONS = Path(__file__).parents[1] / "tests" / "conformance" / "data" / "battlesnake" / "tactics.jsonl"


def main(
    agents: Annotated[list[str], typer.Argument(help="Agents, such as champion.")],
    seconds: Annotated[list[float], typer.Option(min=0.001, help="Seconds of CPU time for a move.")] = [0.02],  # noqa: B006
    repeats: Annotated[int, typer.Option(min=1, help="How often each position is asked.")] = 1,
    file: Annotated[Path, typer.Option(help="The positions.")] = POSITIONS,
    lost: Annotated[bool, typer.Option(help="Also list the positions in which a lost move was played.")] = False,
    json_to: Json = None,
) -> None:
    """Ask agents for a move in each position."""
    screen, rows, figures = console(json_to), [], []
    lines = [(at, json.loads(line)) for at, line in enumerate(file.read_text().splitlines(), 1)]
    for spec in agents:
        for limit in seconds:
            asked = [ask(spec, line, limit, seed) | {"line": at} for at, line in lines for seed in range(repeats)]
            good, of = sum(not one["lost"] for one in asked), len(asked)
            low, high = wilson(good / of, of)
            work = median(one["iterations"] for one in asked)
            share = f"{good / of:.1%}", f"{low:.1%} to {high:.1%}"
            rows.append((spec, f"{limit:g}", f"{good} of {of}", *share, f"{work:,.0f}"))
            figures.append({"agent": spec, "seconds": limit, "positions": asked})
            if lost:
                for one in asked:
                    if one["lost"]:
                        screen.print(f"{spec}, {limit:g} s: line {one['line']}, {one['move']}, {one['turns']} turns")
    names = ("agent", ">seconds", ">not lost", ">share", ">interval", ">iterations")
    screen.print(table("Positions with proven losses", *names, rows=rows))
    write_json(json_to, {"agents": figures})


GAMES: dict[str, Any] = {}
"""Agents by spec and number of snakes: they are compiled once."""


def ask(spec: str, line: dict[str, Any], seconds: float, seed: int) -> dict[str, Any]:
    """The move of an agent in a position, and whether it is lost."""
    message = Message.model_validate(line)
    ids = [snake.id for snake in message.board.snakes]
    options = options_of(message, spinney.game("battlesnake"))
    game = with_options(spinney.game("battlesnake"), **options.model_dump())
    state = spinney.State(game, to_state(position_of(message, options, ids, {})))
    key = f"{spec} {seed} {options}"
    if key not in GAMES:
        GAMES[key] = build(game, spec, seed)
    decision = GAMES[key].decide(state, spinney.Clock(seconds=seconds, cpu=True), player=ids.index(message.you.id))
    move = DIRECTIONS[decision.action]
    return {
        "move": move,
        "lost": move in line["lost"],
        "turns": line["turns"].get(move),
        "iterations": decision.iterations,
    }


if __name__ == "__main__":
    common.run(main)
