"""The agent `net`: plays by the policy of a network, without search."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from spinney.agents.agent import Agent, Seed
from spinney.agents.decision import Decision
from spinney.clock import Clock
from spinney.games import Game, State
from spinney.games.encoding import Encoder
from spinney.kernel import PLAYERS, seeded, uniform
from spinney.search import SearchResult
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import load


class NetOptions(Seed):
    """The options of the agent `net`."""

    weights: str | None = Field(
        None, description="the network: a name that comes with the game, or a file; none: the game's default"
    )
    temperature: float = Field(
        0.0, ge=0, le=100, allow_inf_nan=False, description="0: the most probable action; 1: sampled from the policy"
    )
    prune: bool = Field(True, description="consider only the actions that the game's rule `plausible` keeps")


class NetAgent(Agent):
    """The policy of a network: one evaluation of the position, no search."""

    options: NetOptions

    def __init__(self, game: Game, name: str, options: NetOptions) -> None:
        super().__init__(game, name, options)
        self.evaluator = load(game.card, options.weights)
        self._encoder = PlaneEncoder(game.card, self.evaluator.encoder)
        self._rng = seeded(options.seed, PLAYERS)
        rules = game.card.bound_rules
        self._legal = rules.plausible if options.prune else rules.legal
        self._out: Any = game.card.out()
        self._encoder.look([game.start(seed=1).record], np.zeros(1, np.int64))  # compiles it before the first decision

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        priors, values = self.evaluator(self._encoder.look([view.record], np.array([player])))
        n = self._legal(view.record, player, self._out)
        actions = [int(action) for action in self._out.action[:n]]
        weights = policy_of(self._encoder.encoder, view.record, player, actions, priors[0])
        action = sample(actions, weights, self.options.temperature, uniform(self._rng))
        result = None
        if values is not None and view.game.players == 2:
            mine = float(values[0])
            expected = (mine, 1 - mine) if player == 0 else (1 - mine, mine)
            result = SearchResult(player, action, (), expected, iterations=0)
        return Decision(player, action, view.name(action), clock.finish(), result)


def policy_of(encoder: Encoder, record: Any, player: int, actions: list[int], priors: Any) -> list[float]:
    """The priors of actions, from the outputs of a network."""
    outputs = [int(encoder.output(record, player, action)) for action in actions]
    return [float(priors[output]) if output >= 0 else 0.0 for output in outputs]


def sample(actions: list[int], weights: list[float], temperature: float, drawn: float) -> int:
    """Sample an action in proportion to weight ** (1 / temperature), with a uniform number `drawn` from [0, 1).
    With temperature 0, it is the action with the largest weight."""
    most = max(weights)
    if most <= 0:
        return actions[int(drawn * len(actions))]
    if temperature == 0:
        return actions[weights.index(most)]
    scaled = [(weight / most) ** (1 / temperature) for weight in weights]
    drawn *= sum(scaled)
    for action, weight in zip(actions, scaled, strict=True):
        drawn -= weight
        if drawn < 0:
            return action
    return actions[weights.index(most)]
