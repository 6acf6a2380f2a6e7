"""Replay files of the official engine, `.hlt`: JSON, usually compressed with Zstandard.

`write` makes one from a finished game, for the viewers of the official engine. `read` makes a replay of one;
`read_recording` reads its content as a recording, which `RecordedGame` replays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import zstandard

from spinney.errors import BadRecording
from spinney.files import LARGEST, read_bounded, write_atomic
from spinney.games import load
from spinney.games.frame import Event, Frame, Replay, outcome
from spinney.games.halite import rules
from spinney.games.halite.board import ORDERS
from spinney.games.halite.commands import DIRECTIONS, command_line, parse
from spinney.games.halite.maps import turns_for
from spinney.games.halite.recording import FIXED, RecordedGame, events, result_of, rows_of, ships_of, xy
from spinney.games.halite.start import map_seed
from spinney.games.halite.state import CONSTRUCT, SPAWN
from spinney.games.picture import counted
from spinney.games.recording import UNREADABLE
from spinney.games.state import State
from spinney.kernel import SETUP, seeded

VERSION = 3
NO_TURN: dict[str, Any] = {"commands": {}, "events": [], "cells_changed": []}
"""The turn of the first and the last frame."""
MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of a compressed file."""


# ---- files


def write(file: Path, state: State, names: Sequence[str]) -> None:
    """Write a finished game, which must have been played from its start."""
    data = json.dumps(to_hlt(recorded(state), names), separators=(",", ":")).encode()
    write_atomic(file, zstandard.ZstdCompressor(level=9).compress(data))


def read(file: Path) -> Replay:
    """The game in a file, a frame for each turn. A game that the rules play differently is a BadRecording."""
    from spinney.games.halite import GAME  # the card, which has this function

    recording = read_recording(file)
    names = [str(name) for name in recording["names"]]
    game = load(GAME, players=len(names))
    replay = Replay(GAME, names, f"{file.name}, map seed {recording['seed']}", game=game)
    replay.frames = _frames(replay, recording, file)
    return replay


def _frames(replay: Replay, recording: dict[str, Any], file: Path) -> Iterator[Frame]:
    try:
        game = RecordedGame(recording)
        s = game.s
        replay.game = load(
            replay.card, players=len(replay.names), size=s.size, turns=0 if s.turns == turns_for(s.size) else s.turns,
            energy=recording["constants"]["INITIAL_ENERGY"], inspiration=bool(s.inspiration),
        )  # fmt: skip
        for turn, differences in zip([None, *recording["turns"]], game.turns(), strict=False):
            if differences:
                raise BadRecording(f"{file}: {differences[0]}")
            yield Frame(_next_order(game.s), () if turn is None else tuple(_events(turn)))
        if differences := game.compare_end():
            raise BadRecording(f"{file}: {differences[0]}")
        assert replay.game is not None
        replay.result = outcome(State(replay.game, game.s), replay.names)
    except BadRecording:
        raise
    except UNREADABLE as error:
        raise BadRecording(f"{file} cannot be replayed: {error}") from None


def _next_order(s: Any) -> Any:
    """A copy of a position at the next order, if a piece needs one."""
    found = s.copy()
    return found if s.mover >= 0 and rules.find_piece(found) else s.copy()


def _events(turn: dict[str, Any]) -> Iterator[Event]:
    """The orders of each player in words, equal ones counted, and the players who are terminated."""
    for player, line in turn["commands"].items():
        yield Event(int(player), counted(ORDERS[order] for _, order in parse(line)) or "nothing")
    for player in turn["terminated"]:
        yield Event(player, "terminated")


def read_recording(file: Path) -> dict[str, Any]:
    """Read the recording from a file."""
    try:
        data = read_bounded(file)
        if data.startswith(MAGIC):
            with zstandard.ZstdDecompressor(max_window_size=LARGEST).stream_reader(
                data, read_across_frames=True
            ) as stream:
                data = stream.read(LARGEST + 1)
            if len(data) > LARGEST:
                raise ValueError(f"it holds more than {LARGEST:,} bytes")
        return from_hlt(json.loads(data))
    except OSError as error:
        raise BadRecording(f"{file} cannot be read: {error.strerror}") from None
    except (zstandard.ZstdError, ValueError, RecursionError) as error:
        raise BadRecording(f"{file} is not a replay file of Halite: {error}") from None
    except UNREADABLE as error:
        raise BadRecording(f"{file} is not a replay file of Halite III: {type(error).__name__} {error}") from None


# ---- from a state


def recorded(state: State) -> dict[str, Any]:
    """The recording of a finished game, in the form of the official engine."""
    options: Any = state.game.options
    if state.seed is None or not state.is_over:
        raise BadRecording("only a finished game that was started by its game can be written")
    s = state.game.start(state.seed, manual_chance=True).record
    recording = _head(s, map_seed(options, seeded(state.seed, SETUP)), options.energy)
    before = s.copy()
    for _, action in state.history:
        if s.piece == s.ships:
            before.spawn[s.mover] = int(action == SPAWN)
        else:
            before.order[s.piece] = action
        rules.apply(s, action)
        if s.turn > before.turn:
            recording["turns"].append(_turn(before, s))
            before = s.copy()
    return recording | result_of(s) | {"random_id": s.luck[: s.players]}


def _head(s: Any, seed: int, energy: int) -> dict[str, Any]:
    """The entries of a recording about the start of the game."""
    turns = {"MIN_TURNS": s.turns, "MAX_TURNS": s.turns} if s.turns != turns_for(s.size) else {"MAX_TURNS": s.turns}
    constants = {
        **FIXED, "CAPTURE_RADIUS": 3, "SHIPS_ABOVE_FOR_CAPTURE": 3, "DROPOFF_PENALTY_RATIO": 4,
        "DEFAULT_MAP_HEIGHT": s.size, "DEFAULT_MAP_WIDTH": s.size, "INITIAL_ENERGY": energy,
        "INSPIRATION_ENABLED": bool(s.inspiration), "MAX_PLAYERS": 16, "STRICT_ERRORS": False, "PERSISTENCE": 0.7,
        "FACTOR_EXP_1": 2.0, "FACTOR_EXP_2": 2.0, "MAX_CELL_PRODUCTION": 1000, "MIN_CELL_PRODUCTION": 900,
        "MIN_TURNS": 400, "MIN_TURN_THRESHOLD": 32, "MAX_TURN_THRESHOLD": 64, **turns,
    }  # fmt: skip
    return {
        "seed": seed,
        "width": s.size,
        "height": s.size,
        "num_players": s.players,
        "constants": constants,
        "players": [{"factory": list(xy(s.yard[player]))} for player in range(s.players)],
        "initial_halite": rows_of(s),
        "initial_energy": s.treasury[: s.players],
        "initial_entities": {str(player): [] for player in range(s.players)},
        "turns": [],
    }


def _turn(before: Any, after: Any) -> dict[str, Any]:
    """One turn of a recording, from the state with all orders and the state after them."""
    fleets: dict[str, list[list[int]]] = {str(player): [] for player in range(after.players)}
    for number, (player, *rest) in ships_of(after).items():
        fleets[str(player)].append([number, *rest])
    changed = [cell for cell in range(len(after.halite)) if after.halite[cell] != before.halite[cell]]
    return {
        "t": after.turn,
        "commands": {str(player): command_line(before, player) for player in range(before.players)},
        "events": events(before, after),
        "cells_changed": [[*xy(cell), after.halite[cell]] for cell in changed],
        "energy": after.treasury[: after.players],
        "deposited": after.deposited[: after.players],
        "entities": fleets,
        "terminated": [],
    }


# ---- the engine's JSON


def to_hlt(recording: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The content of a replay file."""
    players = range(recording["num_players"])
    turns = recording["turns"]
    before = [recording["initial_entities"], *(turn["entities"] for turn in turns)]
    first = _frame(before[0], recording["initial_energy"], [0 for _ in players])
    last = _frame(before[-1], recording["final_energy"], turns[-1]["deposited"])
    full = [_frame(it, turn["energy"], turn["deposited"], turn) for it, turn in zip(before, turns, strict=False)]
    return {
        "ENGINE_VERSION": "spinney",
        "REPLAY_FILE_VERSION": VERSION,
        "GAME_CONSTANTS": recording["constants"],
        "map_generator_seed": recording["seed"],
        "number_of_players": recording["num_players"],
        "players": [
            {
                "player_id": player,
                "name": names[player],
                "energy": recording["initial_energy"][player],
                "factory_location": dict(zip("xy", recording["players"][player]["factory"], strict=True)),
                "entities": [],
            }
            for player in players
        ],
        "production_map": {
            "width": recording["width"],
            "height": recording["height"],
            "grid": [[{"energy": halite} for halite in row] for row in recording["initial_halite"]],
        },
        "game_statistics": _statistics(recording),
        "full_frames": [first, *full, last],
    }


def _frame(
    fleets: dict[str, Any], energy: list[int], deposited: list[int], turn: dict[str, Any] = NO_TURN
) -> dict[str, Any]:
    return {
        "entities": {
            player: {
                str(number): {"x": x, "y": y, "energy": cargo, "is_inspired": bool(inspired)}
                for number, x, y, cargo, inspired in fleet
            }
            for player, fleet in fleets.items()
        },
        "energy": {str(player): halite for player, halite in enumerate(energy)},
        "deposited": {str(player): halite for player, halite in enumerate(deposited)},
        "moves": {
            player: [_command(*command) for command in parse(line)]
            for player, line in turn["commands"].items()
            if int(player) not in turn["terminated"]
        },
        "events": [_event(*event) for event in turn["events"]],
        "cells": [{"x": x, "y": y, "production": halite} for x, y, halite in turn["cells_changed"]],
    }


def _command(ship: int, order: int) -> dict[str, Any]:
    if order == SPAWN:
        return {"type": "g"}
    if order == CONSTRUCT:
        return {"type": "c", "id": ship}
    return {"type": "m", "id": ship, "direction": DIRECTIONS[order]}


def _event(kind: str, *told: Any) -> dict[str, Any]:
    if kind == "shipwreck":
        x, y, ships = told
        return {"type": kind, "location": {"x": x, "y": y}, "ships": ships}
    player, number, x, y = told
    energy = {"energy": 0} if kind == "spawn" else {}
    return {"type": kind, "location": {"x": x, "y": y}, "owner_id": player, "id": number, **energy}


def _statistics(recording: dict[str, Any]) -> dict[str, Any]:
    turns = recording["turns"]
    happened = [event for turn in turns for event in turn["events"]]

    def count(kind: str, player: int) -> int:
        return sum(event[0] == kind and event[1] == player for event in happened)

    return {
        "number_turns": recording["number_turns"],
        "execution_time": 0,
        "map_total_halite": sum(map(sum, recording["initial_halite"])),
        "player_statistics": [
            {
                "player_id": player,
                "rank": recording["ranks"][player],
                "random_id": recording["random_id"][player],
                "last_turn_alive": recording["last_turn_alive"][player],
                "final_production": recording["final_scores"][player],
                "total_production": turns[-1]["deposited"][player],
                "number_dropoffs": count("construct", player),
                "ships_spawned": count("spawn", player),
                "ships_peak": max(len(turn["entities"].get(str(player), ())) for turn in turns),
                "carried_at_end": sum(ship[3] for ship in turns[-1]["entities"].get(str(player), ())),
            }
            for player in range(recording["num_players"])
        ],
    }


def from_hlt(data: dict[str, Any]) -> dict[str, Any]:
    """The recording from the content of a replay file."""
    if data["number_of_players"] != len(data["players"]):
        raise ValueError(f"it says that {data['number_of_players']} play, and lists {len(data['players'])} players")
    players, full = range(len(data["players"])), data["full_frames"]
    statistics = sorted(data["game_statistics"]["player_statistics"], key=lambda player: player["player_id"])
    by_id = sorted(data["players"], key=lambda player: player["player_id"])
    turns: list[dict[str, Any]] = []
    gone: set[int] = set()
    for t, (frame, after) in enumerate(pairwise(full[1:]), 1):
        terminated = [player for player in players if player not in gone and str(player) not in frame["moves"]]
        gone |= set(terminated)
        turns.append(
            {
                "t": t,
                "commands": {player: _line(moves) for player, moves in frame["moves"].items()},
                "events": [_read_event(event) for event in frame["events"]],
                "cells_changed": [[cell["x"], cell["y"], cell["production"]] for cell in frame["cells"]],
                "energy": [frame["energy"][str(player)] for player in players],
                "deposited": [frame["deposited"][str(player)] for player in players],
                "entities": _fleets(after),
                "terminated": terminated,
            }
        )
    board = data["production_map"]
    return {
        "seed": data["map_generator_seed"],
        "width": board["width"],
        "height": board["height"],
        "num_players": data["number_of_players"],
        "constants": data["GAME_CONSTANTS"],
        "players": [{"factory": [it["factory_location"]["x"], it["factory_location"]["y"]]} for it in by_id],
        "names": [it["name"] for it in by_id],
        "initial_halite": [[cell["energy"] for cell in row] for row in board["grid"]],
        "initial_energy": [full[0]["energy"].get(str(player), by_id[player]["energy"]) for player in players],
        "initial_entities": _fleets(full[1]),
        "turns": turns,
        "final_scores": [player["final_production"] for player in statistics],
        "final_energy": [full[-1]["energy"][str(player)] for player in players],
        "ranks": [player["rank"] for player in statistics],
        "last_turn_alive": [player["last_turn_alive"] for player in statistics],
        "random_id": [player["random_id"] for player in statistics],
        "number_turns": data["game_statistics"]["number_turns"],
    }


def _fleets(frame: dict[str, Any]) -> dict[str, list[list[int]]]:
    return {
        player: [
            [int(number), ship["x"], ship["y"], ship["energy"], int(ship["is_inspired"])]
            for number, ship in fleet.items()
        ]
        for player, fleet in frame["entities"].items()
    }


def _line(moves: list[dict[str, Any]]) -> str:
    """Commands in the notation of bots."""
    words = {"g": "g", "c": "c {id}", "m": "m {id} {direction}"}
    return " ".join(words[move["type"]].format(**move) for move in moves)


def _read_event(event: dict[str, Any]) -> list[Any]:
    x, y = event["location"]["x"], event["location"]["y"]
    if event["type"] == "shipwreck":
        return ["shipwreck", x, y, sorted(event["ships"])]
    return [event["type"], event["owner_id"], event["id"], x, y]
