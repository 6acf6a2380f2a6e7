"""The report of a run of `spinney reproduce all` that comes with the documentation, and the games that it is about; and
those of a longer run of Colosseum's comparisons, which the tables on its page are about."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from spinney import games
from spinney.agents import presets_of
from spinney.arena.standings import standings
from spinney.arena.store import Store
from spinney.files import file_name
from spinney.games.study import Comparison
from spinney.study.rerun import Rerun

FOLDER = Path(__file__).parent
PAGE, FIGURES, GAMES = "report.html", "figures.json", "games.tar.xz"
LONGER = "colosseum.tar.xz"
SEED = 1


def keep(run: Path, scale: float, to: Path = FOLDER) -> None:
    """Keep the page, the figures and the games of a run that was played at a scale."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        for name in games.game_names():
            study = games.card(name).study
            for comparison in [] if study is None else [one for one in study.comparisons if not one.long]:
                assert study is not None
                with closing(Rerun(study, comparison, run / name, scale, SEED)) as rerun:
                    if rerun.done < rerun.count:
                        raise SystemExit(f"{rerun.file} has {rerun.done} of {rerun.count} games")
                    finding, copy = rerun.finding(), Path(place, name, rerun.file.name)
                    copy_games(rerun.file, copy, rerun.count)
                ratio = None if finding.ratio is None else finding.ratio.value
                found.append(
                    {
                        "name": comparison.name, "file": f"{name}/{copy.name}", "whose": comparison.whose,
                        "games": finding.games, "share": finding.share, "low": finding.low, "high": finding.high,
                        "ratio": ratio,
                    }
                )  # fmt: skip
        pack(Path(place), to / GAMES)
    (to / FIGURES).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (to / PAGE).write_text((run / PAGE).read_text(encoding="utf-8"), encoding="utf-8")


def keep_longer(run: Path, to: Path = FOLDER) -> None:
    """Keep the games of a run of `spinney reproduce colosseum`, as many as there are."""
    with tempfile.TemporaryDirectory() as place:
        for file in run.glob("*.sqlite"):
            copy_games(file, Path(place, "colosseum", file.name))
        pack(Path(place), to / LONGER)


def shares(folder: Path) -> list[str]:
    """What the games in a folder of such a run say, as rows of tables: for each group of comparisons the shares of the
    first agent, size by size; for each idea, the agent and its share."""
    study = games.card("colosseum").study
    rows: dict[str, list[str]] = {}
    for comparison in [] if study is None else study.comparisons:
        name = comparison.group.removeprefix("idea: ")
        if name != comparison.group:
            name += f" | `{re.sub(', (first_)?seconds=[^,)]*', '', comparison.agents[0])}`"
        file = folder / f"{file_name(comparison.games_name)}.sqlite"
        rows.setdefault(name, []).append(_share(file, comparison) if file.exists() else "")
    return [f"| {' | '.join([name, *row])} |" for name, row in rows.items() if any(row)]


def _share(file: Path, comparison: Comparison) -> str:
    """A share with its interval, of agents that are what they are called today; nothing if no game is finished."""
    with closing(Store(file)) as store:
        agents, played = store.settings["agents"], store.games()
        today = presets_of(games.load(comparison.game), agents)
        if (tuple(agents), store.settings["presets"]) != (comparison.agents, today):
            raise SystemExit(f"{file} has games of {agents}, {store.settings['presets']}; wanted: {today}")
    if not played:
        return ""
    found = next(
        row for row in standings(tuple(dict.fromkeys(agents)), played) if row.agent == agents[comparison.whose]
    )
    percent = [f"{100 * share:.1f}".removesuffix(".0") for share in (found.share, found.low, found.high)]
    return "{} % ({}-{}) of {}".format(*percent, found.games)


def pack(place: Path, archive: Path) -> None:
    """All results files in the folders of a place, as one archive."""
    with tarfile.open(archive, "w:xz") as packed:
        for file in sorted(place.glob("*/*.sqlite")):
            packed.add(file, file.relative_to(place).as_posix(), filter=_of_nobody)


def copy_games(source: Path, copy: Path, count: int = sys.maxsize) -> None:
    """A results file with its first games alone, if there are more."""
    copy.parent.mkdir(exist_ok=True)
    if copy.exists():  # of another comparison about the same games
        return
    with closing(sqlite3.connect(source)) as results:
        results.execute("VACUUM INTO ?", (str(copy),))
    with closing(sqlite3.connect(copy, isolation_level=None)) as results:
        results.execute("DELETE FROM games WHERE number >= ?", (count,))
        results.execute("VACUUM")


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry
