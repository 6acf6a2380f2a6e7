"""Saboteur as text in 80 columns. Rows and columns have the numbers that are used in moves.

A position may be a player's view, which does not have the opponent's cards.
"""

from __future__ import annotations

from typing import Any

from spinney.games.saboteur.official import cells_of, tile_text
from spinney.games.saboteur.recording import cards
from spinney.games.saboteur.rules import (
    BLOCK,
    BREAK,
    CURE,
    DROP,
    DROPPED,
    FINISHED,
    HIDING,
    LOOK,
    MOVING,
    NO_MOVE,
)  # fmt: skip
from spinney.games.saboteur.state import (
    CELLS,
    ENTRANCE_CELL,
    MAX_PLAYERS,
    NOBODY,
    OBJECTIVES,
    UNKNOWN,
    cell_at,
    column_of,
    objective_at,
    objective_cell,
    row_of,
)  # fmt: skip
from spinney.games.saboteur.tiles import (
    CARD_NAMES,
    EAST,
    EMPTY,
    ENTRANCE,
    NORTH,
    OBJECTIVE,
    SHAPE_NAMES,
    SIDES,
    SOUTH,
    THROUGH,
    TILES,
    WEST,
)

ROCK, TUNNEL = "░", "█"
PLACES = ("left", "middle", "right")


def draw(s: Any) -> str:
    """The used part of the board, the players with the cards that are visible, and the next step."""
    players = [
        line
        for player in range(MAX_PLAYERS)
        for line in (f"player {player + 1}: {facts(s, player)}", *_tiles(s, player))
    ]
    return "\n".join([*_board(s), "", *players, _last(s) + _next(s)])


def name_action(s: Any, action: int) -> str:
    """A move as in the course's program, except that a drop names the card; or a chance outcome."""
    if s.phase == HIDING:
        return f"the nugget is hidden {_place(action)}"
    if s.phase != MOVING:
        return f"player {s.player + 1} draws {CARD_NAMES[action]}"
    if action < LOOK:
        return tile_text(*divmod(action, CELLS))
    if action < CURE:
        cell = objective_cell(action - LOOK)
        return f"Map {row_of(cell)} {column_of(cell)}"
    if action in (CURE, BLOCK):
        return "Bonus" if action == CURE else "Malus"
    if action < DROP:
        return f"Destroy {row_of(action - BREAK)} {column_of(action - BREAK)}"
    return "Drop" if action == DROPPED else f"Drop {CARD_NAMES[action - DROP]}"


def name_seen(s: Any, action: int, player: int) -> str:
    """The same in a player's view: without the place of the nugget and the cards that the opponent draws or drops."""
    if s.phase == HIDING:
        return ""
    if s.player != player:
        if s.phase != MOVING:
            return ""
        return name_action(s, DROPPED if action >= DROP else action)
    return name_action(s, action)


def _place(objective: int) -> str:
    return "in the middle" if objective == 1 else f"on the {PLACES[objective]}"


# ---- the board


def _board(s: Any) -> list[str]:
    """Each cell has three lines of three characters."""
    used = [*cells_of(s.laid), *cells_of(s.room), ENTRANCE_CELL, *map(objective_cell, range(OBJECTIVES))]
    rows = range(min(map(row_of, used)), max(map(row_of, used)) + 1)
    columns = range(min(map(column_of, used)), max(map(column_of, used)) + 1)
    lines = [f"   {''.join(f'{column:^3}' for column in columns)}".rstrip()]
    for row in rows:
        cells = [_cell(s, cell_at(row, column)) for column in columns]
        for part in range(3):
            label = f"{row:>2} " if part == 1 else "   "
            lines.append(f"{label}{''.join(cell[part] for cell in cells)}".rstrip())
    return lines


def _cell(s: Any, cell: int) -> tuple[str, str, str]:
    code = s.tile[cell]
    if code == EMPTY:
        return "   ", " · ", "   "
    centre = _centre(code)
    if code == ENTRANCE:
        centre = "E"
    elif code == OBJECTIVE:
        centre = objective_mark(s, objective_at(cell))
        if not s.revealed >> objective_at(cell) & 1:
            return "┌─┐", f"│{centre}│", "└─┘"
    return _picture(code, centre)


def _picture(code: int, centre: str) -> tuple[str, str, str]:
    north, east, south, west = (TUNNEL if SIDES[code] & side else ROCK for side in (NORTH, EAST, SOUTH, WEST))
    return f"{ROCK}{north}{ROCK}", f"{west}{centre}{east}", f"{ROCK}{south}{ROCK}"


def _centre(code: int) -> str:
    return TUNNEL if THROUGH[code] else ROCK


def objective_mark(s: Any, objective: int) -> str:
    """$ the nugget, x nothing, ? unknown in this view."""
    if s.nugget != UNKNOWN:
        return "$" if objective == s.nugget else "x"
    seen = [s.seen[player] for player in range(MAX_PLAYERS) if _is_shown(s, player)]
    return "x" if any(bits >> objective & 1 for bits in seen) else "?"


# ---- the players


def _is_shown(s: Any, player: int) -> bool:
    """Whether the cards of a player are visible."""
    return len(cards(s, player)) == int(s.hand_size[player])


def facts(s: Any, player: int) -> str:
    """The cards of a player, or their number; the objectives that only this player has seen; and whether it is
    blocked."""
    hand = " ".join(CARD_NAMES[kind] for kind in cards(s, player)) if _is_shown(s, player) else ""
    parts = [hand or f"{s.hand_size[player]} cards"]
    looked = [PLACES[i] for i in range(OBJECTIVES) if (s.seen[player] & ~s.revealed) >> i & 1]
    if looked:
        parts.append(f"has looked at: {', '.join(looked)}")
    if s.malus[player]:
        parts.append("blocked" if s.malus[player] == 1 else "blocked twice")
    return "; ".join(parts)


def _tiles(s: Any, player: int) -> list[str]:
    """Pictures of the tiles of a hand, unturned."""
    shapes = [SHAPE_NAMES.index(CARD_NAMES[kind]) for kind in range(TILES) if s.hand[player, kind]]
    pictures = [(*_picture(shape, _centre(shape)), SHAPE_NAMES[shape]) for shape in shapes]
    return [f"  {' '.join(f'{picture[part]:>3}' for picture in pictures)}" for part in range(4) if pictures]


def _last(s: Any) -> str:
    if s.last == NO_MOVE:
        return ""
    shown = s.copy()
    shown.phase = MOVING
    return f"last move: {name_action(shown, s.last)}; "


def _next(s: Any) -> str:
    if s.phase == FINISHED:
        return "the end: a draw" if s.winner == NOBODY else f"the end: player {s.winner + 1} has reached the nugget"
    does = "moves" if s.phase == MOVING else "draws"
    return f"turn {s.turn}, {s.deck_size} cards in the deck; player {s.player + 1} {does}"
