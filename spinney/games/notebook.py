"""How a notebook shows a state or a decision. Games and agents do not import what draws them, so it is found by its
name when a notebook asks, as the bridge of a game is."""

from __future__ import annotations

from importlib import import_module

PAINTER = "spinney.show.notebook"


def html_of(shown: object) -> str:
    """A state or a decision as HTML."""
    html: str = import_module(PAINTER).html_of(shown)
    return html
