"""Who sits at a real table, and the position in which a game there begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spinney.errors import BadGame, BadOption, BadPosition
from spinney.games import Card, Game, State

LONGEST_NAME = 30


def seated(names: Sequence[str], seat: int | None, first: int) -> tuple[list[str], int | None]:
    """People as they sit, and the seat of one of them, in the order of turns if another one begins; counted from 0."""
    for who in (first, *(() if seat is None else (seat,))):
        if not 0 <= who < max(1, len(names)):
            raise BadOption(f"seat {who + 1}: there are {len(names)} people at the table")
    turned = [*names[first:], *names[:first]]
    return turned, None if seat is None else (seat - first) % max(1, len(names))


def describe(state: State) -> str:
    """A position as lines that people can change: the game's own, or its text."""
    lines = state.game.card.board.at_table.describe
    return state.to_text() if lines is None else lines(state.record)


def known_state(game: Game, state: State) -> State:
    """A position that one player has seen as a state of the game."""
    if state.game is game:
        return state
    record: Any = game.card.rules.State()
    for name, field in record.fields.items():
        value = getattr(state.record, name)
        setattr(record, name, field.copy(value) if field.shape else value)
    known = State(game, record)
    known.decided = state.decided.copy()
    return known


def checked_names(game: Game, names: Sequence[str]) -> list[str]:
    """The names of the players, with `player 3` for one without a name."""
    if len(names) > game.players:
        raise BadOption(f"there are {len(names)} names; {game!r} is for {game.players} players")
    given = [*(" ".join(str(name).split()) for name in names), *[""] * (game.players - len(names))]
    if long := [name for name in given if len(name) > LONGEST_NAME]:
        raise BadOption(
            f"the name '{long[0][:LONGEST_NAME]}...' is too long; at most {LONGEST_NAME} characters are allowed"
        )
    given = [name or f"player {player + 1}" for player, name in enumerate(given)]
    if len({name.lower() for name in given}) < len(given):
        raise BadOption(f"the names {', '.join(given)}; they must differ")
    return given


def why_not_followed(card: Card) -> str:
    """Why a game cannot be followed at a real table; empty if it can."""
    if card.has_hidden and card.board.at_table.seen is None:
        return "its card does not say what a player sees of hidden cards"
    if card.has_chance and not hasattr(card.rules, "outcomes"):
        return "its rules do not list what chance may bring"
    return ""


def first_state(game: Game, seat: int | None, position: str | None) -> State:
    """The first position, as far as the person at the seat knows it."""
    part, card = game.card.board.at_table, game.card
    if reason := why_not_followed(card):
        raise BadGame(f"{game.name} cannot be followed: {reason}")
    known = None if position is None else _read_position(game, position)
    if known is not None and known.is_over:
        raise BadPosition("the game is over in this position; there is nothing to enter")
    if not card.has_hidden:
        return game.start(0, manual_chance=True) if known is None else known
    if seat is None:
        raise BadOption(f"{game.name} has hidden cards: say which seat is yours, because the table knows what you know")
    seen = Game(part.seen, part.seen.options(seat=seat + 1))
    if known is None:
        return seen.start(0, manual_chance=True)
    assert part.as_seen is not None
    return State(seen, part.as_seen(known.record, seat))


def _read_position(game: Game, text: str) -> State:
    """A position from its text, or from lines that describe it."""
    set_up = game.card.board.at_table.set_up
    if set_up is not None and not text.lstrip().startswith(game.name):
        try:
            text = f"{game!r} {set_up(text, game.options)}"
        except BadPosition as error:
            raise BadPosition(f"this is not a position of {game.name}: {error}") from None
    return game.from_text(text, manual_chance=True)
