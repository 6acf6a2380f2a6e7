"""Files with games, as commands, servers and engines write them."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import spinney
from spinney.agents.briefs import briefs_of
from spinney.bridges.battlesnake.engine import Match
from spinney.cli import main
from spinney.games import State
from spinney.games.halite import hlt
from spinney.games.recording import record
from spinney.play import Session
from tests.bridges.battlesnake_server import served
from tests.commands import stored


def play(spec: str, *agents: str, seed: int = 1) -> Session:
    """A game of agents to its end."""
    game = spinney.game(spec)
    session = Session(game.start(seed), [game.agent(agent, seed=seed + i) for i, agent in enumerate(agents)])
    while not session.is_over:
        session.ask()
    return session


def replay_file(file: Path) -> State:
    """A replay file of Halite's engine; the game in it."""
    state = play("halite(size=16, turns=30)", "collector", "planner").state
    hlt.write(file, state, ["collector", "planner"])
    return state


def recording(file: Path, games: int = 2) -> Path:
    """Games with the figures of their decisions."""
    names = ["uct(iterations=50)", "heuristic"]
    played = [play("connect_four", *names, seed=seed) for seed in range(1, games + 1)]
    lines = [record(session.state, names, briefs_of(session.decisions)) for session in played]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


def server_log(folder: Path) -> Path:
    """What a server of BattleSnake writes of a game."""
    with served(log=folder) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "logged", timeout=10.0, seed=3).play(turns=6)
    return min(folder.iterdir())


def results(file: Path, games: int = 12) -> Path:
    """A tournament, with the figures of its decisions."""
    agents = ["uct(iterations=30)", "heuristic", "random"]
    words = ["arena", "connect_four", *agents, "--games", str(games), "--seed", "1", "--workers", "1"]
    with suppress(SystemExit):
        main([*words, "--keep-decisions", "--file", str(file)])
    assert stored(file) == games
    return file
