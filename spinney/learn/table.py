"""A game in progress in compiled form: what self-play and contests step through by the thousand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spinney.games import CHANCE, SIMULTANEOUS, Card, Game, State
from spinney.kernel import Rng, bind, seeded

DICE, PICKS = 1, 2
"""Streams of a game's random numbers: chance, and the choices of those who draw their actions."""


def make_steps(mover, is_active, plausible, apply, apply_joint, chance):
    """What is asked of a game at every turn."""

    def who(s, mask):
        """Mark the players to move; their number, 0 at the end."""
        n, player = 0, mover(s)
        for one in range(len(mask)):
            mask[one] = player == one or (player == SIMULTANEOUS and is_active(s, one))
            n += mask[one]
        return n

    def choices(s, player, out):
        """The plausible actions of a player."""
        return plausible(s, player, out)

    def turn(s, out, rng):
        """Everybody's action in `out.joint` is made, and then chance comes."""
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


class Table:
    """A game in progress. The same seed gives the same dice."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.s: Any = game.card.rules.State.native(game.start(seed).record)
        self.out: Any = game.card.out.native()
        self.dice: Any = Rng.native(seeded(seed, DICE))
        self.picks: Any = Rng.native(seeded(seed, PICKS))
        self.turns = 0
        self._mask = np.zeros(game.players, np.int64)
        self._who, self._choices, self._turn = steps_of(game.card)

    @property
    def movers(self) -> list[int]:
        """Who is to choose an action now; nobody at the end."""
        return [int(player) for player in np.nonzero(self._mask)[0]] if self._who(self.s, self._mask) else []

    def plausible(self, player: int) -> list[int]:
        return [int(action) for action in self.out.action[: self._choices(self.s, player, self.out)]]

    def step(self, actions: dict[int, int]) -> None:
        """Make everybody's action."""
        for player, action in actions.items():
            self.out.joint[player] = action
        self._turn(self.s, self.out, self.dice)
        self.turns += 1

    def plain(self) -> State:
        """The position as people use it."""
        return State(self.game, self.game.card.rules.State.plain(self.s))
