"""Games as PettingZoo environments: `aec_env` for any game, `parallel_env` for those whose players move together.

What an agent observes are the fields of the state's record as `State.observe` leaves them for its player, which is what
an agent of ours is given, too. The spaces are made from the record, so that no game needs code of its own here.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from spinney import games
from spinney.errors import BadGame, BadOption, GameOver, IllegalAction, MissingPackage
from spinney.games import Card, State
from spinney.kernel.record import Field, Grid

try:
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
except ImportError:
    raise MissingPackage.of("spinney.bridges.pettingzoo", "PettingZoo", "pettingzoo") from None

RENDER_MODES = ("ansi", "human")


def aec_env(game: str | Card, *, render_mode: str | None = None, **options: Any) -> AecEnv:
    """An environment in which agents act one after the other.

    Players who move together choose in turn, and none of them sees what others have chosen.
    """
    return AecEnv(games.load(game, **options), render_mode)


def parallel_env(game: str | Card, *, render_mode: str | None = None, **options: Any) -> ParallelEnv:
    """An environment in which all agents act at once, for games whose players move together."""
    loaded = games.load(game, **options)
    if not loaded.card.is_simultaneous:
        raise BadGame(f"{loaded.name} has no parallel environment: its players move in turn; use aec_env")
    return ParallelEnv(loaded, render_mode)


class Table:
    """A game as both kinds of environment see it: agents, spaces, observations, and the state that is played."""

    position: State
    """The position itself, with all that is hidden: for render, and for those who debug."""

    def __init__(self, game: games.Game, render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption(f"there is no render_mode '{render_mode}'; known: {', '.join(RENDER_MODES)}")
        self.game, self.render_mode = game, render_mode
        self.metadata = {"name": game.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self.agents: list[str] = []
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._seeds = random.Random()
        # a space for each agent, though all are equal: each has random numbers of its own
        self._action_spaces = {agent: spaces.Discrete(game.card.actions) for agent in self.possible_agents}
        self._observation_spaces = {agent: _observation_space(game) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """The whole position as text: returned for "ansi", printed for "human"."""
        self._check_begun()
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close; PettingZoo wants to hear it."""

    def _begin(self, seed: int | None) -> None:
        """A new game; without a seed, the next of those that the last seed led to."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self.position = self.game.start(self._seeds.getrandbits(63))
        self.agents = list(self.possible_agents)

    def _check_begun(self) -> None:
        if not hasattr(self, "position"):
            raise GameOver(f"no game of {self.game.name} has been begun; reset starts one")

    def _check_running(self) -> None:
        if not self.agents:
            raise GameOver(f"no game of {self.game.name} is being played; reset starts one")

    def _observe(self, agent: str) -> dict[str, Any]:
        self._check_begun()
        player = self._player[agent]
        return {
            "observation": _arrays(self.position.observe(player).record),
            "player": np.int64(player),
            "action_mask": _mask(self.position, player),
        }

    def _rewards(self) -> dict[str, float]:
        """What an agent is given after a step: the game's reward at its end, and nothing before."""
        over = self.position.is_over
        rewards = self.position.rewards() if over else (0.0,) * len(self.possible_agents)
        return dict(zip(self.possible_agents, rewards, strict=True))


class AecEnv(Table, pettingzoo.AECEnv):
    """A game whose agents act one after the other. An action that is not legal is an IllegalAction, and changes
    nothing."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002  # PettingZoo passes them
        self._begin(seed)
        self._skip_agent_selection = None  # a dead step of the last game may have left one
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def observe(self, agent: str) -> dict[str, Any]:
        return self._observe(agent)

    def step(self, action: int | None) -> None:
        self._check_running()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"None is for agents whose game is over; {agent} is to choose an action")
        self.position.apply(action, self._player[agent])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards()
        self.terminations = dict.fromkeys(self.agents, self.position.is_over)
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _next(self) -> str:
        """Who is to choose; at the end, the first of those who have to hear of it."""
        movers = self.position.movers
        return self.possible_agents[movers[0]] if movers else self.agents[0]


class ParallelEnv(Table, pettingzoo.ParallelEnv):
    """A game whose agents act at once. What an agent chooses that cannot act, for its mask is all zero, is ignored."""

    def reset(
        self,
        seed: int | None = None,
        options: Any = None,  # noqa: ARG002  # as above
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        self._check_running()
        movers = {mover: self.possible_agents[mover] for mover in self.position.movers}
        missing = [agent for agent in movers.values() if agent not in actions]
        if missing:
            raise IllegalAction(f"there is no action for {', '.join(missing)}; all who can act must")
        after = self.position.copy()  # so that a wrong action leaves no half a turn behind
        for mover, agent in movers.items():
            after.apply(actions[agent], mover)
        self.position = after
        over, agents = self.position.is_over, self.agents
        observations = self._observations()
        infos: dict[str, Any] = {agent: {} for agent in agents}
        self.agents = [] if over else agents
        return observations, self._rewards(), dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observations(self) -> dict[str, Any]:
        return {agent: self._observe(agent) for agent in self.agents}


def _observation_space(game: games.Game) -> spaces.Dict:
    fields = {name: _box(field) for name, field in game.card.rules.State.fields.items()}
    return spaces.Dict(
        {
            "observation": spaces.Dict(fields),
            "player": spaces.Discrete(game.players),
            "action_mask": spaces.Box(0, 1, (game.card.actions,), np.int8),
        }
    )


def _box(field: Field) -> spaces.Box:
    """All that a field can hold; that is more than what it ever holds, which its type does not tell."""
    dtype = np.dtype(field.code)
    if dtype.kind == "f":
        return spaces.Box(-np.inf, np.inf, field.shape, dtype)
    limits = np.iinfo(dtype)
    return spaces.Box(limits.min, limits.max, field.shape, dtype)


def _arrays(record: Any) -> dict[str, np.ndarray[Any, Any]]:
    """A record as arrays of its fields' types and shapes."""
    arrays = {}
    for name, field in record.fields.items():
        value = getattr(record, name)
        numbers = value.cells if isinstance(value, Grid) else value
        arrays[name] = np.array(numbers, np.dtype(field.code)).reshape(field.shape)
    return arrays


def _mask(state: State, player: int) -> np.ndarray[Any, Any]:
    """Ones for the legal actions; none for a player who is not to choose now."""
    mask = np.zeros(state.game.card.actions, np.int8)
    for action in state.legal(player):
        if not 0 <= action < len(mask):
            raise BadGame(f"the rules of {state.game.name} list action {action}; ACTIONS says less than {len(mask)}")
        mask[action] = 1
    return mask
