"""What a search thinks of a position, for the terminal: its actions with their visits and values, and its line."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from spinney.agents import Decision
from spinney.search import Choice

ROWS = 12
"""The most actions that are shown."""
BAR = 20
"""The width of the bars."""


def analysis_table(decision: Decision) -> RenderableType:
    """A row for each of the most visited actions, and below them the figures of the search. Of an agent that does not
    search, the action alone."""
    if not decision.choices:
        return Text(str(decision), style="bold")
    table = Table(header_style="bold", show_edge=False, pad_edge=False, box=None)
    players = len(decision.values)
    for name in ("action", "visits", ">", ">value", "1" if players == 1 else f"players 1 to {players}"):
        table.add_column(name.removeprefix(">"), justify="right" if ">" in name else "left", no_wrap=name != "action")
    most = max(choice.visits for choice in decision.choices)
    for choice in shown_choices(decision):
        table.add_row(
            choice.name, ProgressBar(total=max(1, most), completed=choice.visits, width=BAR), f"{choice.visits:,}",
            value_words(choice, decision.player), " ".join(f"{value:.3f}" for value in choice.values),
            style="bold" if choice.action == decision.action else "",
        )  # fmt: skip
    rest = len(decision.choices) - ROWS
    more = [Text(f"and {rest} more action{'s' * (rest > 1)}", style="dim")] if rest > 0 else []
    figures = Table.grid(padding=(0, 2))
    for name, words in figures_of(decision).items():
        figures.add_row(Text(name, style="dim"), Text(words))
    return Group(table, *more, Text(), figures)


def shown_choices(decision: Decision) -> list[Choice]:
    """The most visited actions, the chosen one among them."""
    shown, chosen = list(decision.choices[:ROWS]), None if decision.result is None else decision.result.chosen
    return shown if chosen is None or chosen in shown else [*shown[:-1], chosen]


def value_words(choice: Choice, player: int) -> str:
    """A value with its standard error."""
    if choice.proven:
        return f"{choice.value:.3f} proven"
    if not choice.visits:
        return ""
    return f"{choice.value:.3f} ± {choice.errors[player]:.3f}" if choice.errors else f"{choice.value:.3f}"


def figures_of(decision: Decision) -> dict[str, str]:
    """The line, the depth, the speed and the memory of a search, in words."""
    result = decision.result
    assert result is not None
    speed = f"{result.iterations:,} simulations in {decision.seconds:.1f} s, {decision.per_second:,.0f}/s"
    memory = f"{result.nodes:,} nodes" + (f" of {result.most_nodes:,}" if result.most_nodes else "")
    memory += f", {result.memory / 1e6:,.1f} MB" if result.memory else ""
    figures = {"line": " → ".join(decision.line)}
    if result.depth:
        mean = f", of which a simulation follows {result.mean_depth:.1f}" if result.mean_depth else ""
        figures["depth"] = f"{result.depth} step{'s' * (result.depth > 1)}{mean}"
    return {**figures, "speed": speed, "memory": memory + ", which are full" * result.full}
