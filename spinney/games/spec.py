"""Spec strings: a name with options, as in `uct(iterations=2000, c=1.4, rollout=heuristic)`."""

from __future__ import annotations

import ast
import difflib
import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from spinney.errors import BadSpec

_PARSING = threading.Lock()
"""In Python 3.11 and 3.12, parsing in two threads at once may fail with a SystemError."""
MAX_LENGTH = 2000
WORDS = {"true": True, "false": False, "none": None, "inf": float("inf")}


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """Split a spec into its name and options.

    A value is a number, a word, true, false, none, a quoted text, or a spec, which is returned as text.
    """
    if len(text) > MAX_LENGTH:
        raise BadSpec(f"the spec has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed")
    match = re.fullmatch(r"\s*([^()\s]+(?: +[^()\s]+)*)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        raise BadSpec(f"cannot read '{text}'; write a name, or a name with options: name(option=value, ...)")
    name, arguments = match[1], match[2] or ""
    try:
        with _PARSING:
            call = ast.parse(f"f({arguments}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        call = None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Name)  # such as f()()
        or call.args
        or any(keyword.arg is None for keyword in call.keywords)
    ):
        raise BadSpec(f"cannot read the options in '{text}'; write option=value, separated by commas")
    options: dict[str, Any] = {}
    for keyword in call.keywords:
        assert keyword.arg is not None
        if keyword.arg in options:
            raise BadSpec(f"option '{keyword.arg}' is given twice in '{text}'")
        options[keyword.arg] = _value(keyword.value, keyword.arg, text)
    return name, options


def _value(node: ast.expr, option: str, text: str) -> Any:
    if isinstance(node, ast.Name):
        return WORDS.get(node.id.lower(), node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | str | None):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return ast.unparse(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.UnaryOp):
        number = _value(node.operand, option, text)
        if isinstance(number, int | float) and not isinstance(number, bool):
            return -number
    raise BadSpec(f"cannot read the value of '{option}' in '{text}'; allowed: a number, a word, true, false, none")


def write_spec(name: str, options: Mapping[str, Any]) -> str:
    """The inverse of `parse_spec`: a name and its options as text."""
    return f"{name}({', '.join(f'{option}={_text(value)}' for option, value in options.items())})" if options else name


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        try:  # words and nested specs need no quotes
            return value if parse_spec(f"x(y={value})")[1]["y"] == value else repr(value)
        except BadSpec:
            return repr(value)
    return str(value)


def suggest(name: str, known: Iterable[str], called: str = "known") -> str:
    """The end of an error message about an unknown name: the closest known name, and all known names."""
    known = list(known)
    close = difflib.get_close_matches(name, known, n=1)
    meant = f"did you mean '{close[0]}'? " if close else ""
    return f"{meant}{called}: {', '.join(known) or 'none'}"
