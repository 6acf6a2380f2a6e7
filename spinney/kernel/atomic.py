"""Atomic operations on fields of a record that several threads use. Compiled, each is an instruction of the processor;
plain, they take a lock. All are sequentially consistent: every thread sees all of them in the same order, and what a
thread wrote before a `store` is seen by whoever has loaded that value.

The name of the field is a constant.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

LOCK = Lock()


def load(record: Any, field: str) -> Any:
    """The value of a field."""
    with LOCK:
        return getattr(record, field)


def store(record: Any, field: str, value: int) -> None:
    """Set a field."""
    with LOCK:
        setattr(record, field, value)


def fetch_add(record: Any, field: str, amount: int) -> int:
    """Add to an integer field; returns its value before."""
    with LOCK:
        before: int = getattr(record, field)
        setattr(record, field, before + amount)
        return before


def add_at(record: Any, field: str, i: int, amount: float) -> None:
    """Add to a number of an array of f64."""
    with LOCK:
        getattr(record, field)[i] += amount


def compare_and_swap(record: Any, field: str, expected: int, new: int) -> bool:
    """Set an integer field if it has the expected value; returns whether it had."""
    with LOCK:
        swapped: bool = getattr(record, field) == expected
        if swapped:
            setattr(record, field, new)
        return swapped
