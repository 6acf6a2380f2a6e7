"""`spinney play`: what a person types, through a pipe and on a terminal."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest

import spinney
from spinney.cli.choices import Choices
from tests.commands import on_terminal
from tests.commands import run as run_command

CLEAR = "\x1b[H"
"""What a screen that is redrawn begins with."""
posix = pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")


def typed(capsys, monkeypatch, lines: list[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    code, out, errors = run_command(capsys, "play", *arguments)
    assert (code, errors) == (0, "")
    return out


class Terminal:
    """A game on a terminal."""

    def __init__(self, process: Any, read: Callable[[], str]) -> None:
        self.process, self.read = process, read

    def screen(self) -> str:
        """The last screen, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\x01\x02]", "", self.read().rpartition(CLEAR)[2])

    def press(self, keys: str, shows: str) -> str:
        """Press keys, and wait for a new screen that has a text and asks."""
        before = self.read().count(CLEAR)
        self.process.stdin.write(keys.encode())
        self._wait(lambda: self.read().count(CLEAR) > before and shows in self.screen() and "as in" in self.screen())
        return self.screen()

    def type(self, keys: str, echo: str) -> None:
        """Press keys, and wait for a text on the line that is typed or below."""
        before = len(self.read())
        self.process.stdin.write(keys.encode())
        self._wait(lambda: echo in self.read()[before:])

    def _wait(self, happened: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not happened():
            assert time.monotonic() < deadline, self.read()[-4000:]
            time.sleep(0.01)


@contextmanager
def play(*words: str):
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "45"}
    with on_terminal([sys.executable, "-m", "spinney", "play", *words], environment) as (process, read):
        terminal = Terminal(process, read)
        terminal.type("", "(you), as in")
        yield terminal


@posix
def test_a_screen_is_redrawn_and_arrows_steer_a_snake():
    with play("battlesnake(players=2)", "-a", "flood", "--hint", "flood", "--seed", "1") as game:
        assert "turn 0" in game.screen()
        for turn, arrow in enumerate(("\x1b[A", "\x1b[D", "\x1bOA"), 1):  # terminals send either
            screen = game.press(arrow, f"turn {turn} ")
        assert screen.count("standard 11x11") == 1
        assert len(re.findall("player 2 flood: (up|down|left|right)", screen)) == 1
        assert re.search(r"\x1b\[1;36mA|\x1b\[1m\x1b\[36mA", game.read())
        game.type("ri\t", "right")
        assert "A  player 1  length   3  health  96" in game.press("\n", "turn 4 ")
        game.press("nonsense\n", "'nonsense' is not legal")
        game.type("quit\n", "Game left.")
        assert game.process.wait(30) == 0


@posix
def test_enter_repeats_nothing_and_lines_have_a_history():
    with play("tictactoe", "-a", "random", "--seed", "1") as game:
        game.press("moves\n", "legal: 1, 2")
        assert "legal: 1, 2" not in game.press("\n", "1 | 2")
        game.type("\x1b[A", "moves")
        game.press("\n", "legal: 1, 2")
        game.type("\x04", "Game left.")
        assert game.process.wait(30) == 0


def test_forced_moves_play_themselves_and_undo_passes_over_them(capsys, monkeypatch):
    """The first way down and the first leave are no choices."""
    out = typed(capsys, monkeypatch, ["undo", "take", "undo", "quit"], "deepsea", "-a", "heuristic", "--seed", "1")
    assert "there is no choice to take back" in out
    asked = re.findall(r"\n(P1, [^\n]*)\n(?:player 1|hint)", out)
    assert asked
    assert not any("(no choice)" in line for line in asked)
    assert out.count("P1, on tile 2: leave, take (level 1)") >= 2


def test_cards_are_chosen_by_number_and_then_the_place(capsys, monkeypatch):
    lines = ["3", "", "3", "4 5", "n", "undo", "3 4 5 n", "undo", "7", "x", "7 d", "quit"]
    out = typed(capsys, monkeypatch, lines, "saboteur", "-a", "greedy", "--hint", "greedy", "--seed", "1")
    assert out.count("card 3, and then: 4 5 n, 4 5 t") == 2
    assert "card 3 4 5, and then: n, t" in out
    assert out.count("turn 3, ") == 3
    assert "'7 x' is not legal" in out


def test_every_numbered_choice_stands_for_one_action():
    """And all actions with a card have one."""
    state = spinney.game("saboteur").start(seed=5)
    agent = state.game.agent("random", seed=1)
    while not state.is_over:
        choices = Choices(state, state.mover)
        assert sorted(choices.numbered.values()) == sorted(state.legal())
        assert choices.numbered[
            choices.example if choices.example in choices.numbered else next(iter(choices.numbered))
        ]
        state.apply(agent.decide(state).action)


def test_moves_are_listed_by_their_cells(capsys, monkeypatch):
    out = typed(capsys, monkeypatch, ["moves", "rules", "help", "quit"], "colosseum", "-a", "walk", "--seed", "1")
    assert "walk to e4: e4 up, e4 right, e4 down, e4 left\n" in out
    assert "in parentheses" in out
    guide = spinney.game("colosseum").card.guide
    assert " ".join(guide.split())[:200] in " ".join(out.split())


def test_a_hint_says_why(capsys, monkeypatch):
    hinter = ("--hint", "uct(iterations=300)", "--seed", "1")
    out = typed(capsys, monkeypatch, ["hint", "quit"], "deepsea", "-a", "heuristic", *hinter)
    assert re.search(r"(leave|take) is worth \d+ % of a win", out)
    assert "you get home" in out


def test_an_agent_gives_the_rest_of_the_orders(capsys, monkeypatch):
    """Around those that the person gave: to a ship by its name, or to the one that is asked for."""
    lines = ["rest"] * 8 + ["moves", "ship 8 stay", "rest", "moves", "undo", "ship 8 stay", "ship 5 east", "stay"]
    lines += ["moves", "quit"]
    out = typed(capsys, monkeypatch, lines, "halite(size=32)", "-a", "planner", "--hint", "planner", "--seed", "1")
    assert "ship 8 stay: the order is given when its turn comes, or with rest" in out
    assert [out.count(f"turn {turn} of") for turn in (7, 8, 9)] == [1, 2, 2]  # undo takes all orders back
    there = re.findall(r"ship 8 on (\d+,\d+): stay", out)
    assert len(there) == 3
    assert len(set(there)) == 1
