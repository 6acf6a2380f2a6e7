"""Verify the rules with games of the course's program: all lists of moves and all positions are compared."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from spinney.games.card import OVER, Card
from spinney.games.recording import differences_at
from spinney.games.saboteur import official, rules
from spinney.games.saboteur.official import Hand, seat_of
from spinney.games.saboteur.state import MAX_PLAYERS, NOBODY, OBJECTIVES, State, column_of, row_of
from spinney.games.saboteur.tiles import CARD_NAMES, FITS, KINDS, SHAPE_NAMES


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; return the number of moves, and the differences of the first move that has any."""
    deck = [CARD_NAMES.index(name) for name in recorded["deck"]]
    hands = [[CARD_NAMES.index(name) for name in recorded["hands"][str(seat_of(p))]] for p in range(MAX_PLAYERS)]
    if sorted(recorded["hidden"]) != ["hidden1", "hidden2", "nugget"]:
        raise ValueError(f"its objectives are {recorded['hidden']}")
    s = dealt(recorded["hidden"].index("nugget"), hands)
    for number, move in enumerate(recorded["moves"], 1):
        where = f"move {number}"
        if rules.mover(s) == OVER:
            return number, [f"{where}: the recording goes on, the rules do not"]
        player = rules.mover(s)
        differences = _compare_before(card, s, player, hands[player], move, where)
        if differences:
            return number, differences
        _make(s, player, hands[player], deck, move["m"])
        differences = _compare_after(s, player, hands[player], deck, move, recorded["hidden"], where)
        if differences:
            return number, differences
    if rules.mover(s) != OVER:
        return len(recorded["moves"]), ["at the end: the recording stops, the rules go on"]
    winner = "draw" if s.winner == NOBODY else seat_of(s.winner)
    found = {"winner": winner, "end_turn": s.turn + (s.winner != NOBODY)}
    return len(recorded["moves"]), _differences("at the end", recorded, found)


def dealt(nugget: int, hands: list[Hand]) -> Any:
    """The position after a deal."""
    s = State()
    rules.start(s, None, None)
    rules.apply(s, nugget)
    if [len(hand) for hand in hands] != [rules.HAND] * MAX_PLAYERS:
        raise ValueError(f"the hands have {[len(hand) for hand in hands]} cards")
    for i in range(rules.HAND):
        for hand in hands:
            _take(s, hand[i])
    return s


def _take(s: Any, kind: int) -> None:
    if s.deck[kind] == 0:
        raise ValueError(f"there are more cards {CARD_NAMES[kind]} than the deck has")
    rules.apply(s, kind)


def _make(s: Any, player: int, hand: Hand, deck: list[int], text: str) -> None:
    """Make a move, and draw a card. The program also draws after the winning move, where the rules do not."""
    action = official.read_move(text, hand)
    hand.pop(official.used(text, hand))
    rules.apply(s, action)
    if deck:
        hand.append(deck.pop(0))
        if rules.mover(s) != OVER:
            _take(s, hand[-1])


def _compare_before(card: Card, s: Any, player: int, hand: Hand, move: dict[str, Any], where: str) -> list[str]:
    out: Any = card.out()
    actions = out.action[: rules.legal(s, player, out)]
    number = seat_of(player)
    distinct = sorted(
        [f"{official.move_text(action, hand)} {number}" for action in actions if action < rules.DROP]
        + [f"Drop {i} 0 {number}" for i, kind in enumerate(hand) if rules.DROP + kind in actions]
    )
    raw = official.moves(s, player, hand)
    names = ["nugget" if objective == s.nugget else "hidden" for objective in range(OBJECTIVES)]
    found = {
        "t": s.turn,
        "p": number,
        "n": len(raw),
        "u": len(distinct),
        "uc": crc32("\n".join(distinct).encode()),
        "rc": crc32("\n".join(raw).encode()),
        "L": distinct,
        "R": raw,
        "copies": sum(int(official.copies(s, player, action)) for action in actions),
        "seen": [name if s.seen[player] >> objective & 1 else "8" for objective, name in enumerate(names)],
    }
    expected = dict(move)
    if "n" in move:
        expected["copies"] = move["n"]
    if "o" in move:
        expected["seen"] = [name.rstrip("12") for name in move["o"].split(",")]
    if "P" in move:
        expected["P"], found["P"] = {name: cells.split() for name, cells in move["P"].items()}, _places(s)
    if move["m"] not in distinct:
        return [f"{where}: the recording has the move {move['m']}, which the rules do not allow"]
    return _differences(where, expected, found)


def _compare_after(
    s: Any, player: int, hand: Hand, deck: list[int], move: dict[str, Any], objectives: list[str], where: str
) -> list[str]:
    board = official.board_text(s, objectives)
    found = {
        "h": ",".join(CARD_NAMES[kind] for kind in hand),
        "d": len(deck),
        "ml": [s.malus[seat_of(number)] for number in range(MAX_PLAYERS)],
        "rv": _flags(s.revealed),
        "s0": _flags(s.seen[seat_of(0)]),
        "s1": _flags(s.seen[seat_of(1)]),
        "bc": crc32(board.encode()),
        "B": board,
    }
    differences = _differences(where, move, found)
    if rules.mover(s) != OVER and sorted(hand) != cards(s, player):
        differences.append(f"{where}: the hand has {sorted(hand)}, in the rules {cards(s, player)}")
    return differences


def cards(s: Any, player: int) -> list[int]:
    """The kinds of cards in a hand, sorted."""
    return [kind for kind in range(KINDS) for _ in range(s.hand[player, kind])]


def _places(s: Any) -> dict[str, list[str]]:
    """For each shape, the cells where it can be laid."""
    return {
        name: [f"{row_of(cell)},{column_of(cell)}" for cell in official.cells_of(s.room) if FITS[s.need[cell]] >> i & 1]
        for i, name in enumerate(SHAPE_NAMES)
    }


def _flags(bits: int) -> str:
    return "".join(str(bits >> objective & 1) for objective in range(OBJECTIVES))


def _differences(where: str, expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """The differences in the entries that are recorded; not every move has all of them."""
    return differences_at(where, expected, {key: value for key, value in found.items() if key in expected})
