"""A position of each game, drawn by the game's own picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spinney import games
from spinney.agents import build
from spinney.games import State
from spinney.games.deepsea.rules import ACT
from spinney.play import Session
from spinney.show.svg import svg


@dataclass(frozen=True)
class Board:
    """A game between cheap agents, and the position in it that is shown."""

    title: str
    game: str
    agents: tuple[str, ...]
    seed: int
    until: Callable[[State], bool]
    """Whether a state is the position."""
    cell: int
    """The size of a cell in pixels."""
    viewer: int | None = None
    """The player whose view is shown; none: the whole state."""

    def svg(self) -> str:
        state = self.position()
        shown = state if self.viewer is None else state.observe(self.viewer)
        picture = state.game.card.board.picture
        assert picture is not None
        return svg(picture(shown.record), self.title, self.cell)

    def position(self) -> State:
        game = games.load(self.game)
        session = Session(game.start(self.seed), [build(game, it, self.seed + i) for i, it in enumerate(self.agents)])
        while not session.is_over:
            session.ask()
            if self.until(session.state):
                return session.state
        raise ValueError(f"the game of {self.game} with seed {self.seed} ends before the position that is to be shown")


BOARDS = {
    "deepsea": Board(
        "Deep Sea Adventure: the air, the path with its chips, and four divers",
        "deepsea(players=4)",
        ("heuristic", "seasoned", "explorer", "seasoned"),
        seed=5,
        until=lambda state: state.record.round == 2 and state.record.air <= 12 and state.record.phase == ACT,
        cell=64,
    ),
    "colosseum": Board(
        "Colosseum Survival!: walls, both players, and the cells that the one to move can reach",
        "colosseum",
        ("greedy", "greedy"),
        seed=8,
        until=lambda state: len(state.history) == 12,
        cell=50,
    ),
    "battlesnake": Board(
        "BattleSnake: four snakes on a board of 11x11",
        "battlesnake",
        ("flood", "flood", "flood", "flood"),
        seed=2,
        until=lambda state: state.record.turn == 75,
        cell=36,
    ),
    "halite": Board(
        "Halite III: the fleets of four players on a map of 24x24",
        "halite(players=4, size=24)",
        ("planner", "planner", "planner", "planner"),
        seed=2,
        until=lambda state: state.record.turn == 90,
        cell=20,
    ),
    "saboteur": Board(
        "Saboteur: tunnels between the entrance and three objectives, as the second player sees them",
        "saboteur",
        ("means_ends", "means_ends"),
        seed=3,
        until=lambda state: state.record.turn == 23,
        cell=10,
        viewer=1,
    ),
}
