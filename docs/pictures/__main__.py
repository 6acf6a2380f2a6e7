"""`python -m docs.pictures [NAME ...]`, run in the root folder: draw these pictures, or all but the timed ones."""

from __future__ import annotations

import sys

from docs.pictures import FOLDER, PICTURES, TIMED


def main(names: list[str]) -> None:
    known = PICTURES | TIMED
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no picture {unknown[0]}; there are {', '.join(known)}")
    for name in names or PICTURES:
        file = FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(known[name](), encoding="utf-8")
        print(f"{name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
