"""A pool of agents that are ready to decide, for every number of snakes."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from tempfile import TemporaryFile
from typing import Any

from spinney import games
from spinney.agents import Agent, Decision, build, read_spec
from spinney.agents.compiled_players import compiled_player
from spinney.bridges.battlesnake.messages import with_options
from spinney.clock import Clock, Margin, freeze_gc
from spinney.errors import SpinneyError
from spinney.games import Game, State
from spinney.games.battlesnake.state import MAX_PLAYERS
from spinney.kernel import PLAYERS, Rng, seeded

QUICK = "voronoi"
"""The player that answers if there is no time for the agent, or no agent yet."""
LEAST = 0.003
"""The shortest search, in seconds, that is worth starting."""

Key = tuple[str, str]
"""A game and a snake."""


class AgentPool:
    """Copies of an agent for each number of snakes: the compiled code of a search depends on nothing else."""

    def __init__(self, game: Game, spec: str, copies: int = 1, source: str = "") -> None:
        """Agents from a spec. The source is the spec of the game, to load it in another process."""
        self.game, self.spec, self.copies, self.source = game, spec, copies, source or game.name
        self._lock = threading.Lock()
        self._free: dict[int, list[Agent]] = {}
        """The free agents by number of snakes, the least recently used first."""
        self._served: dict[Agent, Key] = {}
        """The snake that each agent last decided for: its tree may be of use to that one again."""
        self.margins = {players: Margin() for players in range(1, MAX_PLAYERS + 1)}
        """The margins that all decisions with a number of snakes learn."""
        self._compiling: subprocess.Popen[str] | None = None
        read_spec(game, spec)  # a wrong one is an error now
        self._quick = compiled_player(game.card, QUICK)

    def prepare(self, players: int) -> None:
        """Make the agents for a number of snakes, which may compile them, and let one decide."""
        if players in self._free:
            return
        game = with_options(self.game, players=players)
        made = [build(game, self.spec) for _ in range(self.copies)]
        first = game.start(seed=1)
        made[0].decide(first, Clock(seconds=0.05), player=0)
        self.quick_decision(first, 0, Clock())
        self._free[players] = made
        freeze_gc(collect=False)  # a game may be waiting

    @property
    def ready(self) -> bool:
        """Whether there are agents for all numbers of snakes."""
        return len(self._free) == MAX_PLAYERS

    def prepare_others(self) -> None:
        """Make the agents that are still missing. They are compiled to the cache by another process, because compiling
        here would delay the games in progress."""
        command = [sys.executable, "-m", __name__, self.source, self.spec]
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

    def decide(self, state: State, player: int, key: Key, clock: Clock) -> Decision:
        """A decision for a snake; a quick one if the time is too short, no agent is ready, or the game is over."""
        too_late = clock.stop.is_set() or clock.deadline - clock.now() < LEAST
        agent = None if too_late or state.is_over else self._take(state.game.players, key)
        if agent is None:
            return self.quick_decision(state, player, clock)
        try:
            decision = agent.decide(state, clock, player=player)
            if decision.result is not None:  # the agent uses the memory of its tree again
                decision = replace(decision, result=replace(decision.result, trees=()))
        except Exception:  # the snake needs a move all the same
            logging.getLogger(__name__).exception("%s failed; %s moves instead", self.spec, QUICK)
            decision = self.quick_decision(state, player, clock)
        finally:
            with self._lock:
                self._served[agent] = key
                self._free[state.game.players].append(agent)
        return decision

    def _take(self, players: int, key: Key) -> Agent | None:
        """A free agent: the one that last decided for this snake, or the least recently used."""
        with self._lock:
            free = self._free.get(players)
            if not free:
                return None
            agent = next((agent for agent in free if self._served.get(agent) == key), free[0])
            free.remove(agent)
            return agent

    def quick_decision(self, state: State, player: int, clock: Clock) -> Decision:
        """A move without search."""
        card, rng = self.game.card, Rng.native(seeded(state.record.turn, PLAYERS + player))
        record: Any = card.rules.State.native(state.record)
        action = int(self._quick(record, player, card.out.native(), rng))
        return Decision(player, action, state.name(action), clock.elapsed)


def compile_all(source: str, spec: str) -> None:
    """Compile an agent for all numbers of snakes, and print each number when it is done."""
    if hasattr(os, "nice"):
        os.nice(10)
    game = games.load(source)
    for players in range(1, MAX_PLAYERS + 1):
        build(with_options(game, players=players), spec)
        print(players, flush=True)


if __name__ == "__main__":
    compile_all(*sys.argv[1:])
