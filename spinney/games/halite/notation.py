"""Positions of Halite in one line:

    12/400 MAP 4000:1000:4,5:12:8f3a2c1b:-/... < 52000 A2,3;B7,3 0A4,5:120n;1B5,5:0 7 A A:yard

The words are the turn and the turns of the game; the map; the players; which of two treasuries was larger when they
last differed; all halite at the start; the dropoffs; the ships; the next id; the players whose shipyards are to spawn;
and who gives the next order, to which ship or the yard.

The halite of a cell is two digits in base 62 (0-9, A-Z, a-z), `-` if there is none, and the number in parentheses if it
is larger; rows are separated by slashes. A player is its treasury, what it has deposited, the square of its shipyard,
its last turn alive, the number of the last tie-break, in base 16, and `t` if it was terminated, `b` if it went broke. A
ship is its id, its owner, its square, its cargo, and its order of this turn: n, s, e, w, or c to construct.
"""

from __future__ import annotations

import re
from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import OVER
from spinney.games.halite import rules, state
from spinney.games.halite.board import LETTERS
from spinney.games.halite.start import lay_out
from spinney.games.halite.state import CONSTRUCT, MAX_PLAYERS, NONE, SHIP_COST, STAY, STRIDE
from spinney.games.notation import choice, number, quoted, split, split_each

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
CELL = re.compile(r"(-)|([0-9A-Za-z]{2})|\(([0-9]{1,9})\)")
SHIP = re.compile(r"([0-9]{1,5})([A-D])([0-9]{1,2},[0-9]{1,2}):([0-9]{1,4})([nsewc]?)")
ORDERS = ("", "n", "s", "e", "w", "c")
LEADS = "<=>"
FLAGS = ("-", "t", "b", "tb")
MOST_HALITE = 2**31 - 1
MOST_LUCK = 2**32 - 1


def write(s: Any) -> str:
    """Turn, map, players, leads, wealth, dropoffs, ships, next id, spawns, next order."""
    size = s.size
    rows = ("".join(_cell(s.halite[STRIDE * y + x]) for x in range(size)) for y in range(size))
    players = "/".join(_player(s, player) for player in range(s.players))
    leads = "".join(LEADS[1 + s.leads[one * MAX_PLAYERS + other]] for one, other in _pairs(s.players))
    dropoffs = ";".join(f"{LETTERS[s.owner[cell]]}{_xy(cell)}" for cell in s.dropoff[: s.dropoffs])
    ships = ";".join(_ship(s, i) for i in range(s.ships))
    spawns = "".join(LETTERS[player] for player in range(s.players) if s.spawn[player])
    turn = "over" if s.mover == OVER else f"{LETTERS[s.mover]}:{'yard' if s.piece == s.ships else s.id[s.piece]}"
    lists = (leads or "-", str(s.wealth), dropoffs or "-", ships or "-", str(s.next_id), spawns or "-", turn)
    return f"{s.turn}/{s.turns} {'/'.join(rows)} {players} {' '.join(lists)}"


def _cell(halite: int) -> str:
    if halite == 0:
        return "-"
    return f"({halite})" if halite >= BASE * BASE else DIGITS[halite // BASE] + DIGITS[halite % BASE]


def _pairs(players: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(players) for other in range(one)]


def _xy(cell: int) -> str:
    return f"{cell % STRIDE},{cell // STRIDE}"


def _player(s: Any, player: int) -> str:
    numbers = f"{s.treasury[player]}:{s.deposited[player]}:{_xy(s.yard[player])}:{s.last_alive[player]}"
    return f"{numbers}:{s.luck[player]:x}:{FLAGS[s.terminated[player] + 2 * s.broke[player]]}"


def _ship(s: Any, i: int) -> str:
    return f"{s.id[i]}{LETTERS[s.player[i]]}{_xy(s.cell[i])}:{s.cargo[i]}{ORDERS[s.order[i]]}"


def read(text: str, options: Any) -> Any:
    """Ships and structures have their own cells, and the orders of the turn are those that the rules allow so far."""
    names = ("the turn", "the map", "the players", "the leads", "the halite at the start", "the dropoffs", "the ships",
             "the next id", "the spawns", "the next order")  # fmt: skip
    turn, cells, players, leads, wealth, dropoffs, ships, next_id, spawns, order = split(
        text, " ", "the position", *names
    )
    s: Any = state.State()
    s.inspiration = int(options.inspiration)
    now, turns = split(turn, "/", "the turn", "the turn", "the turns of the game")
    lasts = number(turns, "the turns of the game", 1, state.MOST_TURNS)
    if options.turns not in (0, lasts):
        raise BadPosition(f"the game has {lasts} turns; the option turns is {options.turns}")
    _read_players(s, _read_map(cells, options.size), lasts, split_each(players, "/", "players", options.players))
    s.turn = number(now, "the turn", 0, lasts)
    for (one, other), lead in zip(
        _pairs(s.players), split_each(",".join(leads), ",", "leads", max(1, len(_pairs(s.players)))), strict=False
    ):
        sign = choice(lead, "a lead", LEADS) - 1
        s.leads[one * MAX_PLAYERS + other], s.leads[other * MAX_PLAYERS + one] = sign, -sign
    s.wealth = number(wealth, "the halite at the start", 1, MOST_HALITE)
    for dropoff in () if dropoffs == "-" else dropoffs.split(";"):
        _read_dropoff(s, dropoff)
    s.next_id = number(next_id, "the next id", 0, rules.MOST_ID)
    for ship in () if ships == "-" else ships.split(";"):
        _read_ship(s, ship)
    for letter in "" if spawns == "-" else spawns:
        player = choice(letter, "a player whose shipyard spawns", LETTERS[: s.players])
        s.spawn[player], s.spent[player] = 1, s.spent[player] + SHIP_COST
    _read_order(s, order)
    _check_orders(s)
    return s


def _read_map(text: str, size: int) -> list[list[int]]:
    rows = text.split("/")
    if size not in (0, len(rows)) or not state.SMALLEST <= len(rows) <= state.LARGEST or len(rows) % 2:
        allowed = f"{size}" if size else f"an even number from {state.SMALLEST} to {state.LARGEST}"
        raise BadPosition(f"the map has {len(rows)} rows; {allowed} is needed")
    halite = []
    for y, row in enumerate(rows):
        cells, at = [], 0
        while at < len(row):
            match = CELL.match(row, at)
            if match is None:
                raise BadPosition(
                    f"row {y} of the map has {quoted(row[at : at + 8])}; allowed: two of 0-9, A-Z, a-z for a cell, "
                    "- for none, a number in parentheses"
                )
            pair = match[2] or "00"
            cells.append(int(match[3] or DIGITS.index(pair[0]) * BASE + DIGITS.index(pair[1])))
            at = match.end()
        if len(cells) != len(rows):
            raise BadPosition(f"row {y} of the map has {len(cells)} cells; needed are {len(rows)}")
        halite.append(cells)
    if sum(map(sum, halite)) > MOST_HALITE:
        raise BadPosition(f"there is more halite on the map than {MOST_HALITE}")
    return halite


def _read_players(s: Any, halite: list[list[int]], turns: int, texts: list[str]) -> None:
    """Lay out the map with the shipyards; then the rest of what belongs to the players."""
    names = ("treasury", "deposited", "shipyard", "last turn alive", "tie-break", "t, b or -")
    found = [split(text, ":", f"player {LETTERS[player]}", *names) for player, text in enumerate(texts)]
    size = len(halite)
    yards = [_read_xy(words[2], f"the shipyard of {LETTERS[player]}", size) for player, words in enumerate(found)]
    if len(set(yards)) < len(yards):
        raise BadPosition("two players have their shipyards on one cell")
    if taken := [yard for yard in yards if halite[yard[1]][yard[0]]]:
        raise BadPosition(f"there is halite on the shipyard {taken[0][0]},{taken[0][1]}")
    lucks = []
    for words in found:
        if not re.fullmatch(r"[0-9a-f]{1,8}", words[4]):
            raise BadPosition(f"a tie-break is {quoted(words[4])}; a number from 0 to {MOST_LUCK:x} is allowed")
        lucks.append(int(words[4], 16))
    lay_out(s, halite, yards, lucks, turns)
    for player, words in enumerate(found):
        what = f"of player {LETTERS[player]}"
        s.treasury[player] = number(words[0], f"the treasury {what}", 0, MOST_HALITE)
        s.deposited[player] = number(words[1], f"the deposits {what}", 0, MOST_HALITE)
        s.last_alive[player] = number(words[3], f"the last turn alive {what}", 0, turns + 1)
        flags = choice(words[5], f"the flags {what}", FLAGS)
        s.terminated[player], s.broke[player] = flags % 2, flags // 2


def _read_xy(text: str, what: str, size: int) -> tuple[int, int]:
    x, y = split(text, ",", what, "x", "y")
    return number(x, f"x of {what}", 0, size - 1), number(y, f"y of {what}", 0, size - 1)


def _read_dropoff(s: Any, text: str) -> None:
    player = choice(text[:1], "the owner of a dropoff", LETTERS[: s.players])
    x, y = _read_xy(text[1:], f"the dropoff {quoted(text)}", s.size)
    cell = STRIDE * y + x
    if s.owner[cell] != NONE or s.halite[cell]:
        raise BadPosition(f"the dropoff {text} is on a cell with {'halite' if s.halite[cell] else 'a structure'}")
    if s.built[player] >= state.MAX_DROPOFFS // s.players:
        raise BadPosition(f"player {text[0]} has more than {state.MAX_DROPOFFS // s.players} dropoffs")
    state.add_dropoff(s, player, cell)


def _read_ship(s: Any, text: str) -> None:
    match = SHIP.fullmatch(text)
    if match is None:
        raise BadPosition(f"a ship is {quoted(text)}; needed: id, owner, square, cargo, order, as in 0A4,5:120n")
    player = choice(match[2], "the owner of a ship", LETTERS[: s.players])
    (x, y), i = _read_xy(match[3], f"the ship {match[1]}", s.size), s.ships
    least = s.id[i - 1] + 1 if i else 0
    if not least <= int(match[1]) < s.next_id:
        raise BadPosition(f"a ship has the id {match[1]}; ids ascend, and are less than the next id, {s.next_id}")
    if s.ship[STRIDE * y + x] != NONE:
        raise BadPosition(f"the ships {s.id[s.ship[STRIDE * y + x]]} and {match[1]} are both on {x},{y}")
    if s.fleet[player] >= state.MAX_SHIPS // s.players or s.terminated[player]:
        most = 0 if s.terminated[player] else state.MAX_SHIPS // s.players
        raise BadPosition(f"player {match[2]} has more ships than {most}, which is all it may have")
    cargo = number(match[4], f"the cargo of ship {match[1]}", 0, state.CAPACITY)
    state.add_ship(s, player, STRIDE * y + x, cargo, int(match[1]))
    s.order[i] = ORDERS.index(match[5])


def _read_order(s: Any, text: str) -> None:
    """Who gives the next order, and to what."""
    if text == "over":
        s.mover = OVER
        return
    letter, piece = split(text, ":", "the next order", "the player", "a ship or yard")
    s.mover = choice(letter, "who gives the next order", LETTERS[: s.players])
    own = {str(s.id[i]): i for i in range(s.ships) if s.player[i] == s.mover}
    if piece not in own and (piece != "yard" or s.spawn[s.mover] or not rules.can_spawn(s, s.mover)):
        raise BadPosition(
            f"the next order of {letter} is for {quoted(piece)}; allowed: a ship of {letter}, or yard if it can spawn"
        )
    s.piece = own.get(piece, s.ships)
    if s.turn >= s.turns:
        raise BadPosition(f"an order follows after the last turn, {s.turns}; allowed: over")


def _check_orders(s: Any) -> None:
    """Only pieces before the next one have orders, and their players can pay for them."""
    for i in range(s.ships):
        if s.order[i] == STAY:
            continue
        player = s.player[i]
        if s.mover == OVER or player > s.mover or (player == s.mover and i >= s.piece):
            raise BadPosition(f"the ship {s.id[i]} has an order, and its turn has not come")
        if s.order[i] == CONSTRUCT:
            if s.owner[s.cell[i]] != NONE:
                raise BadPosition(f"the ship {s.id[i]} is to become a dropoff, and is on a structure")
            s.spent[player] += rules.construction_price(s, i)
        elif not rules.can_leave(s, i):
            raise BadPosition(f"the ship {s.id[i]} has an order to move, and cannot pay for it")
    for player in range(s.players):
        if s.spent[player] > s.treasury[player]:
            raise BadPosition(
                f"the orders of {LETTERS[player]} cost {s.spent[player]}; its treasury has {s.treasury[player]}"
            )
        if s.spawn[player] and not -1 < player < s.mover:
            raise BadPosition(f"the shipyard of {LETTERS[player]} is to spawn, and its turn has not come")
