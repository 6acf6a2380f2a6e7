"""The notation of games without one of their own: the fields of the record that are not zero, as in

    pig turn=1 pot=12 score=20,31

An array has its numbers row by row, without zeros at the end; three and more equal numbers are one with a factor, as in
`4,0*7,1`. The field of a record within the record is written with a point. A record of zeros is a dash.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import isnan
from typing import Any

import numpy as np

from spinney.errors import BadPosition
from spinney.games.spec import suggest
from spinney.kernel import Record
from spinney.kernel.record import Field, Grid, Nested

FACTOR_FROM = 3
"""Equal numbers from which on they are written as one with a factor."""


def write_fields(s: Any) -> str:
    """The fields of a record that are not zero."""
    return " ".join(f"{name}={_text(value)}" for name, value in _numbers(s) if any(value)) or "-"


def read_fields(s: Any, text: str, players: int | None) -> Any:
    """Fill a new record; a field `players` must be the option of that name, if there is one."""
    fields = dict(_fields(s))
    seen = set()
    for word in () if text == "-" else text.split(" "):
        name, equals, value = word.partition("=")
        if not equals:
            raise BadPosition(f"'{word[:40]}' is not a field; write name=value")
        if name not in fields:
            raise BadPosition(f"there is no field '{name[:40]}'; {suggest(name, fields, 'allowed')}")
        if name in seen:
            raise BadPosition(f"the field {name} is given twice")
        seen.add(name)
        owner, key, field = fields[name]
        _fill(owner, key, _read(value, name, field), field.shape)
    if players is not None and getattr(s, "players", players) != players:
        raise BadPosition(f"players is {s.players}; the game is for {players}")
    return s


def _fields(s: Any, prefix: str = "") -> Iterator[tuple[str, tuple[Any, str, Field]]]:
    """The names of all fields, and where they are."""
    for name, field in s.fields.items():
        if isinstance(field, Nested):
            yield from _fields(getattr(s, name), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", (s, name, field)


def _numbers(s: Any) -> Iterator[tuple[str, list[Any]]]:
    """The names of all fields with their numbers."""
    for name, (owner, key, _) in _fields(s):
        value = getattr(owner, key)
        yield name, value.cells if isinstance(value, Grid) else list(value) if isinstance(value, list) else [value]


def _text(numbers: list[Any]) -> str:
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    words = []
    for it, group in groupby(map(repr, numbers)):
        equal = len(list(group))
        words += [f"{it}*{equal}"] if equal >= FACTOR_FROM else [it] * equal
    return ",".join(words)


def _read(text: str, name: str, field: Field) -> list[Any]:
    """The numbers of a field."""
    size = int(np.prod(field.shape, dtype=int))
    numbers: list[Any] = []
    for word in text.split(","):
        value, star, factor = word.partition("*")
        if star and not (factor.isascii() and factor.isdigit() and len(factor) <= len(str(size))):
            raise BadPosition(f"{name} has the factor '{factor[:40]}'; a number up to {size} is allowed")
        numbers += [_number(value, name, field.code)] * (int(factor) if star else 1)
        if len(numbers) > size:
            raise BadPosition(f"{name} has more than {size} number{'s' * (size > 1)}, which is all there can be")
    return numbers + [0.0 if field.code.startswith("f") else 0] * (size - len(numbers))


def _number(text: str, name: str, code: str) -> int | float:
    if code.startswith("f"):
        try:
            real = float(text)
        except ValueError:
            real = float("nan")
        if isnan(real):
            raise BadPosition(f"{name} is '{text[:40]}'; a number is needed")
        return real
    least, most = int(np.iinfo(code).min), int(np.iinfo(code).max)
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and least <= int(text) <= most):
        raise BadPosition(f"{name} is '{text[:40]}'; a number from {least} to {most} is allowed")
    return int(text)


def _fill(record: Record, name: str, numbers: list[Any], shape: tuple[int, ...]) -> None:
    if not shape:
        setattr(record, name, numbers[0])
    elif len(shape) == 1:
        getattr(record, name)[:] = numbers
    else:
        columns = shape[1]
        getattr(record, name).rows = [numbers[i : i + columns] for i in range(0, len(numbers), columns)]
