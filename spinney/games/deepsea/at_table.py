"""Deep Sea Adventure at a real table: what people type, the mistakes that they make, and what a diver can expect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import Any

from spinney.errors import IllegalAction
from spinney.games.card import out_record
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import ACTS, DIRECTIONS, levels, name_action, stack_text
from spinney.games.deepsea.forecast import forecast
from spinney.games.deepsea.set_up import assign, describe, set_up
from spinney.games.deepsea.taps import FACES, THROWS
from spinney.games.parts import Asked, AtTable

SAYINGS = {
    "down": ("dive", "dive on", "dives", "go down", "deeper"),
    "up": ("turn back", "turning back", "turn", "turns back", "return", "back", "go up"),
    "leave": ("nothing", "leaves", "pass", "stay"),
    "take": ("takes", "takes it", "take it"),
}
"""How people say the names of choices."""
WAYS = ("dive on (down)", "turn back (up)")
NUMBERS = re.compile(r"\d+(?:[\s,+]+\d+)*")
TOTAL = re.compile(r"(?:total|sum|=)\s*(\d+)")
LONG = 12
"""Turns for which the air lasts so long that nobody counts them."""


def ask(s: Any) -> Asked:
    """A direction, a throw, an act, or a chip that is turned over."""
    if s.phase == rules.DIRECTION:
        return Asked("dives on (down) or turns back (up)", "down, or up", s.actor)
    if s.phase == rules.ROLL:
        return Asked(f"throws two dice to go {DIRECTIONS[s.returning[s.actor]]}", "3 2, 3+2 or 5", s.actor)
    if s.phase == rules.ACT:
        acts = [name_action(s, action) for action in _acts(s)]
        return Asked(f"is {_place(s)}", " or ".join(acts), s.actor)
    chips = ", ".join(str(level) for level in _chips(s))
    words = f"turns over a chip of level {rules.shown_level(s) + 1}; its chips from here: {chips}"
    least = rules.VALUES * rules.shown_level(s)
    return Asked(words, f"{least + 1}, several values, or total {_some_total(s)}", s.shown_player)


def read(s: Any, text: str) -> list[int] | None:
    """Dice as `3 2`, `3+2` or `5`, values one by one or as a total, and choices as people say them."""
    text = text.removeprefix("dice ").removeprefix("worth ").strip()
    if s.phase == rules.ROLL:
        return [_dice(text)]
    if s.phase == rules.REVEAL:
        return _values(s, text)
    said = next((name for name, sayings in SAYINGS.items() if text in sayings), text)
    acts = {name_action(s, action): action for action in _acts(s)} if s.phase == rules.ACT else {}
    if said == "drop" and len(drops := [it for name, it in acts.items() if name.startswith("drop")]) == 1:
        return drops
    names = DIRECTIONS if s.phase == rules.DIRECTION else ACTS
    return [names.index(said)] if said in names and said not in ("", "drop") else None


def _dice(text: str) -> int:
    numbers = [int(number) for number in re.findall(r"\d+", text)] if NUMBERS.fullmatch(text) else []
    two = len(numbers) == 2 and all(1 <= number <= FACES for number in numbers)
    if two or (len(numbers) == 1 and numbers[0] in THROWS):
        return sum(numbers)
    raise IllegalAction(f"'{text}' is no throw of two dice of 1 to {FACES}; allowed: 3 2, 3+2, or the total, 2 to 6")


def _values(s: Any, text: str) -> list[int]:
    """Values of the next chips of a diver, or of all its chips by their total."""
    level = rules.shown_level(s)
    if found := TOTAL.fullmatch(text):
        assumed = assign([_chips(s)], [int(found[1])], s.pool)
        if assumed is None:
            raise IllegalAction(
                f"chips of level {', '.join(map(str, _chips(s)))}, with the values that are left, cannot be worth "
                f"{found[1]} in all"
            )
        return assumed[0]
    if not NUMBERS.fullmatch(text):
        lowest = rules.VALUES * level
        raise IllegalAction(
            f"'{text}' is no value; allowed for level {level + 1}: {lowest} to {lowest + 3}, or the total of all "
            "chips, such as total 9"
        )
    values, chips = [int(number) for number in re.findall(r"\d+", text)], _chips(s)
    if len(values) > len(chips):
        raise IllegalAction(f"there are {len(values)} values, and the diver has {len(chips)} chips to turn over")
    return values


def _chips(s: Any) -> list[int]:
    """The levels, from 1, of the chips that a diver has still to turn over."""
    stacks = [levels(s.held[s.shown_player, i]) for i in range(s.shown_stack, s.hand[s.shown_player])]
    return [level for i, stack in enumerate(stacks) for level in (stack[s.shown_chip :] if i == 0 else stack)]


def _some_total(s: Any) -> int:
    return sum(rules.VALUES * (level - 1) + 1 for level in _chips(s))


def _acts(s: Any) -> list[int]:
    out: Any = out_record(rules.MAX_ACTIONS, rules.MAX_PLAYERS)()
    return [int(action) for action in out.action[: rules.legal(s, s.actor, out)]]


def _named(s: Any, action: int) -> str:
    """A choice with the stack that it moves."""
    return f"{name_action(s, action)}{_stack(s, action)}"


def _stack(s: Any, action: int) -> str:
    if action == rules.LEAVE:
        return ""
    code = s.path[s.position[s.actor] - 1] if action == rules.TAKE else s.held[s.actor, action - rules.DROP]
    return f" ({stack_text(levels(code))})"


def _place(s: Any) -> str:
    """Where the diver stands, and what lies or can be dropped there."""
    tile, hand = s.position[s.actor], [levels(s.held[s.actor, i]) for i in range(s.hand[s.actor])]
    if tile == 0:
        return "in the submarine"
    if s.path[tile - 1]:
        return f"on tile {tile}, with level {stack_text(levels(s.path[tile - 1]))}"
    held = ", ".join(f"{i} is level {stack_text(chips)}" for i, chips in enumerate(hand, 1))
    return f"on tile {tile}, a blank" + (f"; of its stacks {held}" if held else "")


# ---- warnings


def warn(s: Any, player: int) -> list[str]:
    """What is easily forgotten before a choice, and whether the air is enough for the way back."""
    if s.phase not in (rules.DIRECTION, rules.ACT) or s.actor != player or s.position[player] == 0:
        return []
    found, choices = [], _acts(s)
    if s.phase == rules.DIRECTION and len(choices) > 1:
        found.append('say "turning back" before you throw, if you do; after the throw it is too late')
    stacks = s.hand[player]
    if short := _shortage(s, player, stacks):
        found.append(short)
    if s.phase == rules.ACT and rules.TAKE in choices and stacks >= 1 and (more := _shortage(s, player, stacks + 1)):
        found.append(f"if you take it: {more}")
    return found


def _shortage(s: Any, player: int, stacks: int) -> str:
    """Whether the air is used up before a diver with some stacks is back; an empty text if not."""
    tiles, throws = s.position[player], turns_left(s, player, stacks)
    steps = sum(max(0, a + b - stacks) for a in range(1, FACES + 1) for b in range(1, FACES + 1)) / FACES**2
    if throws >= LONG:
        return ""
    needed = ceil(tiles / steps) if steps else LONG
    if throws * max(0, 2 * FACES - stacks) < tiles:
        how = "not even the best throws bring you back"
    elif throws < needed:
        how = "you are back in time only with luck"
    else:
        return ""
    turns = "1 more throw" if throws == 1 else f"{throws} more throws"
    carried = "1 stack" if stacks == 1 else f"{stacks} stacks"
    return f"with {carried}, {tiles} tiles are about {needed} throws, and the air lasts for {turns}: {how}"


def turns_left(s: Any, player: int, stacks: int) -> int:
    """The throws that a diver can still make, the one of this turn included if it is not made: if nobody takes or drops
    anything, nobody else returns, and the diver has so many stacks. At most LONG."""
    hands = [int(s.hand[one]) for one in range(s.players)]
    hands[player] = stacks
    air, at, throws = int(s.air), int(s.actor), int(s.actor == player and s.phase != rules.ACT)
    under = [not s.home[one] for one in range(s.players)]
    while air > 0 and throws < LONG:
        at = (at + 1) % s.players
        if under[at]:
            air -= hands[at]
            throws += at == player
            if at == player and not any(hand for hand, is_under in zip(hands, under, strict=True) if is_under):
                return LONG
    return throws


# ---- what to expect


def explain(s: Any, player: int, actions: Sequence[int]) -> list[str]:
    """For each action, how often the diver gets home and what that is worth, by simulations of simple divers; for the
    first, how long the air lasts."""
    words = []
    for action in actions:
        home, points = forecast(s, player, action)
        words.append(
            f"{_named(s, action) if s.phase == rules.ACT else WAYS[action]}: you get home {home:.0%} of the time, "
            f"worth {points:.1f} on average"
        )
    stacks = s.hand[player] + (s.phase == rules.ACT) * ((actions[0] == rules.TAKE) - (actions[0] >= rules.DROP))
    throws = turns_left(s, player, stacks)
    if throws < LONG:
        words[0] += f"; the air lasts for {throws} more throw{'s' if throws != 1 else ''} of yours"
    return words


AT_TABLE = AtTable(
    ask, read, warn, explain, describe, set_up, lambda s: int(s.round), options={"ruleset": "official"}
)  # the box
