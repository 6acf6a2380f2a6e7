"""The report of a results file: one HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spinney.arena.play import GameResult
from spinney.arena.summary import COLOURS, Figures
from spinney.games.spec import parse_spec
from spinney.show.html import render

LISTED_GAMES = 5
"""How many games are listed from the beginning of the tournament, and from its end."""
MOST_FORFEITS = 50
"""How many forfeits are listed."""


def make_report(found: Figures) -> str:
    """The page. The same results file always gives the same page."""
    listed = {game.number: game for game in [*found.finished[:LISTED_GAMES], *found.finished[-LISTED_GAMES:]]}
    return render("report.html.j2", **report_values(found), games=games_of(listed.values()))


def report_values(found: Figures) -> dict[str, Any]:
    """What templates need to show the figures."""
    even = found.even if found.finished else 0.0
    order = [found.specs.index(row.agent) for row in found.standings]
    return {
        "title": f"{found.settings['game']}: {' v '.join(found.specs)}",
        "found": found,
        "cpu": found.settings["clock"] == "cpu",
        "order": order,
        "better": [row for row in found.standings if row.low > even],
        "uneven_seats": [(seat, one) for seat, one in enumerate(found.seats, 1) if not one.low <= even <= one.high],
        "seat_names": [f">Seat {seat + 1}" for seat in range(found.players)],
        "opponent_names": [f">v {letter(agent)}" for agent in order],
        "forfeits": found.forfeits(),
        "most_forfeits": MOST_FORFEITS,
        "plots": _plots(found) if found.finished else {},
        "letter": letter,
        "colours": COLOURS,
    }


def games_of(games: Iterable[GameResult]) -> list[tuple[GameResult, str, str]]:
    """Games with who sat where, and who won, in letters."""
    return [(game, _letters(game.agents), _winners(game)) for game in games]


def letter(agent: int) -> str:
    """The short name of an agent: A to Z, then AA and so on."""
    return (letter(agent // 26 - 1) if agent >= 26 else "") + chr(ord("A") + agent % 26)


def _plots(found: Figures) -> dict[str, Any]:
    from spinney.arena import plots  # Matplotlib is slow to import, and only reports need it

    labels = [f"{letter(agent)}  {parse_spec(spec)[0][:16]}" for agent, spec in enumerate(found.specs)]
    drawn = [plots.shares, plots.ratings, plots.curves, plots.seats, *([plots.scores] if found.has_points else [])]
    return {plot.__name__: plot(found, labels) for plot in drawn}


def _winners(game: GameResult) -> str:
    agents = [agent for agent, share in zip(game.agents, game.shares, strict=True) if share > 0]
    forfeit = "" if game.forfeit is None else f" ({letter(game.agents[game.forfeit[0]])} forfeits)"
    return ("shared: " if len(agents) > 1 else "") + (_letters(agents) or "nobody") + forfeit


def _letters(agents: list[int]) -> str:
    return " ".join(letter(agent) for agent in agents)
