"""A position of each game, drawn by the game's own board, in colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from docs.pictures.sheet import DIM, NIGHT, Look, Sheet
from spinney import games
from spinney.agents import build
from spinney.agents.match import play_on
from spinney.games import State
from spinney.games.battlesnake.state import owner, square
from spinney.games.deepsea.rules import ACT
from spinney.games.halite.board import SHADES

COLOURS = ("#6cb6ff", "#f0883e", "#57ab5a", "#dc8cc3")
"""Of the players."""
LEVELS = ("#7ee2a8", "#d2d65a", "#f0a050", "#ff7b72")
"""Of chips."""
DEPTHS = ("#1c2128", "#1f2a3a", "#21344d", "#234162", "#254f7a", "#275e93", "#2a6fae", "#2f86cf", "#4aa3ee")
"""Of halite, from nothing on."""
AIR = "#39c5cf"


@dataclass(frozen=True)
class Board:
    """A game between cheap agents, the position in it that is shown, and how it is coloured."""

    title: str
    game: str
    agents: tuple[str, ...]
    seed: int
    until: Callable[[State], bool]
    """Whether a state is the position."""
    lines: slice
    """Those of the board's text that are shown."""
    paint: Callable[[Sheet, State], None]
    cell: tuple[float, float] = (9, 18)
    letter: float = 15
    seen_by: int | None = None
    """Whose view is shown, if not everything is."""

    def svg(self) -> str:
        state = self.position()
        shown = state if self.seen_by is None else state.observe(self.seen_by)
        sheet = Sheet(_framed(str(shown).splitlines()[self.lines]))
        self.paint(sheet, state)
        return sheet.svg(self.title, self.cell, self.letter)

    def position(self) -> State:
        game = games.load(self.game)
        state = game.start(self.seed)
        seats = [build(game, agent, self.seed + seat) for seat, agent in enumerate(self.agents)]
        for _ in play_on(state, seats):
            if self.until(state):
                return state
        raise ValueError(f"the game of {self.game} with seed {self.seed} ends before the position that is to be shown")


def _sea(sheet: Sheet, state: State) -> None:
    sheet.paint(r"^\w+", Look(DIM))
    sheet.paint(r"\d+", Look(DIM), within="^tile")
    sheet.paint("#", Look("", paper=AIR))
    for level, colour in enumerate(LEVELS, start=1):
        sheet.paint(f"{level}", Look(NIGHT, disc=colour), within="^chips")
    for player, colour in enumerate(COLOURS, start=1):
        sheet.paint(rf"P{player}[v^]?", Look(colour))


def _arena(sheet: Sheet, state: State) -> None:
    sheet.paint(r"[a-z\d+]", Look(DIM))
    sheet.paint("[─-╿]", Look("#d0a070", line=4))
    sheet.paint("·", Look(COLOURS[state.record.mover], disc="#1b3350"))
    for letter, colour in zip("AB", COLOURS, strict=False):
        sheet.paint(letter, Look(NIGHT, disc=colour))


def _snakes(sheet: Sheet, state: State) -> None:
    """A body is lines; only the rules know whose."""
    sheet.paint(r"\S", Look(DIM))
    sheet.paint(r"\*", Look(NIGHT, disc="#ff7b72"))
    for x, y, line, looks in _squares(sheet):
        if (player := owner(state.record, square(x, y))) >= 0:
            colour = COLOURS[player]
            looks[:] = [Look(NIGHT, disc=colour) if mark.isalpha() else Look(colour, line=9) for mark in line]


def _fleets(sheet: Sheet, state: State) -> None:
    """Halite is a colour in place of a letter; ships and structures are in the middle of their squares."""
    sheet.paint(r"\S", Look(DIM))
    for _, _, (mark, beside), looks in _squares(sheet):
        if mark in SHADES:
            looks[:] = [Look("", paper=DEPTHS[SHADES.index(mark)])] * 2
        else:
            colour = COLOURS["1a2b3c4d".index(mark.lower()) // 2]
            paper = colour if mark.isdigit() or beside.isdigit() else ""  # a structure
            looks[:] = [Look(NIGHT, paper, "" if paper else colour, span=2), Look("", paper)]


def _squares(sheet: Sheet) -> Iterator[tuple[int, int, str, list[Look]]]:
    """The squares of a board with two characters for each: column and row by its numbers, the two, and their looks,
    which are kept as they are changed to."""
    for line, looks in zip(sheet.lines, sheet.looks, strict=True):
        if re.match(r"[ \d]\d │", line):
            for x, at in enumerate(range(5, line.rindex("│") - 1, 2)):
                two = looks[at : at + 2]
                yield x, int(line[:2]), line[at : at + 2], two
                looks[at : at + 2] = two


def _tunnels(sheet: Sheet, state: State) -> None:
    sheet.paint(r"[\d·]", Look(DIM))
    sheet.paint("░", Look(paper="#444c56"))
    sheet.paint("█", Look(paper="#c69026"))
    sheet.paint("E", Look(NIGHT, "#c69026"))


def _framed(lines: list[str]) -> list[str]:
    """A frame of lines in place of one of letters."""
    drawn = [line.replace("|", "│") for line in lines]
    edges = [row for row, line in enumerate(lines) if re.fullmatch(r" *\+-+\+", line)]
    for row, corners in zip(edges, ("┌┐", "└┘"), strict=False):
        drawn[row] = lines[row].replace("-", "─").replace("+", corners[0], 1).replace("+", corners[1])
    return drawn


BOARDS = {
    "deepsea": Board(
        "Deep Sea Adventure: the air, the path with its divers, and what each of them carries",
        "deepsea(players=4)",
        ("heuristic", "seasoned", "explorer", "seasoned"),
        seed=5,
        until=lambda state: state.record.round == 2 and state.record.air <= 12 and state.record.phase == ACT,
        lines=slice(0, 16),
        paint=_sea,
    ),
    "colosseum": Board(
        "Colosseum Survival!: walls, both players, and the cells that the one to move can reach",
        "colosseum",
        ("greedy", "greedy"),
        seed=8,
        until=lambda state: len(state.history) == 12,
        lines=slice(2, -2),
        paint=_arena,
        cell=(11, 22),
        letter=16,
    ),
    "battlesnake": Board(
        "BattleSnake: four snakes on a board of 11x11",
        "battlesnake",
        ("flood", "flood", "flood", "flood"),
        seed=2,
        until=lambda state: state.record.turn == 75,
        lines=slice(2, 17),
        paint=_snakes,
        cell=(13, 26),
        letter=16,
    ),
    "halite": Board(
        "Halite III: the fleets of four players on a map of 24x24",
        "halite(players=4, size=24)",
        ("planner", "planner", "planner", "planner"),
        seed=2,
        until=lambda state: state.record.turn == 90,
        lines=slice(2, 30),
        paint=_fleets,
        cell=(9, 18),
        letter=14,
    ),
    "saboteur": Board(
        "Saboteur: tunnels between the entrance and three objectives, as the second player sees them",
        "saboteur",
        ("means_ends", "means_ends"),
        seed=3,
        until=lambda state: state.record.turn == 23,
        lines=slice(0, 28),
        paint=_tunnels,
        cell=(15, 15),
        letter=15,
        seen_by=1,
    ),
}
