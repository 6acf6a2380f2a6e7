"""Agents: a name, typed options, and decide(state) -> Decision."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from functools import cache
from math import inf
from typing import Any

import pydantic

from spinney.agents.decision import Decision, from_search
from spinney.clock import now
from spinney.errors import BadGame, GameOver, WrongPlayer
from spinney.games import Game, Options, State
from spinney.games.parts import Orders
from spinney.games.plan import Plan, Turn
from spinney.games.spec import write_spec
from spinney.kernel import seeded
from spinney.search import SEARCHES, Search, SearchOptions

FIRST_ANSWER = 0.005
"""Seconds that an agent's first answer is taken to need: about what one takes with 200 actions."""
OPENING = 1 << 20
"""The stream of random numbers for openings: none that a thread has."""


class Agent(ABC):
    """Something that plays a game. It sees only what the player to move may know."""

    def __init__(self, game: Game, name: str, options: Options) -> None:
        self.game, self.name, self.options = game, name, options
        game.try_out()

    @property
    def spec(self) -> str:
        """The spec that makes this agent again."""
        return write_spec(self.name, self.options.model_dump(exclude_defaults=True))

    def decide(self, state: State, player: int | None = None, started: float | None = None) -> Decision:
        """Choose an action for the player to move, or for one of those who move together. The state is not changed.

        The clock starts now, or has been running since `started`, by `spinney.clock.now`.
        """
        started = now() if started is None else started
        if state.game.card is not self.game.card or state.game.options != self.game.options:
            raise BadGame(f"this agent plays {self.game!r}; the state is of {state.game!r}")
        movers = state.movers
        if not movers:
            error, problem = (GameOver, "the game is over") if state.is_over else (WrongPlayer, "chance is to move")
            raise error(f"{self.name} cannot decide: {problem}; a player must be to move")
        if player is None and len(movers) == 1:
            player = movers[0]
        if player not in movers:
            allowed = ", ".join(str(mover) for mover in movers)
            wanted = "without a player" if player is None else f"for player {player}"
            raise WrongPlayer(f"{self.name} cannot decide {wanted}; to move: {allowed}")
        return self._decide(state.observe(player), player, started)

    def move(self, state: State, player: int | None = None, started: float | None = None) -> Decision:
        """Decide in a game that is being played: a forced action is made without thinking."""
        legal = state.legal(player)
        if len(legal) == 1:
            mover = state.movers[0] if player is None else player
            return Decision(mover, legal[0], state.name(legal[0]), 0.0)
        return self.decide(state, player, started)

    @abstractmethod
    def _decide(self, view: State, player: int, started: float) -> Decision:
        """Decide from what a player who is to move may know; the clock has been running since `started`."""

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game!r}>"


class Seed(Options):
    """What can be set about every hand-written player."""

    seed: int | None = pydantic.Field(None, description="start of the random numbers; none: a new one every time")


@cache
def with_seed(options: type[Options]) -> type[Options]:
    """The options of a hand-written player as an agent."""
    return pydantic.create_model(options.__name__, __base__=(Seed, options))


class PlayerAgent(Agent):
    """A hand-written player of the game."""

    def __init__(self, game: Game, name: str, options: Options) -> None:
        super().__init__(game, name, options)
        chosen = options.model_dump()
        seed = chosen.pop("seed")
        self._player = game.card.all_players[name].make(**chosen)
        self._rng = seeded(seed)
        self._out: Any = game.card.out()

    def _decide(self, view: State, player: int, started: float) -> Decision:
        self._out.searcher = player
        action = int(self._player(view.record, player, self._out, self._rng))
        return Decision(player, action, view.name(action), now() - started)


class PlannerAgent(Agent):
    """A hand-written player that gives all orders of a turn at once."""

    def __init__(self, game: Game, name: str, options: Options) -> None:
        super().__init__(game, name, options)
        self.orders: Orders = game.card.planners[name].make(**options.model_dump())
        self._plan = Plan()
        self._turn = Turn()

    def decide(self, state: State, player: int | None = None, started: float | None = None) -> Decision:
        started = now() if started is None else started
        action = self._turn.next(state, player)
        if action is None:
            decision = super().decide(state, player, started)
            self._turn = Turn(state, decision.player, [decision.action, *self._plan.to_come])
            return decision
        assert player is not None
        return Decision(player, action, state.name(action), now() - started)

    def _decide(self, view: State, player: int, started: float) -> Decision:
        rules = self.game.card.rules
        action = self._plan.next(rules, view.record, player)
        if action is None:
            self._plan.begin(view.record, player, self.orders(view.record, player))
            action = self._plan.next(rules, view.record, player)
            assert action is not None
        return Decision(player, action, view.name(action), now() - started)


class SearchAgent(Agent):
    """A tree search. Making one compiles it, or loads it from the cache: no decision waits for that."""

    options: SearchOptions
    limit = inf
    """Seconds that somebody else's clock leaves for a decision: they are used, unless the options say less."""

    def __init__(self, game: Game, name: str, options: SearchOptions) -> None:
        super().__init__(game, name, options)
        kind, _ = SEARCHES[name]
        self.search: Search[Any] = kind(game, options)
        self._rng = seeded(options.seed, OPENING)
        self._out: Any = game.card.out()
        self._answer = FIRST_ANSWER
        """Seconds that the last search's answer took; the next search leaves time for its own."""

    def _decide(self, view: State, player: int, started: float) -> Decision:
        if self.search.opening is not None:
            self._out.searcher = player
            action = int(self.search.opening(view.record, player, self._out, self._rng))
            if action >= 0:
                return Decision(player, action, view.name(action), now() - started)
        budget = self.search.budget(view, player, self.limit)
        budget.started, budget.answer = started, self._answer
        found = self.search.run(view, budget, player)
        decision = from_search(view, found, self.search.choose(found))
        seconds = budget.elapsed
        if budget.worked is not None:
            self._answer = seconds - budget.worked
        return dataclasses.replace(decision, seconds=seconds)
