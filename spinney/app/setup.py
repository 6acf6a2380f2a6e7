"""What a person chooses before a game begins."""

from __future__ import annotations

from typing import Annotated

import pydantic

from spinney.app.catalogue import Catalogue, check_agent
from spinney.errors import BadOption
from spinney.games import Game, State

Name = Annotated[str, pydantic.StringConstraints(max_length=30, strip_whitespace=True)]


class Seat(pydantic.BaseModel):
    """Who sits somewhere: an agent, or a person."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    agent: Annotated[str, pydantic.StringConstraints(max_length=300)] | None = None
    """The agent's spec; none: a person."""
    name: Name = ""
    own_device: bool = False
    """Whether the person plays in a browser of their own, with an invitation."""
    colour: int | None = pydantic.Field(None, ge=0, le=7)
    """Which of the eight colours of players is used; none: that of the seat."""


class Setup(pydantic.BaseModel):
    """A game, its seats, and how it begins."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    game: Annotated[str, pydantic.StringConstraints(max_length=300)]
    seats: Annotated[tuple[Seat, ...], pydantic.Field(max_length=16)]
    seed: int | None = pydantic.Field(None, ge=0, lt=2**63)
    position: Annotated[str, pydantic.StringConstraints(max_length=50_000)] | None = None
    """The position in which the game begins, as text."""
    pause: float = pydantic.Field(0.4, ge=0, le=10)
    """Seconds between two steps when only agents play."""
    patience: float | None = pydantic.Field(None, ge=0.2, le=3600)
    """Seconds that a person may take to choose; after them, a hand-written player chooses."""

    def check(self, catalogue: Catalogue) -> Game:
        """The game; an error if these seats cannot play it."""
        game = catalogue.load(self.game)
        if len(self.seats) != game.players:
            raise BadOption(f"{game!r} has {game.players} seats, and {len(self.seats)} are given")
        for seat in self.seats:
            if seat.agent is not None:
                check_agent(game, seat.agent)
        return game

    def begin(self, game: Game, seed: int) -> State:
        """The first position."""
        return game.start(seed) if self.position is None else game.from_text(self.position, seed)

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return [seat.name or seat.agent or f"player {player + 1}" for player, seat in enumerate(self.seats)]
