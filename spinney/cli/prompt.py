"""Lines that a person types. On a terminal there are a history, Tab and the arrow keys."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console

ARROWS = {"A": "ArrowUp", "B": "ArrowDown", "C": "ArrowRight", "D": "ArrowLeft"}
"""The keys by the last letter of what a terminal sends for them."""
REST_OF_A_KEY = 0.1
"""Seconds to wait for it."""


class Prompt:
    """Asks a person."""

    def __init__(self, screen: Console, on_terminal: bool) -> None:
        self.screen, self.on_terminal = screen, on_terminal
        self._words: Sequence[str] = ()
        self._readline: Any = _readline(self._complete) if on_terminal else None

    def ask(self, prompt: str, words: Sequence[str], arrows: Mapping[str, str]) -> str:
        """A line. Tab completes `words`; an arrow key is its word in `arrows` at once. EOFError at the end."""
        if not self.on_terminal:
            return self.screen.input(prompt, markup=False)
        self._words = words
        begun = ""
        if arrows and self._readline is not None:
            sys.stdout.write(prompt)
            sys.stdout.flush()
            key = _key()
            while key not in arrows and not (len(key) == 1 or key == "Tab"):
                key = _key()
            sys.stdout.write("\r")
            if key in arrows:
                return arrows[key]
            if key in "\r\n":
                return ""
            if key == "\x04":
                raise EOFError
            begun = key if key.isprintable() and len(key) == 1 else ""
        if self._readline is None:
            return input(prompt)
        self._readline.set_startup_hook(lambda: self._readline.insert_text(begun))
        return input(prompt)

    def _complete(self, text: str, number: int) -> str | None:
        found = [word for word in self._words if word.lower().startswith(text.lower())]
        return found[number] if number < len(found) else None


def _readline(complete: Callable[[str, int], str | None]) -> Any:
    """Line editing, if the platform has it."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer(complete)
    readline.set_completer_delims("")
    edits = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if edits else "tab: complete")
    return readline


def _key() -> str:
    """One key, without Enter: a character, or the name of an arrow key; another key's name is "Other"."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        key = os.read(terminal, 1)
        if key == b"\x1b":
            while select.select([terminal], [], [], REST_OF_A_KEY)[0] and not key[2:].isalpha():
                key += os.read(terminal, 1)
            return ARROWS.get(key[2:].decode(errors="replace"), "Other")
        while key and key[0] >= 0xC0 and len(key) < 4 and select.select([terminal], [], [], 0)[0]:
            key += os.read(terminal, 1)  # the other bytes of a character
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    return key.decode(errors="replace")[:1] or "\x04"
