"""Deep Sea Adventure as text in 80 columns. Players and stacks are counted from 1."""

from __future__ import annotations

import textwrap
from typing import Any

from spinney.games.card import out_record
from spinney.games.deepsea import rules

WIDTH = 80
SCORED = "scored 1 2 3 4"
"""Head of the columns with the number of scored chips of each level."""
UNBROKEN = "_"
"""A space at which lines are not broken."""
ROW = 16
"""The number of tiles in a row."""
MOST_STEPS = 6
"""The highest sum of the dice."""
DIRECTIONS = ("down", "up")
ACTS = ("leave", "take")
LEGEND = "v diving, ^ returning, . blank; level 1: 0-3 points, 2: 4-7, 3: 8-11, 4: 12-15"


def draw(s: Any) -> str:
    """Round and air, the path with its divers, a line for each diver, and the next step."""
    bar = "#" * s.air + "." * (rules.FULL_AIR - s.air)
    aboard = [f"{_name(p)} home" if s.home[p] else _name(p) for p in range(s.players) if s.position[p] == 0]
    lines = [
        f"air [{bar}] {s.air}/{rules.FULL_AIR}   round {s.round}/{rules.ROUNDS}",
        f"submarine: {', '.join(aboard) or 'nobody'}",
        *_path(s),
        "",
        f"      {'place':<11}{'way':<11}{'points':>6}  {SCORED}  hand",
        *(_diver(s, player) for player in range(s.players)),
    ]
    return "\n".join([*lines, LEGEND, "", *_notes(s), *_question(s)])


def name_action(s: Any, action: int) -> str:
    """A direction, an act, the sum of the dice, or the value of a chip."""
    if s.phase == rules.DIRECTION:
        return DIRECTIONS[action]
    if s.phase == rules.ACT:
        return ACTS[action] if action < rules.DROP else f"drop {action - rules.DROP + 1}"
    return f"dice {action}" if s.phase == rules.ROLL else f"worth {action}"


def levels(code: int) -> list[int]:
    """The levels of a stack's chips."""
    chips = []
    while code > 0:
        chips.append(code % 5)
        code //= 5
    return chips


# ---- the sea


def _path(s: Any) -> list[str]:
    """Three lines for each row of tiles: numbers, the levels of the chips, divers."""
    if s.length == 0:
        return ["", "no tile is left"]
    there = {s.position[p]: f"{_name(p)}{'^' if s.returning[p] else 'v'}" for p in range(s.players)}
    lines = []
    for first in range(1, s.length + 1, ROW):
        tiles = range(first, min(first + ROW, s.length + 1))
        lines += [
            "",
            _cells("tile", [str(tile) for tile in tiles]),
            _cells("chips", [stack_text(levels(s.path[tile - 1])) for tile in tiles]),
            _cells("divers", [there.get(tile, "") for tile in tiles]),
        ]
    return lines


def _cells(label: str, cells: list[str]) -> str:
    return f"{label:<7}{''.join(f'{cell:>4}' for cell in cells)}".rstrip()


def stack_text(chips: list[int]) -> str:
    """The levels of a stack's chips as text."""
    return "".join(str(level) for level in chips) or "."


# ---- the divers


def _diver(s: Any, player: int) -> str:
    mark = ">" if player == _who(s) else " "
    place = f"tile {s.position[player]}" if s.position[player] > 0 else "submarine"
    scored = " ".join(str(s.banked[player, level] or ".") for level in range(rules.LEVELS))
    hand = " ".join(stack_text(chips) for chips in hand_of(s, player)) or "-"
    columns = f"{place:<11}{way(s, player):<11}{s.score[player]:>6}  {scored:>{len(SCORED)}}  {hand}"
    return f"{mark} {_name(player)}  {columns}"


def _who(s: Any) -> int:
    """The player to move, or the player whose chip is turned over."""
    player: int = {rules.REVEAL: s.shown_player, rules.FINISHED: rules.NOBODY}.get(s.phase, s.actor)
    return player


def way(s: Any, player: int) -> str:
    """Whether a diver is diving, returning, home or drowned."""
    if s.home[player] and s.position[player] == 0:
        return "home"
    if s.phase in (rules.REVEAL, rules.FINISHED):
        return "drowned"
    return "returning" if s.returning[player] else "diving"


def hand_of(s: Any, player: int) -> list[list[int]]:
    """The stacks that a diver carries; after its return, the chips that have not been turned over."""
    stacks = [levels(s.held[player, i]) for i in range(s.hand[player])]
    if s.phase not in (rules.REVEAL, rules.FINISHED) or not s.home[player] or player > s.shown_player:
        return stacks
    if player < s.shown_player:
        return []
    return [stacks[s.shown_stack][s.shown_chip :], *stacks[s.shown_stack + 1 :]]


# ---- the next step


def _notes(s: Any) -> list[str]:
    """Facts that are easily overlooked: the cost of the hand, and divers who cannot return."""
    if s.phase in (rules.REVEAL, rules.FINISHED):
        return []
    who, hand = _name(s.actor), s.hand[s.actor]
    under = [player for player in range(s.players) if not s.home[player] and s.position[player] > 0]
    if s.air == 0:
        drowned = [player for player in under if _best_reach(s, player) < s.position[player]]
        return ["no air left: the round ends with this turn"] + [f"no way home: {_names(drowned)}"] * bool(drowned)
    notes = [f"{who} carries {hand}: costs {hand} air a turn, and {_count(hand, 'step')} of each throw"] * (hand > 0)
    for player in under:
        if s.hand[player] > 0 and _best_reach(s, player) < s.position[player]:
            stacks, turns = _count(s.hand[player], "stack"), _count(_turns(s, player), "turn")
            tiles = _count(s.position[player], "tile")
            notes.append(f"{_name(player)} cannot carry {stacks} home: {tiles}, air for {turns}")
    return notes


def _turns(s: Any, player: int) -> int:
    """The most moves that a diver can make with its stacks, with the one that uses up the air, if nobody else does."""
    paid = player == s.actor and s.phase != rules.ACT
    return int(paid) + (-(-s.air // s.hand[player]) if s.hand[player] > 0 else 0)


def _best_reach(s: Any, player: int) -> int:
    """The most tiles that a diver can move in these turns: with the best rolls, skipping all other divers each time."""
    others = sum(not s.home[other] for other in range(s.players)) - 1
    steps = MOST_STEPS - s.hand[player]
    return _turns(s, player) * (steps + others) if steps > 0 else 0


def _question(s: Any) -> list[str]:
    if s.phase == rules.FINISHED:
        return [_result(s)]
    who = _name(_who(s))
    if s.phase == rules.REVEAL:
        return [f"{who} turns over a chip of level {hand_of(s, s.shown_player)[0][0]}"]
    if s.phase == rules.ROLL:
        return [f"{who} throws two dice of 1 to 3 to go {DIRECTIONS[s.returning[s.actor]]}"]
    choices = _choices(s)
    tile = s.position[s.actor]
    what = "which way" if s.phase == rules.DIRECTION else f"on tile {tile}" if tile > 0 else "in the submarine"
    words = ", ".join(choice.replace(" ", UNBROKEN) for choice in choices)
    words = f"{who}, {what}: {words}{' (no choice)' if len(choices) == 1 else ''}"
    return [line.replace(UNBROKEN, " ") for line in textwrap.wrap(words, WIDTH, subsequent_indent="    ")]


def _choices(s: Any) -> list[str]:
    """The legal actions by name, with the stack that is taken or dropped."""
    out: Any = out_record(rules.MAX_ACTIONS, rules.MAX_PLAYERS)()
    return [name_action(s, action) + _moved(s, action) for action in out.action[: rules.legal(s, s.actor, out)]]


def _moved(s: Any, action: int) -> str:
    if s.phase == rules.DIRECTION or action == rules.LEAVE:
        return ""
    stack = s.path[s.position[s.actor] - 1] if action == rules.TAKE else s.held[s.actor, action - rules.DROP]
    chips = levels(stack)
    return f" (level{'s' * (len(chips) > 1)} {stack_text(chips)})"


def _result(s: Any) -> str:
    most = max(s.score[: s.players])
    leaders = [player for player in range(s.players) if s.score[player] == most]
    return f"the end: {_names(leaders)} {'has' if len(leaders) == 1 else 'have'} the most points, {most}"


def _name(player: int) -> str:
    return f"P{player + 1}"


def _names(players: list[int]) -> str:
    return ", ".join(_name(player) for player in players)


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
