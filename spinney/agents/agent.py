"""Agents: a name, typed options, and `decide(state, clock) -> Decision`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import Field, create_model

from spinney.agents.analysis import Analysis, Thinking
from spinney.agents.decision import Decision, Turn
from spinney.clock import Clock
from spinney.errors import BadGame, BadOption, GameOver, WrongPlayer
from spinney.games import Game, Options, State
from spinney.games.parts import Orders
from spinney.games.spec import write_spec
from spinney.kernel import OPENINGS, PLAYERS, seeded
from spinney.search import SEARCHES, Search, SearchOptions, SearchResult


class Agent:
    """Something that plays a game. It sees only what the player to move may know."""

    plans_turns = False
    """Whether all orders of a turn are decided at once, in games in which a turn has many."""

    def __init__(self, game: Game, name: str, options: Options) -> None:
        self.game, self.name, self.options = game, name, options
        self._planned = PlannedTurn()
        self._thinking: Thinking | None = None
        """The analysis that was begun last."""
        game.try_out()

    @property
    def spec(self) -> str:
        """The spec that makes this agent again."""
        return write_spec(self.name, self.options.model_dump(exclude_defaults=True))

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        """Choose an action for the player to move, or for one of those who move simultaneously.

        The state is not changed. The clock limits what the decision may cost, beside the agent's own options. An
        analysis by the same agent is stopped first.
        """
        self._end_analysis()
        clock = Clock() if clock is None else clock
        return self._choose(state, self._mover(state, player), clock)

    def analyse(
        self, state: State, clock: Clock | None = None, *, player: int | None = None, every: float = 0.25
    ) -> Analysis:
        """Decide in another thread, and tell meanwhile what the decision would be now: an iterator of decisions, the
        last of which is that of `decide`.

        Between two of them are at least `every` seconds, and more if the search would be slowed down by over 1 %. An
        agent that does not search has one decision. The state is copied, so that the game may go on.
        """
        if not every >= 0:
            raise BadOption(f"every = {every:g}: the seconds between two decisions must be at least 0")
        self._end_analysis()
        player, state = self._mover(state, player), state.copy()

        def decide(clock: Clock) -> Decision:
            return self._choose(state, player, clock)

        def so_far(result: SearchResult, clock: Clock) -> Decision:
            return Decision(player, result.action, state.name(result.action), clock.elapsed, result)

        clock = replace(Clock() if clock is None else clock, every=every)
        self._thinking = Thinking(clock, decide, so_far)
        return Analysis(self._thinking)

    def _end_analysis(self) -> None:
        if self._thinking is not None:
            self._thinking.end()
            self._thinking = None

    def _choose(self, state: State, player: int, clock: Clock) -> Decision:
        """Decide for a player who is to move."""
        if not self.plans_turns:
            return self._decide(state.observe(player), player, clock)
        action = self._planned.next(state, player)
        iterations = 0
        if action is None:
            turn = self._decide_turn(state.observe(player), player, clock)
            self._planned, action, iterations = PlannedTurn(state, turn), turn.actions[0], turn.iterations
        return self._order(state, player, action, iterations, clock)

    def decide_turn(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Turn:
        """Choose all orders of the player's turn; in most games that is one action."""
        self._end_analysis()
        player = self._mover(state, player)
        return self._decide_turn(state.observe(player), player, Clock() if clock is None else clock)

    def _decide_turn(self, view: State, player: int, clock: Clock) -> Turn:
        """Decide from what a player who is to move may know; an agent that plans no turns decides order by order."""
        decisions: list[Decision] = []
        while not decisions or (view.mover == player and view.waits_for_others):
            legal = view.legal(player)
            forced = len(legal) == 1
            here = view.observe(player)
            decisions.append(Decision(player, legal[0], "") if forced else self._decide(here, player, clock))
            if not self.game.card.has_turns or view.mover != player:
                break
            view.apply(decisions[-1].action, player)
        actions = tuple(decision.action for decision in decisions)
        return Turn(player, actions, clock.elapsed, sum(decision.iterations for decision in decisions))

    def _mover(self, state: State, player: int | None) -> int:
        """The player to decide for; an error if there is none."""
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
        return player

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        """Decide from what a player who is to move may know; only agents that plan turns do without it."""
        raise NotImplementedError

    def _order(self, state: State, player: int, action: int, iterations: int, clock: Clock) -> Decision:  # noqa: ARG002
        """The decision for one order of a planned turn."""
        return Decision(player, action, state.name(action), clock.finish())

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game!r}>"


class PlannedTurn:
    """The orders of a turn that were decided at once, while the game follows them."""

    def __init__(self, state: State | None = None, turn: Turn | None = None) -> None:
        self._state, self._turn = state, turn
        self._known = 0 if state is None else len(state.history)
        self._last = state.history[-1] if state is not None and state.history else None

    def next(self, state: State, player: int) -> int | None:
        """The next order, if the game is the same and only orders of this turn were given since."""
        turn = self._turn
        if turn is None or state is not self._state or player != turn.player:
            return None
        history, known = state.history, self._known
        given = len(history) - known
        if not 0 <= given < len(turn.actions) or (known and history[known - 1] is not self._last):
            return None  # steps were taken back
        made = [(player, order) for order in turn.actions[:given]]
        return turn.actions[given] if history[known:] == made else None


class Seed(Options):
    """What can be set about every hand-written player."""

    seed: int | None = Field(None, description="seed of the random numbers; none: a new one every time")


@cache
def with_seed(options: type[Options]) -> type[Options]:
    """The options of a hand-written player as an agent."""
    return create_model(options.__name__, __base__=(Seed, options))


class PlayerAgent(Agent):
    """A hand-written player of the game."""

    def __init__(self, game: Game, name: str, options: Options) -> None:
        super().__init__(game, name, options)
        chosen = options.model_dump()
        seed = chosen.pop("seed")
        self._player = game.card.all_players[name].make(**chosen)
        self._rng = seeded(seed, PLAYERS)
        self._out: Any = game.card.out()

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        self._out.searcher = player
        action = int(self._player(view.record, player, self._out, self._rng))
        return Decision(player, action, view.name(action), clock.finish())


class PlannerAgent(Agent):
    """A hand-written player that gives all orders of a turn at once."""

    plans_turns = True

    def __init__(self, game: Game, name: str, options: Options) -> None:
        super().__init__(game, name, options)
        self._orders: Orders = game.card.planners[name].make(**options.model_dump())

    def _decide_turn(self, view: State, player: int, clock: Clock) -> Turn:
        return Turn(player, tuple(self._orders(view.record, player)), clock.finish())

    def complete_turn(self, state: State, player: int, given: Mapping[int, int]) -> Turn:
        """Choose the orders of the player's turn around those that are decided already, by their places in the turn.
        The planner must be one that `completes` turns."""
        view = state.observe(self._mover(state, player))
        return Turn(player, tuple(self._orders(view.record, player, given)))


class SearchAgent(Agent):
    """A tree search. Making one compiles it, or loads it from the cache, so that no decision waits for that."""

    options: SearchOptions

    def __init__(self, game: Game, name: str, options: SearchOptions) -> None:
        super().__init__(game, name, options)
        kind, _ = SEARCHES[name]
        self.search: Search[Any] = kind(game, options)
        self.plans_turns = self.search.plans_turns
        self._rng = seeded(options.seed, OPENINGS)
        self._out: Any = game.card.out()

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        if self.search.opening is not None:
            self._out.searcher = player
            action = int(self.search.opening(view.record, player, self._out, self._rng))
            if action >= 0:
                return Decision(player, action, view.name(action), clock.finish())
        result = self.search.run(view, clock, player)
        name = next((choice.name for choice in result.choices if choice.action == result.action), "")
        return Decision(player, result.action, name or view.name(result.action), clock.finish(), result)

    def _decide_turn(self, view: State, player: int, clock: Clock) -> Turn:
        if not self.plans_turns:
            return super()._decide_turn(view, player, clock)
        actions, iterations = self.search.plan_turn(view, player, clock)
        return Turn(player, tuple(actions), clock.finish(), iterations)

    def _order(self, state: State, player: int, action: int, iterations: int, clock: Clock) -> Decision:
        result = self.search.order_result(state, player, action, iterations)
        return Decision(player, action, state.name(action), clock.elapsed, result)
