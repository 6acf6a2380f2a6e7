"""`python -m docs.notebooks [NAME ...]`, run in the root folder: run these notebooks, or all, and store the outputs."""

from __future__ import annotations

import sys

import nbformat

from docs.notebooks import NOTEBOOKS, run


def main(names: list[str]) -> None:
    known = {file.stem: file for file in NOTEBOOKS}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no notebook {unknown[0]}; there are {', '.join(known)}")
    for name in names or known:
        nbformat.write(run(known[name]), known[name])
        print(f"{name}: {known[name].stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
