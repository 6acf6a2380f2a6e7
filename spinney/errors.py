"""Everything Spinney raises on purpose. Each message says what was wrong and what is allowed."""

from __future__ import annotations


class SpinneyError(Exception):
    """The base of all errors below: catch this to catch them all."""


class IllegalAction(SpinneyError, ValueError):
    """An action or chance outcome that the rules do not allow here."""


class WrongPlayer(SpinneyError, ValueError):
    """An action for a player who is not to move."""


class GameOver(SpinneyError, ValueError):
    """Something that needs a game in progress, asked of a finished one."""


class UnknownName(SpinneyError, LookupError):
    """A game, agent or player that does not exist."""


class BadSpec(SpinneyError, ValueError):
    """A spec string such as `uct(iterations=2000)` that cannot be read."""


class BadOption(SpinneyError, ValueError):
    """An unknown option, or a value of the wrong type or out of range."""


class BadGame(SpinneyError, TypeError):
    """A game whose card or rules are incomplete, or that a search cannot play."""


class MissingPackage(SpinneyError, ImportError):
    """A package that only a part of Spinney needs, and that is not installed."""

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> MissingPackage:
        return cls(f"{what} needs {package}, which is not installed; try: pip install 'spinney[{extra}]'")


class BadRecording(SpinneyError, ValueError):
    """A recorded game that cannot be read."""


class BadMessage(SpinneyError, ValueError):
    """A message of a game's official engine that cannot be read."""


class BadNetwork(SpinneyError, ValueError):
    """A network's file, or data or settings to train one from, that cannot be used."""
