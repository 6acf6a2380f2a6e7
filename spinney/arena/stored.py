"""Games in files of any kind: results files, recordings, replay files of official engines, logs of servers.

A file may be anybody's. A game in it is found by its name among those that the reader allows: a path in a file is never
followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from spinney import games
from spinney.arena.store import Store
from spinney.errors import BadOption, BadRecording, UnknownName
from spinney.files import begins_with
from spinney.games import Card, Game
from spinney.games.frame import Replay, outcome
from spinney.games.parts import Format
from spinney.games.recording import read, replayed
from spinney.games.spec import parse_spec
from spinney.play import origin, replay_steps

CardOf = Callable[[str], Card]
"""From what a file calls its game to the card; an error if that game is not allowed."""
RESULTS, RECORDING, ONE_GAME = "results", "recording", "one game"
"""Kinds of files."""


class Listed(NamedTuple):
    """A game of a recording."""

    number: int
    game: str
    names: list[str]
    steps: int
    rewards: list[float]


def shipped(name: str) -> Card:
    """The card of a game that comes with Spinney."""
    if name not in games.game_names():
        raise BadOption(f"the file has a game of '{name}', which is not known here")
    return games.card(name)


def kind_of(file: Path) -> str:
    """What kind of file it seems to be; a file of no other kind is taken for results."""
    if _reader(file) is not None:
        return ONE_GAME
    return RECORDING if file.suffix in (".jsonl", ".gz") or begins_with(file, b"{") else RESULTS


def open_replay(file: Path, number: int | None = None, card_of: CardOf = shipped) -> Replay:
    """The game of a file, of whichever kind; of a file with many, the game with a number."""
    found = _reader(file)
    if found is None:
        read_number = _recorded if kind_of(file) == RECORDING else _of_tournament
        return read_number(file, number, card_of)
    if number is not None:
        raise BadOption(f"{file} is one game of {found[0].title}; leave out the number {number}")
    return found[1](file)


def list_recorded(file: Path) -> Iterator[Listed]:
    """The games of a recording."""
    for number, recorded in enumerate(read(file)):
        try:
            game, names = recorded["game"], recorded.get("agents") or []
            rewards = [float(it) for it in recorded["rewards"]]
            yield Listed(number, str(game), [str(name) for name in names], len(recorded["steps"]), rewards)
        except (LookupError, TypeError, ValueError):
            raise BadRecording(f"{file}: line {number + 1} is not a recording of Spinney") from None


def official_reader(file: Path) -> Card | None:
    """The game whose official format, or server's log, a file is."""
    found = _reader(file)
    return None if found is None else found[0]


def _reader(file: Path) -> tuple[Card, Callable[[Path], Replay]] | None:
    """The reader of a game's official format, or of the log of its server, that fits a file."""
    is_text = begins_with(file, b"{")
    for card in map(games.card, games.game_names()):
        official = card.formats.get(file.suffix, Format()).read
        if official is not None:
            return card, official
        bridge = import_module(card.bridge) if card.bridge and is_text else None
        if bridge is not None and hasattr(bridge, "is_log") and bridge.is_log(file):
            return card, bridge.read_log
    return None


def _of_tournament(file: Path, number: int | None, card_of: CardOf) -> Replay:
    """A game of a results file."""
    with closing(Store(file)) as store:
        if number is None:
            raise BadOption(f"{file} has many games; add the number of one, from 0")
        found = store.game(number)
        spec, names = store.settings["game"], [store.specs[agent] for agent in found.agents]
        briefs = store.decisions(number)
    name, options = parse_spec(spec)
    card = card_of(name)
    game = Game(card, card.options.read(card.name, options))
    result = f"game {number}: shares {', '.join(f'player {i + 1} {share:g}' for i, share in enumerate(found.shares))}"
    if found.forfeit is not None:
        result += f"; player {found.forfeit[0] + 1} {found.forfeit[1]}"
    about = f"game {number} of {file.name}: {spec}, seed {found.seed}"
    return replay_steps(game.start(found.seed, manual_chance=True), found.steps, names, about, result, briefs)


def _recorded(file: Path, number: int | None, card_of: CardOf) -> Replay:
    """A game that `watch --save` wrote."""
    if number is None:
        raise BadOption(f"{file} may have many games; add the number of one, from 0")
    count, recorded = 0, None
    for count, line in enumerate(read(file), 1):
        if count == number + 1:
            recorded = line
    if recorded is None:
        raise UnknownName(f"{file} has {count} game{'s' * (count != 1)}; number {number} is not there")
    if not isinstance(recorded.get("game"), str):
        raise BadRecording(f"{file} does not name its game; only recordings that Spinney made can be shown")
    card = card_of(recorded["game"])
    if card.name != recorded["game"]:
        raise BadOption(f"{file} has a game of '{recorded['game']}', and not of '{card.name}'; name its own file")
    state = replayed(card, recorded)
    names = _names(recorded, state.game)
    about = f"game {number} of {file.name}: {state.game!r}, {origin(state)}"
    result = f"game {number}: {outcome(state, names)}"
    briefs = {i: step["decision"] for i, step in enumerate(recorded["steps"]) if "decision" in step}
    return replay_steps(state.beginning(), state.history, names, about, result, briefs)


def _names(recorded: dict[str, Any], game: Game) -> list[str]:
    agents = recorded.get("agents")
    if isinstance(agents, list) and len(agents) == game.players:
        return [str(agent) for agent in agents]
    return ["unknown"] * game.players
