"""Positions as text, a line each, as FEN is for chess: what the notations of all games share.

A text is the game with its options, as `repr(game)` writes it, and the position. What the options say is not repeated
in the position. A game writes and reads its positions by `write` and `read` of its board; without these, the fields of
the record are written (`fields.py`). A position has one text: a text that would be written in another way is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from spinney.errors import BadPosition, SpinneyError
from spinney.games.card import Card
from spinney.games.fields import read_fields, write_fields
from spinney.games.options import Options
from spinney.games.spec import parse_spec, write_spec

MAX_LENGTH = 1_000_000
"""The most characters of a text that is read."""
SHOWN = 40
"""The most characters of a text that an error message quotes."""


def spec_of(card: Card, options: Options) -> str:
    """A game as a spec: its name, and the options that are not the defaults."""
    return write_spec(card.name, options.model_dump(exclude_defaults=True))


def write_position(card: Card, options: Options, record: Any) -> str:
    """The text of a position."""
    return f"{spec_of(card, options)} {_write(card, record)}"


def read_position(card: Card, options: Options, text: str) -> Any:
    """The record of a position. A text that is not one of this game, with these options, is a BadPosition."""
    try:
        if len(text) > MAX_LENGTH:
            raise BadPosition(f"it has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed")
        given = _after_spec(card, options, " ".join(text.split()))
        if card.board.read is None:
            record = read_fields(card.rules.State(), given, getattr(options, "players", None))
        else:
            record = card.board.read(given, options)
        record.native(record)  # every number fits its field
        _compare(given, _write(card, record))
    except BadPosition as error:
        raise BadPosition(f"this is not a position of {card.name}: {error}") from None
    except OverflowError:
        raise BadPosition(f"this is not a position of {card.name}: a number is too large for its field") from None
    return record


def _write(card: Card, record: Any) -> str:
    return write_fields(record) if card.board.write is None else card.board.write(record)


def _after_spec(card: Card, options: Options, text: str) -> str:
    """The text after the game and its options, which must be those given."""
    wanted = spec_of(card, options)
    if text == wanted or text.startswith(f"{wanted} "):
        return text[len(wanted) + 1 :]
    spec, rest = split_text(text)
    try:
        name, given = parse_spec(spec)
        if name == card.name and card.options.read(name, given) == options:
            return rest
    except SpinneyError as error:
        raise BadPosition(f"its game cannot be read: {error}") from None
    raise BadPosition(f"it begins with {quoted(spec)}; {quoted(wanted)} is needed")


def split_text(text: str) -> tuple[str, str]:
    """The game with its options, and the rest of a text."""
    spec, rest = text.partition(" ")[::2]
    if "(" in spec:
        end = _closing(text)
        spec, rest = text[:end], text[end:].removeprefix(" ")
    return spec, rest


def _closing(text: str) -> int:
    """The index after the parenthesis that closes the first one; quoted text is skipped."""
    depth, quote = 0, ""
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character == "(") - (character == ")")
            if depth == 0 and character == ")":
                return i + 1
    return len(text)


def _compare(given: str, written: str) -> None:
    """Refuse a text that would be written in another way."""
    if given == written:
        return
    pairs = zip(given.split(" "), written.split(" "), strict=False)
    wrong, right = next((pair for pair in pairs if pair[0] != pair[1]), (given, written))
    at = next((i for i, pair in enumerate(zip(wrong, right, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, at - SHOWN // 2)
    raise BadPosition(f"it has {quoted(wrong[start:])} where the position is written {quoted(right[start:])}")


# ---- parts of texts, for the notations of games


def quoted(text: str) -> str:
    """A piece of a text for an error message."""
    return f"'{text if len(text) <= SHOWN else f'{text[:SHOWN]}...'}'"


def split(text: str, separator: str, what: str, *names: str) -> list[str]:
    """The parts of a text, which must be as many as the names of what they are."""
    found = text.split(separator)
    if len(found) != len(names):
        how = "spaces" if separator == " " else f"'{separator}'"
        raise BadPosition(
            f"{what} {quoted(text)} has {len(found)} parts between {how}; needed are {len(names)}: {', '.join(names)}"
        )
    return found


def split_each(text: str, separator: str, what: str, count: int) -> list[str]:
    """The parts of a text, one for each of a number of equal things, such as players or rows."""
    found = text.split(separator)
    if len(found) != count:
        raise BadPosition(f"{what}: there are {len(found)}, between '{separator}'; needed are {count}")
    return found


def number(text: str, what: str, least: int, most: int) -> int:
    """A whole number in a range."""
    if not re.fullmatch(r"-?[0-9]{1,19}", text) or not least <= int(text) <= most:
        raise BadPosition(f"{what} is {quoted(text)}; a number from {least} to {most} is allowed")
    return int(text)


def choice(text: str, what: str, allowed: Sequence[str]) -> int:
    """The index of a word among those that are allowed."""
    if text not in list(allowed):
        raise BadPosition(f"{what} is {quoted(text)}; allowed: {', '.join(allowed)}")
    return list(allowed).index(text)


def write_mover(turn: int, names: str) -> str:
    """The letter of the player to move; a dash at the end."""
    return names[turn] if turn >= 0 else "-"


def check_mover(text: str, turn: int, names: str) -> None:
    """Refuse another player to move than the rest of the position says."""
    choice(text, "the player to move", [*names, "-"])
    right = write_mover(turn, names)
    if text != right:
        why = "the game is over" if turn < 0 else f"it is the turn of {right}"
        raise BadPosition(f"the player to move is '{text}'; '{right}' is needed, because {why}")


def write_rows(rows: Iterable[Iterable[str]], empty: str = ".") -> str:
    """Rows of cells: a number stands for that many empty cells, and rows are separated by a slash."""

    def row(cells: Iterable[str]) -> Iterable[str]:
        for cell, group in groupby(cells):
            equal = list(group)
            yield str(len(equal)) if cell == empty else "".join(equal)

    return "/".join("".join(row(cells)) for cells in rows)


def read_rows(text: str, rows: int, columns: int, symbols: str, empty: str = ".") -> list[list[str]]:
    """The inverse of `write_rows`, for a board of this size."""
    board = []
    for n, given in enumerate(split_each(text, "/", "rows of the board", rows), 1):
        cells: list[str] = []
        for part in re.findall(r"[0-9]+|[^0-9]", given):
            if part[0] in "0123456789":
                cells += [empty] * number(part, f"a number in row {n}", 1, columns)
            elif part in symbols:
                cells.append(part)
            else:
                raise BadPosition(
                    f"row {n} has {quoted(part)}; allowed: {', '.join(symbols)}, and numbers of empty cells"
                )
        if len(cells) != columns:
            raise BadPosition(f"row {n} has {len(cells)} cells; needed are {columns}")
        board.append(cells)
    return board
