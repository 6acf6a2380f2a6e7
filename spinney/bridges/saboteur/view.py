"""A game on the server as one player may know it.

The server sends both clients the whole first position, deck and hands included, and after that only moves: neither
what a player draws nor what it sees with a Map. What this player may not know is thrown away when the line has been
read. What it is going to know, the cards that it will draw and the place of the nugget, is kept apart: no agent gets it
before it is drawn or seen.
"""

from __future__ import annotations

from typing import Any

from spinney.errors import IllegalAction, SpinneyError
from spinney.games import Game, State
from spinney.games.saboteur import official, rules
from spinney.games.saboteur.official import Hand, card_named, seat_of
from spinney.games.saboteur.recording import dealt
from spinney.games.saboteur.state import OBJECTIVES
from spinney.games.saboteur.tiles import CARDS
from spinney.kernel.bits import count
from spinney.play import Session

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
        record = dealt(objectives.index("nugget"), [hand.copy() for hand in hands])
        rules.observe(record, self.player)
        self._session = Session(State(game, record), events=False)
        self.hand = hands[self.player]
        """The own cards, in the order in which they came: a drop names a place in it."""
        self.out_of_step = False
        """Whether something has happened that cannot be followed: this is no longer the position on the server."""
        self._draws = deck[self.player :: 2]  # the players draw in turn, the first one first
        self._nugget = objectives.index("nugget")

    @property
    def record(self) -> Any:
        return self._session.state.record

    @property
    def state(self) -> State:
        """What the player may know, for an agent."""
        return self._session.state.observe(self.player)

    def text(self, action: int) -> str:
        """A move of the own player, as the server wants it."""
        return f"{official.move_text(action, self.hand)} {self.number}"

    def follow(self, line: str) -> None:
        """Apply a move that the server has announced, of either player.

        One that is not possible raises an error. If it is the opponent's turn, and the move may have used a card, it
        counts as a drop, so that the turn and the number of cards stay right; otherwise the view is out of step.
        """
        before = self.record.copy()
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
        record, mover = self.record, _mover(line)
        if rules.mover(record) != mover:
            raise SpinneyError(f"the server announced '{line}' out of turn")
        action = self._own(line) if mover == self.player else self._others(line)
        try:
            self._session.tell(action, mover)
        except IllegalAction:
            raise SpinneyError(f"the server announced '{line}', which the rules do not allow") from None
        if mover == self.player:
            self.hand.pop(official.used(line, self.hand))
        if record.phase == rules.DRAWING:
            self._draw(mover)
        if mover != self.player:
            rules.observe(record, self.player)  # a card that the opponent has dropped is unseen again
        self._learn()

    def _own(self, line: str) -> int:
        try:
            return official.read_move(line, self.hand)
        except ValueError:
            raise SpinneyError(f"the server announced '{line}', which is not a move") from None

    def _others(self, line: str) -> int:
        """The opponent's action. Its card is taken from the unseen ones; for a drop, any of them."""
        word = line.split(maxsplit=1)[0]
        if word == "Map" and tuple(line.split()[1:3]) not in OBJECTIVE_PLACES:
            line = " ".join([word, *OBJECTIVE_PLACES[0]])  # as the program reads it
        unseen = self.record.deck
        if word in WORDS or word.startswith("Tile:"):
            action = self._own(line)
            kind = int(rules.card_of(action))
            if unseen[kind] == 0:
                raise SpinneyError(f"the server announced '{line}', but all cards of that kind have been seen")
        else:  # a word that the server does not know is a drop
            kind = next(kind for kind in range(len(unseen)) if unseen[kind] > 0)
            action = rules.DROP + kind
        rules.take(self.record, 1 - self.player, kind)
        self.record.deck_size += 1
        self.record.hand_size[1 - self.player] -= 1
        return action

    def _draw(self, mover: int) -> None:
        if mover == self.player:
            kind = self._draws.pop(0)
            self.hand.append(kind)
            rules.apply(self.record, kind)
        else:  # not seen here: one card less in the deck, and all unseen cards stay together
            self.record.deck_size -= 1
            self.record.hand_size[mover] += 1
            rules.end_turn(self.record)

    def _learn(self) -> None:
        """The place of the nugget is known when the player has seen it, or both other objectives."""
        seen = int(self.record.seen[self.player])
        if seen >> self._nugget & 1 or count(seen) >= OBJECTIVES - 1:
            self.record.nugget = self._nugget


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
