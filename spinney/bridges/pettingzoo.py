"""Games as PettingZoo environments: `aec_env` for any game, `parallel_env` for games with simultaneous moves.

An observation has the fields of the state's record as `State.observe` leaves them for the agent's player, which is also
what Spinney's agents are given. The spaces are made from the record, so that no game needs code of its own here.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from spinney import games
from spinney.errors import BadGame, BadOption, GameOver, IllegalAction, MissingPackage
from spinney.games import Card, State
from spinney.kernel.record import Field, Grid
from spinney.play import Session

try:
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
except ImportError:
    raise MissingPackage.of("spinney.bridges.pettingzoo", "PettingZoo", "pettingzoo") from None

RENDER_MODES = ("ansi", "human")


def aec_env(game: str | Card, *, render_mode: str | None = None, **options: Any) -> AecEnv:
    """An environment in which agents act one after the other.

    Players who move simultaneously choose in turn, and none of them sees what others have chosen.
    """
    return AecEnv(games.load(game, **options), render_mode)


def parallel_env(game: str | Card, *, render_mode: str | None = None, **options: Any) -> ParallelEnv:
    """An environment in which all agents act at once, for games with simultaneous moves."""
    loaded = games.load(game, **options)
    if not loaded.card.is_simultaneous:
        raise BadGame(f"{loaded.name} has no parallel environment: its players move in turn; use aec_env")
    return ParallelEnv(loaded, render_mode)


class GameEnv:
    """What both kinds of environment share: agents, spaces, observations, and the session that is told the actions."""

    def __init__(self, game: games.Game, render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption(f"there is no render_mode '{render_mode}'; known: {', '.join(RENDER_MODES)}")
        self.game, self.render_mode = game, render_mode
        self.metadata = {"name": game.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self.agents: list[str] = []
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._seeds = random.Random()
        self._session: Session | None = None
        # all are equal, but each has its own random numbers
        self._action_spaces = {agent: spaces.Discrete(game.card.actions) for agent in self.possible_agents}
        self._observation_spaces = {agent: _observation_space(game) for agent in self.possible_agents}

    @property
    def session(self) -> Session:
        """The game in progress."""
        if self._session is None:
            raise GameOver(f"no game of {self.game.name} has been started; reset starts one")
        return self._session

    @property
    def position(self) -> State:
        """The position with everything that is hidden, for rendering and debugging."""
        return self.session.state

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """The whole position as text: returned for "ansi", printed for "human"."""
        shown = str(self.position)
        if self.render_mode == "human":
            print(shown)
        return shown if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Part of PettingZoo's interface; there is nothing to close."""

    def _begin(self, seed: int | None) -> None:
        """Start a game; without a seed, the next one of the sequence that the last seed began."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self._session = Session(self.game.start(self._seeds.getrandbits(63)), events=False)
        self.agents = list(self.possible_agents)

    def _check_running(self) -> None:
        if not self.agents:
            raise GameOver(f"no game of {self.game.name} is being played; reset starts one")

    def observe(self, agent: str) -> dict[str, Any]:
        player, state = self._player[agent], self.position
        return {
            "observation": _arrays(state.observe(player).record),
            "player": np.int64(player),
            "action_mask": _mask(state, player),
        }

    def _rewards(self) -> dict[str, float]:
        """The rewards of a step: those of the game at its end, and 0 before."""
        over = self.position.is_over
        rewards = self.position.rewards() if over else (0.0,) * len(self.possible_agents)
        return dict(zip(self.possible_agents, rewards, strict=True))


class AecEnv(GameEnv, pettingzoo.AECEnv):
    """A game whose agents act one after the other. An illegal action is an IllegalAction, and changes nothing."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002  # PettingZoo passes them
        self._begin(seed)
        self._skip_agent_selection = None  # may be left from the last game
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def step(self, action: int | None) -> None:
        self._check_running()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"None is for agents whose game is over; {agent} has to choose an action")
        self.session.tell(action, self._player[agent])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards()
        self.terminations = dict.fromkeys(self.agents, self.position.is_over)
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _next(self) -> str:
        """The agent to act; at the end, the first one that has not been told."""
        movers = self.position.movers
        return self.possible_agents[movers[0]] if movers else self.agents[0]


class ParallelEnv(GameEnv, pettingzoo.ParallelEnv):
    """A game whose agents act at once. The action of an agent that cannot act, whose mask is all zero, is ignored."""

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
        self.session.tell_all({mover: actions[agent] for mover, agent in movers.items()})
        over, agents = self.position.is_over, self.agents
        observations = self._observations()
        infos: dict[str, Any] = {agent: {} for agent in agents}
        self.agents = [] if over else agents
        return observations, self._rewards(), dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}


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
    """Everything that a field can hold by its type, which is more than it holds in the game."""
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
    """Ones for the legal actions; all zero for a player who is not to move."""
    mask = np.zeros(state.game.card.actions, np.int8)
    for action in state.legal(player):
        if not 0 <= action < len(mask):
            raise BadGame(f"the rules of {state.game.name} list action {action}; ACTIONS says less than {len(mask)}")
        mask[action] = 1
    return mask
