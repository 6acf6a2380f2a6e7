"""The table of features: its options exist, and what it says of others has a source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spinney.games.spec import parse_spec
from spinney.search import SEARCHES

PAGE = (Path(__file__).parents[2] / "docs" / "features.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in PAGE.splitlines() if line.startswith("| ")]
TITLES = next(row for row in ROWS if "Spinney" in row)[-6:]
FEATURES = {row[0]: dict(zip(TITLES, row[1:], strict=True)) for row in ROWS if "Spinney" not in row}
OPTIONS = [spec for row in FEATURES.values() for spec in re.findall(r"(?<!\[)`([^`]+)`", row["Spinney"])]
SOURCES = {title: PAGE.partition(f"\n### {title}\n")[2].partition("\n### ")[0] for title in TITLES[1:]}


@pytest.mark.parametrize("spec", OPTIONS)
def test_the_options_of_spinney_exist(spec):
    name, given = parse_spec(spec)
    SEARCHES[name][1].read(name, given)


@pytest.mark.parametrize("title", SOURCES)
def test_every_mark_has_a_source(title):
    """The marks of the list of sources are those of the table; what is not found says where it was looked for."""
    marks = {}
    for techniques, mark in re.findall(r"^- \*\*([^*]+)\*\*\s+\(([^)]+)\):", SOURCES[title], re.MULTILINE):
        marks |= dict.fromkeys(" ".join(techniques.split()).split(", "), mark)
    assert marks == {name: row[title] for name, row in FEATURES.items() if row[title] != "no"}
    assert "\nNot found: " in SOURCES[title]


def test_links_lead_to_files_at_a_commit():
    defined = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", PAGE, re.MULTILINE))
    assert {" ".join(label.split()) for label in re.findall(r"\]\[([^\]]+)\]", PAGE)} == set(defined)
    links = re.findall(r"https://github\.com/[\w.-]+/[\w.-]+/[^)\s]+", PAGE)
    assert set(defined.values()) < set(links)
    assert [link for link in links if not re.search(r"/blob/[0-9a-f]{40}/\S", link)] == []
