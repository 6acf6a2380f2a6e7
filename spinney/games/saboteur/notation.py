"""Positions of Saboteur in one line, as in

    14/14/14/14/14/5@f7/.../3#1#1#6/14 3:move:1 m:0,0,2:0 0,0 aefgikM,??????? -,- a4b1c1...X2 Tile:5,5,6

The words are the board, row by row from the top; the turn, the phase and the player; the nugget (l, m, r, or ? if it is
not known), the objectives that player 1 knows, player 2 knows, and both by a tunnel, as bits; how often each player is
blocked; the hands; the cards that each player has dropped; the deck; and the last move, or -.

A tile is the letter of its card, a capital if it is turned; @ is the entrance, # an objective, a number that many empty
cells. Cards are a to p for the tiles 0 to 15, M Map, B Bonus, D Destroy and X Malus; ? is a hidden one. In a player's
view the deck has all cards that the player has not seen.
"""

from __future__ import annotations

import re
from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import CHANCE
from spinney.games.notation import choice, number, quoted, read_rows, split, split_each, write_rows
from spinney.games.saboteur import official, rules, state, tiles
from spinney.games.saboteur.state import MAX_PLAYERS, NOBODY, OBJECTIVES, SIZE, UNKNOWN, cell_at

CARDS = "abcdefghijklmnopMBDX"
"""The letters of the kinds of cards."""
SHAPES = "".join(
    CARDS[kind].upper() if name.endswith("_flip") else CARDS[kind]
    for kind, name in zip(tiles.KIND.tolist(), tiles.SHAPE_NAMES, strict=True)
)
"""The letters of the shapes."""
CODES = f"{SHAPES}@#"
PHASES = ("hide", "deal", "move", "draw", "over")
PLACES = "lmr?"
DECK = re.compile(r"([a-zA-Z])([0-9])")
FULL_DECK = tiles.CARDS - MAX_PLAYERS * rules.HAND
"""The cards in the deck before the first move."""
ACTIONS = ("Tile", "Map", "Bonus", "Malus", "Destroy", "Drop")


def write(s: Any) -> str:
    """Board, turn, objectives, blocks, hands, drops, deck, last move."""
    rows = ([_mark(int(s.tile[cell_at(row, column)])) for column in range(SIZE)] for row in range(SIZE))
    turn = f"{s.turn}:{PHASES[s.phase]}:{s.player + 1}"
    nugget = f"{PLACES[s.nugget]}:{s.seen[0]},{s.seen[1]},{s.revealed}"
    deck = "".join(f"{CARDS[kind]}{n}" for kind, n in enumerate(s.deck) if n) or "-"
    hands = [_cards(s.hand, player, s.hand_size[player]) for player in range(MAX_PLAYERS)]
    unseen = sum(s.deck) - s.deck_size - sum(hand.count("?") for hand in hands)
    own = sum(s.dropped[1, kind] for kind in range(tiles.KINDS))
    other = 0 if "?" in hands[0] or ("?" not in hands[1] and own) else 1
    drops = [_cards(s.dropped, player, unseen if player == other else 0) for player in range(MAX_PLAYERS)]
    malus = ",".join(map(str, s.malus))
    return f"{write_rows(rows)} {turn} {nugget} {malus} {','.join(hands)} {','.join(drops)} {deck} {_last(s)}"


def _mark(code: int) -> str:
    return CODES[code] if code < len(CODES) else "."


def _cards(held: Any, player: int, size: int) -> str:
    """The cards of a player, or as many question marks if they are hidden."""
    known = "".join(CARDS[kind] * held[player, kind] for kind in range(tiles.KINDS))
    return known or "?" * size or "-"


def _last(s: Any) -> str:
    if s.last == rules.NO_MOVE:
        return "-"
    if s.last == rules.DROPPED:
        return "Drop"
    words = official.move_text(s.last).removesuffix(" 0 0").replace(" ", ",")
    return f"{words},{SHAPES[s.last_tile]}" if s.last >= rules.BREAK else words


def read(text: str, options: Any) -> Any:
    """A record from its text; see the checks below."""
    names = ("the board", "the turn", "the nugget", "the blocks", "the hands", "the drops", "the deck", "the last move")
    board, turn, nugget, blocks, hands, drops, deck, last = split(text, " ", "the position", *names)
    s: Any = state.State()
    rules.start(s, options, None)
    _read_turn(s, turn)
    _read_nugget(s, nugget)
    _read_board(s, board)
    for player, count in enumerate(split_each(blocks, ",", "players in the blocks", MAX_PLAYERS)):
        s.malus[player] = number(count, f"the blocks of player {player + 1}", 0, int(tiles.COPIES[tiles.MALUS]))
    _read_deck(s, deck)
    hidden = _read_cards(s.hand, hands, "hand")
    for player in range(MAX_PLAYERS):
        known = sum(s.hand[player, kind] for kind in range(tiles.KINDS))
        s.hand_size[player] = known + hidden[player]
        for kind in range(tiles.KINDS):
            if s.hand[player, kind]:
                s.shapes[player] |= int(tiles.KIND_SHAPES[kind])
    s.deck_size = sum(s.deck) - sum(hidden) - sum(_read_cards(s.dropped, drops, "drops"))
    _read_last(s, last)
    _check_cards(s)
    _check_turn(s)
    return s


def _read_turn(s: Any, text: str) -> None:
    turn, phase, player = split(text, ":", "the turn", "the number", "the phase", "the player")
    s.turn = number(turn, "the turn", 0, tiles.CARDS + 1)
    s.phase = choice(phase, "the phase", PHASES)
    s.player = number(player, "the player", 1, MAX_PLAYERS) - 1


def _read_nugget(s: Any, text: str) -> None:
    """Objectives that both know by a tunnel are revealed before the tiles are laid."""
    place, known = split(text, ":", "the nugget", "its place", "the known objectives")
    s.nugget = choice(place, "the place of the nugget", PLACES)
    s.nugget = UNKNOWN if s.nugget == OBJECTIVES else s.nugget
    bits = [number(bits, "a set of objectives", 0, 7) for bits in split_each(known, ",", "sets of objectives", 3)]
    for objective in range(OBJECTIVES):
        if bits[2] >> objective & 1:
            state.reveal(s, objective)
    s.seen[0], s.seen[1] = bits[:2]
    if any(bits[2] & ~seen for seen in s.seen):
        raise BadPosition(f"the objectives of the set {bits[2]} are known to both, and a player does not know them")


def _read_board(s: Any, text: str) -> None:
    """Lay all tiles: their sides fit, and tunnels from the entrance reveal no more objectives than the text says."""
    marks, revealed = read_rows(text, SIZE, SIZE, CODES), s.revealed
    for row in range(SIZE):
        for column in range(SIZE):
            cell, mark = int(cell_at(row, column)), marks[row][column]
            before = _mark(int(s.tile[cell])) if s.tile[cell] in (tiles.ENTRANCE, tiles.OBJECTIVE) else "."
            if before != "." or mark in "@#":
                if mark != before:
                    raise BadPosition(f"row {row}, column {column} has '{mark}'; there must be '{before}'")
            elif mark != ".":
                state.lay(s, cell, SHAPES.index(mark))
    if s.revealed != revealed:
        raise BadPosition(f"tunnels lead to the objectives of the set {s.revealed}; the text says {revealed}")
    for cell in official.cells_of(s.laid):
        for side in tiles.CLOCKWISE:
            to = state.beside(cell, side)
            fits = bool(state.sides_of(s, cell) & side) == bool(state.sides_of(s, to) & tiles.opposite(side))
            if not fits and (s.tile[to] < tiles.SHAPES or s.tile[to] == tiles.ENTRANCE):
                where = f"{state.row_of(cell)},{state.column_of(cell)} and {state.row_of(to)},{state.column_of(to)}"
                raise BadPosition(f"the tiles on {where} do not fit each other (row, column)")


def _read_deck(s: Any, text: str) -> None:
    pairs = DECK.findall(text)
    if text != "-" and "".join(letter + count for letter, count in pairs) != text:
        raise BadPosition(f"the deck is {quoted(text)}; needed are letters of cards with their numbers, as in a4M6")
    for kind in range(tiles.KINDS):
        s.deck[kind] = 0
    for letter, count in pairs:
        s.deck[choice(letter, "a card of the deck", CARDS)] = int(count)


def _read_cards(held: Any, text: str, what: str) -> list[int]:
    """Read the cards of both players; returns how many are hidden of each."""
    hidden = []
    for player, cards in enumerate(split_each(text, ",", f"players in the {what}", MAX_PLAYERS)):
        hidden.append(cards.count("?"))
        if hidden[-1] and hidden[-1] < len(cards) and what == "hand":
            raise BadPosition(f"the hand of player {player + 1} is {quoted(cards)}; either all or no cards are hidden")
        if len(cards) > tiles.CARDS:
            raise BadPosition(f"the {what} of player {player + 1} has {len(cards)} cards; there are {tiles.CARDS}")
        for letter in "" if cards == "-" else cards.replace("?", ""):
            held[player, choice(letter, f"a card of player {player + 1}", CARDS)] += 1
    return hidden


def _read_last(s: Any, text: str) -> None:
    if text == "-":
        return
    if text == "Drop":
        s.last = rules.DROPPED
        return
    word, *rest = text.split(",")
    shape = rest.pop() if word == "Destroy" and len(rest) == 3 else ""
    choice(word.partition(":")[0], "the last move", ACTIONS)
    try:
        s.last = official.read_move(" ".join([word, *(rest or ("0", "0"))]), [])
    except ValueError:
        raise BadPosition(f"the last move is {quoted(text)}; needed is one such as Tile:5_flip,6,5 or Drop") from None
    if s.last < rules.LOOK:
        s.last_tile = s.last // state.CELLS
    elif shape:
        s.last_tile = choice(shape, "the destroyed tile", SHAPES)
    elif word == "Destroy":
        raise BadPosition(f"the last move is {quoted(text)}; needed is the letter of the destroyed tile at its end")


def _check_cards(s: Any) -> None:
    """No card is there more often than in the game, and the cards that are gone had their effects."""
    gone = []
    for kind in range(tiles.KINDS):
        laid = sum(1 for cell in official.cells_of(s.laid) if tiles.KIND[s.tile[cell]] == kind)
        there = laid + s.deck[kind] + sum(s.hand[p, kind] + s.dropped[p, kind] for p in range(MAX_PLAYERS))
        gone.append(int(tiles.COPIES[kind]) - there)
        if gone[-1] < 0:
            raise BadPosition(f"there are {there} cards {CARDS[kind]} in all; the game has {tiles.COPIES[kind]}")
    if s.deck_size < 0:
        raise BadPosition("more cards are hidden than there are in the deck")
    if sum(gone[: tiles.TILES]) != gone[tiles.DESTROY]:
        raise BadPosition(
            f"{sum(gone[: tiles.TILES])} tiles are missing, and {gone[tiles.DESTROY]} Destroy cards; "
            "each of these destroys one tile"
        )
    if gone[tiles.MALUS] - gone[tiles.BONUS] != sum(s.malus):
        raise BadPosition(
            f"{gone[tiles.MALUS]} Malus and {gone[tiles.BONUS]} Bonus cards are used; "
            f"that cannot leave players blocked {sum(s.malus)} times"
        )
    looked = sum((seen & ~s.revealed).bit_count() for seen in s.seen)
    if looked > gone[tiles.MAP]:
        raise BadPosition(f"players know {looked} objectives by a Map; {gone[tiles.MAP]} Maps are used")


def _check_turn(s: Any) -> None:
    """The turn, the player and the numbers of cards belong together, and the game is over when it has to be."""
    found = s.nugget != UNKNOWN and bool(s.revealed >> s.nugget & 1)
    if rules.mover(s) == CHANCE and s.phase != rules.DRAWING:
        dealt = tiles.CARDS - s.deck_size if s.phase == rules.DEALING else 0
        sizes, player, turn = [(dealt + 1) // 2, dealt // 2], dealt % 2, 0
        if dealt >= MAX_PLAYERS * rules.HAND or (s.phase == rules.HIDING and s.nugget != UNKNOWN):
            raise BadPosition(f"the phase is {PHASES[s.phase]}, which is over already")
    else:
        ended = s.phase == rules.FINISHED and not found
        moves = s.turn - 1 + (s.phase == rules.DRAWING or found)
        draws = max(0, min(s.turn - 1, FULL_DECK))
        sizes = [rules.HAND - (moves + 1) // 2 + (draws + 1) // 2, rules.HAND - moves // 2 + draws // 2]
        player, turn = (s.turn - 1) % 2, max(s.turn, 1)
        if ended != (moves == tiles.CARDS):
            raise BadPosition(f"the phase is {PHASES[s.phase]} after {moves} of {tiles.CARDS} moves")
        if s.deck_size != FULL_DECK - draws:
            raise BadPosition(f"the deck has {s.deck_size} cards on turn {s.turn}; it must have {FULL_DECK - draws}")
    if found and s.phase != rules.FINISHED:
        raise BadPosition("a tunnel leads to the nugget, so the game is over")
    if (s.player, s.turn) != (player, turn):
        raise BadPosition(f"player {s.player + 1} acts on turn {s.turn}; it is the turn of player {player + 1}")
    if list(s.hand_size) != sizes:
        raise BadPosition(f"the hands have {list(s.hand_size)} cards on turn {s.turn}; they must have {sizes}")
    s.winner = s.player if found and s.phase == rules.FINISHED else NOBODY
