"""Positions to analyse: where they come from, who looks at them, and what was tried from there."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pydantic

from spinney.agents import build, hand_written
from spinney.app.catalogue import Catalogue, agents_of
from spinney.app.film import choices_of
from spinney.app.library import Library
from spinney.app.rooms import Rooms
from spinney.errors import BadGame, BadPosition, UnknownName, WrongPlayer
from spinney.games import CHANCE, Card, Game, State
from spinney.games.frame import Frame, Replay
from spinney.games.notation import split_text
from spinney.games.spec import parse_spec
from spinney.kernel import seeded
from spinney.show.frames import FrameEncoder, event_lines

KEPT_GAMES = 8
"""Stored games in memory."""
KEPT_STATES = 64
MOST_STEPS = 400
"""Steps that may be tried from a position."""
Mover = Annotated[int, pydantic.Field(ge=CHANCE, lt=64)]
Action = Annotated[int, pydantic.Field(ge=-(2**31), lt=2**53)]
Step = tuple[Mover, Action]
"""The mover and the action. A negative action is chosen here: chance is thrown, or a hand-written player chooses; the
same number gives the same."""


class Source(pydantic.BaseModel):
    """Where a position comes from: a text, a game of a room, or one of a file; none of these: the first position of the
    game."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    name: Annotated[str, pydantic.StringConstraints(max_length=300)]
    """The game, as the catalogue names it."""
    spec: Annotated[str, pydantic.StringConstraints(max_length=300)] = ""
    """The game with options, for its first position."""
    position: Annotated[str, pydantic.StringConstraints(max_length=50_000)] = ""
    room: Annotated[str, pydantic.StringConstraints(max_length=24)] = ""
    stored: Annotated[str, pydantic.StringConstraints(max_length=40)] = ""
    """A file of the library, and the number of a game in it."""
    number: int = pydantic.Field(0, ge=0, lt=2**31)
    view: int | None = None
    """The player whose knowledge is shown; none: everything."""
    seed: int = pydantic.Field(0, ge=0, lt=2**31)
    """Of the cards that a player's view does not tell."""


class Place(Source):
    """A position of a source: a frame of its game, and steps from there."""

    frame: int = pydantic.Field(0, ge=0, lt=1_000_000)
    steps: tuple[Step, ...] = pydantic.Field((), max_length=MOST_STEPS)


@dataclass(frozen=True)
class Stored:
    """A game of a room, as it was when somebody asked, or of a file."""

    replay: Replay
    frames: Sequence[Frame]
    version: str
    name: str
    """For the file of its review."""

    @property
    def game(self) -> Game:
        assert self.replay.game is not None
        return self.replay.game

    def whole(self) -> Replay:
        """The game with its frames, to be read once more."""
        return replace(self.replay, frames=self.frames)


class Places:
    """Makes positions from places. The last ones are kept, because most places are a step from one of them."""

    def __init__(self, catalogue: Catalogue, rooms: Rooms, library: Library) -> None:
        self.catalogue, self.rooms, self.library = catalogue, rooms, library
        self._stored: OrderedDict[tuple[str, str], Stored] = OrderedDict()
        self._states: OrderedDict[tuple[str, Place], tuple[State, str]] = OrderedDict()
        self._lock = threading.Lock()

    async def stored(self, source: Source) -> Stored | None:
        """The game of a source, if it is one of a room or a file."""
        if source.room:
            found = await self._of_room(source.room)
        elif source.stored:
            found = await self.library.work(self._of_file, source.stored, source.number)
        else:
            return None
        if found.replay.game is None:
            raise BadGame("this file shows its positions, but nobody can go on from them")
        if found.replay.card != self.catalogue.card(source.name):
            raise UnknownName(f"this is a game of {found.replay.card.title}")
        return found

    async def _of_room(self, ident: str) -> Stored:
        """While cards are hidden, a room keeps its game to itself."""
        room = await self.rooms.find(ident)
        key = (ident, f"{room.version} {room.is_over}")
        if key not in self._stored:
            replay, unfinished = await room.shared_replay(), room.session.state.waits_for_others
            frames = await asyncio.to_thread(lambda: list(replay.frames))
            self._stored[key] = Stored(replay, frames[: len(frames) - unfinished], key[1], ident)
            if len(self._stored) > KEPT_GAMES:
                self._stored.popitem(last=False)
        return self._stored[key]

    def _of_file(self, ident: str, number: int) -> Stored:
        file = self.library.find(ident)
        replay = self.library.replay(file, number)
        return Stored(replay, list(replay.frames), str(file.when), f"{file.ident}-{number}")

    async def open(self, source: Source) -> dict[str, Any]:
        """All that a page needs to begin with a source."""
        stored = await self.stored(source)
        return await asyncio.to_thread(self._open, source, stored)

    def _open(self, source: Source, stored: Stored | None) -> dict[str, Any]:
        card = self.catalogue.card(source.name)
        views: list[int | None] = [None]
        text = source.position
        if stored is not None:
            game, text = stored.game, ""
        elif text:
            game = game_of_text(card, text)
            observers = game.from_text(text, manual_chance=True).observers
            views = [*observers] or views
        else:
            game = self.catalogue.load(source.spec or source.name)
            if game.card is not card:
                raise UnknownName(f"this is a game of {game.card.title}")
        if card.has_cards and views == [None]:
            views = [*range(game.players), None]
        known = bool(source.position) and len(views) == game.players + 1  # all cards are in the text
        view = source.view if "view" in source.model_fields_set else None if known else views[0]
        if view not in views:
            allowed = ", ".join("everything" if it is None else f"player {it + 1}" for it in views)
            raise BadPosition(f"this position cannot be seen so; possible views: {allowed}")
        if stored is None and not text:
            first = game.start()
            text = (first if view is None else first.observe(view)).to_text()
        names = [f"player {player + 1}" for player in range(game.players)]
        made = source.model_copy(update={"position": text, "view": view, "seed": random.getrandbits(31)})
        told: dict[str, Any] = {
            "source": made.model_dump(exclude={"spec"}), "game": repr(game), "views": views, "names": names,
            "about": "", "result": "", "frames": None, "agents": agents_of(game),
        }  # fmt: skip
        if stored is not None:
            seen = [it if view is None else it.seen_by(game, view) for it in stored.frames]
            told |= {
                "names": stored.replay.names, "about": stored.replay.about, "result": stored.replay.result,
                "frames": [[words for words, _ in event_lines(frame.events)] for frame in seen],
            }  # fmt: skip
        return told

    async def state(self, place: Place) -> tuple[State, str]:
        """The position, and what the last step was in words."""
        stored = await self.stored(place)
        state, words = await asyncio.to_thread(self._find, place, stored)
        return state.copy(), words

    def _find(self, place: Place, stored: Stored | None) -> tuple[State, str]:
        version = "" if stored is None else stored.version
        with self._lock:
            known = self._states.get((version, place))
        if known is None:
            if place.steps:
                before, _ = self._find(place.model_copy(update={"steps": place.steps[:-1]}), stored)
                known = make_step(before, place.view, place.steps[-1])
            else:
                known = self._first(place, stored), ""
            with self._lock:
                self._states[version, place] = known
                while len(self._states) > KEPT_STATES:
                    self._states.popitem(last=False)
        return known

    def _first(self, place: Place, stored: Stored | None) -> State:
        """The position from which steps are tried. What a player's view does not tell of the cards is guessed."""
        if stored is not None:
            if place.frame >= len(stored.frames):
                raise UnknownName(f"the game has the frames 0 to {len(stored.frames) - 1}")
            state = State(stored.game, stored.frames[place.frame].record.copy())
        else:
            state = game_of_text(self.catalogue.card(place.name), place.position).from_text(
                place.position, manual_chance=True
            )
        if place.view is not None and not 0 <= place.view < state.game.players:
            raise WrongPlayer(f"there is no player {place.view + 1}")
        observers = state.observers if stored is None else []
        if observers and place.view not in observers:
            raise BadPosition("this text is what another player sees")
        if observers and place.view is not None:
            state = state.guess(place.view, place.seed)
        return state


def game_of_text(card: Card, text: str) -> Game:
    """The game with its options of the text of a position."""
    spec, _ = split_text(" ".join(text.split()))
    name, given = parse_spec(spec)
    if name != card.name:
        raise BadPosition(f"this is not a position of {card.name}: it begins with '{name[:40]}'")
    return Game(card, card.options.read(name, given))


def make_step(before: State, view: int | None, step: Step) -> tuple[State, str]:
    """The position after a step, and the step in words. In a player's view, all others' choices are made here."""
    state, (mover, action) = before.copy(), step
    player = None if mover == CHANCE else mover
    if view not in (None, player) and action >= 0:
        raise WrongPlayer("only the player whose view this is can be chosen for: the cards of others are hidden")
    if action < 0 and state.mover == CHANCE:
        action = int(state.game.card.rules.chance(state.record, seeded(-action)))
    elif action < 0:
        chooser = build(state.game, hand_written(state.game), -action)
        action = chooser.decide(state, player=player).action
    rules = state.game.card.rules
    words = before.name(action, view) or "something hidden"
    if state.mover == CHANCE and hasattr(rules, "default_outcome") and action == rules.default_outcome(state.record):
        rules.apply(state.record, action)  # lines assume it, even where it never happens, such as no food
    else:
        state.apply(action, player)
    return state, words


def look(state: State, words: str, view: int | None) -> dict[str, Any]:
    """A position as a page shows it, and what may be done there."""
    encoder = FrameEncoder(state.game.card, state.game)
    frame = Frame(state.record)
    changes, _ = encoder.encode(frame if view is None else frame.seen_by(state.game, view))
    chance, movers = state.mover == CHANCE, state.movers
    player = movers[0] if movers else None
    open_to_choose = not state.is_over and (view is None or player == view)
    return {
        "header": encoder.header(), "frame": changes, "words": words, "chance": chance, "player": player,
        "movers": list(movers), "over": state.is_over, "rewards": list(state.rewards()) if state.is_over else [],
        "choices": choices_of(state, player) if open_to_choose else None,
    }  # fmt: skip
