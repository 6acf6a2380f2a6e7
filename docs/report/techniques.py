"""The table of `spinney reproduce techniques` in the documentation.

Run from the root of the repository: `python -m docs.report.techniques FOLDER` keeps the figures of the comparisons in a
run's folder that have all their games, beside those of earlier runs, and prints the table.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from spinney.files import file_name
from spinney.study.rerun import Rerun
from spinney.study.techniques import GAMES, STUDY, TECHNIQUES, comparison

FIGURES = Path(__file__).with_name("techniques.json")
SEED = 1


def rows(found: list[dict[str, Any]]) -> list[str]:
    """The table in Markdown: a row a technique, a column a game, and where the technique helps. Bold: better than even;
    in italics: worse."""
    cells = {one["name"]: one for one in found}
    columns = [one.column for one in GAMES]
    lines = [f"| | helps in | {' | '.join(columns)} |", f"|---|---|{'---|' * len(columns)}"]
    for name in dict.fromkeys(technique.name for technique in TECHNIQUES):
        row = [cells.get(f"{name}, {column}") for column in columns]
        helps = [column for column, one in zip(columns, row, strict=True) if one and one["low"] > one["even"]]
        lines.append(f"| {name} | {', '.join(helps) or 'none'} | {' | '.join(map(_cell, row))} |")
    return lines


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    mark = "**" if one["low"] > one["even"] else "*" if one["high"] < one["even"] else ""
    share = f"{100 * one['share']:.0f}"
    return f"{mark}{share}{mark} ({100 * one['low']:.0f}-{100 * one['high']:.0f})"


def keep(folder: Path) -> list[dict[str, Any]]:
    """The figures of a run."""
    found = []
    for one in STUDY.comparisons:
        if (folder / f"{file_name(one.games_name)}.sqlite").exists():
            with closing(Rerun(STUDY, one, folder, 1.0, SEED)) as rerun:
                finding = rerun.finding() if rerun.done >= rerun.count else None
            if finding is not None:
                shares = {"share": finding.share, "low": finding.low, "high": finding.high, "even": finding.even}
                found.append({"name": one.name, "agents": list(one.agents), "games": finding.games, **shares})
    return found


def planned() -> dict[str, list[str]]:
    """The agents of every comparison."""
    return {
        (one := comparison(technique, game)).name: list(one.agents)
        for technique in TECHNIQUES
        for game in GAMES
        if game.column in technique.columns
    }


def merged(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """New figures, and earlier ones of comparisons that are still the same, in the order of the study."""
    earlier = {one["name"]: one for one in json.loads(FIGURES.read_text(encoding="utf-8"))}
    figures = earlier | {one["name"]: one for one in found}
    return [figures[name] for name, agents in planned().items() if figures.get(name, {}).get("agents") == agents]


if __name__ == "__main__":
    figures = merged(keep(Path(sys.argv[1])))
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(*rows(figures), sep="\n")
