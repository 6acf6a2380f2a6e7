"""What commands import: only what they need, because imports are most of the time of a short command."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spinney.cli.commands import COMMANDS, load_command

SLOW = {"numba", "scipy", "matplotlib", "fastapi", "jinja2", "multiprocessing", "sqlite3", "onnxruntime"}
OURS = {"spinney.search", "spinney.agents", "spinney.arena", "spinney.pool", "spinney.bridges"}

IMPORTED = """
import sys
from spinney.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code
print(*sys.modules, file=sys.stderr)
"""


def imported(*command: str) -> set[str]:
    """The modules that a command imports."""
    done = subprocess.run([sys.executable, "-c", IMPORTED, *command], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("command", "unwanted"),
    [
        ("--help", SLOW | OURS | {"numpy", "pydantic", "spinney.games"}),
        ("--version", SLOW | OURS | {"numpy", "spinney.games"}),
        ("games", SLOW | OURS),
        ("play --help", SLOW | OURS - {"spinney.search", "spinney.agents"}),
    ],
)
def test_commands_import_what_they_need(command, unwanted):
    assert imported(*command.split()) & unwanted == set()


def test_the_library_imports_what_is_used():
    code = """
import sys
import spinney
assert not {"numpy", "numba", "pydantic"} & sys.modules.keys()
spinney.game("tictactoe").start()
assert "numba" not in sys.modules
assert all(hasattr(spinney, name) for name in spinney.__all__)
assert not hasattr(spinney, "chess")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_is_that_of_its_help(name):
    text = load_command(name).help.partition("\n\n")[0]
    assert " ".join(text.split()) == COMMANDS[name][1]
