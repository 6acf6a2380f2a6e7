"""Records: fields are declared once and have two forms.

The plain form is a Python object with lists, for reading and debugging. The native form is a NumPy record, one block of
memory that compiled code takes as a pointer. The same source works on both.
"""

from __future__ import annotations

import itertools
import struct
from typing import Any, ClassVar

import numpy as np

CACHE_LINE = 128
"""Native records are aligned and padded to this size in bytes, against false sharing between threads."""

_FLOAT = struct.Struct("f")


class Field:
    """The type of a field: `oxygen = i8`, `path = i8[32]`, `held = i8[6, 8]`."""

    def __init__(self, code: str, shape: tuple[int, ...] = ()) -> None:
        self.code, self.shape = code, shape

    def __getitem__(self, shape: int | tuple[int, ...]) -> Any:
        return Field(self.code, shape if isinstance(shape, tuple) else (shape,))

    def zero(self) -> Any:
        """The initial value in the plain form."""
        number: int | float = 0.0 if self.code.startswith("f") else 0
        if not self.shape:
            return number
        if len(self.shape) > 1:
            return Grid(self.shape, number)
        return (Float32List if self.code == "f4" else list)([number] * self.shape[0])

    def copy(self, value: Any) -> Any:
        """A copy of an array value in the plain form; the value may be any sequence."""
        kind = Grid if len(self.shape) > 1 else Float32List if self.code == "f4" else list
        if type(value) is kind:
            return value.copy()
        array = self.zero()
        array[:] = value
        return array


class Nested(Field):
    """A field that is a record itself: `scratch = Nested(Scratch)`."""

    def __init__(self, record: type[Record]) -> None:
        super().__init__("")
        self.record = record

    def zero(self) -> Any:
        return self.record()

    def copy(self, value: Any) -> Any:
        return value.copy()


# Typed Any because they declare fields in a class, and the same names hold numbers and lists in an instance.
i8: Any = Field("i1")
i16: Any = Field("i2")
i32: Any = Field("i4")
i64: Any = Field("i8")
f32: Any = Field("f4")
f64: Any = Field("f8")


class Grid:
    """Plain form of an array with two dimensions: `held[player, slot]`."""

    __slots__ = ("rows", "shape")

    def __init__(self, shape: tuple[int, ...], number: int | float) -> None:
        self.shape = shape
        rows, columns = shape
        self.rows = [[number] * columns for _ in range(rows)]

    def copy(self) -> Grid:
        other = Grid.__new__(Grid)
        other.shape, other.rows = self.shape, [row.copy() for row in self.rows]
        return other

    @property
    def cells(self) -> list[Any]:
        """All numbers, row by row."""
        return [number for row in self.rows for number in row]

    def __getitem__(self, index: tuple[int, int]) -> Any:
        i, j = index
        return self.rows[i][j]

    def __setitem__(self, index: tuple[int, int], value: Any) -> None:
        i, j = index
        self.rows[i][j] = value

    def __len__(self) -> int:
        return len(self.rows)


def to_float32(value: float) -> float:
    """Round to float32, as an assignment to an f32 field of a native record does."""
    number: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return number


class Float32List(list[float]):
    """Plain form of an f32 array. It rounds as the native form does, so that both hold identical numbers."""

    def copy(self) -> Float32List:
        return Float32List(self)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, [to_float32(v) for v in value] if isinstance(index, slice) else to_float32(value))


class _Float32:
    """Plain form of an f32 field: a descriptor that rounds."""

    def __init__(self, slot: str) -> None:
        self.slot = slot

    def __get__(self, record: Any, owner: type) -> Any:
        return getattr(record, self.slot)

    def __set__(self, record: Any, value: float) -> None:
        setattr(record, self.slot, to_float32(value))


def _type_of(field: Field) -> tuple[Any, ...]:
    """The NumPy type and shape of a field."""
    return (field.record.layout,) if isinstance(field, Nested) else (field.code, field.shape)


class _RecordType(type):
    fields: dict[str, Field]
    layout: np.dtype[Any]
    dtype: np.dtype[Any]

    def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordType:
        fields = {key: space.pop(key) for key in list(space) if isinstance(space[key], Field)}
        slots = []
        for key, field in fields.items():
            rounded = field.code == "f4" and not field.shape
            slots.append(f"_{key}" if rounded else key)
            if rounded:
                space[key] = _Float32(f"_{key}")
        cls = super().__new__(meta, name, bases, {**space, "__slots__": tuple(slots)})
        inherited = {key: field for base in bases for key, field in getattr(base, "fields", {}).items()}
        cls.fields = {**inherited, **fields}
        cls.layout = np.dtype([(key, *_type_of(field)) for key, field in cls.fields.items()], align=True)
        cls.dtype = np.dtype((np.record, cls.layout))  # np.record: fields are attributes; it has no alignment
        return cls


class Record(metaclass=_RecordType):
    """Base class of records. An instance is the plain form; a misspelt field is an AttributeError."""

    fields: ClassVar[dict[str, Field]]
    layout: ClassVar[np.dtype[Any]]
    dtype: ClassVar[np.dtype[Any]]

    def __init__(self, **values: Any) -> None:
        for key, field in self.fields.items():
            setattr(self, key, field.zero())
        for key, value in values.items():
            setattr(self, key, value)

    @classmethod
    def native(cls, plain: Record | None = None) -> Any:
        """A native record: all zeros, or a copy of a plain instance.

        A number that does not fit its field is an OverflowError here. Compiled code wraps it without an error.
        """
        memory = np.zeros(cls.dtype.itemsize + 2 * CACHE_LINE, np.uint8)
        start = CACHE_LINE - memory.ctypes.data % CACHE_LINE
        record = memory[start : start + cls.dtype.itemsize].view(cls.dtype)[0]
        if plain is not None:
            _fill(record, plain)
        return record

    @classmethod
    def plain(cls, native: np.record) -> Record:
        """The plain form of a native record."""
        record = cls()
        for key in cls.fields:
            value, held = native[key], getattr(record, key)
            if isinstance(held, Record):
                setattr(record, key, type(held).plain(value))
            elif isinstance(held, Grid):
                held.rows = value.tolist()
            elif isinstance(held, list):
                held[:] = value.tolist()
            else:
                setattr(record, key, value.item())
        return record

    def copy(self) -> Any:
        other = object.__new__(type(self))
        for key, field in self.fields.items():
            value = getattr(self, key)
            setattr(other, key, field.copy(value) if field.shape or isinstance(field, Nested) else value)
        return other

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            _numbers(getattr(self, key)) == _numbers(getattr(other, key)) for key in self.fields
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        values = ", ".join(f"{key}={_numbers(getattr(self, key))!r}" for key in self.fields)
        return f"{type(self).__name__}({values})"


def _fill(native: Any, plain: Record) -> None:
    """Copy the values of a plain record to a native one."""
    for key in plain.fields:
        value = getattr(plain, key)
        if isinstance(value, Record):
            _fill(native[key], value)
        elif isinstance(value, Grid):
            native[key][:] = value.rows
        else:
            native[key] = value


def _numbers(value: Any) -> Any:
    return value.rows if isinstance(value, Grid) else value


def assign(target: Any, source: Any) -> None:
    """Copy a whole record to another of its type. Compiled, this is one memcpy."""
    for key, field in source.fields.items():
        value = getattr(source, key)
        if hasattr(value, "fields"):  # a nested record
            assign(getattr(target, key), value)
        elif not field.shape:
            setattr(target, key, value)
        elif len(field.shape) == 1:
            getattr(target, key)[:] = value
        else:
            getattr(target, key).rows = [row.copy() for row in value.rows]


def digest(record: Any) -> int:
    """A 63-bit hash of all numbers of a record: equal records of one form have the same one, others hardly ever."""
    return hash(repr(record)) & 0x7FFFFFFFFFFFFFFF


def numbers(record: Any) -> dict[str, Any]:
    """The values of a record in either form, by field name."""
    if isinstance(record, Record):
        return {key: getattr(record, key) for key in record.fields}
    return dict(zip(record.dtype.names, record.item(), strict=True))


class Block(list[Any]):
    """Plain form of an array of records. Each is created on first access."""

    def __init__(self, record: type[Record], size: int) -> None:
        super().__init__(itertools.repeat(None, size))
        self.record = record

    def __getitem__(self, index: Any) -> Any:
        item = super().__getitem__(index)
        if item is None:
            item = self.record()
            self[index] = item
        return item


def block(record: type[Record], size: int, plain: bool) -> Any:
    """An array of records in either form. Native memory is not initialised: write a record before reading it."""
    return Block(record, size) if plain else np.empty(size, record.dtype)
