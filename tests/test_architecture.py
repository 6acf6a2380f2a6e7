"""Rules of the house that no other tool checks."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

import spinney
from spinney.games import card, game_names
from spinney.search import SEARCHES, Search

PACKAGE = Path(spinney.__file__).parent
NAMES = tuple(game_names())


def own_folder(file: Path) -> bool:
    """Whether a file is in the folder of a game, or of its bridge."""
    parts = file.relative_to(PACKAGE).parts
    return len(parts) > 2 and parts[0] in ("games", "bridges") and parts[1] in NAMES


ACROSS_GAMES = PACKAGE / "study" / "techniques.py"
"""A study whose columns are games."""
FILES = [file for file in sorted(PACKAGE.rglob("*.py")) if not own_folder(file) and file != ACROSS_GAMES]


def named(tree: ast.Module) -> list[str]:
    """The games that code names: imports, identifiers and texts, apart from docstrings and examples in help texts."""
    texts = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    found = []
    for node in ast.walk(tree):
        words = ""
        if isinstance(node, ast.ImportFrom):
            words = f"{node.module} {' '.join(name.name for name in node.names)}"
        elif isinstance(node, ast.Import):
            words = " ".join(name.name for name in node.names)
        elif isinstance(node, ast.Name):
            words = node.id
        elif isinstance(node, ast.Attribute):
            words = node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            words = node.value
        found += [f"line {node.lineno}: {words}" for name in NAMES if mentions(words.lower(), name)]
    return found


def mentions(words: str, name: str) -> bool:
    """Whether a text has the name of a game in it; one of three letters, such as `hex`, as a word of its own."""
    return name in (words if len(name) > 3 else re.findall(r"\w+", words))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_only_a_games_own_files_name_it(file):
    assert named(ast.parse(file.read_text())) == []


def test_searches_are_at_most_two_classes_deep():
    for kind in {algorithm.search for algorithm, _ in SEARCHES.values()}:
        ours = [base for base in kind.__mro__ if base.__module__.startswith("spinney.search")]
        assert ours[-1] is Search
        assert len(ours) <= 2, ours


def test_a_card_has_few_fields():
    assert len(fields(card("tictactoe"))) <= 14
