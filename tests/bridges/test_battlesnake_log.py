"""Logs of the BattleSnake server, and sessions that follow the boards of an engine."""

from __future__ import annotations

import json
import random
import sys
from subprocess import run as run_process
from typing import Any

import pytest

import spinney
from spinney.agents import Decision, PlayerAgent
from spinney.bridges.battlesnake import is_log, read_log
from spinney.bridges.battlesnake.agents import AgentPool
from spinney.bridges.battlesnake.engine import Match
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.battlesnake.sessions import SnakeSession
from spinney.cli import main
from spinney.clock import Clock
from spinney.games import CHANCE
from tests.bridges.battlesnake_server import GAME, served


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (4, {}),
        (2, {"mode": "royale", "shrink_every": 3}),
        (3, {"mode": "wrapped", "width": 7, "height": 7, "minimum_food": 4}),
        (5, {"mode": "constrictor"}),
        (8, {"food_chance": 0, "minimum_food": 0}),
    ],
    ids=str,
)
def test_a_session_knows_the_steps_between_the_boards(players, options):
    """From boards alone it has a history that leads to them, also where snakes fall."""
    game, rng = spinney.game("battlesnake", players=players, **options), random.Random(1)
    followed = turns = 0
    for seed in range(5):
        match = Match(game, ["http://127.0.0.1:1"] * players, "told", seed=seed)
        match.describe()
        session = SnakeSession(GAME, Message.model_validate_json(match.snakes[0].request))
        state = match.state
        while not state.is_over and not state.record.cause[0]:
            for player in state.movers:
                plausible = game.card.rules.plausible(state.record, player, state._out)
                state.apply(int(rng.choice(state._out.action[:plausible])), player)
            match.describe()
            known = len(session.state.history)
            session.hear(Message.model_validate_json(match.snakes[0].request))
            if not state.record.cause[0]:
                turns += 1
                followed += len(session.state.history) > known
                assert session.state.record.turn == state.record.turn
                for name in ("cell", "hazard", "food", "living"):
                    assert getattr(session.state.record, name) == getattr(state.record, name)
    assert turns > 20
    assert followed == turns


def test_the_tree_is_reused_from_move_to_move(tmp_path):
    """Visits at the root are more than the simulations of the move: the others were kept. A tree of 50 simulations a
    move would hardly have a tenth of them below the joint action that was made."""
    with served("champion(iterations=500, seed=1)", 2, log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "tree", timeout=10.0, seed=3).play(turns=20)
    for file in tmp_path.iterdir():
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        moves = [line for line in lines if line["event"] == "move" and line["iterations"]]
        kept = [sum(choice["visits"] for choice in move["choices"]) - move["iterations"] for move in moves]
        assert kept[0] == 0
        assert sum(visits > 0 for visits in kept) > len(kept) / 3


def test_the_agent_that_served_a_snake_last_serves_it_again(monkeypatch):
    pool, state = AgentPool(GAME, "hungry", copies=3), spinney.game("battlesnake", players=2).start(seed=1)
    pool.prepare(2)
    used, decide = [], PlayerAgent.decide

    def noted(agent: PlayerAgent, *given: Any, **more: Any) -> Decision:
        used.append(agent)
        return decide(agent, *given, **more)

    monkeypatch.setattr(PlayerAgent, "decide", noted)
    for snake in ("a", "b", "a", "b", "c", "a", "d"):
        pool.decide(state, 0, ("game", snake), Clock(seconds=1.0))
    a, b, a_again, b_again, c, a_later, d = used
    assert a is a_again is a_later
    assert b is b_again is d, "of the others, the one that was used least recently"
    assert len({a, b, c}) == 3


def test_a_log_tells_why_a_move_was_made(tmp_path):
    with served("champion(iterations=300)", 2, log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "why", timeout=10.0, seed=3).play(turns=4)
    file = min(tmp_path.iterdir())
    assert is_log(file)
    line = json.loads(file.read_text().splitlines()[1])
    assert (line["event"], line["iterations"]) == ("move", 300)
    best = next(choice for choice in line["choices"] if choice["move"] == line["move"])
    assert best["visits"] == max(choice["visits"] for choice in line["choices"])
    assert line["value"] == best["values"][0]
    first, second, *_ = read_log(file).frames
    assert first.events == ()
    decision = next(event.decision for event in second.events if event.mover == 0)
    assert (decision.name, decision.iterations, decision.values) == (line["move"], 300, tuple(best["values"]))
    assert [choice.visits for choice in decision.choices] == [choice["visits"] for choice in line["choices"]]
    assert str(decision).startswith(f"{line['move']}  value {line['value']:.3f}, 300 simulations in ")
    assert {event.mover for event in second.events} >= {0, 1}, "the other snake's move is read off the board"


def test_logs_of_version_0_1_are_read(tmp_path):
    """They have no figures but the simulations."""
    with served("champion(iterations=300)", 2, log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "old", timeout=10.0, seed=3).play(turns=2)
    file = min(tmp_path.iterdir())
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        for figure in ("value", "choices", "line"):
            line.pop(figure, None)
    lines[2]["move"] = "left" if lines[2]["move"] == "right" else "right"  # it came too late
    file.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines))
    _, second, third, *_ = read_log(file).frames
    assert second.events[0].words == f"{lines[1]['move']}, 300 simulations"
    assert third.events[0].words.endswith(f" instead of {lines[2]['move']}, 300 simulations")


def test_a_game_that_was_cut_off_is_shown_up_to_there(tmp_path, capsys):
    with served(log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "cut", seed=1).play(turns=3)
    file = sorted(tmp_path.iterdir())[0]
    lines = file.read_text().splitlines(keepends=True)
    for kept, shown in (("".join(lines[:3])[:-10], 2), ("".join(lines[:2]), 2), (lines[0], 1)):
        file.write_text(kept)
        assert run(capsys, "replay", str(file))[:2] == (0, shown)
    wrong = lines[0] + lines[1].replace('"health":100', '"health":1000')
    for kept, problem in (
        (wrong, "line 2: the health"), (lines[1], "line 1"), ("{}\n", "add the number of one"),
        (f"{lines[0]}[3]\n", "line 2: it tells of no event"), (lines[0][:50], "its first line was cut off"),
        (lines[0] + lines[1].replace('"move":"', '"move":"x'), "line 2: the move is 'x"),
        (lines[0] + lines[1].replace('"iterations":0', '"choices":[{"move":"up"}]'), "line 2: the figures"),
    ):  # fmt: skip
        file.write_text(kept)
        code, _, error = run(capsys, "replay", str(file))
        assert (code, problem in error) == (2, True), error


def run(capsys: Any, *words: str) -> tuple[int, int, str]:
    """The exit code of a command, the boards that it showed, and its error."""
    with pytest.raises(SystemExit) as ended:
        main([*words])
    shown = capsys.readouterr()
    return ended.value.code or 0, f"\n{shown.out}".count("\nturn "), shown.err


def test_a_log_is_shown_on_the_terminal_and_as_a_page(tmp_path, capsys):
    with served(log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "shown", seed=1).play(turns=3)
    file, page = min(tmp_path.iterdir()), tmp_path / "game.html"
    frames = list(read_log(file).frames)
    assert run(capsys, "replay", str(file)) == (0, len(frames), "")
    assert run(capsys, "replay", str(file), "--html", str(page))[0] == 0
    assert "game shown, snake shown-0: " in page.read_text()


def test_reading_logs_needs_no_web_framework():
    code = "import sys, spinney.bridges.battlesnake as it; assert it.read_log and 'fastapi' not in sys.modules"
    assert run_process([sys.executable, "-c", code]).returncode == 0


def test_chance_is_among_the_events(tmp_path):
    with served(log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2, food_chance=100), [url] * 2, "food", seed=1).play(turns=5)
    events = [event for frame in read_log(min(tmp_path.iterdir())).frames for event in frame.events]
    assert any(event.mover == CHANCE and event.words.startswith("food at ") for event in events)
