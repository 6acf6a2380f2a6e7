"""A position of each game with a page of its own: its card's example, drawn by the game's own picture."""

from __future__ import annotations

from dataclasses import dataclass

from spinney import games
from spinney.play.example import example
from spinney.show.svg import svg


@dataclass(frozen=True)
class Board:
    """The example of a game."""

    game: str
    cell: int
    """The size of a cell in pixels."""

    def svg(self) -> str:
        board = games.card(self.game).board
        assert board.picture is not None
        return svg(board.picture(example(games.card(self.game)).record), board.example.title, self.cell)


CELLS = {"deepsea": 64, "colosseum": 50, "battlesnake": 36, "halite": 20, "saboteur": 10}
BOARDS = {game: Board(game, cell) for game, cell in CELLS.items()}
