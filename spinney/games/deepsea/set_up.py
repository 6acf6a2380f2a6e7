"""Positions of Deep Sea Adventure as people describe what lies on the table, to join a game that has begun:

    round 2
    air 15
    path 11111111 22222.2 2333 (123) 44444
    diver 1: tile 3, dives, holds 1, points 7, scored 0100
    diver 2: tile 9, returns, holds 2 (13), points 0, scored 0000
    turn: diver 2 throws
    first: diver 1

A line that is left out is as at the start of a game. The values of the chips that were turned over need not be known:
values that fit the points are assumed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from spinney.errors import BadPosition
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import levels, stack_text
from spinney.games.deepsea.rules import COPIES, FULL_AIR, LEVELS, NOBODY, ROUNDS, TILES, VALUES
from spinney.games.notation import choice, number, quoted

WAYS = {"dives": "v", "returns": "^", "home": "h"}
TURNS = {"chooses a direction": "down_or_up", "throws": "roll", "acts": "act"}
LINE = re.compile(r"(round|air|path|diver\s+\d+|turn|first|last home)\s*:?\s*(.*)")
WHO = re.compile(r"diver\s+(\d+)\s*(.*)")
HELP = (
    "round 2; air 15; path ...; diver 1: tile 3, dives, ...; turn: diver 1 throws; first: diver 1; last home: diver 2"
)
FULL_PATH = "".join(str(1 + tile // (TILES // LEVELS)) for tile in range(TILES))


def describe(s: Any) -> str:
    """A position in such lines; that of a player's turn."""
    path = [_stack(code) for code in s.path[: s.length]]
    rows = ["".join(path[first : first + 8]) for first in range(0, len(path), 8)]
    phases = {rules.DIRECTION: "chooses a direction", rules.ROLL: "throws", rules.ACT: "acts"}
    lines = [f"round {s.round}", f"air {s.air}", f"path {' '.join(rows)}"]
    for player in range(s.players):
        place = f"tile {s.position[player]}" if s.position[player] else "submarine"
        way = "home" if s.home[player] else "returns" if s.returning[player] else "dives"
        hand = " ".join(_stack(s.held[player, i]) for i in range(s.hand[player]))
        scored = "".join(str(s.banked[player, level]) for level in range(LEVELS))
        holds = f"holds {hand}, " if hand else ""
        lines.append(f"diver {player + 1}: {place}, {way}, {holds}points {s.score[player]}, scored {scored}")
    lines += [f"turn: diver {s.actor + 1} {phases.get(s.phase, 'acts')}", f"first: diver {s.starter + 1}"]
    return "\n".join(lines + [f"last home: diver {s.last_in + 1}"] * (s.last_in != NOBODY))


def _stack(code: int) -> str:
    text = stack_text(levels(code))
    return f"({text})" if len(text) > 1 else text


def set_up(text: str, options: Any) -> str:
    """The notation of a position from such lines; `notation.read` checks what makes sense together."""
    given = _lines(text)
    players = range(options.players)
    number_of_round = number(given.get("round", "1"), "the round", 1, ROUNDS)
    air = number(given.get("air", str(FULL_AIR)), "the air", 0, FULL_AIR)
    path = "".join(given.get("path", FULL_PATH).split()) or "-"
    divers = [_diver(player, given.get(f"diver {player + 1}", "")) for player in players]
    turn, phase = _who(given.get("turn", "diver 1 chooses a direction"), options.players, "the turn")
    phase = list(TURNS.values())[choice(phase, "what the diver of the turn does", list(TURNS))]
    first, _ = _who(given.get("first", "diver 1"), options.players, "first")
    aboard = [player for player in players if divers[player]["way"] == "h"]
    last = str(aboard[-1] + 1) if aboard else "-"
    if "last home" in given:
        last = str(_who(given["last home"], options.players, "last home")[0])
    pool = _pool(divers, refills=bool(options.flags().get("refills")))
    texts = [f"{it['tile']}{it['way']}{it['hand']}={it['points']}:{it['scored']}" for it in divers]
    return f"{number_of_round} {air} {path} {'/'.join(texts)} {pool} {turn}:{phase}:{first}:{last}"


def _lines(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in re.split(r"[\n;]", text.lower()):
        if not line.strip():
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise BadPosition(f"it has the line {quoted(line.strip())}; allowed are lines such as {HELP}")
        found[" ".join(match[1].split())] = match[2].strip()
    return found


def _who(text: str, players: int, what: str) -> tuple[int, str]:
    match = WHO.fullmatch(text)
    if match is None:
        raise BadPosition(f"{what} is {quoted(text)}; needed is diver with a number, as in diver 1")
    return number(match[1], f"the diver of {what}", 1, players), match[2].strip()


def _diver(player: int, text: str) -> dict[str, Any]:
    who = f"diver {player + 1}"
    found: dict[str, Any] = {"tile": 0, "way": "v", "hand": "", "points": 0, "scored": "0" * LEVELS}
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, rest = part.partition(" ")
        if part in WAYS:
            found["way"] = WAYS[part]
        elif word == "tile":
            found["tile"] = number(rest, f"the tile of {who}", 1, TILES)
        elif word == "holds":
            found["hand"] = "".join(rest.split())
        elif word == "points":
            found["points"] = number(rest, f"the points of {who}", 0, 999)
        elif word == "scored" and re.fullmatch(f"[0-8]{{{LEVELS}}}", rest):
            found["scored"] = rest
        elif part != "submarine":
            raise BadPosition(
                f"{who} has {quoted(part)}; allowed: submarine, tile 3, dives, returns, home, holds 1 (123), points 7, "
                "scored 0100 (its scored chips of level 1 to 4)"
            )
    return found


def _pool(divers: Sequence[dict[str, Any]], *, refills: bool) -> str:
    """How many chips of each value are left, if values were turned over that fit the points."""
    pool = {(level, value): COPIES for level in range(LEVELS) for value in range(VALUES)}
    if not refills:
        chips = [[level for level, n in enumerate(it["scored"], 1) for _ in range(int(n))] for it in divers]
        values = assign(chips, [it["points"] for it in divers], pool)
        if values is None:
            told = "; ".join(f"diver {i} has {it['points']} and {it['scored']}" for i, it in enumerate(divers, 1))
            raise BadPosition(f"no values of the scored chips (levels 1 to 4) add up to the points: {told}")
        for value in (value for each in values for value in each):
            pool[divmod(value, VALUES)] -= 1
    return "/".join("".join(str(pool[level, value]) for value in range(VALUES)) for level in range(LEVELS))


def assign(chips: Sequence[Sequence[int]], totals: Sequence[int], pool: Any) -> list[list[int]] | None:
    """Values of chips, of which only the levels, from 1, and the total of each group are known: some that are left in
    the pool, near the mean; none if that is not possible."""
    left = {(level, value): int(pool[level, value]) for level in range(LEVELS) for value in range(VALUES)}
    spare = [total - sum(VALUES * (level - 1) for level in group) for group, total in zip(chips, totals, strict=True)]
    failed: set[tuple[Any, ...]] = set()
    values: list[list[int]] = [[] for _ in chips]

    def fill(group: int, over: int) -> bool:
        at = len(values[group])
        rest = len(chips[group]) - at
        if not 0 <= over <= (VALUES - 1) * rest:
            return False
        if rest == 0:
            return group + 1 == len(chips) or fill(group + 1, spare[group + 1])
        key = (group, at, over, *left.values())
        if key in failed:
            return False
        level = chips[group][at] - 1
        for value in sorted(range(VALUES), key=lambda value: abs(value - over / rest)):
            if left[level, value]:
                left[level, value] -= 1
                values[group].append(VALUES * level + value)
                if fill(group, over - value):
                    return True
                values[group].pop()
                left[level, value] += 1
        failed.add(key)
        return False

    return values if not chips or fill(0, spare[0]) else None
