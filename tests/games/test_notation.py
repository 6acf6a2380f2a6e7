"""Positions as text: every position of random games comes back field by field, and a wrong text is a line of error."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE, OVER, BadPosition, Board, Card, State
from spinney.errors import BadGame
from spinney.games.colosseum.board import cell_name
from spinney.games.colosseum.state import DOWN, RIGHT, is_open
from spinney.kernel import Nested, Record, f32, f64, i8, i16, seeded
from tests.games.test_game_pictures import GAMES
from tests.tiny import DARE_GAME
from tests.tiny_hidden import SECRET_GAME

SPECS = (
    *(spec.replace("turns=30", "turns=8") for spec in GAMES.values()),
    "battlesnake(mode=wrapped_constrictor)",
    "battlesnake(players=1, width=5, height=6, mode=wrapped)",
    "colosseum(size=5)",
    "colosseum(size=13, year=2023)",
    "deepsea",
    "deepsea(players=4, ruleset=official)",
    "deepsea(players=3, ruleset=paper_code)",
    "halite(size=10, turns=10)",
    "halite(players=1, size=10, turns=20, inspiration=false)",
    "kuhn_poker",
    "leduc_poker",
    "examples/pig.py(players=3)",
    "examples/pennies.py",
    "examples/pasture.py",
)
LIVELY = {"battlesnake": "hungry", "saboteur": "greedy"}
"""Hand-written players where random ones end a game early, or never get far."""


def games_of(spec: str, seed: int) -> Iterator[State]:
    """A game, step by step, chance included."""
    game, pick, rng = spinney.game(spec), random.Random(seed), seeded(seed)
    state = game.start(seed, manual_chance=True)
    lively = LIVELY.get(game.name) if seed % 2 else None
    player_rule = None if lively is None else game.card.player(lively)
    out: Any = game.card.out()
    yield state
    while not state.is_over:
        if state.mover == CHANCE:
            state.apply(int(game.card.rules.chance(state.record, rng)))
            yield state
            continue
        for player in state.movers:
            chosen = None if player_rule is None else int(player_rule(state.record, player, out, rng))
            state.apply(pick.choice(state.legal(player)) if chosen is None else chosen, player)
        yield state


@pytest.mark.parametrize("spec", SPECS)
def test_every_position_of_a_game_comes_back(spec):
    """Also what each player sees of it. The text is one line, and a text for each position."""
    for seed in range(2):
        for state in games_of(spec, seed):
            game, views = state.game, [state]
            if game.card.has_hidden:
                views += [state.observe(player) for player in range(game.players)]
            for view in views:
                text = view.to_text()
                assert "\n" not in text
                assert text.startswith(game.name)
                back = game.from_text(text, manual_chance=True)
                assert back.record == view.record
                assert back.to_text() == text
                assert (back.mover, back.movers) == (state.mover, state.movers)


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_goes_on_from_its_text(spec):
    """The same choices and the same random numbers lead to the same legal actions, movers and rewards."""
    pick = random.Random(1)
    for seed in range(2):
        positions = [state.to_text() for state in games_of(spec, seed)]
        for start in sorted(pick.sample(range(len(positions)), min(3, len(positions)))):
            state = next(state for i, state in enumerate(games_of(spec, seed)) if i == start)
            game = state.game
            other, rng = game.from_text(positions[start], manual_chance=True), seeded(start)
            for _ in range(300):
                if state.is_over:
                    break
                if state.mover == CHANCE:
                    assert state.outcomes() == other.outcomes()
                    outcome = int(game.card.rules.chance(state.record, rng))
                    state.apply(outcome)
                    other.apply(outcome)
                for player in state.movers:
                    assert state.legal(player) == other.legal(player)
                    action = pick.choice(state.legal(player))
                    state.apply(action, player)
                    other.apply(action, player)
                assert state.record == other.record
            if state.is_over:
                assert other.rewards() == state.rewards()
                assert other.winners() == state.winners()


@pytest.mark.parametrize("spec", ["connect_four", "deepsea", "colosseum(size=6)", "saboteur", "examples/pig.py"])
def test_a_compiled_search_finds_the_same_from_a_text(spec):
    """Caches of the record, too, are what they were: compiled code reads them all."""
    choices = [state.copy() for state in games_of(spec, 3) if state.mover >= 0 and len(state.legal()) > 1]
    state = choices[len(choices) // 2]
    player = state.mover
    agent = "infoset" if state.game.card.has_hidden else "uct"
    found = [
        spinney.game(spec).agent(f"{agent}(iterations=300)", seed=1).decide(it, player=player)
        for it in (state, state.game.from_text(state.to_text()))
    ]
    assert found[0].choices == found[1].choices


@cache
def texts(spec: str) -> list[str]:
    pick = random.Random(spec)
    found = [view.to_text() for seed in range(2) for state in games_of(spec, seed)
             for view in [state, *([state.observe(0)] if state.game.card.has_hidden else [])]]  # fmt: skip
    return pick.sample(found, min(40, len(found)))


def position_or_problem(game: Any, text: str) -> State | str:
    try:
        return game.from_text(text, manual_chance=True)
    except BadPosition as error:
        return str(error)


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_changed_text_is_refused_in_a_line_or_is_another_position(spec, data):
    """Characters are changed, removed and inserted, and words exchanged with those of other positions."""
    game, text = spinney.game(spec), data.draw(st.sampled_from(texts(spec)))
    other = data.draw(st.sampled_from(texts(spec)))
    start = len(repr(game)) + 1
    for _ in range(data.draw(st.integers(1, 3))):
        words = text.split(" ")
        if data.draw(st.booleans()) and len(words) == len(other.split(" ")):
            i = data.draw(st.integers(0, len(words) - 1))
            words[i] = other.split(" ")[i]
            text = " ".join(words)
        else:
            at = data.draw(st.integers(start, len(text)))
            new = data.draw(st.sampled_from([*sorted(set(text)), "", "Z", "9", "\u00b2", "-1", "%", "\n"]))
            text = text[:at] + new + text[at + data.draw(st.integers(0, 1)) :]
    state = position_or_problem(game, text)
    if isinstance(state, str):
        assert state.startswith(f"this is not a position of {game.name}: ")
        assert "\n" not in state
        assert len(state) < 500
        return
    assert state.to_text() == " ".join(text.split())
    assert game.from_text(state.to_text(), manual_chance=True).record == state.record
    str(state)


def test_connect_four_is_written_like_fen():
    state = spinney.game("connect_four").start()
    assert state.to_text() == "connect_four 7/7/7/7/7/7 X"
    for column in "4455":
        state.apply(column)
    assert state.to_text() == "connect_four 7/7/7/7/3OO2/3XX2 X"
    for column in "3344":
        state.apply(column)
    state.apply("6")
    assert state.to_text() == "connect_four 7/7/3O3/3X3/2OOO2/2XXXX1 -"


def test_walls_of_colosseum_are_those_of_the_text():
    game = spinney.game("colosseum(size=4)")
    s = game.from_text("colosseum(size=4) 2_1/1|2/1J2/4 b3 c2 A").record
    closed = {(cell_name(s, cell), side) for cell in range(16) for side in (RIGHT, DOWN) if not is_open(s, cell, side)}
    border = {(f"d{row}", RIGHT) for row in range(1, 5)} | {(f"{column}4", DOWN) for column in "abcd"}
    assert closed - border == {("c1", DOWN), ("b2", RIGHT), ("b3", RIGHT), ("b3", DOWN)}


START_OF_DEEPSEA = "deepsea 1 25 11111111222222223333333344444444 {} 2222/2222/2222/2222 {}"
DIVERS = "0v=0:0000/0v=0:0000"
SABOTEUR = "saboteur 14/14/14/14/14/5@8/14/14/14/14/14/14/3#1#1#6/14 "
DEAL = "aaghijD,??????? -,- a2b1c1d1e1f4g4h4i4j4k3l1m1n1o1p1M6B4D2X2 -"
ROUND = "0/9 {} 5000:0:2,5:0:a:-/5000:0:7,5:0:b:- = 10000 - {} {} - {}"
EMPTY_MAP = "/".join(["-" * 10] * 10)


GAME_FILES = {"pig": "examples/pig.py"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("connect_four 7/7/7/7/7 X", "rows of the board: there are 5, between '/'; needed are 6"),
        ("connect_four 7/7/7/7/7/8 X", "a number in row 6 is '8'; a number from 1 to 7 is allowed"),
        ("connect_four 7/7/7/7/7/3X2 O", "row 6 has 6 cells; needed are 7"),
        ("connect_four 7/7/7/7/7/3Y3 O", "row 6 has 'Y'; allowed: X, O, and numbers of empty cells"),
        ("connect_four 7/7/7/7/3X3/7 O", "column 4 has a stone above an empty cell"),
        ("connect_four 7/7/7/7/7/2XX3 O", "there are 2 X and 0 O; X begins"),
        ("connect_four 7/7/7/7/7/3X3 X", "the player to move is 'X'; 'O' is needed"),
        ("connect_four 7/7/7/7/7/3X3", "has 1 parts between spaces; needed are 2: "),
        ("connect_four 7/7/7/O5O/O5O/XXXX2X X", "'-' is needed, because the game is over"),
        ("connect_four 7/7/7/O6/XXXXOOO/XXXXOOO -", "lines of four that no single last stone can"),
        ("connect_four 7/7/7/O6/OOO4/XXXX3 X", "X has four in a line, and O moved after that"),
        ("connect_four 7/7/7/7/7/03X3 O", "where the position is written '7/7/7/7/7/3X3'"),
        ("tictactoe XXX/OOO/3 X", "X has three in a line, and O moved after that"),
        ("tictactoe XXX/OO1/3 O", "the player to move is 'O'; '-' is needed, because the game is over"),
        ("colosseum(size=4) 4/4/4/4 a1 a1 A", "A and B are both on a1"),
        ("colosseum(size=4) 4/4/4/4 a1 e1 A", "is 'e1'; a cell from a1 to d4 is allowed"),
        ("colosseum(size=4) 3|/4/4/4 a1 b1 A", "d1 is '|', but its right side is on the border"),
        ("colosseum(size=4) ____/4/4/4 a1 b4 A", "'-' is needed, because the game is over"),
        ("colosseum(size=4) 4/4/4/4 a1 b4 -", "'A' is needed, because it is the turn of A"),
        ("kuhn_poker K,K -", "two players have the card K"),
        ("kuhn_poker K,10 -", "the card of player 2 is '10'; allowed: J, Q, K, ?, -"),
        ("kuhn_poker K,? pbpb", "there can be no action 4, 'b': the game is over"),
        ("kuhn_poker K,- p", "there can be no action 1, 'p': not all cards are dealt"),
        ("kuhn_poker(players=3) K,Q,? -", "2 cards are known and others hidden"),
        ("leduc_poker Kh,? - f", "action 1 is 'f'; allowed there: c, r"),
        ("leduc_poker Kh,? Jh r", "the public card is Jh, and the first round has not ended"),
        ("leduc_poker Kh,? Kh cc/", "the public card Kh is in a hand, too"),
        ("leduc_poker Kh,? Ks rc", "where the position is written 'rc/'"),
        (START_OF_DEEPSEA.format(DIVERS, "1:down_or_up:1:-").replace("25", "26"), "the air is '26'; a n"),
        (START_OF_DEEPSEA.format("3v=0:0000/3v=0:0000", "1:roll:1:-"), "divers 1 and 2 are both on tile 3"),
        (START_OF_DEEPSEA.format("40v=0:0000/3v=0:0000", "1:roll:1:-"), "tile of diver 1 is '40'; a number"),
        (START_OF_DEEPSEA.format("3v1=0:0000/2v=0:0000", "1:roll:1:-"), "there are 9 chips of level 1; the"),
        (START_OF_DEEPSEA.format("0v=3:0000/2v=0:0000", "1:roll:1:-"), "diver 1 has 3 points; its scored"),
        (START_OF_DEEPSEA.format("0h=0:0000/2v=0:0000", "1:roll:1:1"), "diver 1 is to act, and is home"),
        (START_OF_DEEPSEA.format("3v11111111=0:0000/0v=0:0000", "1:roll:1:-"), "has 8 places; at most 7"),
        (START_OF_DEEPSEA.format(DIVERS, "1:dice:1:-"), "the phase is 'dice'; allowed: down_or_up, roll, "),
        ("battlesnake(players=2) 0 move 1,1:+2:100/1,1:+2:100 - -", "are both on (1, 1)"),
        ("battlesnake(players=2) 0 move 1,1:+2:101/3,1:+2:100 - -", "of A is '101'; a number"),
        ("battlesnake(players=2) 3 move 0,1:ll:9/3,1:uu:9 - -", "off the board of 11x11"),
        ("battlesnake(players=2) 0 over 1,1:+2:9/3,1:+2:9 - -", "over, and 2 of 2 snakes li"),
        ("battlesnake(players=2) 0 move 1,1:+2:9/3,1:+2:9 3,3;3,3 -", "food on (3, 3) twice"),
        ("battlesnake(players=2) 3 hazards 1,1:+2:9/3,1:+2:9 - -", "which the game does not"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,0 {DEAL}".replace("??,", "?a,").replace("?? ", "?a "), "either all"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,0 {DEAL}".replace("a2", "a9"), "11 cards a in all; the game has 4"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,0 {DEAL}".replace("a2", "a1"), "1 tiles are missing, and 0 Destroy"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,1 {DEAL}", "that cannot leave players blocked 1 times"),
        (f"{SABOTEUR}1:move:1 ?:1,0,0 0,0 {DEAL}", "players know 1 objectives by a Map; 0 Maps are used"),
        (f"{SABOTEUR}1:move:2 ?:0,0,0 0,0 {DEAL}", "player 2 acts on turn 1; it is the turn of player 1"),
        (f"{SABOTEUR}3:move:1 ?:0,0,0 0,0 {DEAL}", "cards on turn 3; it must have"),
        (f"{SABOTEUR}1:move:3 ?:0,0,0 0,0 {DEAL}", "the player is '3'; a number from 1 to 2"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,0 {DEAL}".replace("5@", "4m@"), "5,4 and 5,5 do not fit each other"),
        (f"{SABOTEUR}1:move:1 ?:0,0,0 0,0 {DEAL}".replace("5@8", "14"), "column 5 has '.'; there must be '@'"),
        ("halite(size=10) " + ROUND.format("/".join(["-" * 10] * 9), "-", 0, "A:yard"), "has 9 rows;"),
        ("halite(size=10) " + ROUND.format(EMPTY_MAP, "0A1,1:1001", 1, "A:0"), "1001'; a number from"),
        ("halite(size=10) " + ROUND.format(EMPTY_MAP, "0A1,1:1;1B1,1:1", 2, "A:0"), "both on 1,1"),
        ("halite(size=10) " + ROUND.format(EMPTY_MAP, "0A1,1:1n", 1, "A:0"), "its turn has not come"),
        ("halite(size=10) " + ROUND.format(EMPTY_MAP, "0A1,1:1", 1, "B:0"), "order of B is for '0'"),
        ("pig players=2 goal=50 turns=1", "there is no field 'turns'; did you mean 'turn'? allowed: "),
        ("pig players=2 goal=50 turn=200", "turn is '200'; a number from -128 to 127 is allowed"),
        ("pig players=3 goal=50", "players is 3; the game is for 2"),
        ("pig players=2 goal=50 score=1,2,3,4,5", "score has more than 4 numbers"),
        ("pig players=2 goal=50 turn=7", "its rules cannot go on: list index out of range"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(text, problem):
    spec = text.split(" ")[0]
    with pytest.raises(BadPosition) as error:
        spinney.game(GAME_FILES.get(spec, spec)).from_text(text)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spec", "text", "problem"),
    [
        ("connect_four", "7/7/7/7/7/7 X", "it begins with '7/7/7/7/7/7'; 'connect_four' is needed"),
        ("connect_four", "tictactoe 3/3/3 X", "it begins with 'tictactoe'; 'connect_four' is needed"),
        ("colosseum(size=6)", "colosseum(size=5) 5/5/5/5/5 a1 b1 A", "it begins with 'colosseum(size=5)'; "),
    ],
)
def test_a_text_of_another_game_is_refused(spec, text, problem):
    with pytest.raises(BadPosition, match=re.escape(problem)):
        spinney.game(spec).from_text(text)


def test_options_may_be_written_in_any_way():
    game = spinney.game("colosseum(size=4)")
    state = game.start(seed=1)
    text = state.to_text().replace("colosseum(size=4)", "colosseum( year=2022, size=4 ) ")
    assert game.from_text(f"  {text}\n").record == state.record


def test_a_pending_chance_event_is_sampled_or_kept():
    game = spinney.game("deepsea")
    state = game.start(seed=1, manual_chance=True)
    while state.mover != CHANCE:
        state.apply(state.legal()[0])
    text = state.to_text()
    assert game.from_text(text, manual_chance=True).mover == CHANCE
    first, again = game.from_text(text, seed=5), game.from_text(text, seed=5)
    assert first.record == again.record
    assert first.mover >= 0
    assert [mover for mover, _ in first.history] == [CHANCE]
    assert [(mover, action) for _, mover, action in first.steps()] == first.history


class Inner(Record):
    share = f64[2]
    small = f32


class EveryKind(Record):
    grid = i8[2, 3]
    wide = i16[40]
    inner = Nested(Inner)
    real = f32
    turn = i8


def test_fields_of_every_kind_are_written():
    rules = SimpleNamespace(**vars(DARE_GAME.rules) | {"State": EveryKind})
    card = Card("every", "every", "every", rules, DARE_GAME.board)
    game = spinney.game(card)
    s = EveryKind(real=0.1, turn=OVER)
    s.grid[0, 2], s.grid[1, 0], s.wide[3:9], s.inner.share[1], s.inner.small = -4, 5, [7] * 6, -1e-300, 0.5
    state = State(game, s)
    assert state.to_text() == (
        "every grid=0,0,-4,5 wide=0*3,7*6 inner.share=0.0,-1e-300 inner.small=0.5 real=0.10000000149011612 turn=-2"
    )
    assert State(game, EveryKind()).to_text() == "every -"


def test_hidden_information_of_a_game_of_your_own():
    game = spinney.game(SECRET_GAME)
    for state in (game.start(seed=seed, manual_chance=True) for seed in range(3)):
        while state.mover == CHANCE:
            state.apply(state.outcomes()[0][0])
        view = state.observe(0)
        assert game.from_text(view.to_text()).record == view.record


def test_a_board_that_writes_has_to_read():
    with pytest.raises(BadGame, match="needs both write and read, or neither"):
        Card("half", "half", "half", DARE_GAME.rules, Board(repr, repr, write=repr))


def test_the_examples_of_the_page_are_positions():
    """Those of its blocks that are not code: one for each game with a notation."""
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text()
    examples = re.findall(r"^    (\w+.*)$", page.partition("## The games")[2].partition("## Games without")[0], re.M)
    for text in examples:
        spec = re.match(r"\w+(\(.*?\))?", text)[0]
        assert spinney.game(spec).from_text(text, manual_chance=True).to_text() == text
    written = {name for name in spinney.game_names() if spinney.game(name).card.board.write is not None}
    assert {re.match(r"\w+", text)[0] for text in examples} == written
