"""How many turns of Halite per second the rules play, with fleets of a given size that mine and move at random.

Ships stay or go in one of the four directions, all equally likely, and stay where another ship is or goes: none is
lost. The orders are chosen and stored first; only carrying them out is timed. The figures of the official engine are
the CPU time of its own process in a game with as many ships.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import time
from typing import Annotated, Any

import common
import numpy as np
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json
from spinney.games.halite.rules import carry_out
from spinney.games.halite.state import CELLS, NONE, STAY, STRIDE, WEST, State, add_ship, step
from spinney.kernel import Record, Rng, assign, below, bind, i16, seeded

ENGINE = {20: 5300, 60: 1800}
"""Turns per CPU second of the official engine, by ships a player, with two players on 32x32."""


class Taken(Record):
    turn = i16[CELLS]


def make_choose() -> Any:
    def choose(root: Any, s: Any, taken: Any, rng: Any, orders: Any) -> int:
        """Play turns with random orders and store these; the number of ships that are left."""
        assign(s, root)
        for turn in range(len(orders)):
            for i in range(s.ships):
                order = below(rng, WEST + 1)
                to = step(s, int(s.cell[i]), order)
                if order == STAY or s.ship[to] != NONE or taken.turn[to] == turn + 1:
                    order = STAY
                else:
                    taken.turn[to] = turn + 1
                orders[turn, i] = order
                s.order[i] = order
            carry_out(s)
        return int(s.ships)

    return choose


def make_play() -> Any:
    def play(root: Any, s: Any, orders: Any, rounds: int) -> None:
        """Play the same turns again, several times."""
        for _ in range(rounds):
            assign(s, root)
            for turn in range(len(orders)):
                for i in range(s.ships):
                    s.order[i] = orders[turn, i]
                carry_out(s)

    return play


def position(size: int, players: int, ships: int, inspiration: bool, turns: int, seed: int) -> Any:
    """A map with this many ships of each player, anywhere."""
    game = spinney.game("halite", size=size, players=players, inspiration=inspiration, turns=turns + 1)
    s = game.start(seed).record
    cells = np.random.default_rng(seed).permutation(size * size)
    free = [cell for cell in (int(c) // size * STRIDE + int(c) % size for c in cells) if s.owner[cell] == NONE]
    for number in range(players * ships):
        add_ship(s, number % players, free[number], 0, number)
    return s


def measure(size: int, players: int, ships: int, inspiration: bool, turns: int, seed: int, repeats: int) -> float:
    """Turns per CPU second, the best of several rounds."""
    plain = position(size, players, ships, inspiration, turns, seed)
    root, s = State.native(plain), State.native()
    orders = np.zeros((turns, players * ships), np.int8)
    left = bind(make_choose, "halite/choose")(root, s, Taken.native(), Rng.native(seeded(seed)), orders)
    assert left == players * ships
    play = bind(make_play, "halite/turns")
    play(root, s, orders, 1)
    rounds, best = max(1, 4_000_000 // (turns * players * ships)), 0.0
    for _ in range(repeats):
        started = time.process_time()
        play(root, s, orders, rounds)
        best = max(best, rounds * turns / (time.process_time() - started))
    return best


def main(
    size: Annotated[int, typer.Option(help="Cells on a side.")] = 32,
    players: Annotated[int, typer.Option(help="Players: 1, 2 or 4.")] = 2,
    ships: Annotated[list[int] | None, typer.Option(help="Ships of each player; repeat for more rows.")] = None,
    turns: Annotated[int, typer.Option(min=1, max=1000, help="Turns of one game.")] = 200,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; the best counts.")] = 7,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Measure turns per second, with and without inspiration."""
    figures: list[dict[str, Any]] = []
    for fleet in ships or [20, 60]:
        rates = [measure(size, players, fleet, inspired, turns, seed, repeats) for inspired in (True, False)]
        engine = ENGINE.get(fleet) if (size, players) == (32, 2) else None
        figures.append({"ships": fleet, "turns": rates[0], "without_inspiration": rates[1], "engine": engine})
    rows = [
        (
            str(row["ships"]),
            f"{row['turns']:,.0f}",
            f"{row['without_inspiration']:,.0f}",
            f"{row['without_inspiration'] / row['turns']:.2f}",
            f"{row['engine']:,.0f}" if row["engine"] else "",
            f"{row['turns'] / row['engine']:.0f}" if row["engine"] else "",
        )
        for row in figures
    ]
    title = f"Turns per CPU second, {players} players on {size}x{size}, best of {repeats}"
    names = (">ships each", ">turns/s", ">no inspiration", ">costs", ">official engine", ">ratio")
    console(json_to).print(table(title, *names, rows=rows))
    console(json_to).print(f"state {State.dtype.itemsize:,} bytes")
    write_json(json_to, {"size": size, "players": players, "rates": figures})


if __name__ == "__main__":
    common.run(main)
