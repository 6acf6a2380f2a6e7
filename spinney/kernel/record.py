"""Records: the fields are declared once, and there are two forms.

The plain form is a light Python object with lists, for reading and debugging. The native form is a NumPy
record, one flat block of memory, which compiled code takes as a bare pointer. The same source works on both.
"""

from __future__ import annotations

import itertools
import struct
from typing import Any, ClassVar

import numpy as np

LINE = 128
"""Native records keep so many bytes to themselves: two threads that write to one cache line wait for each other."""

_FLOAT = struct.Struct("f")


class Field:
    """The type of a field: `oxygen = i8`, `path = i8[32]`, `held = i8[6, 8]`."""

    def __init__(self, code: str, shape: tuple[int, ...] = ()) -> None:
        self.code, self.shape = code, shape

    def __getitem__(self, shape: int | tuple[int, ...]) -> Any:
        return Field(self.code, shape if isinstance(shape, tuple) else (shape,))

    def zero(self) -> Any:
        """The plain form's first value."""
        number: int | float = 0.0 if self.code.startswith("f") else 0
        if not self.shape:
            return number
        if len(self.shape) > 1:
            return Grid(self.shape, number)
        return (Singles if self.code == "f4" else list)([number] * self.shape[0])

    def copy(self, value: Any) -> Any:
        """A copy of an array's value, in the plain form whatever sequence it was."""
        kind = Grid if len(self.shape) > 1 else Singles if self.code == "f4" else list
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


# Typed Any: on a class they declare fields, on an instance they are numbers and lists of them.
i8: Any = Field("i1")
i16: Any = Field("i2")
i32: Any = Field("i4")
i64: Any = Field("i8")
f32: Any = Field("f4")
f64: Any = Field("f8")


class Grid:
    """Plain form of a field with several dimensions: `held[player, slot]`."""

    __slots__ = ("cells", "shape")

    def __init__(self, shape: tuple[int, ...], number: int | float) -> None:
        self.shape = shape
        self.cells = [number] * int(np.prod(shape))

    def copy(self) -> Grid:
        other = Grid.__new__(Grid)
        other.shape, other.cells = self.shape, self.cells.copy()
        return other

    def _at(self, index: tuple[int, ...]) -> int:
        at = 0
        for i, size in zip(index, self.shape, strict=True):
            if not -size <= i < size:
                raise IndexError(f"index {index} is outside {self.shape}")
            at = at * size + i % size
        return at

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        return self.cells[self._at(index)]

    def __setitem__(self, index: tuple[int, ...], value: Any) -> None:
        self.cells[self._at(index)] = value

    def __len__(self) -> int:
        return self.shape[0]


def single(value: float) -> float:
    """The nearest float32, as an assignment to an f32 field of a native record rounds it."""
    number: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return number


class Singles(list[float]):
    """Plain form of an f32 array: rounds as the native form does, so that both stay equal bit for bit."""

    def copy(self) -> Singles:
        return Singles(self)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, [single(v) for v in value] if isinstance(index, slice) else single(value))


class _Single:
    """Plain form of an f32 field."""

    def __init__(self, slot: str) -> None:
        self.slot = slot

    def __get__(self, record: Any, owner: type) -> Any:
        return getattr(record, self.slot)

    def __set__(self, record: Any, value: float) -> None:
        setattr(record, self.slot, single(value))


def _type_of(field: Field) -> tuple[Any, ...]:
    """The type and shape of a field in memory."""
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
                space[key] = _Single(f"_{key}")
        cls = super().__new__(meta, name, bases, {**space, "__slots__": tuple(slots)})
        inherited = {key: field for base in bases for key, field in getattr(base, "fields", {}).items()}
        cls.fields = {**inherited, **fields}
        cls.layout = np.dtype([(key, *_type_of(field)) for key, field in cls.fields.items()], align=True)
        cls.dtype = np.dtype((np.record, cls.layout))  # np.record: fields are attributes, but the alignment is lost
        return cls


class Record(metaclass=_RecordType):
    """Base of all records. An instance is the plain form; a misspelt field is an AttributeError."""

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
        """The compiled form: all zero, or filled from a plain instance.

        A number that its field cannot hold is an OverflowError here; compiled code would wrap it in silence.
        """
        memory = np.zeros(cls.dtype.itemsize + 2 * LINE, np.uint8)
        start = LINE - memory.ctypes.data % LINE
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
                held.cells[:] = value.flat[:].tolist()
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
    """Write the values of a plain record to a native one."""
    for key in plain.fields:
        value = getattr(plain, key)
        if isinstance(value, Record):
            _fill(native[key], value)
        elif isinstance(value, Grid):
            native[key].flat = value.cells
        else:
            native[key] = value


def _numbers(value: Any) -> Any:
    return value.cells if isinstance(value, Grid) else value


def assign(target: Any, source: Any) -> None:
    """Copy a whole record; compiled, one memcpy."""
    for key, field in source.fields.items():
        value = getattr(source, key)
        if hasattr(value, "fields"):  # a record in the record
            assign(getattr(target, key), value)
        elif not field.shape:
            setattr(target, key, value)
        elif len(field.shape) == 1:
            getattr(target, key)[:] = value
        else:
            getattr(target, key).cells[:] = value.cells


def numbers(record: Any) -> dict[str, Any]:
    """The values of a record in either form, by field."""
    if isinstance(record, Record):
        return {key: getattr(record, key) for key in record.fields}
    return dict(zip(record.dtype.names, record.item(), strict=True))


class Block(list[Any]):
    """Plain form of an array of records: made one by one, when they are first touched."""

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
    """An array of records in either form. Native memory is not cleared: write a record before reading it."""
    return Block(record, size) if plain else np.empty(size, record.dtype)
