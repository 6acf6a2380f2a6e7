"""Saboteur at a real table, where a player knows its own hand only: what people type and tap, and overlook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from spinney.errors import IllegalAction
from spinney.games.card import CHANCE, Card
from spinney.games.parts import Asked, AtTable, Board
from spinney.games.picture import Tap
from spinney.games.saboteur import board, notation, picture, rules, seen, state, taps, tiles
from spinney.games.saboteur.board import PLACES, name_action
from spinney.games.saboteur.players import FAR, distance, measure
from spinney.kernel.bits import lowest

GLYPHS = dict(
    zip(
        ("N", "E", "NS", "NE", "ES", "EW", "NW", "SW", "NES", "NEW", "NSW", "ESW", "NESW", "S", "W"),
        "╹╺┃┗┏━┛┓┣┻┫┳╋╻╸",
        strict=True,
    )
)
"""Tunnels by their open sides."""
ANSWERS = {seen.NUGGET: ("nugget", "the nugget", "gold", "yes"), seen.NOTHING: ("nothing", "stone", "rock", "no")}
MOVE = re.compile(r"(?:tile[: ]*)?(\d+)[ _]*(flip|turned)?[ ,]+(\d+)[ ,]+(\d+)|(destroy)[ ,]+(\d+)[ ,]+(\d+)")
CARDS = {name.lower(): kind for kind, name in enumerate(tiles.CARD_NAMES)}


def ask(s: Any) -> Asked:
    """A move, a card, or what an objective is."""
    if s.asked:
        where = PLACES[lowest(int(s.asked))]
        return Asked(f"sees the {where} objective: is it the nugget?", "nugget, or nothing", s.viewer)
    if s.phase == rules.DEALING:
        left = rules.HAND - s.hand_size[s.viewer]
        return Asked(f"gets {left} cards: which ones?", "8 6 6 0 Map Bonus 5, or one by one", s.viewer)
    if s.phase == rules.DRAWING:
        return Asked("draws a card: which one?", "8, or Map", s.player)
    if s.player == s.viewer:
        return Asked("plays a card", "8 5 6 (tile, row, column), map left, drop 3", s.player)
    return Asked("plays a card", "8 5 6 (tile, row, column), 5 flip 5 6, map left, malus, drop", s.player)


def read(s: Any, text: str) -> list[int] | None:
    """Cards by their names, several if there are several to get; moves as people say them."""
    text = " ".join(text.split())
    if s.asked:
        for answer, words in ANSWERS.items():
            if text in words:
                return [answer]
        raise IllegalAction(f"'{text}' is no answer; allowed: nugget, nothing")
    if s.phase in (rules.DEALING, rules.DRAWING):
        return _cards(s, text)
    return _move(s, text)


def _cards(s: Any, text: str) -> list[int]:
    words = re.split(r"[ ,]+", text.removeprefix("draws "))
    if wrong := [word for word in words if word not in CARDS]:
        raise IllegalAction(f"'{wrong[0]}' is no card; allowed: 0 to {tiles.TILES - 1}, Map, Bonus, Destroy, Malus")
    most = rules.HAND - s.hand_size[s.viewer] if s.phase == rules.DEALING else 1
    if len(words) > most:
        raise IllegalAction(f"there are {len(words)} cards; at most {most} can be drawn now")
    return [CARDS[word] for word in words]


def _move(s: Any, text: str) -> list[int] | None:
    if found := MOVE.fullmatch(text):
        row, column = (int(number) for number in (found.group(3, 4) if found[1] else found.group(6, 7)))
        if row >= state.SIZE or column >= state.SIZE:
            raise IllegalAction(f"there is no cell {row} {column}; rows and columns are 0 to {state.SIZE - 1}")
        cell = int(state.cell_at(row, column))
        if found[5]:
            return [rules.BREAK + cell]
        return [_shape(s, found[1], bool(found[2]), cell) * state.CELLS + cell]
    word, _, rest = text.partition(" ")
    if word == "map" and rest in PLACES:
        return [rules.LOOK + PLACES.index(rest)]
    if word == "drop" and rest in CARDS and s.player == s.viewer:
        return [rules.DROP + CARDS[rest]]
    if word == "drop" and s.player != s.viewer:
        return [rules.DROPPED]
    return {"bonus": [rules.CURE], "malus": [rules.BLOCK]}.get(text)


def _shape(s: Any, card: str, is_turned: bool, cell: int) -> int:
    """The shape of a card; if only one way fits the cell, that one."""
    if int(card) >= tiles.TILES:
        raise IllegalAction(f"there is no tile {card}; allowed: 0 to {tiles.TILES - 1}")
    shapes = [shape for shape in range(tiles.SHAPES) if tiles.KIND[shape] == int(card)]
    wanted = shapes[-1] if is_turned else shapes[0]
    fitting = [shape for shape in shapes if tiles.FITS[s.need[cell]] >> shape & 1]
    return fitting[0] if not is_turned and wanted not in fitting and fitting else wanted


# ---- the game as one player sees it


def name_seen(s: Any, action: int) -> str:
    """A move, a card, or what an objective is."""
    if s.asked:
        return f"the {PLACES[lowest(int(s.asked))]} objective is {'the nugget' if action == seen.NUGGET else 'nothing'}"
    if s.phase == rules.MOVING:
        return name_action(s, action)
    return "draws a card" if action == seen.UNSEEN else f"draws {tiles.CARD_NAMES[action]}"


def tap_seen(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """Own moves as in the game: the card, then the place. Of the other player first the place, then the tile."""
    if player == CHANCE:
        return (_tap_chance(s, action),)
    if player == s.viewer:
        return taps.taps(s, action, player)
    if action < rules.LOOK:
        shape, cell = divmod(action, state.CELLS)
        return taps.cell_tap(cell, "a tile was laid"), Tap(_tile(shape))
    if action < rules.CURE:
        return (taps.cell_tap(state.objective_cell(action - rules.LOOK), "looked at the objective"),)
    if rules.BREAK <= action < rules.DROP:
        return (taps.cell_tap(action - rules.BREAK, "destroyed the tile"),)
    words = {rules.CURE: "Bonus: undoes a Malus", rules.BLOCK: "Malus: blocks you"}
    return (Tap(words.get(action, "drops a card"), key="d" if action == rules.DROPPED else ""),)


def _tap_chance(s: Any, action: int) -> Tap:
    if s.asked:
        return Tap("the nugget" if action == seen.NUGGET else "nothing", key="n" if action == seen.NUGGET else "x")
    if action >= tiles.TILES:
        return Tap("a card" if action == seen.UNSEEN else tiles.CARD_NAMES[action])
    return Tap(_tile(tiles.SHAPE_NAMES.index(tiles.CARD_NAMES[action])))


def _tile(shape: int) -> str:
    """A tile as a button: its tunnels and its number."""
    sides = "".join(letter for letter, side in tiles.LETTERS.items() if tiles.SIDES[shape] & side)
    turned = " turned" if tiles.SHAPE_NAMES[shape].endswith("_flip") else ""
    return f"{GLYPHS[sides]} {tiles.KIND[shape]}{turned}{'' if tiles.THROUGH[shape] else ' blocked'}"


SEEN = Card(
    name="saboteur",
    title="Saboteur",
    summary="Saboteur as one player sees it.",
    rules=seen,
    board=Board(board.draw, name_seen, picture.picture, write=notation.write, read=notation.read, taps=tap_seen),
    options=seen.SeenOptions,
)


# ---- advice


def warn(s: Any, player: int) -> list[str]:
    """What is easily overlooked before a move."""
    if s.phase != rules.MOVING or s.player != player:
        return []
    found = []
    if s.malus[player]:
        found.append("you are blocked: you can lay no tile until you have used a Bonus")
    if _missing(s, player) <= 1 and not s.malus[1 - player]:
        found.append("one more tile may reach the nugget: if you do not lay it, the other player can")
    if looked := int(s.seen[1 - player] & ~s.revealed & ~s.seen[player]):
        places = " and ".join(PLACES[i] for i in range(state.OBJECTIVES) if looked >> i & 1)
        found.append(f"the other player has looked at the {places} objective, which you have not seen")
    return found


def explain(s: Any, player: int, actions: Sequence[int]) -> list[str]:
    """Where the nugget may be, and how many tiles are missing after each action."""
    unseen = [PLACES[i] for i in range(state.OBJECTIVES) if not s.seen[player] >> i & 1]
    known = rules.nugget_known_to(s, player)
    words = [
        f"the nugget is on the {PLACES[known]}" if known != state.UNKNOWN
        else f"the nugget may be {' or '.join(unseen)}, {1 / len(unseen):.0%} each"
    ]  # fmt: skip
    now = _missing(s, player)
    for action in actions:
        words.append(f"{name_action(s, action)}: {_effect(s, player, action, now)}")
    return words


def _effect(s: Any, player: int, action: int, now: float) -> str:
    """What an action changes, with the tiles that are missing now."""
    if rules.LOOK <= action < rules.CURE:
        return f"shows you the {PLACES[action - rules.LOOK]} objective"
    if action == rules.BLOCK:
        return "the other player can lay no tile until it has used a Bonus"
    after = s.copy()
    rules.play(after, action)
    left = _missing(after, player)
    change = "as now" if left == now else f"now {_tiles(now)}"
    return f"{_tiles(left)} to the nearest place where it may be ({change})"


def _tiles(missing: float) -> str:
    return "no way" if missing >= FAR else f"{missing:g} more tile{'s' if missing != 1 else ''}"


def _missing(s: Any, player: int) -> float:
    """The tiles that are missing on the shortest way to a possible place of the nugget."""
    out: Any = seen.Scratch()
    measure(s, player, out.missing, out.queue)
    return float(distance(s, out.missing))


AT_TABLE = AtTable(ask, read, warn, explain, seen=SEEN, as_seen=seen.as_seen)
