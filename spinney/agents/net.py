"""The agent that plays as a network says, without search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pydantic

from spinney.agents.agent import Agent, Seed
from spinney.agents.decision import Decision
from spinney.clock import Clock
from spinney.errors import BadGame
from spinney.games import Game, State
from spinney.games.encoding import Encoder
from spinney.kernel import seeded, uniform
from spinney.search import SearchResult
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import load
from spinney.search.network import Network


class NetOptions(Seed):
    """What can be set about playing by a network alone."""

    weights: str | None = pydantic.Field(
        None, description="the network: one that comes with the game, or a file; none: the game's usual one"
    )
    temperature: float = pydantic.Field(
        0.0, ge=0, le=100, allow_inf_nan=False, description="0: the likeliest action; 1: drawn as the network says"
    )
    prune: bool = pydantic.Field(True, description="leave out actions that the game knows to be senseless")


class NetAgent(Agent):
    """A network's policy alone: one look at the position, no search."""

    options: NetOptions

    def __init__(self, game: Game, name: str, options: NetOptions) -> None:
        super().__init__(game, name, options)
        why = Network.refuses(game.card)
        if why is not None:
            raise BadGame(f"{name} cannot play {game.name}: {why}")
        self.evaluator = load(game.card, options.weights)
        self._eyes = PlaneEncoder(game.card, self.evaluator.encoder)
        self._rng = seeded(options.seed)
        rules = game.card.bound_rules
        self._legal = rules.plausible if options.prune else rules.legal
        self._out: Any = game.card.out()
        self._eyes.look([game.start(seed=1).record], np.zeros(1, np.int64))  # compiled, so that no decision waits

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        priors, values = self.evaluator(self._eyes.look([view.record], np.array([player])))
        n = self._legal(view.record, player, self._out)
        actions = [int(action) for action in self._out.action[:n]]
        weights = weigh(self._eyes.encoder, view.record, player, actions, priors[0])
        action = pick(actions, weights, self.options.temperature, luck(self._rng))
        result = None
        if values is not None and view.game.players == 2:
            mine = float(values[0])
            expected = (mine, 1 - mine) if player == 0 else (1 - mine, mine)
            result = SearchResult(player, action, (), expected, iterations=0)
        return Decision(player, action, view.name(action), clock.finish(), result)


def weigh(encoder: Encoder, record: Any, player: int, actions: list[int], priors: Any) -> list[float]:
    """What a network's outputs give to some actions."""
    places = [int(encoder.output(record, player, action)) for action in actions]
    return [float(priors[place]) if place >= 0 else 0.0 for place in places]


def luck(rng: Any) -> float:
    """A number from 0 to 1."""
    return float(uniform(rng))  # type: ignore[no-untyped-call]


def pick(actions: list[int], weights: list[float], temperature: float, drawn: float) -> int:
    """The likeliest action, or one drawn: probabilities to the power of one over the temperature."""
    most = max(weights)
    if most <= 0:
        return actions[int(drawn * len(actions))]
    if temperature == 0:
        return actions[weights.index(most)]
    shares = [(weight / most) ** (1 / temperature) for weight in weights]
    drawn *= sum(shares)
    for action, share in zip(actions, shares, strict=True):
        drawn -= share
        if drawn < 0:
            return action
    return actions[weights.index(most)]
