"""`python -m docs.report FOLDER SCALE`, from the root: keep the report of a run of `spinney reproduce all`."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.report import FOLDER, GAMES, keep

if len(sys.argv) != 3:
    sys.exit("usage: python -m docs.report FOLDER SCALE, of a run of spinney reproduce all")
keep(Path(sys.argv[1]), float(sys.argv[2]))
print(f"{GAMES}: {(FOLDER / GAMES).stat().st_size:,} bytes")
