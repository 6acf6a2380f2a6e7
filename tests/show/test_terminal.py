"""Frames on the terminal."""

from __future__ import annotations

import io

from rich.console import Console

import spinney
from spinney.games import CHANCE
from spinney.games.frame import Event, Frame, Replay
from spinney.show.terminal import show_replay


def test_events_boards_and_the_result_are_printed_in_their_order():
    state = spinney.game("tictactoe").start(1)
    screen = Console(file=io.StringIO(), width=100, highlight=False, markup=False)
    frames = [Frame(state.record.copy())]
    state.apply("5")
    frames.append(Frame(state.record.copy(), (Event(0, "5"), Event(CHANCE, "[red]no markup[/red]"))))
    show_replay(screen, Replay(state.game.card, ["a<b>", "c"], "", frames, "player 1 wins"))
    before, after = (state.game.card.board.draw(frame.record) for frame in frames)
    assert screen.file.getvalue() == (
        f"{before}\n\nplayer 1 (a<b>): 5\nchance: [red]no markup[/red]\n{after}\n\nplayer 1 wins\n"
    )
