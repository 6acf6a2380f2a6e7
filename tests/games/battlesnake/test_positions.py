"""Positions of BattleSnake as data and as text, and the recordings of the official engine."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney import CHANCE, OVER
from spinney.games.battlesnake import recording, rules
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.position import Position, Snake, to_position, to_state
from spinney.games.battlesnake.state import MOVE
from spinney.games.recording import verify
from spinney.kernel import seeded
from tests.games.battlesnake.positions import CARD, MODES, after, position

DATA = Path(__file__).parents[2] / "conformance" / "data" / "battlesnake"


# ---- data


@pytest.mark.parametrize("mode", MODES)
def test_positions_and_states_go_both_ways(mode):
    """But for what has left the board: the squares of fallen snakes."""
    out, choose = CARD.out(), random.Random(1)
    for seed in range(6):
        s = (
            spinney.game("battlesnake", mode=mode, width=7 + seed, shrink_every=5)
            .start(seed, manual_chance=True)
            .record
        )
        rng = seeded(seed)
        while rules.mover(s) != OVER:
            if s.phase == MOVE:
                again = to_state(to_position(s))
                for fallen in range(s.players):
                    if s.cause[fallen]:
                        for state in (s, again):
                            state.head[fallen] = state.tail[fallen] = state.facing[fallen] = state.stacked[fallen] = 1
                assert again == s
            if rules.mover(s) == CHANCE:
                rules.apply(s, rules.chance(s, rng))
                continue
            for player in range(s.players):
                n = rules.plausible(s, player, out)
                out.joint[player] = choose.choice(out.action[:n]) if n else 0
            rules.apply_joint(s, out)
        assert to_state(to_position(s)).phase == s.phase


A, B = Snake([(1, 1), (1, 2), (1, 2)]), Snake([(5, 5), (5, 6), (6, 6)], 40)
DEAD = Snake([], 0, "wall-collision", fell=3, length=4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"snakes": [A]}, "the position has 1 snakes; the option players is 2"),
        ({"snakes": [A, B, B]}, "the position has 3 snakes"),
        ({"snakes": [A, Snake([])]}, "snake 1 lives, but has no body"),
        ({"snakes": [A, Snake([(11, 5), (10, 5)])]}, "snake 1 is on (11, 5), off the board of 11x11"),
        ({"snakes": [A, Snake([(5, -1), (5, 0)])]}, "snake 1 is on (5, -1), off the board"),
        ({"snakes": [A, Snake([(5, 5), (5, 7)])]}, "snake 1 has a gap between (5, 5) and (5, 7)"),
        ({"snakes": [A, Snake([(5, 5), (6, 6)])]}, "snake 1 has a gap"),
        ({"snakes": [A, Snake([(0, 5), (10, 5)])]}, "snake 1 has a gap"),
        ({"snakes": [A, Snake([(5, 5), (5, 5), (5, 6)])]}, "snake 1 lies on a square twice; only the tail may"),
        ({"snakes": [A, Snake([(5, 5), (5, 6), (5, 5)])]}, "snake 1 lies on a square twice"),
        ({"snakes": [A, Snake([(1, 2), (1, 3)])]}, "snake 1 and snake 0 are both on (1, 2)"),
        ({"snakes": [A, Snake([(5, 5)] * 40_000)]}, "snake 1 is 40000 long; at most 16384 are allowed"),
        ({"snakes": [A, Snake([(5, "5")])]}, "off the board"),
        ({"snakes": [A, Snake([5, 5])]}, "a square is two numbers, x and y"),
        ({"snakes": [A, replace(B, health=0)]}, "the health of snake 1 is 0; a number from 1 to 100 is allowed"),
        ({"snakes": [A, replace(B, health=101)]}, "the health of snake 1 is 101"),
        (
            {"snakes": [A, replace(DEAD, cause="boredom")]},
            "snake 1 was eliminated by 'boredom'; allowed: untold, out-of-health",
        ),
        ({"snakes": [A, replace(DEAD, fell=9)]}, "the turn on which snake 1 fell is 9; a number from 1 to 5"),
        ({"snakes": [A, replace(DEAD, by=2)]}, "who eliminated snake 1 is 2"),
        ({"snakes": [A, replace(DEAD, length=0)]}, "the length of snake 1 is 0"),
        ({"food": [(11, 0)]}, "food is on (11, 0), off the board"),
        ({"food": [(3, 0), (3, 0)]}, "there is food on (3, 0) twice"),
        ({"food": [(3, True)]}, "food is on (3, True), off the board"),
        ({"hazards": [(0, 11)]}, "a hazard is on (0, 11), off the board"),
        ({"hazards": [(0, 1)] * 128}, "there are more than 127 hazards on (0, 1)"),
        ({"turn": -1}, "the turn is -1"),
        ({"turn": 1.5}, "the turn is 1.5"),
    ],
)
def test_positions_that_cannot_be(change, message):
    good = Position(BattlesnakeOptions(players=2), [A, B], [(3, 0)], [(0, 1), (0, 1)], 5)
    assert to_state(good).hazards == 2
    assert rules.mover(to_state(replace(good, snakes=[A, DEAD]))) == OVER
    with pytest.raises(spinney.BadRecording) as caught:
        to_state(replace(good, **change))
    assert message in str(caught.value)


def test_on_wrapped_boards_bodies_cross_the_edge():
    s = to_state(Position(BattlesnakeOptions(players=2, mode="wrapped"), [A, Snake([(0, 5), (10, 5), (10, 4)])]))
    assert to_position(s).snakes[1].body == [(0, 5), (10, 5), (10, 4)]
    assert s.facing[1] == 3


# ---- recordings


@pytest.mark.parametrize(("name", "games", "turns"), [("public", 572, 16205), ("modes", 120, 5071)])
def test_the_official_games_replay(name, games, turns):
    *_, verdict = verify(CARD, DATA / f"{name}.jsonl.gz")
    assert (verdict.games, verdict.steps, verdict.differences) == (games, turns, [])


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """A game of four with food, in which one falls by another."""
    with gzip.open(DATA / "public.jsonl.gz", "rt") as lines:
        games = (json.loads(line) for line in lines)
        return next(
            game
            for game in games
            if game["kind"] == "std-4p-11" and any(it["eliminated_by"] for it in game["frames"][-1]["snakes"])
            and any(game["spawns"]) and game["result"]["winner"] and len(game["moves"]) > 9
        )  # fmt: skip


def last(game: dict[str, Any]) -> Any:
    return game["frames"][-1]


def spawn(game: dict[str, Any]) -> int:
    return next(turn for turn, squares in enumerate(game["spawns"]) if squares)


def move_spawn(game: dict[str, Any]) -> None:
    """Food beside a head."""
    turn = spawn(game)
    x, y = next(it["body"][0] for it in game["frames"][turn + 1]["snakes"] if not it["eliminated_cause"])
    game["spawns"][turn] = [[x - 1 if x else x + 1, y]]


def exchange_food(game: dict[str, Any]) -> None:
    food = game["frames"][0]["food"]
    food[0], food[1] = food[1], food[0]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda game: game["frames"][3].update(turn=7), "turn 7: the recording has turn 7, the rules 3"),
        (lambda game: game["frames"][3]["snakes"][1].update(health=5), "turn 3: the recording has health of"),
        (lambda game: game["frames"][3]["snakes"][1]["body"].reverse(), "turn 3: the recording has body of"),
        (lambda game: game["frames"][3]["snakes"].reverse(), "turn 3: the recording has id of"),
        (lambda game: game["frames"][3]["food"].pop(), "turn 3: the recording has food"),
        (lambda game: game["frames"][3].update(hazards=[[1, 1]]), "turn 3: the recording has hazards"),
        (lambda game: last(game)["snakes"][0].update(eliminated_by="x"), "the recording has eliminated_by of"),
        (lambda game: last(game)["snakes"][0].update(eliminated_cause="x"), "the recording has eliminated_cause of"),
        (lambda game: last(game)["snakes"][0].update(eliminated_turn=1), "the recording has eliminated_turn of"),
        (lambda game: game["spawns"][spawn(game)].clear(), "the recording has food"),
        (lambda game: game["spawns"][spawn(game)].append([0, 0]), "places more food"),
        (move_spawn, "which the rules do not allow"),
        (lambda game: game["moves"][2].popitem(), "turn 3: the recording has moves of"),
        (lambda game: game["moves"][2].update(dict.fromkeys(game["moves"][2], "up")), "turn 3: the recording has"),
        (lambda game: game["result"].update(winner=None), "at the end: the recording has winner None"),
        (lambda game: game["result"].update(draw=True), "at the end: the recording has draw True"),
        (lambda game: game["result"].update(truncated=True), "at the end: the recording was cut off, the rules stop"),
        (lambda game: [game[key].pop() for key in ("frames", "moves", "spawns")], "the recording stops, the rules go"),
        (lambda game: game["frames"][0].update(turn=1), "before the first turn: no game starts like this"),
        (lambda game: game["frames"][0]["snakes"][0].update(health=99), "no game starts like this"),
        (lambda game: game["frames"][0]["snakes"][0].update(body=[[5, 4]] * 3), "no game starts like this"),
        (lambda game: game["frames"][0]["snakes"][0]["body"].pop(), "no game starts like this"),
        (lambda game: game["frames"][0]["food"].pop(), "no game starts like this"),
        (exchange_food, "no game starts like this"),
    ],
)
def test_differences_are_found(change, difference, recorded):
    game = json.loads(json.dumps(recorded))
    assert recording.replay(CARD, game)[1] == []
    change(game)
    assert difference in " ".join(recording.replay(CARD, game)[1])


def test_games_that_are_no_recordings(recorded, tmp_path):
    file = tmp_path / "games.jsonl"
    for change, message in [
        ({"moves": []}, "moves and"),
        ({"settings": {}}, "lacks 'ruleset'"),
        ({"width": 99}, "less than or equal to 25"),
        ({"game": "deepsea"}, "it is a game of deepsea"),
    ]:
        file.write_text(json.dumps({**recorded, **change}))
        with pytest.raises(spinney.SpinneyError, match=message):
            list(verify(CARD, file))


def test_what_is_no_direction_is_straight_on(recorded):
    """The file has such moves too; here, all that are straight on are replaced."""
    game = json.loads(json.dumps(recorded))
    steps = {(0, 1): "up", (0, -1): "down", (-1, 0): "left", (1, 0): "right"}
    changed = 0
    for (before, _), moves in zip(itertools.pairwise(game["frames"]), game["moves"], strict=True):
        for it in before["snakes"]:
            (x, y), (a, b) = it["body"][:2]
            if moves.get(it["id"]) == steps.get((x - a, y - b), "up"):
                moves[it["id"]] = ["", "UP", "north", "none"][changed % 4]
                changed += 1
    assert changed > 10
    assert recording.replay(CARD, game)[1] == []


# ---- text


def test_the_board():
    s = position(
        "2,3 drr", "6,4 lllu 60", "4,0 ll.", food=[(0, 0), (6, 0)], hazards=[(0, 0), (6, 1), (6, 1), (3, 2)],
        width=7, height=7, mode="royale",
    )  # fmt: skip
    assert str(CARD.board.draw(s)) == "\n".join([
        "turn 10   royale 7x7   A head, a tail, * food, : hazard",
        "",
        "   +---------------+",
        " 6 | . . . . . . . |",
        " 5 | . . . b . . . |",
        " 4 | . . . └─────B |",
        " 3 | . . A . . . . |",
        " 2 | . . └───a . . |",
        " 1 | . . . . . . .2|",
        " 0 | *:. c───C . * |",
        "   +---------------+",
        "     0 1 2 3 4 5 6",
        "",
        "A  player 1  length   4  health 100  on 2,3",
        "B  player 2  length   5  health  60  on 6,4",
        "C  player 3  length   4  health 100  on 4,0, its tail stays for a turn",
        "",
        "A, B and C move at once: up, down, left, right",
    ])  # fmt: skip
    s = after(s, "lru")
    assert "B  player 2  length   5  health  59  hit a wall on turn 11" in CARD.board.draw(s)
    assert CARD.board.draw(after(s, "r-u")).endswith("the end: C wins")


@pytest.mark.parametrize(("width", "mode"), [(25, "standard"), (3, "wrapped"), (11, "royale"), (19, "constrictor")])
def test_the_board_fits_and_shows_everybody(width, mode):
    game = spinney.game("battlesnake", players=4 if width < 5 else 8, width=width, height=width, mode=mode)
    s, out, rng = game.start(3, manual_chance=True).record, CARD.out(), seeded(3)
    while rules.mover(s) != OVER:
        text = CARD.board.draw(s)
        assert max(map(len, text.splitlines())) <= 80
        grid = "".join(text.split("\n\n")[1])
        for player in range(s.players):
            assert ("ABCDEFGH"[player] in grid) == (s.cause[player] == 0)
        assert grid.count("*") == s.food
        if rules.mover(s) == CHANCE:
            rules.apply(s, rules.chance(s, rng))
            continue
        for player in range(s.players):
            if rules.is_active(s, player):
                out.joint[player] = CARD.player("trivial")(s, player, out, rng)
        rules.apply_joint(s, out)
    assert "the end: " in CARD.board.draw(s)


def test_names():
    s = position("2,3 drr", "6,4 lllu 60", minimum_food=1, mode="royale", turn=24)
    assert [CARD.board.name_action(s, move) for move in range(4)] == ["up", "down", "left", "right"]
    out: Any = CARD.out()
    out.joint[:2] = [0, 0]
    rules.apply_joint(s, out)
    n = rules.outcomes(s, out)
    names = [CARD.board.name_action(s, outcome) for outcome in out.action[:n]]
    assert names[0] == "food at 0,0"
    assert len(set(names)) == n
    assert CARD.board.name_action(s, rules.NONE) == "no food"
    assert "1 more food must appear" in CARD.board.draw(s)
    rules.apply(s, out.action[0])
    n = rules.outcomes(s, out)
    assert [CARD.board.name_action(s, outcome) for outcome in out.action[:n]] == [
        f"hazards from {side}" for side in ("the left", "the right", "below", "above")
    ]
