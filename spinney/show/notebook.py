"""States, decisions, reviews and tables as HTML for notebooks: parts of a page with a style of their own, for light and
dark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from markupsafe import Markup

from spinney.agents import Decision
from spinney.games import CHANCE, OVER, State
from spinney.play.review import Review
from spinney.show.analysis import figures_of, shown_choices, value_words
from spinney.show.html import render
from spinney.show.review import graph_of
from spinney.show.svg import svg

ABSENT: dict[str, Any] = {
    "head": "", "image": None, "text": "", "facts": (), "about": "", "rows": (), "figures": {}, "graph": None,
    "columns": (), "cells": (),
}  # fmt: skip
"""The values of the template for what is not shown."""


@singledispatch
def html_of(shown: object) -> str:
    raise TypeError(f"a {type(shown).__name__} cannot be shown; a State, a Decision and a Review can")


@html_of.register
def _(state: State) -> str:
    """The picture of the position, or its text if the game has no picture."""
    board, about = state.game.card.board, _about(state)
    if board.picture is None:
        return _part(text=f"{state}\n{about}")
    picture = board.picture(state.record)
    image = Markup(svg(picture, about))
    return _part(about=about, image=image, head=picture.head, facts=picture.facts)


def _about(state: State) -> str:
    """The game, and who is to move; players are counted from 1, as in pictures."""
    movers = " and ".join(str(player + 1) for player in state.movers)
    where = {OVER: "over", CHANCE: "chance to move"}.get(state.mover, f"player{'s' * (' ' in movers)} {movers} to move")
    return f"{state.game!r} after {len(state.history)} steps, {where}"


@html_of.register
def _(decision: Decision) -> str:
    """The actions with bars for their visits, and the figures of the search."""
    most = max([1, *(choice.visits for choice in decision.choices)])
    rows = [
        (choice.name, round(100 * choice.visits / most, 1), choice.visits, value_words(choice, decision.player),
         choice.action == decision.action)
        for choice in shown_choices(decision)
    ]  # fmt: skip
    return _part(about=str(decision), rows=rows, figures=figures_of(decision) if rows else {})


@html_of.register
def _(review: Review) -> str:
    """The values of all players over the game, and the worst decisions."""
    graph = graph_of(review)
    return _part(about=graph["about"], graph=graph | {"names": review.replay.names})


def table_html(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table. Columns with numbers are named as in ">games": they are aligned right."""
    columns = [(name.removeprefix(">"), name.startswith(">")) for name in names]
    return _part(columns=columns, cells=rows)


def _part(**shown: Any) -> str:
    return render("notebook.html.j2", **ABSENT | shown)
