"""The table of `spinney reproduce techniques` in the documentation.

Run from the root of the repository: `python -m docs.report.techniques FILE`, where the file is from `--json`, keeps the
figures and prints the table.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from spinney.study.techniques import GAMES, TECHNIQUES, comparison

FIGURES = Path(__file__).with_name("techniques.json")


def rows(found: list[dict[str, Any]]) -> list[str]:
    """The table in Markdown: a row a technique, a column a game. Bold: better than even; in italics: worse."""
    cells = {one["name"]: one for one in found}
    lines = [f"| | {' | '.join(one.column for one in GAMES)} |", f"|---|{'---|' * len(GAMES)}"]
    for name in dict.fromkeys(technique.name for technique in TECHNIQUES):
        lines.append(f"| {name} | {' | '.join(_cell(cells.get(f'{name}, {game.column}')) for game in GAMES)} |")
    return lines


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    mark = "**" if one["low"] > one["even"] else "*" if one["high"] < one["even"] else ""
    share = f"{100 * one['share']:.0f}"
    return f"{mark}{share}{mark} ({100 * one['low']:.0f}-{100 * one['high']:.0f})"


def keep(file: Path) -> list[dict[str, Any]]:
    """The figures of a run, shortened."""
    return [
        {
            "name": one["comparison"]["name"], "agents": one["comparison"]["agents"], "games": one["games"],
            "even": 1 / len(one["comparison"]["agents"]), "share": one["share"], "low": one["low"], "high": one["high"],
        }
        for one in json.loads(file.read_text(encoding="utf-8"))["comparisons"]
    ]  # fmt: skip


def planned() -> dict[str, list[str]]:
    """The agents of every comparison."""
    return {
        (one := comparison(technique, game)).name: list(one.agents)
        for technique in TECHNIQUES
        for game in GAMES
        if game.column in technique.columns
    }


if __name__ == "__main__":
    figures = keep(Path(sys.argv[1]))
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(*rows(figures), sep="\n")
