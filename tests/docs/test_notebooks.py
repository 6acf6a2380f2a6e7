"""The notebooks run in a new kernel and print what is stored in them."""

from __future__ import annotations

import json

import pytest

from docs.notebooks import NOTEBOOKS, run, text_of
from tests.show.pages import Page

MOST_BYTES = 200_000


def code_of(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def pictures_of(cell):
    """The outputs of a cell that are not text, by their type."""
    data = [output.get("data", {}) for output in cell["outputs"]]
    return [(kind, "".join(it[kind])) for it in data for kind in it if kind != "text/plain"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_prints_what_is_stored(file):
    """HTML is not compared, because it has times in it; but every cell shows as much of it as before."""
    stored, now = code_of(json.loads(file.read_text(encoding="utf-8"))), code_of(run(file))
    assert any(map(text_of, stored))
    for before, after in zip(stored, now, strict=True):
        assert text_of(after) == text_of(before), "store it anew: make notebooks"
        assert [kind for kind, _ in pictures_of(after)] == [kind for kind, _ in pictures_of(before)]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_small_and_shows_its_objects_without_a_kernel(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.encode()) <= MOST_BYTES
    assert str(file.parents[2]) not in text
    shown = [picture for cell in code_of(json.loads(text)) for picture in pictures_of(cell)]
    assert shown
    for kind, picture in shown:
        assert {"svg", "table"} & set(Page(picture).tags), kind
