"""Pictures of positions: they show what the text boards show, which are drawn by other code, and what is known."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import spinney
from spinney import CHANCE, OVER
from spinney.errors import BadGame
from spinney.games.halite.state import STRIDE, add_dropoff, add_ship
from spinney.games.picture import COLOURS, GOLD, HAZARD, PLAYERS, Mark, Picture, Style, counted, disc, line, square
from spinney.kernel import seeded
from tests.games.battlesnake.positions import position

GAMES = {
    "battlesnake": "battlesnake(players=3, width=8, height=7, mode=royale, shrink_every=3, food_chance=90)",
    "breakthrough": "breakthrough(columns=5)",
    "colosseum": "colosseum(size=7)",
    "connect_four": "connect_four",
    "deepsea": "deepsea(players=6)",
    "goofspiel": "goofspiel(players=3, num_cards=7)",
    "halite": "halite(players=4, size=12, turns=30, energy=30000)",
    "hex": "hex(board_size=6)",
    "kuhn_poker": "kuhn_poker(players=4)",
    "leduc_poker": "leduc_poker(players=3)",
    "pig": "pig(players=3, winscore=30)",
    "saboteur": "saboteur",
    "tictactoe": "tictactoe",
}


def positions(spec: str, seed: int) -> Iterator[Any]:
    """The records of a game played at random, step by step."""
    game, choose, rng = spinney.game(spec), random.Random(seed), seeded(seed)
    state = game.start(seed, manual_chance=True)
    yield state.record
    while not state.is_over:
        if state.mover == CHANCE:
            state.apply(int(game.card.rules.chance(state.record, rng)))
        for player in state.movers:
            state.apply(choose.choice(state.legal(player)), player)
        yield state.record


def both(name: str, seeds: int = 3) -> Iterator[tuple[Any, Picture, list[str]]]:
    """Positions with their pictures and their text, those of Halite once a turn."""
    card = spinney.game(GAMES[name]).card
    for seed in range(seeds):
        for s in positions(GAMES[name], seed):
            if not card.has_turns or not card.rules.under_way(s):
                yield s, card.board.picture(s), card.board.draw(s).splitlines()


def places(picture: Picture, shape: str, **wanted: object) -> dict[tuple[float, float], Style]:
    """The styles of some marks by their places; labels apart."""
    return {
        (x, y): found
        for key, (x, y, found) in picture.marks.items()
        if found.shape == shape and all(getattr(found, name) == value for name, value in wanted.items())
        if not (isinstance(key, tuple) and key[0] in ("row", "column"))
    }


def test_every_game_has_one():
    assert set(GAMES) == set(spinney.game_names())
    for spec in GAMES.values():
        assert spinney.game(spec).card.board.picture is not None


def test_tictactoe_is_its_text():
    for _, picture, text in both("tictactoe"):
        shown = {place: style.text for place, style in places(picture, "letter").items()}
        assert shown == {(x, y): text[2 * y][4 * x + 1] for x in range(3) for y in range(3)}


def test_breakthrough_is_its_text():
    for s, picture, text in both("breakthrough"):
        colours = {place: style.colour for place, style in places(picture, "disc").items()}
        cells = {(x, y): text[y][2 + 2 * x] for x in range(s.columns) for y in range(s.rows)}
        assert colours == {place: PLAYERS["XO".index(mark)] for place, mark in cells.items() if mark != "."}
        assert picture.facts == [f"pawns {[*cells.values()].count(mark)}" for mark in "XO"]


def test_hex_is_its_text():
    for s, picture, text in both("hex"):
        for row in range(s.size):
            marks = text[row + 1].split()[1:]
            discs = [picture.marks[row * s.size + column] for column in range(s.size)]
            assert [disc.x for disc in discs] == [1 + column + row / 2 for column in range(s.size)]
            assert [disc.style.colour for disc in discs] == [
                {".": "paper", "X": PLAYERS[0], "O": PLAYERS[1]}[it] for it in marks
            ]


def test_pig_is_its_text():
    for s, picture, text in both("pig"):
        for player in range(s.players):
            points = int(text[player].split()[-1])
            assert picture.marks["score", player].style.text == str(points)
            full = [
                key
                for key in picture.marks
                if key[:2] == ("points", player) and picture.marks[key].style.colour != GOLD
            ]
            assert len(full) == min(10, (points * 10 + s.goal // 2) // s.goal)
        at_stake = sum(mark.style.colour == GOLD for mark in picture.marks.values())
        total = int(text[-1].split()[0])
        assert abs(at_stake - total / 3) <= 1 or s.score[s.turn] + total > s.goal or s.phase == OVER


def test_goofspiel_is_its_text():
    for s, picture, text in both("goofspiel"):
        for player in range(s.players):
            cards = [key[2] + 1 for key in picture.marks if key[:2] == ("card", player)]
            assert (" ".join(map(str, cards)) or "none") == text[player].partition("cards ")[2]
        prizes = [key[1] + 1 for key in picture.marks if key[0] == "prize"]
        shown = text[-1].replace(";", "").replace(":", "").split()
        assert set(prizes) == {int(word) for word in shown if word.isdigit()}
        gold = places(picture, "square", colour=GOLD)
        assert [x + 1 for x, _ in gold] == [int(shown[1])] * len(gold) if shown[0] == "prize" else not gold


def test_connect_four_is_its_text():
    colours = {"X": PLAYERS[0], "O": PLAYERS[1], ".": "paper"}
    for _, picture, text in both("connect_four"):
        shown = {place: style.colour for place, style in places(picture, "disc").items()}
        assert shown == {(x, y): colours[text[y][2 * x + 1]] for x in range(7) for y in range(6)}


def test_colosseum_is_its_text():
    for s, picture, text in both("colosseum"):
        board, size = text[3:], int(s.size)
        walls = {(x, y, style.dx, style.dy) for x, y, style in picture.marks.values() if style.size == 0.15}
        inside = [(x, y) for x in range(size) for y in range(size)]
        beside = {(x + 0.5, y - 0.5, 0, 1) for x, y in inside if x < size - 1 and board[2 * y + 1][4 * x + 7] == "│"}
        below = {(x - 0.5, y + 0.5, 1, 0) for x, y in inside if y < size - 1 and board[2 * y + 2][4 * x + 5] == "─"}
        assert walls == beside | below
        cells = {(x, y): board[2 * y + 1][4 * x + 5] for x, y in inside}
        for player, mark in enumerate("AB"):
            assert list(places(picture, "disc", colour=PLAYERS[player], size=0.7)) == [
                cell for cell in inside if cells[cell] == mark
            ]
        dots = {cell for cell in inside if cells[cell] == "·"}
        assert dots == {*places(picture, "disc", size=0.16)} - {*places(picture, "disc", size=0.7)}


def test_battlesnake_is_its_text():
    for s, picture, text in both("battlesnake"):
        rows = [row[5:] for row in text[3 : 3 + s.height]]
        cells = {(x, y): rows[y][2 * x] for x in range(s.width) for y in range(s.height)}
        heads = {place: PLAYERS.index(style.colour) for place, style in places(picture, "disc", size=0.9).items()}
        assert heads == {place: "ABC".index(mark) for place, mark in cells.items() if mark in "ABC"}
        assert {*places(picture, "disc", size=0.45)} == {place for place, mark in cells.items() if mark == "*"}
        lines = places(picture, "line")
        ends = {(x + style.dx, y + style.dy) for (x, y), style in lines.items()}
        assert {*heads} | {*lines} == {*heads} | ends | {*lines} == {p for p, mark in cells.items() if mark not in ".*"}
        hazards = [colour == HAZARD for colour in picture.cells]
        assert hazards == [bool(s.hazard[(s.height - y) * 27 + x + 1]) for y in range(s.height) for x in range(s.width)]


def test_a_snake_that_leaves_a_wrapped_board_comes_in_on_the_other_side():
    s = position("0,2 ll 57", "5,5", mode="wrapped", width=7, height=7, hazards=[(3, 0), (3, 0)])
    picture = spinney.game("battlesnake").card.board.picture(s)
    lines = {(x, y, style.dx, style.dy) for (x, y), style in places(picture, "line", colour=PLAYERS[0]).items()}
    assert lines == {(5, 4, 1, 0), (6, 4, 1, 0), (0, 4, -1, 0)}
    assert picture.cells.index(HAZARD) == 6 * 7 + 3
    assert places(picture, "letter", text="2", colour="food") == {(3, 6): Style("letter", "food", 0.4, text="2")}
    assert picture.facts[0] == "length 3, health 57"


def test_halite_is_its_text():
    for s, picture, text in both("halite"):
        rows = [row[5:] for row in text[3 : 3 + s.size]]
        pairs = {(x, y): rows[y][2 * x : 2 * x + 2] for x in range(s.size) for y in range(s.size)}
        ships = places(picture, "disc")
        assert {place: PLAYERS.index(style.colour) for place, style in ships.items()} == {
            place: "abcd".index(pair[0].lower()) for place, pair in pairs.items() if pair[0].isalpha()
        }
        inspired = {place for place, style in ships.items() if style.edge == GOLD}
        assert inspired == {place for place, pair in pairs.items() if pair[1] == "!"}
        structures = places(picture, "square")
        seen = {place: pair for place, pair in pairs.items() if re.search(r"\d", pair)}
        assert all(structures[place].colour == PLAYERS[int(re.sub(r"\D", "", seen[place])) - 1] for place in seen)
        assert {*structures} <= {*seen} | inspired


def test_halite_knows_shades_loads_and_structures():
    game = spinney.game("halite(size=10, map_seed=1)")
    s = game.start(1).record
    for x, halite in enumerate((0, 3, 250, 1000, 4000)):
        s.halite[STRIDE * 3 + x] = halite
    add_ship(s, 0, STRIDE * 9 + 4, 1000, 7)
    add_ship(s, 1, STRIDE * 9 + 5, 0, 8)
    add_dropoff(s, 1, STRIDE * 2 + 8)
    picture = game.card.board.picture(s)
    assert picture.cells[30:35] == ["shade-0", "shade-0", "shade-4", "shade-9", "shade-9"]
    assert picture.marks["ship", 7] == disc(4, 9, PLAYERS[0], 0.95, "paper")
    assert picture.marks["ship", 8] == disc(5, 9, PLAYERS[1], 0.5, "paper")
    assert picture.marks["dropoff", 0] == square(8, 2, PLAYERS[1], 0.8)
    assert picture.marks["yard", 0] == square(2, 5, PLAYERS[0])
    assert picture.head == "turn 0 of 400"
    assert picture.facts[0] == "treasury 5,000, ships 1, cargo 1,000, dropoffs 0"


def test_saboteur_is_its_text():
    """Three characters of text each way are three cells of the picture."""
    colours = {"█": {GOLD, "tunnel"}, "░": {"rock"}, " ": {"soft"}, "·": {"soft"}}
    for _, picture, text in both("saboteur", 6):
        first = int(text[0].split()[0])
        letters = {place: style.text for place, style in places(picture, "letter").items() if place[1] < 42}
        end = next(i for i, row in enumerate(text) if row.startswith("player 1:"))
        for i, row in enumerate(text[1 : end - 1]):
            y = 3 * int(text[2][:2]) + i
            for j, mark in enumerate(row[3:]):
                x = 3 * first + j
                assert picture.cells[42 * y + x] in colours.get(mark, {"quiet", GOLD, "tunnel"})
                assert letters.pop((x, y), mark) == mark
        assert not letters


def test_saboteur_shows_the_hands_of_its_text():
    """A full state shows both hands; in a player's view, the cards of the other one are face down."""
    glyphs = {"tunnel": "█", "rock": "░"}
    game = spinney.game("saboteur")
    for s in itertools.chain.from_iterable(positions("saboteur", seed) for seed in range(3)):
        seen = s.copy()
        game.card.rules.observe(seen, 1)
        full, text = game.card.board.picture(s), game.card.board.draw(s).splitlines()
        for player in (0, 1):
            start = next(i for i, row in enumerate(text) if row.startswith(f"player {player + 1}:"))
            names = text[start].split(": ")[1].split(";")[0].split()[: s.hand_size[player]]
            tiles = [[row[2 + 4 * i : 5 + 4 * i] for row in text[start + 1 : start + 5]] for i in range(7)]
            shapes = {name.strip(): rows for *rows, name in (tile for tile in tiles if len(tile) == 4)}
            for picture, hidden in ((full, False), (game.card.board.picture(seen), player == 0)):
                assert (picture.width, picture.height) == (42, 54)
                for i in range(7):
                    x, y = 3 + 6 * i, 45 + 6 * player
                    cells = [[picture.cells[42 * (y + row) + x + j] for j in range(3)] for row in range(3)]
                    mark = picture.marks.get(("card", player, i))
                    if i >= len(names):
                        assert cells == [["paper"] * 3] * 3
                    elif hidden:
                        assert (cells, mark) == ([["quiet"] * 3] * 3, None)
                    elif names[i].isdigit():
                        assert ["".join(glyphs[it] for it in row) for row in cells] == shapes[names[i]]
                    else:
                        assert (cells, mark.style.text, mark[:2]) == ([["soft"] * 3] * 3, names[i], (x + 1, y + 1))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_poker_is_its_text(name):
    """The cards, the chips of each player, and the public card after a colon."""
    for s, picture, text in both(name):
        shown = [picture.marks["rank", place].style.text for place in range(picture.width)]
        words = [row.split() for row in text]
        assert shown[: s.players] == [row[2] for row in words[:-1]]
        chips = [int(row[3]) for row in words[:-1]]
        if name == "kuhn_poker":
            assert chips == [sum(key[:2] == ("chip", player) for key in picture.marks) for player in range(s.players)]
        else:
            assert shown[s.players] == words[-1][2].rstrip(";")
            assert chips == [int(picture.marks["number", player].style.text) for player in range(s.players)]


def test_the_deep_sea():
    game = spinney.game("deepsea(players=2)")
    state = game.start(1, manual_chance=True)
    for step in ("down", 6, "take", "down", 4, "leave"):
        state.apply(step)
    s = state.record
    s.position[1], s.air = 16, 7
    picture = game.card.board.picture(s)
    path = [(x, 2) for x in range(8)] + [(7 - x, 3) for x in range(8)] + [(x, 4) for x in range(8)]
    path += [(7 - x, 5) for x in range(8)]
    chips = places(picture, "square", size=0.66)
    assert {place: style.colour for place, style in chips.items()} == {
        place: f"level-{1 + tile // 8}" for tile, place in enumerate(path) if tile != 5
    }
    assert places(picture, "disc", size=0.3) == {path[5]: Style("disc", "paper", 0.3, "quiet")}
    assert picture.marks["diver", 0][:2] == (path[5][0] + 0.2, path[5][1] - 0.2)
    assert picture.marks["diver", 1][:2] == (path[15][0] + 0.2, path[15][1] - 0.2)
    assert len(places(picture, "square", colour="air")) == 7
    assert len(places(picture, "line")) == 31
    assert picture.facts == ["points 0, diving, carries 1", "points 0, diving"]
    for _, shown, _ in both("deepsea", 2):  # to the end, where little of the path is left
        assert shown.width == 8


def test_pictures_that_cannot_be_are_refused():
    with pytest.raises(BadGame, match="2x2 has 3 cells"):
        Picture(2, 2, ["ink"] * 3, {})
    for cells, marks in ((["red"], {}), (["ink"], {0: disc(0, 0, "red")}), (["ink"], {0: disc(0, 0, "ink", 1, "red")})):
        with pytest.raises(BadGame, match="no colour 'red'; there are agent-0"):
            Picture(1, 1, cells, marks)
    assert line(1, 2, 3, 4, "ink") == Mark(1, 2, Style("line", "ink", 0.1, "", 3, 4))
    assert len({*COLOURS}) == len(COLOURS)
    assert counted(["a", "b", "a"]) == "2× a, b"  # noqa: RUF001
