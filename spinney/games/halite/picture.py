"""Halite as a picture: cells shaded by their halite, structures as squares, ships as discs that grow with their
cargo."""

from __future__ import annotations

from typing import Any

from spinney.games.halite.recording import rows_of, xy
from spinney.games.halite.state import CAPACITY, is_inspired
from spinney.games.picture import GOLD, PAPER, PLAYERS, SHADES, Mark, Picture, disc, letter, square

SHADE = tuple(SHADES[round((len(SHADES) - 1) * (halite / CAPACITY) ** 0.5)] for halite in range(CAPACITY + 1))
"""The shade by a cell's halite, with finer steps for small values."""
LOADS = 5
"""The number of sizes of a ship, apart from that of an empty one."""


def picture(s: Any) -> Picture:
    """The map, with gold around inspired ships."""
    marks: dict[Any, Mark] = {}
    for player in range(s.players):
        x, y = xy(s.yard[player])
        marks["yard", player] = square(x, y, PLAYERS[player])
        marks["number", player] = letter(x, y, player + 1, PAPER, 0.8)
    for i in range(s.dropoffs):
        marks["dropoff", i] = square(*xy(s.dropoff[i]), PLAYERS[s.owner[s.dropoff[i]]], 0.8)
    for i in range(s.ships):
        size = 0.5 + 0.09 * round(LOADS * s.cargo[i] / CAPACITY)
        edge = GOLD if is_inspired(s, i) else PAPER
        marks["ship", int(s.id[i])] = disc(*xy(s.cell[i]), PLAYERS[s.player[i]], size, edge)
    return Picture(
        width=s.size,
        height=s.size,
        cells=[SHADE[min(halite, CAPACITY)] for row in rows_of(s) for halite in row],
        marks=marks,
        head=f"turn {s.turn} of {s.turns}",
        facts=[_facts(s, player) for player in range(s.players)],
        grid=0,
    )


def _facts(s: Any, player: int) -> str:
    cargo = sum(int(s.cargo[i]) for i in range(s.ships) if s.player[i] == player)
    out = ", terminated" if s.terminated[player] else ", broke" if s.broke[player] else ""
    return f"treasury {s.treasury[player]:,}, ships {s.fleet[player]}, cargo {cargo:,}, dropoffs {s.built[player]}{out}"
