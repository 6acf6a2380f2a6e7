"""A results file as one page of HTML."""

from __future__ import annotations

from html import escape

from spinney.arena.play import GameResult
from spinney.arena.summary import COLOURS, Figures
from spinney.games.spec import parse_spec
from spinney.show.html import command, facts, interval, page, percent, plot, signed, table, with_interval
from spinney.stats import Share

LISTED = 5
"""So many games from the beginning, and from the end."""
MOST_FORFEITS = 50


def make_report(found: Figures) -> str:
    """The page. The same file gives the same page."""
    title = f"{found.settings['game']}: {' v '.join(found.specs)}"
    return page(title, [_head(found), *(_results(found) if found.finished else ["<p>No games are stored yet.</p>"])])


def letter(agent: int) -> str:
    """What an agent is called where there is no room: A to Z, AA and so on."""
    return (letter(agent // 26 - 1) if agent >= 26 else "") + chr(ord("A") + agent % 26)


def _head(found: Figures) -> str:
    settings = found.settings
    kind = " of CPU time" if settings["clock"] == "cpu" else ""
    limit = "none" if settings["limit"] is None else f"{settings['limit']:g} s{kind} a move"
    said = [
        ("Agents", "".join(_agent(found, agent) for agent in range(len(found.specs)))),
        ("Games", f"{len(found.finished):,} of {found.planned:,} planned"),
        ("Seed", str(settings["seed"])),
        ("Time limit", limit),
        ("Played with", escape("; ".join(settings.get("versions", ["a version that was not noted"])))),
        ("To play them again", command(found.command)),
    ]
    return f"<h1>A tournament of {escape(settings['game'])}</h1>\n{facts(said)}"


def _results(found: Figures) -> list[str]:
    from spinney.arena import plots  # Matplotlib is slow to import, and only reports need it

    labels = [f"{letter(agent)}  {parse_spec(spec)[0][:16]}" for agent, spec in enumerate(found.specs)]
    in_cpu_time = ", in CPU time" if found.settings["clock"] == "cpu" else ""
    even = percent(found.even)
    best = f" These are the best {COLOURS} agents." if len(found.standings) > COLOURS else ""
    parts = [
        f"<p class=lead>{_verdict(found)}</p>",
        "<h2>Standings</h2>",
        _standings(found),
        f"""<p class=note>A share is games won, where a tie of k counts 1/k; with {found.players} players at the table,
        {even} is even. Ratings are the most likely strengths under Luce's choice rule, in Elo around a mean of 0. Small
        figures are intervals of 95 %. Times are those of a move{in_cpu_time}.</p>""",
        "<div class=plots>",
        plot(plots.shares(found, labels), f"Share of games won. The dashed line is the even share, {even}."),
        plot(plots.ratings(found, labels), "Ratings in Elo. The dashed line is the mean of all agents."),
        plot(plots.curves(found, labels), f"Shares as they developed, with their intervals.{best}"),
        plot(plots.seats(found, labels), f"Shares by seat. Grey is the seat, whoever sat there.{best}"),
    ]
    if found.has_points:
        caption = "Points: how often an agent had how many. The black line is the mean."
        parts.append(plot(plots.scores(found, labels), caption))
    parts += ["</div>", "<h2>Seats</h2>", f"<p>{_seat_verdict(found)}</p>", _seats(found)]
    if len(found.standings) > 2:
        parts += ["<h2>Head to head</h2>", _head_to_head(found)]
    parts += ["<h2>Thinking times</h2>", _times(found), "<h2>Forfeits</h2>", _forfeits(found)]
    return [*parts, "<h2>Games</h2>", _games(found)]


def _verdict(found: Figures) -> str:
    """Who is better than even, in a sentence."""
    even = found.even
    better = [row for row in found.standings if row.low > even]
    if not better:
        return "Nobody is shown to be better: no interval lies above the even share."
    words = [
        f"{_agent(found, found.specs.index(row.agent))} wins <b>{percent(row.share)}</b> "
        f"({interval(row.low, row.high)}) of its games"
        for row in better
    ]
    return f"{'; '.join(words)}: more than the even share of {percent(even)}."


def _standings(found: Figures) -> str:
    names = ["Agent", ">Games", ">Won", ">Drawn", ">Share", *([">Mean score"] if found.has_points else [])]
    names += [">Rating", ">Mean time", ">Longest", ">Forfeits"]
    rows = [
        [
            _agent(found, found.specs.index(row.agent)),
            f"{row.games:,}",
            f"{row.won:,}",
            f"{row.drawn:,}",
            with_interval(row.share, row.low, row.high),
            *([f"{row.mean_score:.2f}"] if found.has_points else []),
            f"<b>{signed(row.rating)}</b> <small>{signed(row.rating_low)} to {signed(row.rating_high)}</small>",
            _seconds(row.seconds_per_move),
            _seconds(row.longest_move),
            str(row.forfeits),
        ]
        for row in found.standings
    ]
    return table(names, rows)


def _seat_verdict(found: Figures) -> str:
    even = found.even
    off = [(seat, share) for seat, share in enumerate(found.seats, 1) if not share.low <= even <= share.high]
    if not off:
        return "No seat is shown to be better or worse: every interval includes the even share."
    words = [f"seat {seat} wins {percent(share.share)} ({interval(share.low, share.high)})" for seat, share in off]
    return f"The seat matters: {', '.join(words)}, and {percent(even)} is even."


def _seats(found: Figures) -> str:
    names = ["", *(f">Seat {seat + 1}" for seat in range(found.players))]
    rows = [
        [_agent(found, agent), *(_cell(share) for share in found.by_seat[agent])]
        for agent in (found.specs.index(row.agent) for row in found.standings)
    ]
    return table(names, [*rows, ["all", *(_cell(share) for share in found.seats)]])


def _head_to_head(found: Figures) -> str:
    order = [found.specs.index(row.agent) for row in found.standings]
    rows = [[_agent(found, one), *(_cell(found.head_to_head[one][two]) for two in order)] for one in order]
    note = "Of what the two won in games where both sat, the part of the agent on the left. Games are those they won."
    return table(["", *(f">v {letter(two)}" for two in order)], rows) + f"<p class=note>{note}</p>"


def _times(found: Figures) -> str:
    names = ["Agent", ">Moves", ">Mean", ">Longest", ">In game", ">All together"]
    rows = []
    for row in found.standings:
        agent = found.specs.index(row.agent)
        moves, total, longest, game = found.times[agent]
        mean = _seconds(total / max(1, moves))
        rows.append([_agent(found, agent), f"{moves:,}", mean, _seconds(longest), str(game), _seconds(total)])
    return table(names, rows)


def _forfeits(found: Figures) -> str:
    forfeits = found.forfeits()
    if not forfeits:
        return "<p>None.</p>"
    rows = [
        [str(game.number), _agent(found, game.agents[seat]), str(seat + 1), escape(reason)]
        for game, seat, reason in forfeits[:MOST_FORFEITS]
    ]
    more = len(forfeits) - len(rows)
    return table([">Game", "Agent", ">Seat", "Reason"], rows) + (f"<p>And {more:,} more.</p>" if more else "")


def _games(found: Figures) -> str:
    listed = {game.number: game for game in [*found.finished[:LISTED], *found.finished[-LISTED:]]}
    names = [">Game", "Seats", "Won by", *(["Points"] if found.has_points else []), ">Steps", "To see it"]
    rows = [
        [
            str(game.number),
            " ".join(letter(agent) for agent in game.agents),
            _winners(game),
            *([", ".join(f"{score:g}" for score in game.scores)] if found.has_points else []),
            str(len(game.steps)),
            f"<code>{escape(found.replay(game.number))}</code>",
        ]
        for game in listed.values()
    ]
    what = "all games" if len(listed) == len(found.finished) else "the first and the last games"
    return f"<p>These are {what}; <code>{escape(found.replay('N'))}</code> shows game N.</p>" + table(names, rows)


def _winners(game: GameResult) -> str:
    names = [letter(agent) for agent, share in zip(game.agents, game.shares, strict=True) if share > 0]
    forfeit = "" if game.forfeit is None else f" ({letter(game.agents[game.forfeit[0]])} forfeits)"
    return ("shared: " if len(names) > 1 else "") + (" ".join(names) or "nobody") + forfeit


def _agent(found: Figures, agent: int) -> str:
    name = escape(found.specs[agent])
    return f"<span class=agent><b class=a{agent % COLOURS}>{letter(agent)}</b> <span>{name}</span></span>"


def _cell(share: Share | None) -> str:
    if share is None or share.games == 0:
        return ""
    return f"{with_interval(share.share, share.low, share.high)} <small>{share.games:,.10g} games</small>"


def _seconds(seconds: float) -> str:
    if seconds >= 0.9995:
        return f"{seconds:,.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 0.0009995 else f"{1e6 * seconds:.3g} µs"
