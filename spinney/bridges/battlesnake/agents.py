"""Agents that are ready to play, for every number of snakes, before a game needs them."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from math import inf
from tempfile import TemporaryFile
from typing import Any

from spinney import games
from spinney.agents import Agent, SearchAgent, build, read_spec
from spinney.agents.compiled_players import compiled_player
from spinney.clock import freeze_gc
from spinney.errors import SpinneyError
from spinney.games import Game, State
from spinney.games.battlesnake.state import MAX_PLAYERS, MOVE
from spinney.kernel import Rng, seeded
from spinney.search import Budget

QUICK = "voronoi"
"""The player that answers where there is no time for the agent, or no agent yet."""
LEAST = 0.004
"""Seconds below which thinking is not worth beginning."""


@dataclass(frozen=True)
class Answer:
    """A move, and the simulations that went into it; none for a player that does not search."""

    move: int
    iterations: int = 0


class Agents:
    """Some copies of an agent for each number of players: the compiled code of a search depends on nothing else."""

    def __init__(self, spec: str, copies: int) -> None:
        self.spec, self.copies = spec, copies
        self.seconds = inf
        """The longest that the agent's own options let it think."""
        self._free: dict[int, list[Agent]] = {}
        self._compiling: subprocess.Popen[str] | None = None
        self._game = games.load("battlesnake")
        read_spec(self._game, spec)  # a wrong one is an error now
        self._quick = compiled_player(self._game, QUICK)

    def prepare(self, players: int) -> None:
        """Make the agents for games of so many, which may compile them, and let one think for a moment."""
        if players in self._free:
            return
        game: Game = games.load("battlesnake", players=players)
        made = [build(game, self.spec) for _ in range(self.copies)]
        if isinstance(made[0], SearchAgent):
            self.seconds = made[0].options.seconds or inf
        _think(made[0], game.start(seed=1), 0, Budget(seconds=0.05))
        self._quick_answer(game.start(seed=1).record, 0)
        self._free[players] = made
        freeze_gc(search=False)  # games may be waiting

    @property
    def ready(self) -> bool:
        """Whether there are agents for all numbers of players."""
        return len(self._free) == MAX_PLAYERS

    def prepare_others(self) -> None:
        """Make the agents that are still missing. They are compiled in another process, which leaves them in the cache:
        compiling here would hold up the games that are going on."""
        command = [sys.executable, "-m", __name__, self.spec]
        with (
            TemporaryFile("w+", errors="replace") as said,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process,
        ):
            self._compiling = process
            assert process.stdout is not None
            for line in process.stdout:
                self.prepare(int(line))
            code = process.wait()
            if code not in (0, -signal.SIGINT) and self._compiling is not None:  # ended neither by Ctrl-C nor by us
                said.seek(0)
                reasons = [f"the compiler ended with code {code}", *said.read().splitlines()]
                raise SpinneyError(reasons[-1])

    def close(self) -> None:
        """Make no more agents."""
        compiling, self._compiling = self._compiling, None
        if compiling is not None:
            compiling.terminate()

    def answer(self, record: Any, player: int, budget: Budget) -> Answer:
        """A move; a quick one if the time is too short, the agent is not ready, or the game is already decided."""
        free = self._free.get(record.players)
        if free and record.phase == MOVE and budget.seconds - budget.elapsed >= LEAST:
            agent = free.pop()
            try:
                return _think(agent, State(agent.game, record), player, budget)
            except Exception:  # a fault of ours must not cost the move as well
                logging.getLogger(__name__).exception("%s failed; %s moves instead", self.spec, QUICK)
            finally:
                free.append(agent)
        return self._quick_answer(record, player)

    def _quick_answer(self, record: Any, player: int) -> Answer:
        card, rng = self._game.card, Rng.native(seeded(record.turn, player))
        return Answer(int(self._quick(card.rules.State.native(record), player, card.out.native(), rng)))


def _think(agent: Agent, state: State, player: int, budget: Budget) -> Answer:
    """Let an agent decide within a budget, and the iterations of its own options."""
    if not isinstance(agent, SearchAgent):
        return Answer(agent.decide(state, player).action)
    budget.iterations = agent.search.iterations(state, player)
    found = agent.search.run(state, budget, player)
    return Answer(agent.search.choose(found).action, found.iterations)


def compile_all(spec: str) -> None:
    """Compile an agent for all numbers of players, and print each when it is done."""
    if hasattr(os, "nice"):
        os.nice(10)
    for players in range(1, MAX_PLAYERS + 1):
        build(games.load("battlesnake", players=players), spec)
        print(players, flush=True)


if __name__ == "__main__":
    compile_all(sys.argv[1])
