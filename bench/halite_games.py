"""Games of Halite between agents, all seats on each map, and what the players did in them.

Whole turns are played, without a session, so that a planner's game takes seconds. `idle` is a player that does nothing:
`halite_games.py admiral idle` measures an economy alone on the map.
"""

from __future__ import annotations

import time
from collections import defaultdict
from math import exp, log, sqrt
from statistics import mean, stdev
from typing import Annotated, Any

import common
import typer
from halite_habits import Habits, Watch, show

import spinney
from spinney.agents import build
from spinney.cli.output import Json, console, table
from spinney.clock import Clock
from spinney.games import State
from spinney.games.card import OVER
from spinney.games.halite import state
from spinney.games.halite.rules import carry_out, find_piece, score
from spinney.stats import Z

IDLE = "idle"


def play(specs: list[str], size: int, map_seed: int, cpu: bool = True) -> tuple[list[int], list[Habits], list[float]]:
    """The scores and habits of one game, and the longest turn of each player in seconds of CPU time."""
    game = spinney.game("halite", players=len(specs), size=size, map_seed=map_seed)
    agents = [None if spec == IDLE else build(game, spec, seed=map_seed) for spec in specs]
    s = game.start(seed=1).record
    watch = Watch(len(specs))
    longest = [0.0 for _ in specs]
    while s.mover != OVER:
        planned: list[tuple[int, tuple[int, ...]]] = []
        for player, agent in enumerate(agents):
            seen = s.copy()
            seen.mover, seen.piece = player, 0
            if agent is None or not find_piece(seen) or seen.mover != player:
                planned.append((player, ()))
                continue
            started = time.process_time()
            turn = agent.decide_turn(State(game, seen), Clock(cpu=cpu), player=player)
            longest[player] = max(longest[player], time.process_time() - started)
            planned.append((player, turn.actions))
        for player, actions in planned:
            ships = [i for i in range(s.ships) if s.player[i] == player]
            for i, order in zip(ships, actions, strict=False):  # after the ships, the shipyard may be asked
                s.order[i] = order
            s.spawn[player] = int(len(actions) > len(ships) and actions[-1] == state.SPAWN)
        before = s.copy()
        carry_out(s)
        watch.turn(before, s)
    return [score(s, player) for player in range(s.players)], watch.end(s), longest


def main(
    agents: Annotated[list[str], typer.Argument(help="Specs: one for each player; idle does nothing.")],
    size: Annotated[list[int] | None, typer.Option(help="Cells on a side; repeat for more.")] = None,
    maps: Annotated[int, typer.Option(min=1, help="Maps, each played in all seats.")] = 10,
    seed: Annotated[int, typer.Option(help="The seed of the first map; the next ones follow.")] = 1,
    json_to: Json = None,
) -> None:
    """Play games of the first agent against the others; its halite over the mean of theirs is the ratio."""
    screen, rows = console(json_to), []
    found: dict[str, Habits] = defaultdict(Habits)
    for side in size or [32]:
        ratios, own, others, won, longest = [], [], [], [], 0.0
        seats = 1 if IDLE in agents else len(agents)
        for map_seed in range(seed, seed + maps):
            for shift in range(seats):
                seating = [(k - shift) % len(agents) for k in range(len(agents))]
                scores, habits, seconds = play([agents[k] for k in seating], side, map_seed)
                by_agent = dict(zip(seating, scores, strict=True))
                for k, of, spent in zip(seating, habits, seconds, strict=True):
                    found[f"{side}: {agents[k]}"].add(of)
                    longest = max(longest, spent) if k == 0 else longest
                rest = [by_agent[k] for k in range(1, len(agents))]
                own.append(by_agent[0])
                others.append(mean(rest))
                won.append(by_agent[0] > max(rest))
                ratios.append(log(max(1, by_agent[0]) / max(1, mean(rest))))
        rows.append(
            (
                side, len(own), _with_error(own), f"{mean(others):,.0f}", _ratio(ratios), f"{mean(won):.0%}",
                f"{longest:.2f} s",
            )
        )  # fmt: skip
    title = f"{agents[0]} v {', '.join(agents[1:])}, map seeds from {seed}, 95 % intervals"
    screen.print(table(title, ">size", ">games", ">halite", ">of others", ">ratio", ">won", ">longest turn", rows=rows))
    show(found, json_to)


def _with_error(values: list[Any]) -> str:
    """The mean and its 95 % interval."""
    error = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{mean(values):,.0f} ±{error:,.0f}"


def _ratio(logs: list[float]) -> str:
    """The geometric mean of ratios and its 95 % interval."""
    error = Z * stdev(logs) / sqrt(len(logs)) if len(logs) > 1 else 0.0
    middle = mean(logs)
    return f"{exp(middle):.2f} ({exp(middle - error):.2f}-{exp(middle + error):.2f})"


if __name__ == "__main__":
    common.run(main)
