"""Turns of many orders: a plan for all of them, handed out one after the other while the game goes as planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spinney.games.state import State


class Plan:
    """The actions of one player's turn that are still to be made."""

    def __init__(self) -> None:
        self._actions: list[int] = []
        self._expected: Any = None
        self._player = -1

    @property
    def to_come(self) -> list[int]:
        """What is to be done after the action that was asked for last."""
        return list(self._actions)

    def begin(self, record: Any, player: int, actions: Sequence[int]) -> None:
        """A turn has been planned from a position."""
        self._actions, self._expected, self._player = list(actions), record.copy(), player

    def next(self, rules: Any, record: Any, player: int) -> int | None:
        """The action for a position, or nothing if the plan does not lead there. Planned actions may have been made
        already: agents are not asked where there is no choice."""
        while self._actions and player == self._player:
            action, here = self._actions.pop(0), record == self._expected
            if self._actions:
                rules.apply(self._expected, action)
            if here:
                return action
        return None


class Turn:
    """The orders of a turn in a game that is being played, while nothing else happens: nobody has to look at the
    position again for each of hundreds of ships."""

    def __init__(self, state: State | None = None, player: int = -1, orders: Sequence[int] = ()) -> None:
        self._state, self._player, self._orders = state, player, orders
        self._known = 0 if state is None else len(state.history)
        self._last = state.history[-1] if state is not None and state.history else None

    def next(self, state: State, player: int | None) -> int | None:
        """The order for a player, if the game is the same and all that has happened are the orders before it."""
        if state is not self._state or player != self._player:
            return None
        history, known = state.history, self._known
        given = len(history) - known
        if not 0 <= given < len(self._orders) or (known and history[known - 1] is not self._last):
            return None  # steps were taken back
        made = [(player, order) for order in self._orders[:given]]
        return self._orders[given] if history[known:] == made else None
