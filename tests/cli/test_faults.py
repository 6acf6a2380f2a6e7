"""Every command with wrong, missing and hostile input.

It is refused before any work is done: exit code 2, one line on standard error, and no file touched.
"""

from __future__ import annotations

import gzip
import inspect
import io
import json
import socket
import sys
import typing
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

import spinney
from spinney.arena import Arena, play_game
from spinney.bridges.battlesnake.server import Server
from spinney.cli.bridges import NOUNS, commands_of
from spinney.cli.commands import COMMANDS, load_command
from spinney.games.recording import record
from spinney.play import Session
from tests.commands import run


class Parameter(NamedTuple):
    """What a command can be given."""

    name: str
    kind: Any
    least: float | None
    most: float | None

    @property
    def is_option(self) -> bool:
        return self.name.startswith("-")


def parameters(command: str) -> Iterator[Parameter]:
    if command in NOUNS:  # its function belongs to the bridge of a game
        yield Parameter("game", str, None, None)
        yield Parameter("--agent", str, None, None)
        function, bound = commands_of(spinney.game(RIGHT[command][0]).card)[command], 3
    else:
        function, bound = load_command(command).callback, 0
    for word, parameter in list(inspect.signature(function, eval_str=True).parameters.items())[bound:]:
        kind, info = typing.get_args(parameter.annotation)
        kind = next((part for part in typing.get_args(kind) if part is not type(None)), kind)
        is_option = isinstance(info, typer.models.OptionInfo)
        given = [name for name in (info.default, *(info.param_decls or ())) if str(name).startswith("--")]
        name = given[0] if given else f"--{word.replace('_', '-')}" if is_option else word
        yield Parameter(name, kind, info.min, info.max)


# What is right: from each of these lines, wrong ones are made.

RIGHT = {
    "games": [],
    "searches": [],
    "agents": ["tictactoe"],
    "play": ["tictactoe", "-a", "random"],
    "table": ["tictactoe", "--agent", "random"],
    "watch": ["tictactoe", "random", "random"],
    "tree": ["tictactoe", "uct(iterations=9)"],
    "analyse": ["tictactoe", "heuristic"],
    "review": ["results.sqlite", "0", "--agent", "uct", "--iterations", "9"],
    "arena": ["tictactoe", "random", "random"],
    "tune": ["deepsea", "heuristic", "margin=1..3", "-a", "random"],
    "train": ["connect_four", "--preset", "smoke"],
    "replay": ["results.sqlite", "0"],
    "report": ["results.sqlite"],
    "reproduce": ["deepsea"],
    "serve": ["battlesnake", "--port", "0", "--agent", "hungry"],
    "bridge": ["colosseum", "--agent", "greedy"],
    "client": ["saboteur", "--patience", "0", "--port", "CLOSED", "--agent", "greedy"],
    "bot": ["halite", "--agent", "collector"],
    "compile": ["tictactoe"],
    "bench": ["tictactoe"],
    "verify": ["tictactoe", "games.jsonl"],
    "app": ["--port", "0"],
}

WRONG_GAMES = {
    "ches": "'ches'",
    "": "''",
    "tictactoe(": "tictactoe(",
    "tictactoe()()": "tictactoe()()",
    "caf\udce9": r"caf\udce9",  # bytes that are not UTF-8
    "missing.py": "missing.py'",
    "folder.py": "folder.py'",
    "loop.py": "loop.py'",
    "leaves.py": "leaves.py",
    "binary.py": "binary.py",
    "A" * 300 + ".py": "AAA",
    "A" * 3000: "",
}
WRONG_AGENTS = {
    "nobody": "has no agent 'nobody'",
    "": "cannot read ''",
    "uct(": "cannot read 'uct('",
    "random(1)": "cannot read the options in 'random(1)'",
    "random(seed=1, seed=2)": "'seed'",
    "random(seed=nan)": "option 'seed' = 'nan'",
    "random(seed=9**9)": "cannot read the value of 'seed'",
    "random(colour=red)": "random has no option 'colour'",
    "caf\udce9": r"caf\udce9",
}
WRONG_CLUSTERS = {
    "ray://": "is not the address",
    "127.0.0.1:99999": "is not the address",
    "127.0.0.1:CLOSED": "refused",
    "ray://no.such.host.invalid:1": "no.such.host.invalid",
    f"{'a' * 300}:1": "aaa",
}
UNREADABLE = ["missing", "folder", "empty", "garbage", "latin", "half", "", "A" * 300, "garbage/x", "/dev/null"]
UNWRITABLE = ["folder", "missing/x", "garbage/x", "/dev/null/x", "", "A" * 300]
NO_FOLDERS = ["garbage", "garbage/x", "/dev/null/x", "A" * 300]
SHORT = {"--against": "-a", "--games": "-n"}
FOLDERS = {("train", "--out"), ("reproduce", "--out"), ("serve", "--log"), ("compile", "--to"), ("app", "--folder")}
"""Options that name a folder to write to."""


def wrong_numbers(given: Parameter) -> Iterator[str]:
    yield from ("many", "nan", "", "0x10")
    if given.kind is int:
        yield from ("1.5", "9" * 5000)
    if given.least is not None:
        yield from (f"{given.least - 1:g}", "-1e99" if given.kind is float else "-9" * 30)
    if given.most is not None:
        yield from (str(2 * given.most), "inf" if given.kind is float else "9" * 30)


def made_wrong(command: str) -> Iterator[tuple[list[str], str]]:
    """Lines with one thing wrong in them, and what the message has to say."""
    right = RIGHT[command]
    yield [*right, "--colour"], "No such option"
    for number, word in enumerate(right):
        wrong: dict[str, str] = {}
        if number == 0 and any(given.name in ("game", "games") for given in parameters(command)):
            wrong = WRONG_GAMES
        elif word in ("random", "heuristic", "hungry", "greedy", "collector"):
            wrong = WRONG_AGENTS
        elif Path(word).suffix in (".sqlite", ".jsonl"):
            wrong = {file: file for file in UNREADABLE}
        for instead, says in wrong.items():
            yield [*right[:number], instead, *right[number + 1 :]], says
    for given in parameters(command):
        if given.is_option and given.kind in (int, float):
            for number in wrong_numbers(given):
                yield [*right, given.name, number], given.name
        elif given.kind is Path and given.is_option and given.name != "--settings":
            for place in NO_FOLDERS if (command, given.name) in FOLDERS else UNWRITABLE:
                yield [*right, given.name, place], place
        elif given.name == "--json":
            for place in UNWRITABLE:
                yield [*right, given.name, place], place
        elif given.name == "--ray":
            for address, says in WRONG_CLUSTERS.items():
                yield [*right, "--ray", address], says


# What a line cannot be made of.

WRONG: dict[str, list[tuple[list[str], str]]] = {
    "games": [(["x"], "unexpected extra argument"), (["--json"], "requires an argument")],
    "searches": [(["x"], "unexpected extra argument")],
    "compile": [(["tictactoe", "chess"], "'chess'"), (["tictactoe", "deepsea(players=7)"], "less than or equal to 6")],
    "agents": [
        ([], "Missing argument"),
        (["tictactoe", "utc"], "did you mean 'uct'?"),
        (["tictactoe", ""], "has no agent ''"),
        (["deepsea(players=7)"], "less than or equal to 6"),
        (["deepsea(players=nan)"], "option 'players' = 'nan'"),
        ([f"deepsea(players={'9' * 400})"], "option 'players'"),
        (["battlesnake(width=99999999999)"], "option 'width'"),
        (["halite(size=17)"], "even number"),
    ],
    "play": [
        (["tictactoe", "-a", "random", "--position", "deepsea 25"], "deepsea"),
        ([], "Missing argument"),
        (["connect_four", "--seat", "3"], "--seat 3: connect_four has seats 1 to 2"),
        (["connect_four", "--seat", "0"], "--seat 0"),
        (["connect_four", "-a", "random", "-a", "random"], "--against was given 2 times"),
        (["connect_four", "--against", "uct(c=x)"], "option 'c' = 'x'"),
        (["tictactoe", "-a", "random", "--hint", "nobody"], "has no agent 'nobody'"),
        (["battlesnake", "-a", "net(weights=nothing)"], "no network 'nothing'"),
        (["battlesnake", "-a", "net(weights='garbage')"], "needs its card"),
        (["battlesnake", "-a", "net(weights='list.onnx')"], "list.json is not the card of a network"),
        (["battlesnake", "-a", "net(weights='other.onnx')"], "battlesnake has encoder"),
    ],
    "table": [
        ([], "Missing argument"),
        (["deepsea", "--names", "A,B,C,D,E,F,G"], "option 'players' = 7"),
        (["tictactoe", "--names", "A,B,C"], "there are 3 names; tictactoe is for 2 players"),
        (["tictactoe", "--names", "A,a"], "they must differ"),
        (["deepsea", "--seat", "3"], "seat 3: there are 2 people"),
        (["deepsea", "--begins", "3"], "seat 3: there are 2 people"),
        (["deepsea", "--position", "air 99"], "a number from 0 to 25 is allowed"),
        (["tictactoe", "--position", "X"], "this is not a position of tictactoe"),
        (["halite"], "halite cannot be followed"),
        (["saboteur", "--seat", "0"], "say which seat is yours"),
        *[(["tictactoe", "--file", name], "") for name in ("folder", "garbage", "latin", "half", "empty", "list.json")],
    ],
    "watch": [
        ([], "Missing argument"),
        (["connect_four", "random"], "connect_four needs 2 agents"),
        (["tictactoe", "random", "random", "--position", "tictactoe XX"], "XX"),
        (["tictactoe", "uct", "nobody"], "has no agent 'nobody'"),
        (["tictactoe", "random", "uct(c=1e200)"], "less than or equal to 1000000"),
        (["tictactoe", "random", "uct(rollout_depth=99999999999999999999)"], "'rollout_depth'"),
        (["tictactoe", "random", f"uct(c={'-' * 1900}1)"], "cannot read"),
        (["tictactoe", "random", "random", "--save", "new", "--json", "new"], "for something else"),
        (["tictactoe", "random", "random", "--save", "new.hlt"], ".hlt files are of Halite III, not of tictactoe"),
        (["tictactoe", "random", "uct(iteration=5)"], "did you mean 'iterations'? its options: iterations, seconds"),
        (["deepsea", "random", "uct(opponents='simple(x=1)')"], "opponent models simple of deepsea have no options"),
    ],
    "tree": [
        ([], "Missing argument"),
        (["tictactoe", "heuristic"], "heuristic grows no search tree"),
        (["tictactoe", "nobody"], "has no agent 'nobody'"),
        (["tictactoe", "uct", "--moves", "1, 1"], "not legal"),
        (["tictactoe", "uct", "--position", "tictactoe XX"], "XX"),
        (["tictactoe", "uct(iterations=9)", "--html", "new", "--svg", "new"], "for something else"),
    ],
    "analyse": [
        ([], "Missing argument"),
        (["tictactoe", "--position", "tictactoe XX"], "XX"),
        (["tictactoe", "nobody"], "has no agent 'nobody'"),
        (["tictactoe", "--moves", "1 1"], "'1' is not legal"),
        (["tictactoe", "--file", "results.sqlite", "--game", "9"], "number 9 is not there"),
        (["tictactoe", "--file", "results.sqlite", "--game", "0", "--step", "99"], "must be from 0 to 5"),
        (["tictactoe", "--file", "garbage", "--game", "0"], "garbage"),
        (["connect_four", "--file", "results.sqlite", "--game", "0"], "tictactoe"),
        (["tictactoe", "--player", "2", "heuristic"], "player"),
    ],
    "review": [
        ([], "Missing argument"),
        (["results.sqlite"], "add the number of one"),
        (["results.sqlite", "9"], "number 9 is not there"),
        (["results.sqlite", "0", "--agent", "nobody"], "has no agent 'nobody'"),
        (["results.sqlite", "0", "--agent", "heuristic"], "heuristic"),
        (["results.sqlite", "0", "--game", "missing.py"], "missing.py"),
        (["garbage", "0"], "garbage"),
    ],
    "arena": [
        ([], "Missing argument"),
        (["tictactoe"], "Missing argument"),
        (["deepsea", "heuristic"], "2 players need at least 2 agents; 1 given"),
        (["tictactoe", "uct", "nobody"], "has no agent 'nobody'"),
        (["tictactoe", "heuristic", "random", "--file", "results.sqlite"], "is there already; add --resume"),
        (["tictactoe", "random", "random", "--file", "results.sqlite", "--resume"], "was begun with agents"),
        (["tictactoe", "heuristic", "random", "--file", "results.sqlite", "--resume", "--seed", "2"], "with seed 1"),
        (["tictactoe", "random", "random", "--file", "garbage", "--resume"], "cannot be used as a results file"),
        (["tictactoe", "random", "random", "--file", "cut.sqlite", "--resume"], "cannot be used as a results file"),
        (["tictactoe", "random", "random", "--file", "/dev/full", "--resume"], "/dev/full"),
        (["tictactoe", "random", "random", "--file", "loop.py", "--resume"], "loop.py"),
        (["tictactoe", "random", "random", "--file", "new", "--json", "new"], "for something else"),
        (["tictactoe", "random", "random", "--limit", "0"], "greater than or equal to 0.001"),
        (["tictactoe", "random", "random", "--json", "new", "--csv", "folder/../new"], "for something else"),
    ],
    "tune": [
        (["deepsea", "heuristic", "-a", "random"], "Missing argument"),
        (["deepsea", "heuristic", "margin=1..3"], "--against"),
        (["deepsea", "heuristic", "margin", "-a", "random"], "cannot read the range 'margin'"),
        (["deepsea", "heuristic", "margin=3..1", "-a", "random"], "from a finite number to a larger one"),
        (["deepsea", "heuristic", "margin=nan..inf", "-a", "random"], "margin=nan..inf"),
        (["deepsea", "heuristic", "margin=1..3", "margin=1..2", "-a", "random"], "has two ranges"),
        (["deepsea", "heuristic", "x=1..2", "-a", "random"], "no option 'x' to tune"),
        (["deepsea", "random", "c=1..2", "-a", "random"], "random has no option 'c' to tune"),
        (["deepsea", "heuristic", "margin=1..3", "-a", "heuristi"], "did you mean 'heuristic'?"),
        ([*RIGHT["tune"], "-n", "15"], "at least 8 rounds (16 games) are needed"),
        (["tictactoe", "uct", "c=1..2", "-a", "random", "-n", "1"], "1 games are too few"),
        (["tictactoe", "utc", "c=1..2", "-a", "random"], "did you mean 'uct'?"),
        (["tictactoe", "uct(c=x)", "iterations=1..2", "-a", "random"], "option 'c' = 'x'"),
        (["battlesnake(players=1)", "random", "c=1..2", "-a", "random"], "there is no opponent"),
        ([*RIGHT["tune"], "--block", "1000"], "leave 0 trials"),
        ([*RIGHT["tune"], "--file", "results.sqlite"], "is there already"),
        ([*RIGHT["tune"], "--file", "results.sqlite", "--resume"], "was begun by another command"),
    ],
    "train": [
        ([], "Missing argument"),
        (["tictactoe"], "tictactoe has no encoder"),
        (["connect_four", "--preset", "dask"], "did you mean 'desk'"),
        *((["connect_four", "--settings", file], file) for file in UNREADABLE),
        (["battlesnake", "--settings", "games: [.yaml"], "cannot be read: while parsing"),
        (["battlesnake", "--settings", "games: many.yaml"], "option 'games' = 'many'"),
        (["battlesnake", "--settings", "temperature: .nan.yaml"], "option 'temperature' = nan"),
        (["battlesnake", "--settings", "opponents: {random: 0}.yaml"], "option 'opponents'"),
        (["battlesnake", "--settings", "colour: red.yaml"], "has no option 'colour'"),
        (["battlesnake", "--settings", "teacher: nobody.yaml"], "has no agent 'nobody'"),
        (["battlesnake", "--settings", "teacher: flood.yaml"], "is not a tree search"),
        (["battlesnake", "--settings", "teacher: joint(seconds=1).yaml"], "needs iterations, not seconds"),
        (["battlesnake", "--settings", "search: joint(iterations=9).yaml"], "has no network"),
        (["battlesnake(players=2)", "--settings", "games: 3.yaml"], "has settings for battlesnake, not for"),
        (["battlesnake", "--preset", "smoke", "--settings", "games: 3.yaml"], "cannot be combined"),
        (["battlesnake", "--settings", "search: net_search(c=x).yaml"], "option 'c' = 'x'"),
        (["battlesnake", "--settings", "reward: fame.yaml"], "has no reward 'fame'"),
        (["battlesnake", "--settings", "opponents: {nobody: 9}.yaml"], "has no player 'nobody'"),
        (["connect_four", "--settings", "games: 3.yaml"], "has settings for battlesnake"),
        (["battlesnake", "--settings", "games: 3.yaml", "--json", "games: 3.yaml"], "for something else"),
    ],
    "replay": [
        ([], "Missing argument"),
        (["results.sqlite"], "add the number of one"),
        (["results.sqlite", "4"], "has games up to number 3; number 4 is not there"),
        (["results.sqlite", "-1"], "-1"),
        (["results.sqlite", "x"], "number"),
        (["results.sqlite", "9" * 30], "is not there"),
        (["cut.sqlite", "0"], "cannot be used as a results file"),
        (["results.sqlite", "0", "--html", "results.sqlite"], "for something else"),
        (["results.sqlite", "9", "--html", "new.html"], "number 9 is not there"),
        (["list.hlt", "--html", "new.html"], "is not a replay file of Halite"),
        (["early-journal", "--html", "new.html"], "the game has not been started"),
        (["games.jsonl"], "add the number of one"),
        (["games.jsonl", "1"], "has 1 game; number 1 is not there"),
        (["half", "0"], "line 1 is not JSON"),
        (["no-game.jsonl", "0"], "does not name its game"),
        (["illegal", "0"], "'1' is not legal"),
        (["unfinished", "0"], "is not over"),
        (["path", "0"], "has a game of 'theirs.py'; name the .py file of that game"),
        (["games.jsonl", "0", "--game", "no-such.py"], "no-such.py'"),
        (["results.sqlite", "0", "--game", "theirs.py(players=2)"], "name the game alone"),
        (["list.hlt", "--game", "theirs.py"], "is one game of Halite III; leave out --game theirs.py"),
        (["cut.gz", "0"], "cannot be read"),
        (["missing.jsonl", "0"], "No such file"),
        (["missing.hlt"], "No such file"),
        (["empty.hlt"], "is not a replay file of Halite"),
        (["cut.hlt"], "is not a replay file of Halite"),
        (["list.hlt"], "is not a replay file of Halite"),
        (["list.hlt", "1"], "leave out the number 1"),
        (["cut-journal"], "its first line was cut off"),
        (["early-journal"], "the game has not been started"),
    ],
    "report": [
        ([], "Missing argument"),
        (["results.sqlite", "--out", "results.sqlite"], "for something else"),
        (["results.sqlite", "--json", "folder/../results.sqlite"], "for something else"),
        (["results.sqlite", "--json", "results.html"], "for something else"),
        (["cut.sqlite"], "cannot be used as a results file"),
    ],
    "reproduce": [
        ([], "Missing argument"),
        (["tictactoe"], "has no study"),
        (["deepsea", "--only", "zzz"], "no comparison matches 'zzz'"),
        (["all", "--only", "zzz"], "no comparison matches 'zzz'"),
    ],
    "serve": [
        ([], "Missing argument"),
        (["chess"], "there is no server for 'chess'; there is one for: battlesnake"),
        (["battlesnake", "--port", "TAKEN"], "address already in use"),
        ([*RIGHT["serve"], "--host", "no such host"], "cannot listen on no such host"),
        ([*RIGHT["serve"], "--host", "a" * 300], "cannot listen on aaa"),
        (["battlesnake", "--port", "0", "--agent", "uct"], "uct cannot play battlesnake"),
        ([*RIGHT["serve"], "--color", "green"], "option 'color' = 'green'"),
        ([*RIGHT["serve"], "--head", "../x"], "option 'head'"),
        ([*RIGHT["serve"], "--tail", ""], "option 'tail'"),
        ([*RIGHT["serve"], "--author", "x" * 51], "option 'author'"),
    ],
    "bridge": [
        ([], "Missing argument"),
        (["deepsea"], "there is no bridge for 'deepsea'; there is one for: colosseum"),
        ([*RIGHT["bridge"], "--out", "theirs.py"], "was not made by this command"),
        ([*RIGHT["bridge"], "--out", "/dev/full"], "was not made by this command"),
        ([*RIGHT["bridge"], "--out", "my-agent.py"], "'my-agent' cannot be used in Python"),
        ([*RIGHT["bridge"], "--name", "a b"], "'a b' cannot be used in Python"),
        ([*RIGHT["bridge"], "--name", "class"], "'class' cannot be used in Python"),
        ([*RIGHT["bridge"], "--margin", "3"], "a margin of 3 s"),
        (["colosseum", "--agent", "champion", "--margin", "3"], "a margin of 3 s"),
    ],
    "client": [
        ([], "Missing argument"),
        (["chess"], "there is no client for 'chess'; there is one for: saboteur"),
        (RIGHT["client"], "no server answers at 127.0.0.1:"),
        ([*RIGHT["client"], "--host", "no.such.host.invalid"], "no server answers at no.such.host.invalid"),
        ([*RIGHT["client"], "--host", "a" * 300], "no server answers at aaa"),
        ([*RIGHT["client"], "--name", "two words"], "it must be one word"),
        ([*RIGHT["client"], "--name", "caf\udce9"], "it must be one word"),
        ([*RIGHT["client"], "--margin", "3"], "a margin of 3 s"),
    ],
    "bot": [
        ([], "Missing argument"),
        (["chess"], "there is no bot for 'chess'; there is one for: halite"),
        (RIGHT["bot"], "the first line is ''"),
        ([*RIGHT["bot"], "--name", "two\nlines"], "it must be one line"),
    ],
    "bench": [
        ([], "Missing argument"),
        (["tictactoe", "--rollout", "hero"], "no player 'hero'"),
        (["tictactoe", "--rollout", ""], "cannot read ''"),
        (["tictactoe", "--rollout", "random(x=1)"], "no option 'x'"),
    ],
    "verify": [
        (["tictactoe"], "Missing argument"),
        (["connect_four", "games.jsonl"], "it is a game of tictactoe"),
        (["tictactoe", "cut.gz"], "cannot be read"),
        (["tictactoe", "digits.jsonl"], "line 1 is not JSON"),
        (["tictactoe", "deep.jsonl"], "line 1 is not JSON"),
        (["tictactoe", "list.hlt"], "must be a JSON object"),
        *(([game, "no-game.jsonl"], f"not a recording of {game}") for game in
          ("battlesnake", "colosseum", "connect_four", "deepsea", "halite", "saboteur")),
        (["tictactoe", "games.jsonl", "--json", "games.jsonl"], "for something else"),
    ],
    "app": [
        (["missing.py"], "missing.py'"),
        (["leaves.py"], "leaves.py"),
        (["--port", "0", "--stored", "missing"], "missing"),
        (["--port", "TAKEN"], "address already in use"),
        (["--port", "0", "--host", "no such host"], "cannot listen on no such host"),
        (["--port", "0", "--host", "a" * 300], "cannot listen on aaa"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with files of all kinds, most of them bad."""
    place = tmp_path_factory.mktemp("faults")
    for name in ("folder", "folder.py"):
        (place / name).mkdir()
    (place / "loop.py").symlink_to("loop.py")
    state = spinney.game("tictactoe").start(1)
    Session(state, [state.game.agent("random", seed) for seed in (1, 2)]).play()
    game = json.dumps(record(state))
    arena = Arena("tictactoe", ["heuristic", "random"], 4, place / "results.sqlite")
    with closing(arena.store) as store:
        for job in arena.jobs:
            store.add(play_game(job))
    results = (place / "results.sqlite").read_bytes()
    for name, content in {
        "empty": "", "empty.hlt": "", "garbage": bytes(range(256)) * 20, "latin": b'{"game": "\xe9"}\n',
        "half": game[:50], "games.jsonl": f"{game}\n", "no-game.jsonl": "{}\n", "deep.jsonl": "[" * 100_000,
        "unfinished": json.dumps(record(state) | {"steps": record(state)["steps"][:2], "agents": 5}),
        "path": game.replace('"tictactoe"', '"theirs.py"'),
        "illegal": game.replace('"action": "6"', '"action": "1"'),
        "digits.jsonl": "9" * 5000, "cut.gz": gzip.compress(f"{game}\n".encode() * 9)[:-20],
        "cut.sqlite": results[: len(results) // 2],
        "cut.hlt": b"\x28\xb5\x2f\xfdcut", "list.hlt": "[]", "cut-journal": '{"event":"start"',
        "early-journal": '{"event":"move"}\n', "theirs.py": "precious",
        "leaves.py": "import sys\nsys.exit(3)\n", "binary.py": b"x = 1\0\xff\n",
        "list.onnx": "", "list.json": "[]", "other.onnx": "", "other.json": '{"game": "battlesnake", "planes": 3}',
    }.items():  # fmt: skip
        (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for words, _ in WRONG["train"]:
        for word in words:
            if word.endswith(".yaml"):  # a file is named by what it says
                (place / word).write_text(
                    f"game: battlesnake\nteacher: joint(iterations=9)\n{word.removesuffix('.yaml')}\n"
                )
    return place


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, str]]:
    """A port that is taken, and one at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            ports = {"TAKEN": str(taken.getsockname()[1]), "CLOSED": str(closed.getsockname()[1])}
        yield ports


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    """The command line is put together once, not for every line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


def content(folder: Path) -> dict[Path, tuple[int, int]]:
    """All that is there, and when it was changed."""
    return {file: (file.lstat().st_size, file.lstat().st_mtime_ns) for file in folder.rglob("*")}


TRIED = {command: [*made_wrong(command), *WRONG.get(command, ())] for command in RIGHT}


def test_every_command_and_option_is_tried():
    """A new command needs its lines above, and a new option some if it takes neither a number nor a file to write."""
    assert TRIED.keys() == COMMANDS.keys()
    for command, lines in TRIED.items():
        words = {word for line, _ in lines for word in line}
        options = [given for given in parameters(command) if given.is_option and given.kind is not bool]
        assert [given.name for given in options if given.name not in words and SHORT.get(given.name) not in words] == []
        endless = [given.name for given in options if given.kind is float and None in (given.least, given.most)]
        assert endless == [], "a number that may be infinite, or none at all"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param([command, *line], says, id=f"{command}-{number}")
        for command, lines in TRIED.items()
        for number, (line, says) in enumerate(lines)
    ]
    + [(["dance"], "No such command 'dance'"), (["--colour"], "No such option"), (["--ray"], "No such option")],
)  # fmt: skip
def test_wrong_input_is_one_line_and_changes_nothing(words, says, place, ports, capsys, monkeypatch):
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(Server, "prepare", lambda self: pytest.fail("it is served"))
    for name, port in ports.items():
        words = [word.replace(name, port) for word in words]
    before = content(place)
    code, out, errors = run(capsys, *words)
    assert (code, out) == (2, ""), words
    assert errors.startswith("spinney: ")
    assert errors.count("\n") == 1
    assert says in errors
    assert content(place) == before
