"""States in compiled form, for drivers that step through thousands of games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spinney.games import CHANCE, SIMULTANEOUS, Card, Game, State
from spinney.kernel import Rng, bind, seeded

DICE, PICKS = 1, 2
"""Streams of a game's random numbers: chance, and the choices of players who draw their actions."""


def make_steps(mover: Any, is_active: Any, plausible: Any, apply: Any, apply_joint: Any, chance: Any) -> Any:
    """What is asked of a game at every turn."""

    def who(s: Any, mask: Any) -> Any:
        """Mark the players to move; their number, 0 at the end."""
        n, player = 0, mover(s)
        for one in range(len(mask)):
            mask[one] = player == one or (player == SIMULTANEOUS and is_active(s, one))
            n += mask[one]
        return n

    def choices(s: Any, player: Any, out: Any) -> Any:
        """The plausible actions of a player."""
        return plausible(s, player, out)

    def turn(s: Any, out: Any, rng: Any) -> None:
        """The actions in `out.joint` are made, and then the chance events after them."""
        player = mover(s)
        if player == SIMULTANEOUS:
            apply_joint(s, out)
        elif player >= 0:
            apply(s, out.joint[player])
        while mover(s) == CHANCE:
            apply(s, chance(s, rng))

    return who, choices, turn


@cache
def steps_of(card: Card) -> Any:
    rules = card.bound_rules
    return bind(
        make_steps, f"{card.name}/steps", mover=rules.mover, is_active=rules.is_active, plausible=rules.plausible,
        apply=rules.apply, apply_joint=rules.apply_joint, chance=rules.chance,
    )  # fmt: skip


class NativeState(State):
    """A state whose record is native and whose rules are compiled. Actions are not checked, and it keeps no history.

    The same seed gives the same chance events.
    """

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, game.card.rules.State.native(game.start(seed).record))
        self._out = game.card.out.native()
        self.dice: Any = Rng.native(seeded(seed, DICE))
        self.picks: Any = Rng.native(seeded(seed, PICKS))
        self.turns = 0
        self._mask = np.zeros(game.players, np.int64)
        self._who, self._choices, self._turn = steps_of(game.card)
        self._look()

    def _look(self) -> None:
        count = self._who(self.record, self._mask)
        self._to_move = tuple(int(player) for player in np.nonzero(self._mask)[0]) if count else ()

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(player for player in self._to_move if player not in self._chosen)

    @property
    def is_over(self) -> bool:
        return not self._to_move

    @property
    def out(self) -> Any:
        """The record that compiled rules write their answers to."""
        return self._out

    def plausible(self, player: int) -> list[int]:
        """The actions of a player that the game does not rule out as senseless."""
        return [int(action) for action in self._out.action[: self._choices(self.record, player, self._out)]]

    def apply(self, action: int | str, player: int | None = None) -> None:
        """Note a player's action; after the last of those who move simultaneously, all take effect."""
        self._chosen[self._to_move[0] if player is None else player] = int(action)
        if self.movers:
            return
        for one, chosen in self._chosen.items():
            self._out.joint[one] = chosen
        self._chosen = {}
        self._turn(self.record, self._out, self.dice)
        self.turns += 1
        self._look()

    def plain(self) -> State:
        """The position as an ordinary state."""
        return State(self.game, self.game.card.rules.State.plain(self.record))
