"""The parts of a card: what belongs together about a game, apart from its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from spinney.games.encoding import UNIFORM, Encoder
from spinney.games.options import Options
from spinney.games.picture import Picture, Tap

Rule = Callable[..., Any]
"""A function marked with `@rule`."""
Orders = Callable[..., list[int]]
"""From a plain record and a player to the player's actions of a whole turn, in the order in which they are asked."""


@dataclass(frozen=True)
class Example:
    """What makes a game hard, and a typical position of it for its picture: a text, or from a game of hand-written
    players."""

    hard: str = ""
    """What makes the game hard, in a few words."""
    title: str = ""
    """What the picture shows."""
    options: Mapping[str, Any] = field(default_factory=dict)
    position: str = ""
    """The text of the position; none: it is played."""
    agents: tuple[str, ...] = ()
    """The agents of the seats in turn; none: the first hand-written player in all seats."""
    seed: int = 1
    steps: int | None = None
    """After how many steps the position is shown; none: in the middle of the game."""
    viewer: int | None = None
    """The player whose view is shown; none: the whole position."""


class Asked(NamedTuple):
    """What is to be entered next at a real table."""

    words: str
    """What the player does, to be read after the name: "throws the dice"."""
    example: str = ""
    """What a person may type."""
    player: int | None = None
    """Whom it is about; none: nobody, as when cards are laid out."""


@dataclass(frozen=True)
class AtTable:
    """How the game is followed at a real table, where people enter what happens. What is absent is done as in all
    games."""

    ask: Callable[[Any], Asked] | None = None
    """What is entered next, `(s)`."""
    read: Callable[[Any, str], Sequence[int] | None] | None = None
    """Actions or outcomes one after the other that a text in lower case stands for, `(s, text)`; none: the names of the
    actions decide. An IllegalAction says what is allowed."""
    warn: Callable[[Any, int], list[str]] | None = None
    """Mistakes that a player is about to make, `(s, player)`."""
    explain: Callable[[Any, int, Sequence[int]], list[str]] | None = None
    """What is expected of some actions, the best one first, `(s, player, actions)`; `s` is what the player may know."""
    describe: Callable[[Any], str] | None = None
    """A position as lines that people can change, for `set_up`."""
    set_up: Callable[[str, Any], str] | None = None
    """Such lines, or some of them, as the text of a position without the game, `(text, options)`."""
    round: Callable[[Any], int] | None = None
    """The number of the round, in games whose scores are kept by rounds."""
    seen: Any = None
    """With hidden cards: the card of the game as one player sees it. Its options have the player, `seat` from 1; its
    State extends that of the game, and moves of others, which may need any card that the player has not seen, are
    legal. What nobody sees is one outcome. None: a game with hidden cards cannot be followed."""
    as_seen: Callable[[Any, int], Any] | None = None
    """A position of the game as a position of `seen`, `(s, player)`: only what the player may know."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game as people own it, where they are not the defaults."""


@dataclass(frozen=True)
class Board:
    """How positions and actions are shown."""

    draw: Callable[[Any], str]
    """The position as text."""
    name_action: Callable[[Any, int], str]
    """An action, or a chance outcome, in the words that a person would type."""
    picture: Callable[[Any], Picture] | None = None
    """The position as a picture; without it, pages show the text."""
    name_seen: Callable[[Any, int, int], str] | None = None
    """With hidden information: an action or outcome as a player sees it, `(s, action, player)`; may be empty."""
    write: Callable[[Any], str] | None = None
    """The position in one line, for `State.to_text`; without it, the fields of the record are written."""
    read: Callable[[str, Any], Any] | None = None
    """The inverse, `(text, options)`: a record, or a BadPosition that says what is wrong and what is allowed."""
    taps: Callable[[Any, int, int], tuple[Tap, ...]] | None = None
    """What a person taps one after the other to choose an action, or to enter a chance outcome, `(s, action, player)`;
    the player of an outcome is CHANCE. No two legal actions of a player have the same taps, and none has those with
    which another begins. Without it, every action is a button."""
    signs: Sequence[str] = ()
    """What stands for each player's pieces in `draw`: letters, which a terminal shows in the player's colour."""
    example: Example = Example()
    at_table: AtTable = field(default_factory=AtTable)


@dataclass(frozen=True)
class Player:
    """A hand-written player with options: `make(**options)` returns its rule."""

    make: Callable[..., Rule]
    options: type[Options] = Options


@dataclass(frozen=True)
class Planner:
    """A hand-written player that gives all orders of a turn at once: `make(**options)` returns a function that does."""

    make: Callable[..., Orders]
    options: type[Options] = Options
    completes: bool = False
    """Whether the function plans around actions that are decided already: its third argument, a mapping from their
    places in the turn."""


@dataclass(frozen=True)
class OpponentModels:
    """Hand-written players as models of the opponents, in one rule: it plays the model in `out.role`."""

    policy: Rule
    specs: tuple[str, ...]


@dataclass(frozen=True)
class Searching:
    """What a game offers to searches. Of several rules of a kind, the first is the default."""

    rollout: str = "random"
    """The default rollout player."""
    evaluations: Mapping[str, Rule] = field(default_factory=dict)
    """Rules `(s, out)` that estimate the rewards of an unfinished game."""
    biases: Mapping[str, Rule] = field(default_factory=dict)
    """Rules `(s, player, out, n)` that write to `out.weight` how good the n actions of `out.action` look."""
    openings: Mapping[str, Rule] = field(default_factory=dict)
    """Rules like players that a search may ask first; they answer -1 to leave the decision to the search."""
    checks: Mapping[str, Rule] = field(default_factory=dict)
    """Static checks: rules like `legal` that leave out actions when others are sure to be better."""
    rewards: Mapping[str, Rule] = field(default_factory=dict)
    """Rewards other than `win` that a search may maximise: rules like `reward`."""
    opponent_models: Mapping[str, OpponentModels] = field(default_factory=dict)


class PieceStats(NamedTuple):
    """What a search found out about the orders of pieces, a row for each."""

    visits: Any
    """How often each order was tried."""
    values: Any
    """The mean value of each order, from 0 to 1."""
    scores: Any
    """The mean score of each piece."""


@dataclass(frozen=True)
class Pieces:
    """For games in which a player moves many pieces at once."""

    rules: ModuleType
    """A module with the rules of PieceRules, `Guide`, `MAX_PIECES`, and `ORDERS`, the number of orders of a piece;
    these are the actions from 0."""
    make_command: Callable[[], Callable[[Any, int, PieceStats], list[int]]] | None = None
    """Returns a function that finds a player's actions for a whole turn from what a search found; without it, each
    piece has its most visited order."""
    standing: Callable[[Any], list[float]] | None = None
    """How the game stands: a share for every player, such as that of all they have; for reviews."""
    losses: Callable[[Any, Any], list[tuple[int, str, float]]] | None = None
    """What players lost between two positions: the player, what in words, and how much; for reviews."""


@dataclass(frozen=True)
class Networks:
    """For games that networks play."""

    encoders: tuple[Encoder, ...]
    """How positions become numbers for a network: the newest last. All have the same outputs."""
    folder: Path | None = None
    """A folder with networks that are shipped with the game."""
    default: str = UNIFORM
    """The network that plays unless another is named."""
    training: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the game's own settings are in presets of `spinney train`, by the preset's name."""


@dataclass(frozen=True)
class Format:
    """A file format of the official engine. What it cannot do is absent."""

    read: Callable[[Path], Any] | None = None
    """A file as a `spinney.games.frame.Replay`."""
    write: Callable[[Path, Any, Sequence[str]], None] | None = None
    """Write a finished state and its agents' names."""
    verify: Callable[[Any, dict[str, Any]], tuple[int, list[str]]] | None = None
    """Replay one recorded game, `(card, recorded)`: the number of steps, and the differences in words."""
