"""A game on the server as one player may know it.

The server sends both clients the whole first position, deck and hands included, and after that only moves: neither
what a player draws nor what it sees with a Map. What this player may not know is thrown away when the line has been
read. What it is going to know, the cards that it will draw and the place of the nugget, is kept apart: no agent gets it
before it is drawn or seen.
"""

from __future__ import annotations

from typing import Any

from spinney.errors import IllegalAction, SpinneyError
from spinney.games import CHANCE, Game, State
from spinney.games.saboteur import official, rules, seen
from spinney.games.saboteur.at_table import SEEN
from spinney.games.saboteur.official import Hand, card_named, seat_of
from spinney.games.saboteur.recording import dealt
from spinney.games.saboteur.tiles import CARDS
from spinney.kernel.bits import lowest
from spinney.play import Session
from spinney.play.seating import known_state

WORDS = ("Map", "Bonus", "Malus", "Destroy")
MOVE_WORDS = 4
"""In the line of a move."""
OBJECTIVE_PLACES = [("12", "3"), ("12", "5"), ("12", "7")]
OBJECTIVE_NAMES = ["hidden1", "hidden2", "nugget"]


class BadSetup(SpinneyError):
    """The server's first position cannot be read."""


class PlayerView:
    """What one player may know of a game, by the server's number of the player: 1 begins, 0 does not."""

    def __init__(self, game: Game, number: int, line: str) -> None:
        self.game, self.number, self.player = game, number, seat_of(number)
        deck, hands, objectives = _read_setup(line)
        self._nugget = objectives.index("nugget")
        record = seen.as_seen(dealt(self._nugget, [hand.copy() for hand in hands]), self.player)
        self._session = Session(State(Game(SEEN, seen.SeenOptions(seat=self.player + 1)), record), events=False)
        self.hand = hands[self.player]
        """The own cards, in the order in which they came: a drop names a place in it."""
        self.out_of_step = False
        """Whether something has happened that cannot be followed: this is no longer the position on the server."""
        self._draws = deck[self.player :: 2]  # the players draw in turn, the first one first

    @property
    def record(self) -> Any:
        """The position, as far as the player knows it."""
        return known_state(self.game, self._session.state).record

    @property
    def state(self) -> State:
        """What the player may know, for an agent."""
        return known_state(self.game, self._session.state).observe(self.player)

    def text(self, action: int) -> str:
        """A move of the own player, as the server wants it."""
        return f"{official.move_text(action, self.hand)} {self.number}"

    def follow(self, line: str) -> None:
        """Apply a move that the server has announced, of either player.

        One that is not possible raises an error. If it is the opponent's turn, and the move may have used a card, it
        counts as a drop, so that the turn and the number of cards stay right; otherwise the view is out of step.
        """
        before = self._session.state.record.copy()
        try:
            self._follow(line)
        except SpinneyError:
            self._session.follow(before)
            words = line.split()
            if len(words) == MOVE_WORDS and rules.mover(before) == 1 - self.player == _mover(line):
                self._follow(f"Drop 0 0 {words[-1]}")
            elif len(words) == MOVE_WORDS or line.startswith("BoardInit:"):
                self.out_of_step = True
            raise

    def _follow(self, line: str) -> None:
        mover = _mover(line)
        if self._session.state.mover != mover:
            raise SpinneyError(f"the server announced '{line}' out of turn")
        action = self._own(line) if mover == self.player else self._others(line)
        try:
            self._session.tell(action, mover)
        except IllegalAction:
            raise SpinneyError(f"the server announced '{line}', which the rules do not allow") from None
        if mover == self.player:
            self.hand.pop(official.used(line, self.hand))
        while self._session.state.mover == CHANCE:
            self._session.tell(self._chance())

    def _chance(self) -> int:
        """What this player sees now: what an objective is, its card, or nothing of the other's card."""
        record = self._session.state.record
        if record.asked:
            return seen.NUGGET if lowest(int(record.asked)) == self._nugget else seen.NOTHING
        if record.player != self.player:
            return seen.UNSEEN
        self.hand.append(self._draws.pop(0))
        return self.hand[-1]

    def _own(self, line: str) -> int:
        try:
            return official.read_move(line, self.hand)
        except ValueError:
            raise SpinneyError(f"the server announced '{line}', which is not a move") from None

    def _others(self, line: str) -> int:
        """The opponent's action."""
        word = line.split(maxsplit=1)[0]
        if word not in WORDS and not word.startswith("Tile:"):
            return rules.DROPPED  # a word that the server does not know is a drop
        if word == "Map" and tuple(line.split()[1:3]) not in OBJECTIVE_PLACES:
            line = " ".join([word, *OBJECTIVE_PLACES[0]])  # as the program reads it
        action = self._own(line)
        if self.record.deck[rules.card_of(action)] == 0:
            raise SpinneyError(f"the server announced '{line}', but all cards of that kind have been seen")
        return action


def _read_setup(line: str) -> tuple[Hand, list[Hand], list[str]]:
    """Deck, hands by seat, objectives."""
    try:
        deck, first, second, objectives = (part.split(",") for part in line.removeprefix("BoardInit:").split("-"))
        cards = [[card_named(word.strip()) for word in words] for words in (deck, first, second)]
        names = [word.strip().removeprefix("Tile:") for word in objectives]
        if sorted(names) != OBJECTIVE_NAMES or sum(map(len, cards)) != CARDS:
            raise ValueError
        dealt(0, [hand.copy() for hand in cards[1:]])
    except ValueError:
        raise BadSetup(f"the server's first position cannot be read: {line[:60]!r}") from None
    return cards[0], cards[1:], names


def _mover(line: str) -> int:
    try:
        return seat_of((0, 1).index(int(line.split()[3])))
    except (IndexError, ValueError):
        raise SpinneyError(f"the server's line is no move: {line[:60]!r}") from None
