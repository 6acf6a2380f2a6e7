"""States and decisions as HTML for notebooks: parts of a page with a style of their own, for light and dark."""

from __future__ import annotations

from functools import singledispatch

from markupsafe import Markup

from spinney.agents import Decision
from spinney.games import State
from spinney.show.analysis import figures_of, shown_choices, value_words
from spinney.show.html import render
from spinney.show.svg import svg


@singledispatch
def html_of(shown: object) -> str:
    raise TypeError(f"a {type(shown).__name__} cannot be shown; a State and a Decision can")


@html_of.register
def _(state: State) -> str:
    """The picture of the position, or its text if the game has no picture."""
    board, about = state.game.card.board, repr(state).strip("<>")
    picture = None if board.picture is None else board.picture(state.record)
    return render(
        "notebook.html.j2",
        about="" if picture is None else about,
        image=None if picture is None else Markup(svg(picture, about)),
        head="" if picture is None else picture.head,
        facts=() if picture is None else picture.facts,
        text=f"{state}\n{about}" if picture is None else "",
        rows=(), figures={},
    )  # fmt: skip


@html_of.register
def _(decision: Decision) -> str:
    """The actions with bars for their visits, and the figures of the search."""
    most = max([1, *(choice.visits for choice in decision.choices)])
    rows = [
        (choice.name, round(100 * choice.visits / most, 1), choice.visits, value_words(choice, decision.player),
         choice.action == decision.action)
        for choice in shown_choices(decision)
    ]  # fmt: skip
    figures = figures_of(decision) if rows else {}
    return render(
        "notebook.html.j2", about=str(decision), image=None, head="", facts=(), text="", rows=rows, figures=figures
    )
