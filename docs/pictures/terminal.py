"""A terminal with the output of real commands."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from rich.console import Console
from rich.text import Text

WIDTH = 100


class Screen(Console):
    """A terminal of fixed width that records what is printed and reads from a list of typed lines."""

    def __init__(self, typed: Iterator[str]) -> None:
        super().__init__(
            file=io.StringIO(), width=WIDTH, force_terminal=True, color_system="truecolor", highlight=False
        )
        self.typed = typed

    def input(self, prompt: Any = "", **_: Any) -> str:
        line = next(self.typed)
        self.print(f"{prompt}[bold]{line}[/bold]")
        return line

    def status(self, *_: Any, **__: Any) -> Any:
        return nullcontext()  # without a spinner


def run(arguments: list[str], *typed: str) -> list[Text]:
    """The lines that a command prints, with their colours."""
    import spinney.cli.output

    screen = Screen(iter(typed))
    spinney.cli.output.SafeConsole = lambda **_: screen  # type: ignore[assignment,misc]
    spinney.cli.app(args=arguments, prog_name="spinney", standalone_mode=False)
    return list(Text.from_ansi(screen.file.getvalue()).split())  # type: ignore[attr-defined]


def command(arguments: list[str]) -> Text:
    """A command as a person types it."""
    words = " ".join(f'"{word}"' if "(" in word else word for word in arguments)
    return Text.assemble(("$ ", "green"), (f"spinney {words}", "bold"))


def since(lines: list[Text], beginning: str) -> list[Text]:
    """The lines from the last one that begins with these words."""
    start = max(number for number, line in enumerate(lines) if line.plain.startswith(beginning))
    return lines[start:]


def svg() -> str:
    watch = ["watch", "connect_four", "uct(iterations=20000)", "heuristic", "--seed", "3"]
    play = ["play", "examples/pig.py(players=3)", "--seed", "1"]
    bench = ["bench", "connect_four"]
    dots = Text("...", "bright_black")
    screen = Console(record=True, file=io.StringIO(), width=WIDTH, highlight=False)
    for line in (
        command(watch),
        dots,
        *since(run(watch), "player 1"),
        Text(),
        command(play),
        *run(play, "throw", "hint", "quit")[2:-2],
        Text(),
        command(bench),
        *run(bench),
        Text(),
    ):
        screen.print(line)
    drawn = screen.export_svg(title="spinney", unique_id="terminal")
    drawn = re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # no fonts from other sites
    return re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE)
