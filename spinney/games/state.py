"""Games and states: one class each for all games."""

from __future__ import annotations

import difflib
import random
import secrets
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from spinney.display import view
from spinney.errors import BadGame, BadPosition, GameOver, IllegalAction, WrongPlayer
from spinney.games.card import CHANCE, OVER, SIMULTANEOUS, Card
from spinney.games.notation import read_position, spec_of, write_position
from spinney.games.options import Options
from spinney.games.picture import Tap
from spinney.kernel import DICE, GUESSES, SETUP, Rng, seeded

LISTED = 24
"""The most actions that an error message lists."""


class Game:
    """A game with its options chosen."""

    def __init__(self, card: Card, options: Options | None = None) -> None:
        self.card = card
        self.options = card.options() if options is None else options
        self.players: int = getattr(self.options, "players", card.rules.MAX_PLAYERS)

    @property
    def name(self) -> str:
        return self.card.name

    def __repr__(self) -> str:
        return spec_of(self.card, self.options)

    def start(self, seed: int | None = None, *, manual_chance: bool = False) -> State:
        """The first position. The state samples its chance events itself, the same for the same seed.

        With manual_chance, it stops whenever chance is to move, and the caller applies the outcomes.
        """
        seed = secrets.randbits(63) if seed is None else seed
        state = State(self, self.card.rules.State(), None if manual_chance else seeded(seed, DICE))
        state.seed = seed
        self.card.rules.start(state.record, self.options, seeded(seed, SETUP))
        state.first = state.record.copy()
        state._sample_chance()
        return state

    def from_text(self, text: str, seed: int | None = None, *, manual_chance: bool = False) -> State:
        """The position of a text that `State.to_text` has written; one that the game cannot have is a BadPosition.

        As after `start`, the state samples its chance events itself, one that is to happen in the position at once.
        With manual_chance, it is exactly the position of the text. It has no history.
        """
        record = read_position(self.card, self.options, text)
        state = State(self, record, None if manual_chance else seeded(seed, DICE))
        state.first = record.copy()
        try:  # the rules can go on; an observation lacks what they need for that
            for player in state.movers if not self.card.has_hidden else ():
                state.legal(player)
            if not self.card.has_hidden:
                state.rewards() if state.is_over else state.outcomes()
        except Exception as error:
            raise BadPosition(f"this is not a position of {self.name}: its rules cannot go on: {error}") from None
        state._sample_chance()
        return state

    def try_out(self, steps: int = 300) -> None:
        """Play random moves in plain Python, where a faulty rule raises an error instead of damaging memory."""
        if (self.card, self.options) in _tried:
            return
        rng, picks = seeded(1), random.Random(1)
        try:
            state = self.start(seed=1, manual_chance=True)
            for _ in range(steps):
                if state.is_over:
                    state.rewards()
                    break
                if state.mover == CHANCE:
                    state.outcomes()
                    state.apply(int(self.card.rules.chance(state.record, rng)))
                for player in state.movers:
                    state.apply(picks.choice(state.legal(player)), player)
                type(state.record).native(state.record)
        except BadGame:
            raise
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            raise BadGame(
                f"the rules of {self.name} fail in {Path(where.filename).name}, line {where.lineno}: "
                f"{type(error).__name__}: {error}"
            ) from error
        _tried.add((self.card, self.options))


_tried: set[tuple[Card, Options]] = set()
"""Games whose rules have passed `try_out`."""


class State:
    """A position in a game: who moves, what is legal, and the history."""

    def __init__(self, game: Game, record: Any, rng: Rng | None = None) -> None:
        self.game = game
        self.record = record
        """The plain record that the rules work on. Changing it directly bypasses all checks."""
        self.history: list[tuple[int, int]] = []
        """Every step so far: (mover, action), where the mover is a player or CHANCE. Players who move simultaneously
        have a step each, in the order of their numbers."""
        self.decided: set[int] = set()
        """The players who have made a choice so far: a step with more than one legal action."""
        self.seed: int | None = None
        """The seed that the game was started with, if it did not begin with a text; an agent does not see it."""
        self.first: Any = None
        """The first record of the game, if it is known; do not change it."""
        self._rng = rng
        self._out: Any = game.card.out()
        self._chosen: dict[int, int] = {}
        """The sealed choices of players who move simultaneously, until the last of them has chosen."""
        self.listener: Callable[[State, int, int], None] | None = None
        """Called before every step, chance included, with the state before it, the mover and the action."""

    @property
    def mover(self) -> int:
        """The player to move, or CHANCE, SIMULTANEOUS or OVER."""
        mover = int(self.game.card.rules.mover(self.record))
        if not (0 <= mover < self.game.players or mover in (CHANCE, OVER, SIMULTANEOUS)):
            raise BadGame(f"the rule mover of {self.game.name} says {mover}; there are {self.game.players} players")
        return mover

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who have to choose an action now: one, several who move simultaneously, or none."""
        mover = self.mover
        if mover != SIMULTANEOUS:
            return (mover,) if mover >= 0 else ()
        is_active = self.game.card.bound_rules.is_active
        everyone = tuple(player for player in range(self.game.players) if is_active(self.record, player))
        if not everyone:
            raise BadGame(f"the rules of {self.game.name} say that players move simultaneously, and none is active")
        return tuple(player for player in everyone if player not in self._chosen)

    @property
    def is_over(self) -> bool:
        return self.mover == OVER

    @property
    def waits_for_others(self) -> bool:
        """Whether choices were made that have not taken effect yet: other players have still to choose, or the turn has
        more orders, before all take effect together."""
        return bool(self._chosen) or self.is_under_way

    @property
    def is_under_way(self) -> bool:
        """Whether orders of a turn were given that are in the position, but have not taken effect yet."""
        card = self.game.card
        return card.has_turns and bool(card.rules.under_way(self.record))

    def legal(self, player: int | None = None) -> list[int]:
        """The legal actions of the player to move, or of one of those who move simultaneously.

        Empty at the end, when chance is to move, and for a player who is not to move.
        """
        player = self._only_mover() if player is None else player
        if player not in self.movers:
            return []
        n = self.game.card.rules.legal(self.record, player, self._out)
        most = self.game.card.rules.MAX_ACTIONS
        if not 1 <= n <= most:
            raise BadGame(
                f"the rule legal of {self.game.name} gives {n} actions; 1 to {most} (MAX_ACTIONS) are allowed"
            )
        return [int(action) for action in self._out.action[:n]]

    def outcomes(self) -> list[tuple[int, float]]:
        """The chance outcomes with their probabilities, if chance is to move and the rules list them."""
        if self.mover != CHANCE:
            return []
        n = self.game.card.bound_rules.outcomes(self.record, self._out)
        if n and abs(sum(self._out.weight[:n]) - 1) > 1e-6:
            raise BadGame(f"the probabilities of the rule outcomes of {self.game.name} do not add up to 1")
        return [(int(self._out.action[i]), float(self._out.weight[i])) for i in range(n)]

    def apply(self, action: int | str, player: int | None = None) -> None:
        """Make one step: an action, by number or by name, or an outcome where chance is to move.

        Where several players move simultaneously, say which player's action it is; the actions take effect when the
        last of them has chosen. An illegal one raises an error and changes nothing.
        """
        mover = self.mover
        if mover == OVER:
            raise GameOver(f"the game of {self.game.name} is over; no action is allowed")
        if mover == SIMULTANEOUS:
            self._choose(action, player)
            return
        if player is not None and player != mover:
            turn = "chance is" if mover == CHANCE else f"player {mover} is"
            raise WrongPlayer(f"player {player} cannot act: {turn} to move")
        number = self._checked(action, mover)
        self._step(mover, number)
        self._sample_chance()

    def rewards(self) -> tuple[float, ...]:
        """At the end: a number in 0..1 for every player."""
        if not self.is_over:
            raise GameOver(f"the game of {self.game.name} is not over; rewards come at its end")
        self.game.card.rules.reward(self.record, self._out)
        rewards = tuple(float(reward) for reward in self._out.reward[: self.game.players])
        if not all(0 <= reward <= 1 for reward in rewards):
            raise BadGame(f"the rule reward of {self.game.name} gives {rewards}; numbers from 0 to 1 are allowed")
        return rewards

    def winners(self) -> list[int]:
        """At the end: the winners; several if they share the victory, none if nobody wins."""
        rewards = self.rewards()
        if hasattr(self.game.card.rules, "winners"):
            return list(self.game.card.rules.winners(self.record))
        return [player for player, reward in enumerate(rewards) if reward == max(rewards)]

    def scores(self) -> list[float]:
        """The points so far; in games without points the rewards at the end, and zeros before."""
        if hasattr(self.game.card.rules, "scores"):
            return [float(points) for points in self.game.card.rules.scores(self.record)]
        return list(self.rewards()) if self.is_over else [0.0] * self.game.players

    def name(self, action: int, seen_by: int | None = None) -> str:
        """An action or chance outcome in words; with `seen_by`, as that player sees it, which may be empty."""
        card = self.game.card
        if seen_by is not None and card.board.name_seen is not None:
            return card.board.name_seen(self.record, action, seen_by)
        return card.board.name_action(self.record, action)

    def names(self, player: int | None = None) -> list[str]:
        """The legal actions in words."""
        return [self.name(action) for action in self.legal(player)]

    def taps(self, action: int, player: int | None = None) -> tuple[Tap, ...]:
        """What a person taps one after the other to choose an action or to enter a chance outcome.

        Where several players move simultaneously, say whose action it is.
        """
        taps = self.game.card.board.taps
        player = self._only_mover() if player is None else player
        return (Tap(self.name(action)),) if taps is None else taps(self.record, action, player)

    def parse(self, text: str, player: int | None = None) -> int:
        """The legal action that a text stands for: its name, or any unambiguous beginning of it."""
        names = {self.name(action): action for action in self.legal(player)}
        wanted = text.strip().lower()
        close = [name for name in names if wanted and name.lower().startswith(wanted)]
        exact = [name for name in close if name.lower() == wanted]
        if len(close) == 1 or exact:
            return names[(exact or close)[0]]
        problem = f"could mean {_some(close, wanted, ' or ')}" if close else "is not legal"
        raise IllegalAction(f"'{text}' {problem}; legal: {_some(list(names), wanted)}")

    def beginning(self) -> State:
        """The position in which the game began, with manual chance; it must be known."""
        if self.first is None:
            raise BadGame(f"this state of {self.game.name} does not know how its game began")
        begun = State(self.game, self.first.copy())
        begun.seed, begun.first = self.seed, self.first
        return begun

    def steps(self) -> Iterator[tuple[State, int, int]]:
        """Replay the game so far: for every step the position before it, the mover and the action."""
        replay = self.beginning()
        for mover, action in self.history:
            yield replay, mover, action
            replay.apply(action, mover)

    def copy(self, *, manual_chance: bool = False) -> State:
        """A copy, with the same chance events to come and the same sealed choices.

        With manual_chance, the copy samples no chance events, and has no sealed choices.
        """
        rng = None if manual_chance or self._rng is None else self._rng.copy()
        other = State(self.game, self.record.copy(), rng)
        other.history, other.decided = self.history.copy(), self.decided.copy()
        other.seed, other.first = self.seed, self.first
        other._chosen = {} if manual_chance else self._chosen.copy()
        return other

    def observe(self, player: int) -> State:
        """What a player may know: the position without hidden information, without chance events to come, and without
        sealed choices of others. With hidden information it has no history either, because steps would reveal cards
        that others have drawn."""
        if not 0 <= player < self.game.players:
            raise WrongPlayer(f"there is no player {player}; {self.game!r} has players 0 to {self.game.players - 1}")
        view = State(self.game, self.record.copy())
        view.decided = self.decided & {player}
        if self.game.card.has_hidden:
            self.game.card.rules.observe(view.record, player)
        else:
            view.history, view.first = self.history.copy(), self.first
        return view

    @property
    def observers(self) -> list[int]:
        """The players who may know all that is known here: of an observation, the one whose it is. None where all
        cards are known, and in games without cards."""
        if not self.game.card.has_cards:
            return []
        text = self.to_text()
        return [player for player in range(self.game.players) if self.observe(player).to_text() == text]

    def guess(self, player: int, seed: int | None = None) -> State:
        """A determinization: hidden information is sampled, consistent with everything the player has seen."""
        world = self.observe(player)
        if self.game.card.has_hidden:
            self.game.card.rules.determinize(world.record, player, seeded(seed, GUESSES))
        return world

    def to_text(self) -> str:
        """The position in one line, with the game and its options, for `Game.from_text`. What a player may not know is
        in it, unless the state is an observation."""
        return write_position(self.game.card, self.game.options, self.record)

    def __str__(self) -> str:
        return self.game.card.board.draw(self.record)

    def _repr_html_(self) -> str:
        return view("html_of")(self)

    def __repr__(self) -> str:
        where = {OVER: "over", CHANCE: "chance to move"}.get(self.mover, f"{_and(self.movers)} to move")
        return f"<{self.game!r} after {len(self.history)} steps, {where}>"

    def _only_mover(self) -> int:
        """The player to move, CHANCE or OVER; an error if there are several players."""
        movers = self.movers
        if len(movers) > 1:
            raise WrongPlayer(f"{_and(movers)} move simultaneously; say whose actions you mean")
        return movers[0] if movers else self.mover

    def _checked(self, action: int | str, mover: int) -> int:
        if mover == CHANCE:
            return self._checked_outcome(action)
        legal = self.legal(mover)
        if isinstance(action, str):
            action = self.parse(action, mover)
        elif not _is_integer(action) or action not in legal:
            allowed = _some([f"{number} ({self.name(number)})" for number in legal])
            raise IllegalAction(f"action {action!r} is not legal for player {mover}; legal: {allowed}")
        if len(legal) > 1:
            self.decided.add(mover)
        return int(action)

    def _checked_outcome(self, outcome: int | str) -> int:
        listed = [number for number, _ in self.outcomes()]
        if isinstance(outcome, str):
            outcome = next((number for number in listed if self.name(number) == outcome), outcome)
        if not _is_integer(outcome) or (listed and outcome not in listed):
            allowed = _some([f"{number} ({self.name(number)})" for number in listed])
            raise IllegalAction(f"outcome {outcome!r} cannot happen; possible: {allowed or 'any number of the rules'}")
        return int(outcome)

    def _choose(self, action: int | str, player: int | None) -> None:
        """Seal the choice of one of those who move simultaneously; after the last, all actions take effect."""
        movers = self.movers
        if player is None and len(movers) == 1:
            player = movers[0]
        if player not in movers:
            who = "say who acts" if player is None else f"player {player} cannot act"
            raise WrongPlayer(f"{who}: {_and(movers)} to move")
        self._chosen[player] = self._checked(action, player)
        if len(movers) > 1:
            return
        for mover, chosen in sorted(self._chosen.items()):
            self._out.joint[mover] = chosen
            if self.listener is not None:
                self.listener(self, mover, chosen)
            self.history.append((mover, chosen))
        self.game.card.rules.apply_joint(self.record, self._out)
        self._chosen = {}
        self._sample_chance()

    def _step(self, mover: int, action: int) -> None:
        if self.listener is not None:
            self.listener(self, mover, action)
        self.game.card.rules.apply(self.record, action)
        self.history.append((mover, action))

    def _sample_chance(self) -> None:
        while self._rng is not None and self.mover == CHANCE:
            self._step(CHANCE, int(self.game.card.rules.chance(self.record, self._rng)))


def _and(players: tuple[int, ...]) -> str:
    """Players in words."""
    numbers = " and ".join(str(player) for player in players)
    return f"player {numbers}" if len(players) == 1 else f"players {numbers}"


def _some(words: Sequence[str], wanted: str = "", between: str = ", ") -> str:
    """A list for an error message; of many words, those most similar to what was wanted."""
    if len(words) <= LISTED:
        return between.join(words)
    shown = difflib.get_close_matches(wanted, words, LISTED, cutoff=0.0) if wanted else words[:LISTED]
    return f"{between.join(shown)} and {len(words) - LISTED} more"


def _is_integer(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)
