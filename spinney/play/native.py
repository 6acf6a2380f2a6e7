"""States in compiled form, for drivers that step through thousands of games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spinney.games import CHANCE, SIMULTANEOUS, Card, Game, State
from spinney.kernel import DICE, PICKS, Rng, bind, seeded


def make_steps(mover: Any, is_active: Any, plausible: Any, apply: Any, apply_joint: Any, chance: Any) -> Any:
    """What is asked of a game at every turn."""

    def choices(s: Any, player: Any, out: Any) -> Any:
        """The plausible actions of a player."""
        return plausible(s, player, out)

    def turn(states: Any, outs: Any, dice: Any, to_move: Any, made: Any) -> None:
        """If they are made, apply the actions in `out.joint`; apply the chance events after them, mark who is to move.

        The records are in arrays of length one, because arrays are passed from Python faster than records."""
        s, out = states[0], outs[0]
        player = mover(s)
        if made:
            if player == SIMULTANEOUS:
                apply_joint(s, out)
            elif player >= 0:
                apply(s, out.joint[player])
        while mover(s) == CHANCE:
            apply(s, chance(s, dice[0]))
        player = mover(s)
        for one in range(len(to_move)):
            to_move[one] = player == one or (player == SIMULTANEOUS and is_active(s, one))

    return choices, turn


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
        state, out = game.card.rules.State, game.card.out
        self._states, self._outs, self._dice = (np.zeros(1, kind.dtype) for kind in (state, out, Rng))
        self._states[0] = state.native(game.start(seed, manual_chance=True).record)
        self._dice[0] = Rng.native(seeded(seed, DICE))
        super().__init__(game, self._states[0])
        self.out: Any = self._outs[0]
        """The record that compiled rules write their answers to."""
        self.picks: Any = Rng.native(seeded(seed, PICKS))
        self.turns = 0
        self._joint = self.out.joint  # once: NumPy is slow to find a field of a record
        self._mask = np.zeros(game.players, np.int64)
        self._choices, self._turn = steps_of(game.card)
        self._advance(False)

    def _advance(self, made: bool) -> None:
        self._turn(self._states, self._outs, self._dice, self._mask, made)
        self._to_move = tuple(player for player, moves in enumerate(self._mask.tolist()) if moves)

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(player for player in self._to_move if player not in self._chosen)

    @property
    def is_over(self) -> bool:
        return not self._to_move

    def plausible(self, player: int) -> list[int]:
        """The actions of a player that the game does not rule out as senseless."""
        return [int(action) for action in self.out.action[: self._choices(self.record, player, self.out)]]

    def apply(self, action: int | str, player: int | None = None) -> None:
        """Note a player's action; after the last of those who move simultaneously, all take effect."""
        self._chosen[self._to_move[0] if player is None else player] = int(action)
        if self.movers:
            return
        for one, chosen in self._chosen.items():
            self._joint[one] = chosen
        self._chosen = {}
        self._advance(True)
        self.turns += 1

    def plain(self) -> State:
        """The position as an ordinary state."""
        return State(self.game, self.game.card.rules.State.plain(self.record))
