"""Saboteur as text in 80 columns. Rows and columns have the numbers that are used in moves.

A position may be a player's view, which does not have the opponent's cards.
"""

from __future__ import annotations

from typing import Any

from spinney.games.saboteur import rules, state, tiles
from spinney.games.saboteur.official import cells_of, move_text, occupied
from spinney.games.saboteur.recording import cards

ROCK, TUNNEL = "░", "█"
PLACES = ("left", "middle", "right")


def draw(s: Any) -> str:
    """The used part of the board, the players with the cards that are visible, and the next step."""
    players = [
        line
        for player in range(state.MAX_PLAYERS)
        for line in (f"player {player + 1}: {facts(s, player)}", *_tiles(s, player))
    ]
    return "\n".join([*_board(s), "", *players, _last(s) + _next(s)])


def name_action(s: Any, action: int) -> str:
    """A move as in the course's program, except that a drop names the card; or a chance outcome."""
    if s.phase == rules.HIDING:
        return f"the nugget is hidden {'in the middle' if action == 1 else f'on the {PLACES[action]}'}"
    if s.phase != rules.MOVING:
        return f"player {s.player + 1} draws {tiles.CARD_NAMES[action]}"
    if action >= rules.DROP:
        return "Drop" if action == rules.DROPPED else f"Drop {tiles.CARD_NAMES[action - rules.DROP]}"
    return move_text(action).removesuffix(" 0 0") if action in (rules.CURE, rules.BLOCK) else move_text(action)


def name_seen(s: Any, action: int, player: int) -> str:
    """The same in a player's view: without the place of the nugget and the cards that the opponent draws or drops."""
    if s.phase == rules.HIDING or (s.phase != rules.MOVING and s.player != player):
        return ""
    return name_action(s, action if s.player == player else rules.public_action(s, action, player))


# ---- the board


def _board(s: Any) -> list[str]:
    """Each cell has three lines of three characters."""
    used = [*occupied(s), *cells_of(s.room)]
    rows = range(min(map(state.row_of, used)), max(map(state.row_of, used)) + 1)
    columns = range(min(map(state.column_of, used)), max(map(state.column_of, used)) + 1)
    lines = [f"   {''.join(f'{column:^3}' for column in columns)}".rstrip()]
    for row in rows:
        cells = [_cell(s, state.cell_at(row, column)) for column in columns]
        for part in range(3):
            label = f"{row:>2} " if part == 1 else "   "
            lines.append(f"{label}{''.join(cell[part] for cell in cells)}".rstrip())
    return lines


def _cell(s: Any, cell: int) -> tuple[str, str, str]:
    code = s.tile[cell]
    if code == tiles.EMPTY:
        return "   ", " · ", "   "
    if code != tiles.OBJECTIVE:
        return _picture(code, "E" if code == tiles.ENTRANCE else "")
    objective = state.objective_at(cell)
    mark = objective_mark(s, objective)
    return _picture(code, mark) if s.revealed >> objective & 1 else ("┌─┐", f"│{mark}│", "└─┘")


def _picture(code: int, centre: str = "") -> tuple[str, str, str]:
    centre = centre or (TUNNEL if tiles.THROUGH[code] else ROCK)
    north, east, south, west = (TUNNEL if tiles.SIDES[code] & side else ROCK for side in tiles.CLOCKWISE)
    return f"{ROCK}{north}{ROCK}", f"{west}{centre}{east}", f"{ROCK}{south}{ROCK}"


def objective_mark(s: Any, objective: int) -> str:
    """$ the nugget, x nothing, ? unknown in this view."""
    if s.nugget != state.UNKNOWN:
        return "$" if objective == s.nugget else "x"
    seen = [s.seen[player] for player in range(state.MAX_PLAYERS) if is_shown(s, player)]
    return "x" if any(bits >> objective & 1 for bits in seen) else "?"


# ---- the players


def is_shown(s: Any, player: int) -> bool:
    """Whether the cards of a player are visible."""
    return len(cards(s, player)) == int(s.hand_size[player])


def facts(s: Any, player: int) -> str:
    """A player's cards, or their number; the objectives that only this player has seen; whether it is blocked."""
    hand = " ".join(tiles.CARD_NAMES[kind] for kind in cards(s, player)) if is_shown(s, player) else ""
    parts = [hand or f"{s.hand_size[player]} cards"]
    looked = [PLACES[i] for i in range(state.OBJECTIVES) if (s.seen[player] & ~s.revealed) >> i & 1]
    if looked:
        parts.append(f"has looked at: {', '.join(looked)}")
    if s.malus[player]:
        parts.append("blocked" if s.malus[player] == 1 else "blocked twice")
    return "; ".join(parts)


def _tiles(s: Any, player: int) -> list[str]:
    """Pictures of the tiles of a hand, unturned."""
    shapes = [tiles.SHAPE_NAMES.index(tiles.CARD_NAMES[kind]) for kind in range(tiles.TILES) if s.hand[player, kind]]
    pictures = [(*_picture(shape), tiles.SHAPE_NAMES[shape]) for shape in shapes]
    return [f"  {' '.join(f'{picture[part]:>3}' for picture in pictures)}" for part in range(4) if pictures]


def _last(s: Any) -> str:
    if s.last == rules.NO_MOVE:
        return ""
    shown = s.copy()
    shown.phase = rules.MOVING
    return f"last move: {name_action(shown, s.last)}; "


def _next(s: Any) -> str:
    if s.phase == rules.FINISHED:
        return f"the end: {'a draw' if s.winner == state.NOBODY else f'player {s.winner + 1} has reached the nugget'}"
    does = "moves" if s.phase == rules.MOVING else "draws"
    return f"turn {s.turn}, {s.deck_size} cards in the deck; player {s.player + 1} {does}"
