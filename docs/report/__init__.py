"""The report of a run of `spinney reproduce all` with its games, and the games of a longer run of the comparisons of
Colosseum, from which the tables of its page are made."""

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
from spinney.arena import Store, standings
from spinney.files import file_name
from spinney.games.study import Comparison
from spinney.study.rerun import Rerun

FOLDER = Path(__file__).parent
PAGE, FIGURES, GAMES = "report.html", "figures.json", "games.tar.xz"
LONGER = "colosseum.tar.xz"
SEED = 1


def keep(run: Path, scale: float, to: Path = FOLDER) -> None:
    """Copy the page, the figures and the games of a run that was played at a scale."""
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
    """Copy all games of a run of `spinney reproduce colosseum`."""
    with tempfile.TemporaryDirectory() as place:
        for file in run.glob("*.sqlite"):
            copy_games(file, Path(place, "colosseum", file.name))
        pack(Path(place), to / LONGER)


def shares(folder: Path) -> list[str]:
    """The win shares in the results files of such a run as rows of Markdown tables: for each group of comparisons the
    shares of the first agent by board size; for each idea the agent and its share."""
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
    """A share with its interval, or nothing if no game is finished. The agents and presets of the file must be those of
    today."""
    with closing(Store(file)) as store:
        agents, played = store.settings["agents"], store.games()
        today = presets_of(games.load(comparison.game), agents)
        if (tuple(agents), store.settings["presets"]) != (comparison.agents, today):
            raise SystemExit(f"{file} has games of {agents}, {store.settings['presets']}; wanted: {today}")
        rows = standings(store.specs, played)
    if not played:
        return ""
    found = next(row for row in rows if row.agent == agents[comparison.whose])
    percent = [f"{100 * share:.1f}".removesuffix(".0") for share in (found.share, found.low, found.high)]
    return "{} % ({}-{}) of {}".format(*percent, found.games)


def pack(place: Path, archive: Path) -> None:
    """Pack all results files in the folders of a place into one archive."""
    with tarfile.open(archive, "w:xz") as packed:
        for file in sorted(place.glob("*/*.sqlite")):
            packed.add(file, file.relative_to(place).as_posix(), filter=_anonymous)


def copy_games(source: Path, copy: Path, count: int = sys.maxsize) -> None:
    """Copy a results file with its first games."""
    copy.parent.mkdir(exist_ok=True)
    if copy.exists():  # of another comparison of the same games
        return
    with closing(sqlite3.connect(source)) as results:
        results.execute("VACUUM INTO ?", (str(copy),))
    with closing(sqlite3.connect(copy, isolation_level=None)) as results:
        results.execute("DELETE FROM games WHERE number >= ?", (count,))
        results.execute("DELETE FROM seats WHERE game >= ?", (count,))
        results.execute("VACUUM")


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry without owner and time."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry
