"""A game at a real table: people play it, what happens is entered, and one of them is advised."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from spinney.agents import Agent, build, read_spec, usual_agent
from spinney.clock import Clock
from spinney.errors import BadOption, BadRecording, GameOver, IllegalAction, SpinneyError, WrongPlayer
from spinney.games import CHANCE, Game, State
from spinney.games.parts import Asked
from spinney.play.advice import Advice, value_words
from spinney.play.seating import checked_names, first_state, known_state
from spinney.play.session import Seat, Session


@dataclass(frozen=True)
class Entry:
    """What was entered: an action of a player, or one or several chance outcomes in a row."""

    mover: int
    """A player, or CHANCE."""
    actions: tuple[int, ...]
    words: str
    player: int | None = None
    """Whom it is about; none: nobody."""
    forced: bool = False
    """Whether nothing else was possible, so that nobody had to enter it."""


@dataclass(frozen=True)
class Expected:
    """What is to be entered next."""

    words: str
    example: str
    mover: int
    """A player, or CHANCE; OVER at the end."""
    player: int | None
    """Whom it is about; none: nobody."""
    options: tuple[str, ...]
    """All actions or outcomes in words."""


@dataclass(frozen=True)
class Corrected:
    """What became of the entries after one that was corrected."""

    dropped: tuple[Entry, ...]
    """Those that do not fit any more; they are to be entered again."""


class Table:
    """A game that is played elsewhere, as far as the person who is advised knows it.

    Everything is entered: choices, dice, cards that are drawn or turned over. Steps without a choice are made at once.
    With hidden cards, the table knows what the person at the seat knows; the game's card says how that is followed.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str] = (),
        seat: int | None = None,
        agent: str | None = None,
        position: str | None = None,
    ) -> None:
        """A table with the names of the players in the order of turns: the first one begins.

        - seat: who is advised, from 0; none: everybody, which hidden cards do not allow.
        - agent: the spec of the agent that advises; the game's usual one unless named.
        - position: the position to begin with, as `State.to_text` writes it, or as `describe` does.
        """
        self.game, self.seat = game, seat
        self.names = checked_names(game, names)
        if seat is not None and not 0 <= seat < game.players:
            raise BadOption(f"seat {seat}: {game!r} has seats 0 to {game.players - 1}")
        self.agent = usual_agent(game) if agent is None else agent
        read_spec(game, self.agent)
        self._agent: Agent | None = None
        self._preparing = threading.Lock()
        self._part = game.card.board.at_table
        first = first_state(game, seat, position)
        self.position = None if position is None else known_state(game, first).to_text()
        """The position that the game was joined in, if it was."""
        self._first = first
        self.entries: list[Entry] = []
        self._begin()

    def _begin(self) -> None:
        self.entries.clear()
        self._session = Session(self._first.copy(manual_chance=True), events=False)
        self._points: list[tuple[int, list[float]]] = []
        """The number of the round and the points of all players, before each entry."""
        self._make_forced_steps()

    # ---- what happens

    @property
    def state(self) -> State:
        """The position, as far as the person who is advised knows it."""
        return self._session.state

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def known(self) -> State:
        """The same as a state of the game, for agents and for `to_text`."""
        return known_state(self.game, self.state)

    def expects(self) -> Expected:
        """What is to be entered next."""
        state = self.state
        if state.is_over:
            return Expected("the game is over", "", state.mover, None, ())
        mover = self._mover()
        names = tuple(state.name(action) for action in self._possible(mover))
        asked = self._asked(mover, names)
        who = "" if asked.player is None else f"{self.names[asked.player]} "
        return Expected(f"{who}{asked.words}", asked.example, mover, asked.player, names)

    def enter(self, entry: int | str) -> Entry:
        """What has happened: the number of the action or outcome, or words for it. A wrong entry raises an error and
        changes nothing."""
        if self.is_over:
            raise GameOver("the game is over; nothing more is to be entered")
        mover = self._mover()
        return self._enter(mover, [entry] if isinstance(entry, int) else self._read(" ".join(entry.split()), mover))

    def undo(self) -> Entry:
        """Take the last entry back, and the steps without a choice that followed it."""
        steps = [step for step, entry in enumerate(self.entries) if not entry.forced]
        if not steps:
            raise WrongPlayer("there is no entry to take back")
        last = self.entries[steps[-1]]
        self._replay(self.entries[: steps[-1]])
        return last

    def correct(self, step: int, entry: int | str) -> Corrected:
        """Replace the entry with a number, counted from 1. The entries after it stay as far as they are possible and
        mean the same; at the first one that is not, they end."""
        corrected = self.before(step)
        later = [it for it in self.entries[step:] if not it.forced]
        corrected.enter(entry)
        dropped: tuple[Entry, ...] = ()
        for i, old in enumerate(later):
            if not corrected._again(old):
                dropped = tuple(later[i:])
                break
        self._replay(corrected.entries)
        return Corrected(dropped)

    def before(self, step: int) -> Table:
        """The table as it was before the entry with a number, counted from 1."""
        if not 1 <= step <= len(self.entries):
            last = f"1 to {len(self.entries)}" if self.entries else "there are none yet"
            raise BadOption(f"entry {step}: allowed are the numbers of entries, {last}")
        if self.entries[step - 1].forced:
            raise BadOption(
                f"entry {step}: '{self.entries[step - 1].words}' was the only possibility; correct another one"
            )
        other = self._copy()
        other._replay(self.entries[: step - 1])
        return other

    def _copy(self) -> Table:
        other = Table(self.game, self.names, self.seat, self.agent)
        other._first, other.position = self._first, self.position
        return other

    def _replay(self, entries: Sequence[Entry]) -> None:
        """Begin again, with these entries; forced ones are made anyway."""
        entries = [entry for entry in entries if not entry.forced]
        self._begin()
        for entry in entries:
            self._enter(entry.mover, entry.actions)

    def _again(self, old: Entry) -> bool:
        """Enter something once more, if it still means the same."""
        if self.is_over or self._mover() != old.mover:
            return False
        try:
            if self._tried(old.mover, old.actions) != old.words or self._about(old.mover) != old.player:
                return False
            self._enter(old.mover, old.actions)
        except SpinneyError:
            return False
        return True

    def _enter(self, mover: int, actions: Sequence[int], *, forced: bool = False) -> Entry:
        """Make steps, after they were tried on a copy."""
        entry = Entry(mover, tuple(actions), self._tried(mover, actions), self._about(mover), forced)
        self._points.append((self._round(), self.state.scores()))
        for action in actions:
            self._session.tell(action, None if mover == CHANCE else mover)
        self.entries.append(entry)
        if not forced:
            self._make_forced_steps()
        return entry

    def _tried(self, mover: int, actions: Sequence[int]) -> str:
        """Steps in words; an error if one of them is not possible."""
        ahead, words = self.state.copy(), list[str]()
        for action in actions:
            before, ahead = ahead, ahead.copy()
            if words and ahead.mover != mover:
                raise IllegalAction(f"after {', '.join(words)}, something else is to be entered first")
            ahead.apply(action, None if mover == CHANCE else mover)
            words.append(before.name(action))
        return ", ".join(words)

    def _make_forced_steps(self) -> None:
        """Make the steps without a choice."""
        while not self.is_over:
            mover = self._mover()
            possible = self._possible(mover)
            if len(possible) != 1:
                return
            self._enter(mover, possible, forced=True)

    def _mover(self) -> int:
        """The player whose action is entered next; of those who move simultaneously, the first. CHANCE for chance."""
        movers = self.state.movers
        return movers[0] if movers else CHANCE

    def _possible(self, mover: int) -> list[int]:
        return [outcome for outcome, _ in self.state.outcomes()] if mover == CHANCE else self.state.legal(mover)

    def _asked(self, mover: int, names: Sequence[str]) -> Asked:
        if self._part.ask is not None:
            return self._part.ask(self.state.record)
        if mover == CHANCE:
            return Asked("chance: what happens?", names[0], None)
        return Asked("chooses", " or ".join(names[:2]), mover)

    def _about(self, mover: int) -> int | None:
        return self._part.ask(self.state.record).player if self._part.ask is not None else mover if mover >= 0 else None

    def _read(self, text: str, mover: int) -> Sequence[int]:
        """The actions that a text stands for: a name, what people say in this game, or a part of a name."""
        wanted = text.lower()
        names = {self.state.name(action).lower(): action for action in self._possible(mover)}
        if wanted in names:
            return [names[wanted]]
        found = None if self._part.read is None else self._part.read(self.state.record, wanted)
        if found is not None:
            return found
        if mover >= 0:
            return [self.state.parse(text, mover)]
        close = [action for name, action in names.items() if wanted and wanted in name]
        if len(close) == 1:
            return close
        raise IllegalAction(f"'{text}' cannot happen; possible: {', '.join(names)}")

    # ---- what is said about it

    @property
    def is_advised(self) -> bool:
        """Whether the person who is advised is to choose now."""
        movers = self.state.movers
        return bool(movers) and (self.seat is None or self.seat in movers)

    @property
    def advised(self) -> int:
        """The player who is advised now."""
        return self._mover() if self.seat is None else self.seat

    def advice(self, clock: Clock | None = None) -> Advice:
        """What the agent would do for the player who is advised, and why."""
        return self.adviser()(clock)

    def adviser(self, agent: Seat | None = None, *, explains: bool = True) -> Callable[[Clock | None], Advice]:
        """The same for later, or in another thread: a function of the position as it is now. Another agent may advise
        in place of the table's own. What the game says about it, which may have to be compiled, can be left out."""
        if not self.is_advised:
            raise WrongPlayer("there is no advice now: the person who is advised is not to choose")
        known, player = self.known.copy(), self.advised

        def advise(clock: Clock | None = None) -> Advice:
            decision = (self.prepare() if agent is None else agent).decide(known, clock, player=player)
            others = [it.action for it in decision.choices if it.action != decision.action]
            reasons: list[str] = []
            if explains and self._part.explain is not None:
                reasons = self._part.explain(known.observe(player).record, player, [decision.action, *others[:1]])
            return Advice(decision, tuple(reasons), tuple(value_words(decision, self.names)))

        return advise

    def prepare(self) -> Agent:
        """Make the agent, which may have to be compiled, before it is asked."""
        with self._preparing:
            if self._agent is None:
                self._agent = build(self.game, self.agent)
            return self._agent

    def warnings(self) -> list[str]:
        """Mistakes that the player who is advised is about to make."""
        if not self.is_advised or self._part.warn is None:
            return []
        return self._part.warn(self.state.record, self.advised)

    def words_of(self, step: int) -> str:
        """The entry with a number, counted from 1, in words."""
        entry = self.entries[step - 1]
        return entry.words if entry.player is None else f"{self.names[entry.player]}: {entry.words}"

    @property
    def has_points(self) -> bool:
        """Whether the game has points, so that there is a score to keep."""
        return hasattr(self.game.card.rules, "scores")

    def scores(self) -> list[tuple[str, float]]:
        """The names and points of all players."""
        return list(zip(self.names, self.state.scores(), strict=True))

    def sheet(self) -> list[tuple[int, list[float]]]:
        """The points of all players in each round, which has begun, as far as they were entered here; none in games
        without rounds."""
        if self._part.round is None:
            return []
        rows: dict[int, list[float]] = {}
        known = [*self._points, (self._round(), self.state.scores())]
        for (number, before), (_, after) in pairwise(known):
            row = rows.setdefault(number, [0.0] * self.game.players)
            rows[number] = [have + new - old for have, old, new in zip(row, before, after, strict=True)]
        rows.setdefault(known[-1][0], [0.0] * self.game.players)
        return sorted(rows.items())

    def _round(self) -> int:
        return 0 if self._part.round is None else self._part.round(self.state.record)

    def result(self) -> str:
        """At the end: who has won."""
        winners = [self.names[player] for player in self.state.winners()]
        if len(winners) in (0, len(self.names)) and len(self.names) > 1:
            return "nobody wins" if not winners else "a draw"
        return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"

    # ---- files

    def to_json(self) -> dict[str, Any]:
        """The table as plain data: the game with its options, who sits where, and the entries."""
        entries = [[it.mover, list(it.actions), it.words] for it in self.entries if not it.forced]
        return {
            "game": repr(self.game), "names": self.names, "seat": self.seat, "agent": self.agent,
            "position": self.position, "entries": entries,
        }  # fmt: skip

    @classmethod
    def from_json(cls, game: Game, stored: Any) -> Table:
        """The table of such data."""
        if (
            not isinstance(stored, dict)
            or not {"game", "names", "seat", "agent", "position", "entries"} <= stored.keys()
        ):
            raise BadRecording(f"this is no table of {game.name}: it needs a game, names, a seat, an agent and entries")
        try:
            if stored["seat"] is not None and not isinstance(stored["seat"], int):
                raise BadRecording(f"its seat is {stored['seat']!r}, not a number")
            if stored["game"] != repr(game):
                raise BadRecording(f"it is a table of {stored['game']}, not of {game!r}")
            table = cls(game, stored["names"], stored["seat"], stored["agent"], stored["position"])
            for number, (mover, actions, words) in enumerate(stored["entries"], 1):
                old = Entry(mover, tuple(actions), words)
                if table.is_over or table._mover() != mover or table._tried(mover, old.actions) != words:
                    raise BadRecording(f"its entry {number}, '{words}', is not possible")
                table._enter(mover, old.actions)
        except BadRecording as error:
            raise BadRecording(f"this is no table of {game.name}: {error}") from None
        except (SpinneyError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise BadRecording(f"this is no table of {game.name}: {error}") from None
        return table
