"""Run from the root of the repository: `python -m docs.report FOLDER SCALE` copies the report of a run of `spinney
reproduce all`; `python -m docs.report FOLDER` copies the games of a run of `spinney reproduce colosseum`, and prints
the tables of its page."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.report import FOLDER, GAMES, LONGER, keep, keep_longer, shares

if len(sys.argv) == 3:
    keep(Path(sys.argv[1]), float(sys.argv[2]))
elif len(sys.argv) == 2:
    keep_longer(Path(sys.argv[1]))
    print(*shares(Path(sys.argv[1])), sep="\n")
else:
    sys.exit(
        "usage: python -m docs.report FOLDER SCALE, of a run of spinney reproduce all; "
        "or python -m docs.report FOLDER, of one of spinney reproduce colosseum"
    )
kept = FOLDER / (GAMES if len(sys.argv) == 3 else LONGER)
print(f"{kept.name}: {kept.stat().st_size:,} bytes")
