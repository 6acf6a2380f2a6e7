"""A hash of functions and of everything they refer to. It is the key of the compilation cache."""

from __future__ import annotations

import builtins
import hashlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from spinney.errors import BadGame
from spinney.kernel.atomic import LOCK
from spinney.kernel.record import _RecordType
from spinney.kernel.rule import RULES, rule


def fingerprint(*roots: Any) -> str:
    """Hash the bytecode and constants of the given objects and of everything they refer to.

    Comments, line numbers and unused code do not change the hash.
    """
    digest, seen = hashlib.sha256(), set()
    todo: list[tuple[str, Any]] = [("root", root) for root in reversed(roots)]
    while todo:
        name, item = todo.pop()
        digest.update(f"\n{name}:".encode())
        if isinstance(item, types.FunctionType):
            digest.update(f"{item.__module__}.{item.__qualname__}".encode())
            if id(item) not in seen and item is not rule:
                seen.add(id(item))
                digest.update(repr(RULES.get(item)).encode())
                todo += _function(item, digest)
        elif isinstance(item, _RecordType):
            digest.update(repr(item.dtype.descr).encode() + str(item.dtype.itemsize).encode())
        elif isinstance(item, np.ndarray):
            digest.update(f"{item.dtype}{item.shape}".encode() + item.tobytes())
        elif isinstance(item, tuple):
            digest.update(str(len(item)).encode())
            todo += [(name, part) for part in reversed(item)]
        elif item is LOCK:
            continue  # of plain code alone
        elif item is None or isinstance(item, bool | int | float | str | bytes | np.generic):
            digest.update(f"{type(item).__name__} {item!r}".encode())
        elif isinstance(item, types.ModuleType):
            digest.update(item.__name__.encode())
        elif callable(item) and getattr(item, "__module__", None) in ("math", "numpy", "builtins", "operator"):
            digest.update(f"{item.__module__}.{item.__name__}".encode())
        else:
            raise BadGame(
                f"{name} is a {type(item).__name__}, which rules cannot refer to; "
                "allowed: rules, records, numbers, strings, tuples of these, NumPy arrays"
            )
    return digest.hexdigest()


def _function(function: types.FunctionType, digest: Any) -> Iterator[tuple[str, Any]]:
    """Hash the code of a function; yield its defaults, its closure and the globals it uses."""
    yield from (("a default", value) for value in function.__defaults__ or ())
    if function.__closure__:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
            yield name, cell.cell_contents
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        digest.update(code.co_code)
        digest.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode())
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                codes.append(constant)
            else:
                plain = sorted(constant, key=repr) if isinstance(constant, frozenset) else constant
                digest.update(repr(plain).encode())
        yield from _globals(function, code)


def _globals(function: types.FunctionType, code: types.CodeType) -> Iterator[tuple[str, Any]]:
    """The globals that a code object uses, and the attributes of modules that it uses."""
    for name in code.co_names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        yield name, value
        if isinstance(value, types.ModuleType) and value not in (np, builtins) and value.__name__ != "math":
            for attribute in code.co_names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)
