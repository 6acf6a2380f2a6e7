"""The option `--position` of commands that play: the text of the position in which a game begins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spinney.errors import BadOption
from spinney.games import Game, State
from spinney.games.parts import Format

HIDDEN = "?"
"""What stands for a hidden card in texts."""

Position = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Begin in this position, as `position` and pages of games show it.")
]


def check_position(text: str | None, game: Game, save: Path | None) -> None:
    """Refuse a text that no game can go on from, before anything is played."""
    if text is None:
        return
    if game.from_text(text, manual_chance=True).is_over:
        raise BadOption("--position: the game is over in this position")
    if save is not None and game.card.formats.get(save.suffix, Format()).write is not None:
        raise BadOption(f"--save {save}: files of that format have no game from a given position; .jsonl is allowed")
    if game.card.has_hidden and HIDDEN in text:
        raise BadOption(f"--position: the text is a player's view, in which {HIDDEN} is hidden; all cards are needed")


def begin(game: Game, text: str | None, seed: int | None) -> State:
    """The first position: that of the text, or that of the game."""
    return game.start(seed) if text is None else game.from_text(text, seed)
