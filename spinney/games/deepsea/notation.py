"""Positions of Deep Sea Adventure in one line, as in

    1 22 11111.11222222223333333344444444 6v1=0:0000/9v=0:0000 2222/2222/2222/2222 2:roll:1:-

The words are the round and the air; the path, where a tile is the level of its chip, several levels in parentheses, or
a point if it is blank; the divers; how many chips of each value have not been turned over, by level; and the turn. A
diver is its tile (0: the submarine), its way, the stacks that it holds, `=` its points, `:` its scored chips by level.
The turn is the diver, the phase, the starter of the round, and who came home last, or `-`; while chips are turned over,
also whose, from which stack, and which chip of it.
"""

from __future__ import annotations

import re
from typing import Any

from spinney.errors import BadPosition
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import levels, stack_text
from spinney.games.deepsea.rules import COPIES, FINISHED, HAND, LEVELS, NOBODY, REVEAL, TILES, VALUES
from spinney.games.notation import choice, number, quoted, split, split_each

WAYS = "v^dh"
"""Diving, returning, drowned on the way down, home; by `returning` plus 2 times `home`."""
PHASES = ("down_or_up", "roll", "act", "reveal", "over")
DIVER = re.compile(r"([0-9]{1,2})(.)([^=]*)=([^:]*):([0-9]+)")
STACK = re.compile(r"\(([1-4]{2,3})\)|([1-4.])")
MOST_POINTS = sum(COPIES * value for value in range(LEVELS * VALUES))


def write(s: Any) -> str:
    """Round, air, path, divers, values, turn."""
    path = "".join(_stack(code) for code in s.path[: s.length]) or "-"
    pool = "/".join("".join(str(s.pool[level, value]) for value in range(VALUES)) for level in range(LEVELS))
    turn = [str(s.actor + 1), PHASES[s.phase], str(s.starter + 1), "-" if s.last_in == NOBODY else str(s.last_in + 1)]
    if s.phase == REVEAL:
        turn += [str(s.shown_player + 1), str(s.shown_stack + 1), str(s.shown_chip + 1)]
    divers = "/".join(_diver(s, player) for player in range(s.players))
    return f"{s.round} {s.air} {path} {divers} {pool} {':'.join(turn)}"


def _stack(code: int) -> str:
    text = stack_text(levels(code))
    return f"({text})" if len(text) > 1 else text


def _diver(s: Any, player: int) -> str:
    hand = "".join(_stack(s.held[player, i]) for i in range(s.hand[player]))
    scored = "".join(str(s.banked[player, level]) for level in range(LEVELS))
    way = WAYS[s.returning[player] + 2 * s.home[player]]
    return f"{s.position[player]}{way}{hand}={s.score[player]}:{scored}"


def read(text: str, options: Any) -> Any:
    """A record from its text; see `_check` for what makes sense together."""
    names = ("the round", "the air", "the path", "the divers", "the values", "the turn")
    number_of_round, air, path, divers, pool, turn = split(text, " ", "the position", *names)
    s: Any = rules.State()
    s.players = options.players
    for name, value in options.flags().items():
        setattr(s, name, value)
    s.round = number(number_of_round, "the round", 1, rules.ROUNDS)
    s.air = number(air, "the air", 0, rules.FULL_AIR)
    tiles = [] if path == "-" else _read_stacks(s, path, "the path", TILES)
    s.length = len(tiles)
    s.path[: len(tiles)] = tiles
    for player, diver in enumerate(split_each(divers, "/", "divers", s.players)):
        _read_diver(s, player, diver)
    for level, values in enumerate(split_each(pool, "/", "levels of the values", LEVELS)):
        for value, left in enumerate(split_each(",".join(values), ",", f"values of level {level + 1}", VALUES)):
            s.pool[level, value] = number(left, f"the chips of value {VALUES * level + value}", 0, COPIES)
    _read_turn(s, turn)
    _check_divers(s)
    _check_chips(s)
    _check_first_round(s)
    return s


def _read_stacks(s: Any, text: str, what: str, most: int) -> list[int]:
    """Stacks as their numbers; 0 is a blank tile. Chips are sorted unless the rules remember their order."""
    stacks, at = [], 0
    while at < len(text):
        match = STACK.match(text, at)
        if match is None:
            raise BadPosition(f"{what} has {quoted(text[at:])}; allowed: levels 1 to 4, two or three in ( ), or .")
        chips = match[1] or match[2].replace(".", "")
        stacks.append(sum(int(level) * 5**i for i, level in enumerate(sorted(chips) if s.far_first else chips)))
        at = match.end()
    if len(stacks) > most:
        raise BadPosition(f"{what} has {len(stacks)} places; at most {most} are allowed")
    return stacks


def _read_diver(s: Any, player: int, text: str) -> None:
    who = f"diver {player + 1}"
    match = DIVER.fullmatch(text)
    if match is None:
        raise BadPosition(f"{who} is {quoted(text)}; needed: tile, way, stacks, =points, :chips, as in 6v13=7:0100")
    place, way, hand, points, scored = match.groups()
    s.position[player] = number(place, f"the tile of {who}", 0, s.length)
    code = choice(way, f"the way of {who}", WAYS)
    s.returning[player], s.home[player] = code % 2, code // 2
    stacks = _read_stacks(s, hand, f"the hand of {who}", HAND)
    if 0 in stacks:
        raise BadPosition(f"the hand of {who} has a blank")
    s.hand[player] = len(stacks)
    for i, stack in enumerate(stacks):
        s.held[player, i] = stack
    s.score[player] = number(points, f"the points of {who}", 0, MOST_POINTS)
    counts = split_each(",".join(scored), ",", f"levels of the scored chips of {who}", LEVELS)
    for level, count in enumerate(counts):
        s.banked[player, level] = number(count, f"the chips of level {level + 1} of {who}", 0, COPIES * VALUES)


def _read_turn(s: Any, text: str) -> None:
    names = ["the diver", "the phase", "the starter", "the last one home"]
    reveals = f":{PHASES[REVEAL]}:" in text
    words = split(text, ":", "the turn", *names, *(("whose chip", "its stack", "its number") if reveals else ()))
    s.actor = number(words[0], names[0], 1, s.players) - 1
    s.phase = choice(words[1], names[1], PHASES)
    s.starter = number(words[2], names[2], 1, s.players) - 1
    s.last_in = NOBODY if words[3] == "-" else number(words[3], names[3], 1, s.players) - 1
    if s.phase == REVEAL:
        s.shown_player = number(words[4], "the diver whose chip is turned over", 1, s.players) - 1
        s.shown_stack = number(words[5], "its stack", 1, max(1, s.hand[s.shown_player])) - 1
        s.shown_chip = number(words[6], "the chip of the stack", 1, 3) - 1
        if not s.home[s.shown_player] or s.hand[s.shown_player] == 0 or rules.shown_level(s) < 0:
            raise BadPosition(f"diver {words[4]} is not home with a chip {words[6]} in a stack {words[5]}")
    elif s.phase == FINISHED:
        s.shown_player = s.players


def _check_divers(s: Any) -> None:
    """Divers are on different tiles, home in the submarine, and one who is not home is to move."""
    for player in range(s.players):
        who, tile = f"diver {player + 1}", s.position[player]
        for other in range(player):
            if tile > 0 and s.position[other] == tile:
                raise BadPosition(f"divers {other + 1} and {player + 1} are both on tile {tile}")
        if s.home[player] and (tile > 0 or not s.returning[player]) and (s.phase != FINISHED or s.length > 0):
            raise BadPosition(f"{who} is on tile {tile} and has the way {WAYS[s.returning[player] + 2]}; home is 0h")
        if tile == 0 and s.returning[player] and not s.home[player]:
            raise BadPosition(f"{who} is returning and on tile 0, the submarine; a diver who is back has the way h")
    aboard = [player for player in range(s.players) if s.home[player] and s.position[player] == 0]
    if s.last_in not in (aboard or [NOBODY]) and not (s.bottom == rules.BOUNCE and s.last_in == NOBODY):
        raise BadPosition("the last one home must be a diver with the way h, and - if there is none")
    if s.phase < REVEAL and s.home[s.actor]:
        raise BadPosition(f"diver {s.actor + 1} is to act, and is home")
    if s.length == 0 and s.phase != FINISHED:
        raise BadPosition("the path has no tiles, and the game is not over")
    if s.phase == FINISHED and s.round < rules.ROUNDS and s.length > 0:
        raise BadPosition(f"the game is over in round {s.round}, with tiles left; it ends after round {rules.ROUNDS}")


def _check_chips(s: Any) -> None:
    """There are eight chips of each level, and the points are those of the chips that were turned over."""
    turned = [sum(COPIES - s.pool[level, value] for value in range(VALUES)) for level in range(LEVELS)]
    for level in range(LEVELS):
        scored = sum(s.banked[player, level] for player in range(s.players))
        if not s.refills and scored != turned[level]:
            raise BadPosition(
                f"{scored} chips of level {level + 1} are scored, and {turned[level]} values of it turned over"
            )
        chips = scored + sum(levels(code).count(level + 1) for code in _left(s))
        if chips != COPIES * VALUES:
            raise BadPosition(f"there are {chips} chips of level {level + 1}; there must be {COPIES * VALUES}")
    for player in range(s.players):
        least = sum(VALUES * level * s.banked[player, level] for level in range(LEVELS))
        most = least + sum((VALUES - 1) * s.banked[player, level] for level in range(LEVELS))
        if not least <= s.score[player] <= most:
            raise BadPosition(
                f"diver {player + 1} has {s.score[player]} points; its scored chips are worth {least} to {most}"
            )
    points = sum(
        (VALUES * level + value) * (COPIES - s.pool[level, value]) for level in range(LEVELS) for value in range(VALUES)
    )
    if not s.refills and sum(s.score) != points:
        raise BadPosition(f"the divers have {sum(s.score)} points; the values turned over add up to {points}")


def _check_first_round(s: Any) -> None:
    """Until chips are turned over, a chip is on each tile or in a hand, and nobody has points."""
    if s.round > 1 or s.phase >= REVEAL:
        return
    if s.length != TILES or any(len(levels(code)) > 1 for code in _left(s)):
        raise BadPosition(f"in round 1 the path has {TILES} tiles, and no stacks of several chips")
    if any(s.banked[player, level] for player in range(s.players) for level in range(LEVELS)):
        raise BadPosition("chips are scored in round 1, before any were turned over")


def _left(s: Any) -> list[int]:
    """All stacks whose chips are not scored: those of the path and of the hands."""
    stacks = list(s.path[: s.length])
    for player in range(s.players):
        hand = [s.held[player, i] for i in range(s.hand[player])]
        if s.home[player] and s.phase == FINISHED:
            continue
        if s.home[player] and s.phase == REVEAL and player <= s.shown_player:
            hand = hand[s.shown_stack :] if player == s.shown_player else []
            if hand:
                hand[0] //= 5**s.shown_chip
        stacks += hand
    return stacks
