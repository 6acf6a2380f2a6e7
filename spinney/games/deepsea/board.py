"""Deep Sea Adventure on a terminal."""

from __future__ import annotations
from typing import Any


def draw(s: Any) -> str:
    return repr(s)


def name_action(s: Any, action: int) -> str:
    return str(action)
