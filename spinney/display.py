"""How notebooks show objects of lower packages: functions of `spinney.show` by name, imported when they are used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

VIEWS = {"html_of": "spinney.show.notebook", "table_html": "spinney.show.notebook", "tree_svg": "spinney.show.tree_svg"}
"""The module of each function."""


def view(name: str) -> Callable[..., str]:
    function: Callable[..., str] = getattr(import_module(VIEWS[name]), name)
    return function
