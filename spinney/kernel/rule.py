"""Marking rules, and binding generic code to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])

RULES: WeakKeyDictionary[Callable[..., Any], bool] = WeakKeyDictionary()
"""Every function marked as a rule, and whether compiled callers must inline it. Those of a plain search go with it."""


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, inline: bool) -> Callable[[F], F]: ...
def rule(function: F | None = None, *, inline: bool = False) -> F | Callable[[F], F]:
    """Mark a function as a rule: it stays an ordinary Python function, and compiled code may call it.

    `inline=True` is for small rules in hot loops: it saves the call at the price of code size.
    """

    def mark(f: F) -> F:
        RULES[f] = inline
        return f

    return mark if function is None else mark(function)


_bound: dict[str, Any] = {}


def bind(make: Callable[..., Any], label: str, *, plain: bool = False, **parts: Any) -> Any:
    """Specialise the functions that `make(**parts)` returns for the given rules, players and numbers.

    `make` is a closure factory: its inner helpers are rules, and it returns one function, or a tuple of them. Plain,
    these are ordinary Python. Compiled, they are compiled for their argument types on first call, release the GIL,
    and are cached on disk under a fingerprint of all the code and constants they use. `label` names the result in
    progress lines and cache files, as in "connect_four/uct".
    """
    if plain:
        return make(**parts)
    from spinney.kernel import native  # the only door to Numba
    from spinney.kernel.fingerprint import fingerprint

    stamp = fingerprint(make, *sorted(parts.items()))
    if stamp not in _bound:
        _bound[stamp] = native.compile_entries(make(**parts), label, stamp)
    return _bound[stamp]
