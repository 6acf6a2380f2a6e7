"""`rule` marks functions that may be compiled; `bind` specialises generic code for such functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])

RULES: WeakKeyDictionary[Callable[..., Any], bool] = WeakKeyDictionary()
"""All rules, and whether compiled callers must inline them. The references are weak, so that searches can be freed."""


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, inline: bool) -> Callable[[F], F]: ...
def rule(function: F | None = None, *, inline: bool = False) -> F | Callable[[F], F]:
    """Mark a function as a rule: it stays an ordinary Python function, and compiled code can call it.

    `inline=True` is for small rules in hot loops: it avoids the call and increases code size.
    """

    def mark(f: F) -> F:
        RULES[f] = inline
        return f

    return mark if function is None else mark(function)


_bound: dict[str, Any] = {}


def bind(make: Callable[..., Any], label: str, *, plain: bool = False, **parts: Any) -> Any:
    """Specialise generic code for rules and constants: the compiled form of what `make(**parts)` returns.

    `make` is a closure factory. Its inner helpers are rules, and it returns a function or a tuple of functions. With
    `plain`, these stay ordinary Python. Otherwise they are compiled for their argument types on the first call, release
    the GIL, and are cached on disk under a fingerprint of all the code and constants they use. `label` names the result
    in progress lines and cache files, as in "connect_four/uct".
    """
    if plain:
        return make(**parts)
    from spinney.kernel import native  # imported on demand: plain code does not need Numba
    from spinney.kernel.fingerprint import fingerprint

    stamp = fingerprint(make, *sorted(parts.items()))
    if stamp not in _bound:
        _bound[stamp] = native.compile_entries(make(**parts), label, stamp)
    return _bound[stamp]
