"""A game in progress and its journal: what has happened, and how it is done again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spinney.agents import Decision
from spinney.agents.briefs import briefs_of, from_brief, to_brief
from spinney.app.journal import Journal
from spinney.app.keys import Keys
from spinney.app.setup import Setup
from spinney.clock import Clock
from spinney.errors import GameOver
from spinney.games import Game
from spinney.games.frame import Replay
from spinney.play import Seat, Session, origin, outcome, replay_steps


class StoredGame:
    """A session, of which every step is in the journal before anybody is told of it."""

    def __init__(self, setup: Setup, game: Game, seed: int, keys: Keys, journal: Journal) -> None:
        self.setup, self.game, self.seed, self.keys, self.journal = setup, game, seed, keys, journal
        self.names = setup.names
        self.persons = sum(seat.agent is None for seat in setup.seats)
        """How many people play."""
        self.hides_cards = game.card.has_cards and self.persons > 0
        """Whether people play with cards that others may not see."""
        self.paused, self.pace = False, setup.pause
        self.resigned: int | None = None
        self.successor: tuple[str, dict[str, str]] | None = None
        """The room of the rematch, and the new key for each key."""
        self.session: Session
        self._generation = 0
        """How often steps were taken back."""

    def seat(self, seats: Sequence[Seat | None], clock: Clock) -> None:
        """Begin, with an agent or a person at each seat."""
        state, together = self.setup.begin(self.game, self.seed), self.game.card.is_simultaneous
        self.session = Session(state, seats, clock=clock, at_once=together, undoable=True)

    def restore(self, entries: Iterator[dict[str, Any]]) -> None:
        """Do again what the journal says."""
        for entry in entries:
            match entry["did"]:
                case "tell":
                    self._apply(entry["actions"], entry["player"])
                case "agent":
                    player, actions = entry["player"], entry["actions"]
                    if entry["figures"] is not None:
                        brief = from_brief(self.session.state, player, actions[0], entry["figures"])
                        self.session.explain(brief)
                    for action in actions:
                        self.session.state.apply(action, player)
                case "undo":
                    self._take_back()
                case "arrive":
                    self.keys.arrive(entry["player"], entry["key"])
                case "resign":
                    self.resigned = entry["player"]
                case "pace":
                    self.paused, self.pace = entry["paused"], float(entry["pace"])
                case "next":
                    self.successor = (entry["room"], entry["keys"])

    # ---- how it stands

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.session.is_over

    @property
    def version(self) -> str:
        """Changes with every step that has taken effect."""
        return f"{self._generation}.{len(self.session.state.history)}"

    @property
    def result(self) -> str:
        if self.resigned is not None:
            return f"player {self.resigned + 1} resigned"
        return outcome(self.session.state, self.names) if self.session.is_over else ""

    @property
    def winners(self) -> list[int]:
        """At the end; of a game between two that was resigned, the other player."""
        if self.resigned is not None:
            return [1 - self.resigned] if len(self.names) == 2 else []
        return self.session.state.winners() if self.session.is_over else []

    @property
    def can_undo(self) -> bool:
        """Cards that were seen cannot be forgotten: not at the end, and not among several people."""
        seen = self.hides_cards and (self.is_over or self.persons > 1)
        return self.session.can_undo and self.resigned is None and not seen

    def replay(self) -> Replay:
        """The game so far, from its beginning, with all that is hidden. The seed, which tells the dice to come, is part
        of it when the game is over."""
        state, briefs = self.session.state, briefs_of(self.session.decisions)
        about = f"{self.game!r}, {origin(state)}" if self.is_over else repr(self.game)
        return replay_steps(state.beginning(), list(state.history), self.names, about, self.result, briefs)

    # ---- what is done

    def tell(self, actions: Sequence[int], player: int) -> None:
        """Choices of a person. They are taken back together."""
        self._apply(actions, player)
        self.journal.add(did="tell", player=player, actions=actions)

    def _apply(self, actions: Sequence[int], player: int) -> None:
        self.session.tell(actions[0], player)
        for action in actions[1:]:
            self.session.state.apply(action, player)

    def make(self, decisions: Sequence[Decision]) -> None:
        """What agents have decided; of a turn with many orders, all of the player's."""
        for first in decisions:
            actions, state = [first.action], self.session.state
            self.session.make([first])
            while state.waits_for_others and self.game.card.has_turns and state.movers == (first.player,):
                actions += [decision.action for decision in self.session.ask()]
            figures = to_brief(first) if first.iterations else None
            self.journal.add(did="agent", player=first.player, actions=actions, figures=figures)

    def play_forced(self) -> Iterator[None]:
        """The choices of people who have only one, one after the other."""
        while self.resigned is None and (forced := self.session.make_forced()) is not None:
            player, action = forced
            self.journal.add(did="agent", player=player, actions=[action], figures=None)
            yield

    def take_back(self) -> None:
        """Take back the last choice that a person made, and what followed."""
        if not self.can_undo:
            raise GameOver("there is nothing that can be taken back")
        self._take_back()
        self.journal.add(did="undo")

    def _take_back(self) -> None:
        self.session.undo()
        self._generation += 1

    def let_in(self, player: int, key: str) -> None:
        """An invited player has come, and has this key now."""
        self.keys.arrive(player, key)
        self.journal.add(did="arrive", player=player, key=key)

    def give_up(self, player: int) -> None:
        if self.is_over:
            raise GameOver("the game is over")
        self.resigned = player
        self.journal.add(did="resign", player=player)

    def change_pace(self, paused: bool, pace: float) -> None:
        """Whether agents wait, and how many seconds apart their steps are when only agents play."""
        self.paused, self.pace = paused, pace
        self.journal.add(did="pace", paused=paused, pace=pace)

    def go_on_in(self, ident: str, keys: dict[str, str]) -> None:
        """The room of the rematch."""
        self.successor = (ident, keys)
        self.journal.add(did="next", room=ident, keys=keys)
