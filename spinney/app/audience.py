"""The browsers that look at a room, and what each is told: only what its players may know."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from spinney.agents import Decision
from spinney.app.film import Film, choices_of, figures_of, turn_of
from spinney.app.keys import Access
from spinney.games.spec import parse_spec
from spinney.kernel.progress import Progress

if TYPE_CHECKING:
    from spinney.app.room import Room

WAITING = 200
"""Messages that may wait for a slow browser, which is then cut off; it connects again and is told everything anew."""
NOTHING = -1
"""The viewer of a browser that may see nothing now."""


class Link:
    """A browser that looks at a room."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(WAITING)
        self.film: Film | None = None
        """The frames that it is told; none: nothing may be told to it now."""
        self.told = 0
        """How many of them it has."""

    def send(self, message: dict[str, Any] | None) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            while not self.messages.empty():
                self.messages.get_nowait()
            self.messages.put_nowait(None)


class Audience:
    """The links of a room, and the films that they are told."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.links: set[Link] = set()
        self._films: dict[int | None, Film] = {}
        self._choices: dict[int, dict[str, Any]] = {}
        """What may be chosen now, by the player."""
        self._shot = ""
        """The version of the latest frame."""

    # ---- films

    def shoot(self) -> None:
        """Something may have happened: if so, add a frame to all films, unless a turn is under way."""
        self._choices.clear()
        if self._shot != self.room.version and not self.room.session.state.waits_for_others:
            self._shot = self.room.version
            frame = self.room.session.frame()
            for film in self._films.values():
                film.add(frame)

    def forget(self) -> None:
        """Steps were taken back: begin all films anew."""
        self._choices.clear()
        self._films.clear()
        self._shot = self.room.version
        self.room.session.frame()

    def prepare(self) -> None:
        """Make the films that the links need now."""
        for link in list(self.links):
            self.film(self.viewer(link))

    def film(self, viewer: int | None) -> None:
        """Make the film of a viewer, from the beginning of the game, if there is none."""
        if viewer == NOTHING or viewer in self._films:
            return
        film = Film(self.room.game, viewer)
        for frame in self.room.replay().frames:
            film.add(frame)
        self._films[viewer] = film

    def viewer(self, link: Link) -> int | None:
        """Whose knowledge a browser is limited to; none: it may see everything."""
        room = self.room
        if not room.hides_cards or room.is_over:
            return None
        players = link.access.players
        if len(players) < 2:
            return players[0] if players else NOTHING
        shown = NOTHING if link.film is None or link.film.viewer is None else link.film.viewer
        turn = [player for player in room.session.waiting_for if player in players]
        return turn[0] if turn else shown if shown in players else players[0]

    # ---- telling

    def publish(self) -> None:
        for link in self.links:
            self.tell(link)

    def tell(self, link: Link) -> None:
        """Tell a browser what it does not know yet."""
        viewer = self.viewer(link)
        film = None if viewer == NOTHING else self._films[viewer]
        message: dict[str, Any] = {"kind": "step", "status": self._status(link.access)}
        if film is None or film is not link.film:
            message |= {"kind": "game", "viewer": viewer, "room": self._about()}
            link.told = 0
        if film is not None and link.told < len(film.frames):
            message |= {"frames": film.frames[link.told :], "header": film.header()}
            link.told = len(film.frames)
        link.film = film
        link.send(message)

    def think(self, decision: Decision) -> None:
        """Tell what an agent thinks; only how much, where more would tell people of its cards, or of a choice that they
        may not know before theirs."""
        if not decision.iterations:
            return
        room = self.room
        secret = room.persons and (room.game.card.has_hidden or room.game.card.is_simultaneous)
        message = {
            "kind": "think", "player": decision.player, "seconds": decision.seconds,
            "iterations": decision.iterations, "figures": None if secret else figures_of(decision),
        }  # fmt: skip
        for link in self.links:
            link.send(message)

    def tell_making(self, agents: list[str], progress: list[Progress]) -> None:
        """Tell how far agents are that are being compiled."""
        message = {"kind": "making", "agents": agents, "under_way": progress}
        for link in self.links:
            link.send(message)

    def _about(self) -> dict[str, Any]:
        """What does not change in a room."""
        room, card = self.room, self.room.game.card
        return {
            "ident": room.ident, "name": parse_spec(room.setup.game)[0], "game": repr(room.game), "title": card.title,
            "names": room.names, "guide": card.guide, "colours": [seat.colour for seat in room.setup.seats],
            "agents": [seat.agent for seat in room.setup.seats], "cards": room.hides_cards, "turns": card.has_turns,
            "patience": room.setup.patience, "suffixes": [it for it, form in card.formats.items() if form.write],
        }  # fmt: skip

    def _status(self, access: Access) -> dict[str, Any]:
        """How the game stands, for the holder of a key."""
        room = self.room
        state, over = room.session.state, room.is_over
        waiting = [] if over else list(room.session.waiting_for)
        mine = [player for player in waiting if player in access.players]
        return {
            "version": room.version, "over": over, "result": room.result, "winners": room.winners,
            "resigned": room.resigned,
            "choices": self._choices_of(mine[0]) if mine else None,
            "paused": room.paused, "pace": room.pace, "problem": room.problem,
            "movers": [] if over else list(state.movers), "waiting": waiting,
            "you": list(access.players), "host": access.host, "undo": access.host and room.can_undo,
            "next": room.successor is not None, "making": room.making,
            "invited": room.keys.open if access.host else {},
        }  # fmt: skip

    def _choices_of(self, player: int) -> dict[str, Any]:
        """What a player may do; in games with turns of many orders, all orders of the turn."""
        if player not in self._choices:
            state = self.room.session.state
            turns = self.room.game.card.has_turns
            self._choices[player] = turn_of(state, player) if turns else choices_of(state, player)
        return self._choices[player]
