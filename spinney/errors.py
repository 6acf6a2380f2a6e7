"""The exceptions of Spinney. Each message says what was wrong and what is allowed."""

from __future__ import annotations


class SpinneyError(Exception):
    """Base class of all exceptions of Spinney."""


class IllegalAction(SpinneyError, ValueError):
    """An action or chance outcome that is not legal in the position."""


class WrongPlayer(SpinneyError, ValueError):
    """An action for a player who is not to move."""


class GameOver(SpinneyError, ValueError):
    """An operation on a finished game that needs a game in progress, or the reverse."""


class UnknownName(SpinneyError, LookupError):
    """A game, agent or player that does not exist."""


class BadSpec(SpinneyError, ValueError):
    """A spec string such as `uct(iterations=2000)` that cannot be read."""


class BadOption(SpinneyError, ValueError):
    """An unknown option, or a value of the wrong type or out of range."""


class BadGame(SpinneyError, TypeError):
    """A game whose card or rules are incomplete, or that a search cannot play."""


class MissingPackage(SpinneyError, ImportError):
    """An optional package that is not installed."""

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> MissingPackage:
        return cls(f"{what} needs {package}, which is not installed; try: pip install 'spinney-mcts[{extra}]'")


class BadRecording(SpinneyError, ValueError):
    """A recording of a game that cannot be read."""


class BadPosition(SpinneyError, ValueError):
    """A text that is not a position of the game."""


class BadMessage(SpinneyError, ValueError):
    """A message from a game's official engine that cannot be read."""


class BadNetwork(SpinneyError, ValueError):
    """A network file, training data or training settings that cannot be used."""
