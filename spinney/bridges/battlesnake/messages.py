"""The engine's messages, as far as they are used, and the positions in them.

Unknown fields are ignored, and optional ones may be missing or null. All other values are checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

import pydantic

from spinney.errors import BadRecording
from spinney.games import Game, load
from spinney.games.battlesnake.options import MODES, BattlesnakeOptions
from spinney.games.battlesnake.position import CAUSES, Position
from spinney.games.battlesnake.position import Snake as Body
from spinney.games.battlesnake.state import MAX_PLAYERS, UNTOLD

Name = Annotated[str, pydantic.Field(min_length=1, max_length=200)]

MOST_TURNS = 10_000
"""The largest interval between hazards that is told apart: no game lasts longer."""


class Part(pydantic.BaseModel):
    """A part of a message."""

    model_config = pydantic.ConfigDict(strict=True, frozen=True)


class Lenient(Part):
    """A part in which a null field counts as missing."""

    @pydantic.model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given


class Square(Part):
    x: int
    y: int


class Snake(Lenient):
    id: Name
    name: str = ""
    health: int
    body: list[Square]
    latency: Any = ""

    @property
    def milliseconds(self) -> float:
        """How long the engine waited for the last answer; 0 if it does not say."""
        try:
            found = float(self.latency)
        except (TypeError, ValueError):
            return 0.0
        return found if 0 < found < 60_000 else 0.0


class Board(Lenient):
    width: int
    height: int
    snakes: list[Snake]
    food: list[Square] = []
    hazards: list[Square] = []


class Royale(Lenient):
    shrink_every: int = pydantic.Field(default=0, alias="shrinkEveryNTurns")


class Settings(Lenient):
    food_chance: int = pydantic.Field(default=15, alias="foodSpawnChance")
    minimum_food: int = pydantic.Field(default=1, alias="minimumFood")
    hazard_damage: int = pydantic.Field(default=14, alias="hazardDamagePerTurn")
    royale: Royale = Royale()


class Ruleset(Lenient):
    name: str = "standard"
    settings: Settings = Settings()


class GameInfo(Lenient):
    id: Name
    ruleset: Ruleset = Ruleset()
    timeout: int = 500


class Message(Lenient):
    """The body of /start, /move and /end."""

    game: GameInfo
    turn: int
    board: Board
    you: Snake

    @property
    def key(self) -> tuple[str, str]:
        """The game and the snake that the message is about."""
        return self.game.id, self.you.id

    @cached_property
    def living(self) -> dict[str, Snake]:
        """The living snakes by id."""
        found = {snake.id: snake for snake in self.board.snakes}
        if len(found) != len(self.board.snakes):
            raise BadRecording("two snakes on the board have the same id")
        return found

    def must_live(self) -> None:
        """Refuse a message to a snake that is not on the board."""
        if self.you.id not in self.living:
            raise BadRecording("you are not on the board")


def with_options(game: Game, **told: Any) -> Game:
    """The same game with options that the engine tells; others stay as they were chosen."""
    return load(game.card, **{**game.options.model_dump(exclude_unset=True), **told})


def options_of(message: Message, game: Game) -> BattlesnakeOptions:
    """The options of the game that a message starts. An unknown ruleset counts as the standard one."""
    board, ruleset = message.board, message.game.ruleset
    if not 1 <= len(board.snakes) <= MAX_PLAYERS:
        raise BadRecording(f"there are {len(board.snakes)} snakes; 1 to {MAX_PLAYERS} are allowed")
    told = ruleset.settings.model_dump(exclude={"royale"})
    if ruleset.name == "royale" and ruleset.settings.royale.shrink_every > 0:
        told["shrink_every"] = min(ruleset.settings.royale.shrink_every, MOST_TURNS)
    mode = ruleset.name if ruleset.name in MODES else "standard"
    options = with_options(
        game, players=len(board.snakes), width=board.width, height=board.height, mode=mode, **told
    ).options
    assert isinstance(options, BattlesnakeOptions)
    return options


def position_of(message: Message, options: BattlesnakeOptions, ids: Sequence[str], fell: Mapping[str, int]) -> Position:
    """The position of a message: the snakes in the order of their ids, and the turns on which eliminated ones fell."""
    living, board = message.living, message.board
    if (board.width, board.height) != (options.width, options.height):
        raise BadRecording(
            f"the board is {board.width}x{board.height}; the game began on {options.width}x{options.height}"
        )
    if new := living.keys() - set(ids):
        raise BadRecording(f"snake '{_short(min(new))}' was not there at the start")
    return Position(
        options,
        [
            Body([_xy(square) for square in living[name].body], living[name].health)
            if name in living
            else Body((), 0, CAUSES[UNTOLD], fell=fell[name], length=1)  # the engine does not tell the cause
            for name in ids
        ],
        list(dict.fromkeys(_xy(square) for square in board.food)),
        [_xy(square) for square in board.hazards],
        message.turn,
    )


def problem(error: pydantic.ValidationError) -> str:
    """What is wrong with a message, in a line."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(_short(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]


def printable(text: str) -> str:
    """A name from the network as it may be printed: short, and without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in _short(text))


def _short(part: object) -> str:
    return str(part)[:40]


def _xy(square: Square) -> tuple[int, int]:
    return square.x, square.y
