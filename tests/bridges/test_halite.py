"""The bot for Halite's official engine: driven by a recorded dialogue, and by an engine with Spinney's rules."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney.agents import Turn
from spinney.bridges.halite.bot import Bot, play
from spinney.bridges.halite.messages import read_match, read_turn
from spinney.bridges.log import Log
from spinney.cli import main
from spinney.errors import BadMessage, IllegalAction, SpinneyError
from spinney.games.card import OVER
from spinney.games.halite import rules
from spinney.games.halite.commands import give_orders
from spinney.games.halite.recording import RecordedGame
from spinney.games.halite.state import NONE, STAY, STRIDE, add_ship
from tests.bridges import halite_engine as engine
from tests.bridges.halite_engine import Program, game_message, rows, turn_message

CARD = spinney.game("halite").card
DATA = Path(__file__).parents[1] / "conformance" / "data" / "halite" / "public.jsonl.gz"


def recordings() -> Iterator[dict[str, Any]]:
    with gzip.open(DATA, "rt") as file:
        for line in file:
            yield json.loads(line)


def reader(text: str):
    return io.StringIO(text).readline


def test_a_recorded_dialogue_is_read_as_it_was():
    """In several games, every turn's message is the position of the recording."""
    some = 0
    for recorded in recordings():
        if recorded["num_players"] > 4 or len(recorded["turns"]) > 120 or some == 12:
            continue
        some += 1
        game = RecordedGame(recorded)
        s = game.s
        me = s.players - 1
        match = read_match(reader(game_message(s, me)))
        before = [list(row) for row in rows(s)]
        for turn in recorded["turns"]:
            assert read_turn(reader(turn_message(s, before)), match)
            told: Any = match.record()
            for field in ("players", "size", "turn", "ships", "dropoffs", "total", "inspiration"):
                assert getattr(told, field) == getattr(s, field), field
            for field in ("id", "player", "cell", "cargo"):
                assert getattr(told, field)[: s.ships] == getattr(s, field)[: s.ships], field
            for field in ("halite", "ship", "owner", "treasury", "yard", "fleet", "built", "bitboard"):
                assert getattr(told, field) == getattr(s, field), field
            before = [list(row) for row in rows(s)]
            game.play(turn)
    assert some == 12


def dialogue(recorded: dict[str, Any], me: int) -> str:
    """All messages of the engine to a player in a recorded game."""
    game = RecordedGame(recorded)
    parts = [game_message(game.s, me)]
    before = [list(row) for row in rows(game.s)]
    for turn in recorded["turns"]:
        parts.append(turn_message(game.s, before))
        before = [list(row) for row in rows(game.s)]
        game.play(turn)
    return "".join(parts)


@pytest.mark.parametrize("agent", ["champion", "skimmer", "collector", "champion_01(iterations=10)"])
def test_a_recorded_dialogue_is_answered_line_by_line(agent, tmp_path):
    recorded = next(recorded for recorded in recordings() if len(recorded["turns"]) == 60 or recorded["width"] <= 32)
    recorded["turns"] = recorded["turns"][:40]
    text = dialogue(recorded, 1)
    out = io.StringIO()
    with closing(Log(tmp_path / "log")) as log:
        play(CARD, reader(text), out, agent, "a name that is longer than the engine wants it", log)
    lines = (tmp_path / "log").read_text().splitlines()
    name, *answers = out.getvalue().splitlines()
    assert name == "a name that is longer than the"
    assert len(answers) == 40
    assert lines[-1].startswith("turn 40: ")
    assert not any("Traceback" in line for line in lines)
    game = RecordedGame(recorded)
    for turn, answer in zip(recorded["turns"], answers, strict=True):
        give_orders(game.s.copy(), 1, answer)  # nothing that a player would be terminated for
        game.play(turn)


def referee(spec: str, options: str, me: int, rival: Any, turns: int | None = None) -> tuple[Any, list[str]]:
    """A game between the bot and lines of commands, by Spinney's rules."""
    s: Any = spinney.game(f"halite({options})").start(7).record
    bot = Bot(CARD, spec, read_match(reader(game_message(s, me))))
    before, said = [list(row) for row in rows(s)], []
    while s.mover != OVER and (turns is None or s.turn < turns):
        assert read_turn(reader(turn_message(s, before)), bot.match)
        before = [list(row) for row in rows(s)]
        for player in range(s.players):
            if s.terminated[player]:
                continue
            line = bot.answer(time.perf_counter()) if player == me else rival(s, player)
            try:
                give_orders(s, player, line)
            except IllegalAction:
                assert player != me
                rules.terminate(s, player)
            if player == me:
                said.append(line)
        rules.carry_out(s)
    return s, said


def test_it_wins_against_players_who_do_nothing_or_are_terminated():
    def rival(s: Any, player: int) -> str:
        return "x" if s.turn == 50 and player == 2 else ""

    s, said = referee("skimmer", "size=16, players=4, turns=300", 1, rival)
    assert len(said) == s.turn
    assert rules.rank(s, 1) == 1
    assert s.terminated[2]
    assert s.treasury[1] > 6000


def test_it_goes_on_without_ships():
    s: Any = spinney.game("halite(size=16, turns=150)").start(7).record
    bot = Bot(CARD, "champion", read_match(reader(game_message(s, 0))))
    s.treasury[0] = 400
    assert read_turn(reader(turn_message(s, rows(s))), bot.match)
    assert bot.answer(time.perf_counter()) == ""
    s.treasury[0] = 1400
    assert read_turn(reader(turn_message(s, rows(s))), bot.match)
    assert bot.answer(time.perf_counter()) == "g"


def read_all(text: str) -> None:
    line = reader(text)
    read_turn(line, read_match(line))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: "what?\n" + text, "constants"),
        (lambda text: "", "constants"),
        (lambda text: '{"MAX_TURNS": 1e999}\n' + text, "constants"),
        (lambda text: "[" * 100_000 + "\n" + text, "constants"),
        (lambda text: text.replace("\n2 1\n", "\n3 1\n", 1), "1, 2 or 4"),
        (lambda text: text.replace("\n2 1\n", "\n2 2\n", 1), "0 to 1"),
        (lambda text: text.replace("\n16 16\n", "\n16 18\n", 1), "square"),
        (lambda text: text.replace("\n16 16\n", "\n16\n", 1), "2 whole numbers"),
        (lambda text: text[: len(text) // 2], "row"),
        (lambda text: text + "1\n0 1 0 5000\n", "input ends"),
        (lambda text: text + "1\n0 0 0 5000\n1 0 0 x\n", "4 whole numbers"),
        (lambda text: text + "1\n0 1 0 5000\n3 16 2 0\n", "not on the map"),
        (lambda text: text + "151\n", "1 to 150"),
    ],
)
def test_what_cannot_be_read_ends_it_with_a_line(change, says, monkeypatch, capsys):
    s = spinney.game("halite(size=16, turns=150)").start(7).record
    text = change(game_message(s, 1))
    with pytest.raises(BadMessage, match=says):
        read_all(text)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    with pytest.raises(SystemExit) as ended:
        main(["bot", "halite", "--agent", "collector"])
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("spinney: ")
    assert printed.count("\n") == 1


@pytest.mark.parametrize(("agent", "moves"), [("champion", 1), ("champion_01", 20)])
def test_it_is_in_time_with_hundreds_of_ships_on_the_largest_map(agent, moves):
    """A hundred ships of each of four players; the engine waits two seconds."""
    s: Any = spinney.game("halite(size=64, players=4)").start(7).record
    free = [STRIDE * y + x for y in range(64) for x in range(64) if s.owner[STRIDE * y + x] == NONE]
    for number in range(400):
        add_ship(s, number % 4, free[(number * 997) % len(free)], 10 * number % 900, number)
    bot = Bot(CARD, agent, read_match(reader(game_message(s, 2))), margin=1.2)  # a busy machine; bench/ has the figures
    for turn in range(3):
        s.turn = 100 + turn
        assert read_turn(reader(turn_message(s, rows(s))), bot.match)
        started = time.perf_counter()
        line = bot.answer(started)
        assert time.perf_counter() - started < 2
        give_orders(s.copy(), 2, line)
        assert line.count("m ") >= moves


def test_it_learns_from_an_answer_that_took_long(monkeypatch):
    """Whatever delays an answer, inside the agent or after it, later turns end their search earlier by that."""
    s: Any = spinney.game("halite(size=16, players=2)").start(7).record
    bot = Bot(CARD, "collector", read_match(reader(game_message(s, 0))))
    planned = []

    def decide_turn(state: Any, clock: Any, player: int) -> Turn:
        planned.append(clock)
        return Turn(player, (STAY,))

    monkeypatch.setattr(bot.agent, "decide_turn", decide_turn)

    def turn(delay: float) -> float:
        assert read_turn(reader(turn_message(s, rows(s))), bot.match)
        started = time.perf_counter()
        bot.answer(started)
        bot._planned_end -= delay  # the machine did something else
        bot.answered()
        return planned[-1].deadline - started

    first = turn(0.0)
    turn(planned[-1].limit + 0.3)  # the answer came some tenths of a second after the planned end
    assert turn(0.0) < first - 0.2


def test_the_command_as_the_engine_starts_it(tmp_path):
    """As a process, it answers, and ends when the engine closes the pipe."""
    s: Any = spinney.game("halite(size=16, turns=150)").start(7).record
    text = game_message(s, 0) + turn_message(s, rows(s))
    command = [sys.executable, "-m", "spinney", "bot", "halite", "--name", "ann", "--log", str(tmp_path / "log")]
    ended = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, env=os.environ, check=True)
    assert ended.stdout == "ann\ng\n"
    assert ended.stderr == ""
    assert "turn 1: 0 ships" in (tmp_path / "log").read_text()


MINE = '''
import spinney
from spinney.games.halite.rules import can_spawn
from spinney.games.halite.state import CONSTRUCT, SPAWN, STAY
from spinney.kernel import below, rule


@rule
def wander(s, player, out, rng):
    """Mine a cell to a tenth, then go anywhere."""
    if s.piece == s.ships:
        return SPAWN if s.fleet[player] < 3 else STAY
    here = s.halite[s.cell[s.piece]]
    return STAY if here > 100 or s.cargo[s.piece] < here // 10 else 1 + below(rng, 4)


def orders(s, player):
    """One ship, which stays; on turn 5, an order that is illegal."""
    ships = [i for i in range(s.ships) if s.player[i] == player]
    given = [CONSTRUCT if s.turn == 4 else STAY for _ in ships]
    return [*given, STAY if ships else SPAWN] if can_spawn(s, player) else given


GAME = spinney.game("halite").card.extend(wander=wander, planned=spinney.Planner(lambda: orders))
'''


def test_bots_of_a_users_own_file_play_a_game(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    state = spinney.game("halite(size=12, turns=40)").start(7)
    command = [sys.executable, "-m", "spinney", "bot", str(file)]
    programs = [
        Program([*command, "--agent", agent, "--name", agent, "--log", str(tmp_path / agent)])
        for agent in ("wander(seed=1)", "planned")
    ]
    engine.play(state, programs)
    assert [program.name for program in programs] == ["wander(seed=1)", "planned"]
    assert programs[0].most_ships == 3
    assert programs[1].most_ships == 1
    assert "Traceback" not in (tmp_path / "wander(seed=1)").read_text()
    log = (tmp_path / "planned").read_text()
    assert log.count("no orders, because of an error") == 1  # it costs one turn, not the game
    assert "action 5 is not legal for player 1" in log


def test_programs_play_a_game_on_their_pipes():
    state = spinney.game("halite(size=12, turns=150)").start(7)
    command = [sys.executable, "-m", "spinney", "bot", "halite", "--agent", "collector", "--name"]
    programs = [Program([*command, name]) for name in ("ann", "bob")]
    engine.play(state, programs)
    assert state.is_over
    assert [(program.name, len(program.seconds), program.most_ships > 0) for program in programs] == [
        ("ann", 150, True),
        ("bob", 150, True),
    ]
    with pytest.raises(SpinneyError, match="a bot has ended"):
        engine.play(spinney.game("halite(size=12, turns=150)").start(7), [Program(["true"]), Program(["true"])])
