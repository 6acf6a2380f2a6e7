"""Halite as text: one character per cell, or two on small maps."""

from __future__ import annotations

from typing import Any

from spinney.games.card import OVER
from spinney.games.halite.recording import xy
from spinney.games.halite.rules import mover, rank, score
from spinney.games.halite.state import NONE, STRIDE, is_inspired

ORDERS = ("stay", "north", "south", "east", "west", "construct", "spawn")
LETTERS = "ABCD"
SHADES = " .:-=+*%#"
"""The halite of a cell, from none; each shade begins at twice the value of the one before."""
FIRST_SHADE = 8
WIDE = 32
"""Maps up to this size have two characters per cell."""
LEGEND = f"halite {SHADES[1:]} from 1, {FIRST_SHADE}, {2 * FIRST_SHADE}, ... to {FIRST_SHADE << 6}"


def draw(s: Any) -> str:
    """The turn, the map, a line for each player, and the next order."""
    inspiration = "" if s.inspiration else "   no inspiration"
    head = f"turn {s.turn} of {s.turns}   {s.size}x{s.size}{inspiration}   {LEGEND}"
    return "\n".join([head, "", *_map(s), "", *(_player(s, player) for player in range(s.players)), "", _next(s)])


def name_action(s: Any, action: int) -> str:
    """The name of an order; a shipyard that does not spawn waits."""
    return "wait" if action == 0 and s.piece == s.ships else ORDERS[action]


def name_seen(s: Any, action: int, player: int) -> str:
    """The same in a player's view: the other players' orders of this turn are hidden."""
    return name_action(s, action) if mover(s) == player else ""


def _map(s: Any) -> list[str]:
    """The map. Ships are lower-case letters, or capitals from half a cargo on; structures are numbers of players."""
    wide = s.size <= WIDE
    edge = f"   +{'-' * (s.size * (2 if wide else 1) + wide)}+"
    rows = []
    for y in range(s.size):
        cells = [_cell(s, STRIDE * y + x, wide) for x in range(s.size)]
        rows.append(f"{y:>2} |{' ' * wide}{''.join(cells)}|")
    tens = "".join(f"{x // 10 or ' '}{' ' * wide}" for x in range(s.size))
    ones = "".join(f"{x % 10}{' ' * wide}" for x in range(s.size))
    return [edge, *rows, edge, *(f"    {' ' * wide}{digits}".rstrip() for digits in (tens, ones) if digits.strip())]


def _cell(s: Any, cell: int, wide: bool) -> str:
    ship, owner = int(s.ship[cell]), int(s.owner[cell])
    if ship == NONE:
        return _ground(s, cell) + " " * wide
    letter = LETTERS[s.player[ship]]
    mark = letter if s.cargo[ship] >= 500 else letter.lower()
    if not wide:
        return mark
    return mark + ("!" if is_inspired(s, ship) else " " if owner == NONE else str(owner + 1))


def _ground(s: Any, cell: int) -> str:
    if s.owner[cell] != NONE:
        return str(s.owner[cell] + 1)
    shade, halite = 0, int(s.halite[cell])
    if halite:
        shade = min(len(SHADES) - 1, max(1, halite.bit_length() - FIRST_SHADE.bit_length() + 2))
    return SHADES[shade]


def _player(s: Any, player: int) -> str:
    cargo = sum(s.cargo[i] for i in range(s.ships) if s.player[i] == player)
    out = "  terminated" if s.terminated[player] else "  broke" if s.broke[player] else ""
    return (
        f"{LETTERS[player]}  player {player + 1}  treasury {s.treasury[player]:>6}  ships {s.fleet[player]:>3}  "
        f"cargo {cargo:>6}  dropoffs {s.built[player]:>2}{out}"
    )


def _next(s: Any) -> str:
    if s.mover == OVER:
        return _result(s)
    letter = LETTERS[s.mover]
    if s.piece == s.ships:
        return f"{letter} orders its shipyard: wait, spawn"
    i = int(s.piece)
    x, y = xy(s.cell[i])
    halite = f", {s.halite[s.cell[i]]} halite there" if s.halite[s.cell[i]] else ""
    inspired = ", inspired" if is_inspired(s, i) else ""
    return f"{letter} orders ship {s.id[i]} on {x},{y} with {s.cargo[i]} cargo{halite}{inspired}"


def _result(s: Any) -> str:
    if s.players == 1:
        return f"the end: {score(s, 0)} halite"
    order = sorted(range(s.players), key=lambda player: rank(s, player))
    places = ", ".join(f"{LETTERS[player]} {score(s, player)}" for player in order)
    return f"the end: {LETTERS[order[0]]} wins ({places})"
