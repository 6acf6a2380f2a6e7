"""Verify the rules with games of the course's engine: every position is compared."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadRecording
from spinney.games.card import OVER, Card
from spinney.games.colosseum import rules
from spinney.games.colosseum.state import (
    DOWN,
    LARGEST,
    MAX_PLAYERS,
    RIGHT,
    SIDES,
    SMALLEST,
    State,
    clear_board,
    close,
    is_open,
)
from spinney.games.recording import differences_at

Move = list[int]
"""A row, a column, and the side of the wall."""


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; return the number of moves, and the differences of the first position that has any."""
    moves, size = recorded["moves"], recorded["board_size"]
    positions = len(moves) + 1
    for key in ("legal", "ended", "score0", "score1"):
        if len(recorded[key]) != positions:
            raise ValueError(f"it has {len(recorded[key])} entries in {key} and {len(moves)} moves")
    options = card.options.read(card.name, {"size": size})
    s = position(size, recorded["walls"], [recorded["p0"], recorded["p1"]])
    differences = _compare_start(s, recorded, options.pairs())  # type: ignore[attr-defined]
    full = {entry["ply"]: entry["moves"] for entry in recorded["full"]}
    for ply in range(positions):
        where = f"after {ply} moves"
        legal = _legal(card, s)
        differences += _compare(s, recorded, ply, legal, full.get(ply))
        if differences or ply == len(moves):
            break
        if moves[ply] not in legal:
            return ply, [f"{where}: the recording has the move {moves[ply]}, which the rules do not allow"]
        row, column, side = moves[ply]
        rules.apply(s, (row * size + column) * SIDES + side)
    if not differences and rules.mover(s) != OVER:
        differences = ["at the end: the recording stops, the rules go on"]
    return ply, differences or _compare_end(s, recorded)


def position(size: int, walls: list[Move], players: list[list[int]], mover: int = 0) -> Any:
    """A state from its walls and the cells (row, column) of the players."""
    if not SMALLEST <= size <= LARGEST:
        raise BadRecording(f"a board of {size}x{size}; {SMALLEST} to {LARGEST} cells on a side are allowed")
    if len(players) != MAX_PLAYERS or tuple(players[0]) == tuple(players[1]):
        raise BadRecording(f"players on {[list(cell) for cell in players]}; two on different cells are allowed")
    if mover not in range(MAX_PLAYERS):
        raise BadRecording(f"player {mover} to move; 0 and 1 are allowed")
    s = State()
    clear_board(s, size)
    for row, column, side in walls:
        cell = row * size + column
        if not (0 <= row < size and 0 <= column < size and 0 <= side < SIDES and is_open(s, cell, side)):
            raise BadRecording(
                f"there can be no wall {[row, column, side]}; walls are between cells, one at each place"
            )
        close(s, cell, side)
    for player, (row, column) in enumerate(players):
        if not (0 <= row < size and 0 <= column < size):
            raise BadRecording(f"player {player} on {[row, column]} is not on the board of {size}x{size}")
        s.cell[player] = row * size + column
    s.mover = mover
    if not rules.can_meet(s):
        rules.end(s)
    return s


def _legal(card: Card, s: Any) -> list[Move]:
    """The legal moves as the engine writes them, sorted; none at the end."""
    if rules.mover(s) == OVER:
        return []
    out: Any = card.out()
    n = rules.legal(s, s.mover, out)
    return sorted([*divmod(action // SIDES, s.size), action % SIDES] for action in out.action[:n])


def _compare_start(s: Any, recorded: dict[str, Any], pairs: int) -> list[str]:
    """Check the number and the symmetry of the walls, and the cells of the players."""
    size = s.size
    images = {_edge(size - 1 - row, size - 1 - column, (side + 2) % SIDES) for row, column, side in recorded["walls"]}
    found = {
        "max_step": s.steps,
        "number of walls": 2 * pairs,
        "half-turn of the walls": images,
        "half-turn of p0": [size - 1 - recorded["p0"][0], size - 1 - recorded["p0"][1]],
    }
    expected = {
        "max_step": recorded["max_step"],
        "number of walls": len(recorded["walls"]),
        "half-turn of the walls": {_edge(*wall) for wall in recorded["walls"]},
        "half-turn of p0": recorded["p1"],
    }
    return differences_at("before the first move", expected, found)


def _edge(row: int, column: int, side: int) -> tuple[int, int, int]:
    """A wall as the right or the lower side of a cell."""
    if side in (RIGHT, DOWN):
        return row, column, side
    return (row - 1, column, DOWN) if side == 0 else (row, column - 1, RIGHT)


def _compare(s: Any, recorded: dict[str, Any], ply: int, legal: list[Move], full: list[Move] | None) -> list[str]:
    """Compare a position: the number of legal moves, or all of them if they are recorded, the end, and the scores."""
    expected: dict[str, Any] = {key: recorded[key][ply] for key in ("legal", "ended", "score0", "score1")}
    points = rules.scores(s)
    found: dict[str, Any] = {
        "legal": len(legal) or None,
        "ended": int(s.mover == OVER),
        "score0": points[0],
        "score1": points[1],
    }
    if full is not None:
        expected["full"], found["full"] = full, legal
    return differences_at(f"after {ply} moves", expected, found)


def _compare_end(s: Any, recorded: dict[str, Any]) -> list[str]:
    first, second = rules.scores(s)
    winner = -1 if first == second else int(second > first)
    return differences_at("at the end", {"winner": recorded["winner"]}, {"winner": winner})
