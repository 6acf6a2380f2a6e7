"""The colours of pages and pictures: a value for a light and one for a dark background, by name."""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    light: str
    dark: str


PALETTE = {
    "agent-0": Colour("#1f6fb4", "#62aef0"),
    "agent-1": Colour("#c8500a", "#f58a48"),
    "agent-2": Colour("#23803c", "#5cc27a"),
    "agent-3": Colour("#6a1f7f", "#e6c8f5"),
    "agent-4": Colour("#a8790a", "#dcb34a"),
    "agent-5": Colour("#b3254f", "#f2789b"),
    "agent-6": Colour("#0d7f86", "#4cc4cb"),
    "agent-7": Colour("#5b6670", "#aab4bc"),
    "shade-0": Colour("#f7f9fa", "#181d21"),
    "shade-1": Colour("#eceff2", "#1f252a"),
    "shade-2": Colour("#e1e6ea", "#262d33"),
    "shade-3": Colour("#d6dde2", "#2e363d"),
    "shade-4": Colour("#cbd4da", "#363f47"),
    "shade-5": Colour("#bfcad1", "#3e4851"),
    "shade-6": Colour("#b3c0c8", "#47525c"),
    "shade-7": Colour("#a7b5bf", "#505c67"),
    "shade-8": Colour("#9babb6", "#596672"),
    "shade-9": Colour("#8fa1ad", "#63717e"),
    "level-1": Colour("#f3e3bd", "#4a4230"),
    "level-2": Colour("#e6c98a", "#65552f"),
    "level-3": Colour("#d3a85c", "#846630"),
    "level-4": Colour("#b98342", "#a67a34"),
    "paper": Colour("#ffffff", "#15191d"),
    "ink": Colour("#1c2126", "#e4e8eb"),
    "quiet": Colour("#5b6670", "#9aa5ae"),
    "faint": Colour("#98a2ab", "#6d7983"),
    "line": Colour("#dde2e6", "#2e363d"),
    "soft": Colour("#f3f5f7", "#1d2328"),
    "gold": Colour("#d9a400", "#e8bc3a"),
    "wall": Colour("#6b4a2b", "#cfa476"),
    "food": Colour("#d33a3a", "#ff6b6b"),
    "hazard": Colour("#e3d3e6", "#3f2f45"),
    "air": Colour("#2f9bb5", "#4cb6d0"),
    "rock": Colour("#8d9499", "#4c545b"),
    "tunnel": Colour("#ddd3c0", "#9a917f"),
}
"""Every name of `spinney.games.picture.COLOURS`, and `faint`, which only pages use. The colours of the first four
players differ for people who confuse colours, too."""
