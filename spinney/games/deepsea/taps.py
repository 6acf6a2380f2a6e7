"""Deep Sea Adventure: the buttons of actions, dice and chips."""

from __future__ import annotations

from typing import Any

from spinney.games.deepsea import rules
from spinney.games.deepsea.board import levels, name_action
from spinney.games.picture import Tap, digit

FACES = 3
"""Of a die, from 1."""
THROWS = {
    total: [f"{low}+{total - low}" for low in range(1, total // 2 + 1) if total - low <= FACES]
    for total in range(2, 2 * FACES + 1)
}
"""The throws of two dice with each total."""


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A button."""
    if s.phase == rules.DIRECTION:
        return (_direction(s, action, player),)
    if s.phase == rules.ACT:
        return (_act(s, action, player),)
    name = name_action(s, action)
    return (Tap(f"{name}: {' or '.join(THROWS[action])}" if s.phase == rules.ROLL else name, key=digit(action)),)


def _direction(s: Any, action: int, player: int) -> Tap:
    if action == rules.DOWN:
        return Tap("dive on" if s.position[player] else "dive", key="ArrowDown")
    return Tap("go on up" if s.returning[player] else "turn back", key="ArrowUp")


def _act(s: Any, action: int, player: int) -> Tap:
    """The keys are the first letters; a stack to drop has its number."""
    here = s.path[s.position[player] - 1] if s.position[player] else 0
    if action == rules.TAKE:
        return Tap(f"take {_treasure(here)}", key="t")
    if action >= rules.DROP:
        i = action - rules.DROP
        return Tap(f"drop {i + 1}: {_treasure(s.held[player, i])}", key=digit(i + 1))
    return Tap(f"leave {_treasure(here)}" if here else "drop nothing" if s.hand[player] else "go on", key="l")


def _treasure(code: int) -> str:
    chips = levels(code)
    if len(chips) == 1:
        return f"the chip of level {chips[0]}"
    return f"the stack of levels {', '.join(map(str, chips))}"
