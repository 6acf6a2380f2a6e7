"""What all searches share: options with a budget, checks of them, and the decision they answer with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar, Generic, TypeVar

import pydantic

from spinney.clock import Clock, Margin
from spinney.errors import BadGame, BadOption, UnknownName, WrongPlayer
from spinney.games import Card, Game, Options, State
from spinney.games.parts import Rule
from spinney.games.spec import suggest
from spinney.kernel import Record
from spinney.search.result import SearchResult
from spinney.search.rollout import no_evaluation

DEFAULT_ITERATIONS = 10_000


class SearchOptions(Options):
    """What every search has: a budget, and random numbers."""

    iterations: int | None = pydantic.Field(None, gt=0, description="simulations per decision")
    seconds: float | None = pydantic.Field(
        None, gt=0, allow_inf_nan=False, description="time per decision; with neither, 10000 iterations"
    )
    first_seconds: float | None = pydantic.Field(
        None, gt=0, allow_inf_nan=False, description="time for a player's first decision in a game; none: as for others"
    )
    opening: str | None = pydantic.Field(
        None, description="which of the game's openings is asked before searching; none: none of them"
    )
    seed: int | None = pydantic.Field(None, description="start of the random numbers; none: a new one every time")
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


class JudgingOptions(SearchOptions):
    """What searches have that judge positions: what the end of the game, or of their sight, is worth."""

    reward: str = pydantic.Field("win", description="what the end of a game is worth: win, or another of the game's")
    max_depth: int | None = pydantic.Field(
        None,
        ge=1,
        le=500,
        description="evaluate so many steps after the root, in the tree or in a rollout; none: never",
    )
    evaluation: str | None = pydantic.Field(
        None, description="how an unfinished game is judged; none: the game's usual evaluation"
    )


AnyOptions = TypeVar("AnyOptions", bound=SearchOptions)
AnyJudging = TypeVar("AnyJudging", bound=JudgingOptions)


class Search(ABC, Generic[AnyOptions]):
    """A search bound to a game."""

    label: ClassVar[str]
    plans_turns: ClassVar[bool] = False
    """Whether it decides all orders of a turn at once, by `plan_turn`."""

    def __init__(self, game: Game, options: AnyOptions) -> None:
        self.game, self.options = game, options
        self._check(game, options)
        self.rules = game.card.bound_rules
        self.margin = Margin()
        self.opening = (
            self._named("opening", options.opening, game.card.searching.openings) if options.opening else None
        )

    @classmethod
    def plays(cls, card: Card) -> bool:
        """Whether this search can play a game."""
        return cls.refuses(card) is None

    @classmethod
    @abstractmethod
    def refuses(cls, card: Card) -> str | None:
        """Why this search cannot play a game, or nothing if it can."""

    @abstractmethod
    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        """Search a position for the player to move, or for one of those who move simultaneously.

        The limits of the options and those of the clock both hold.
        """

    def plan_turn(self, state: State, player: int, clock: Clock | None = None) -> tuple[list[int], int]:
        """All orders of a player's turn, and the simulations made, if the search plans turns."""
        raise AssertionError(f"{self.label} plans no turns")

    def order_result(self, state: State, player: int, action: int, iterations: int) -> SearchResult:
        """What the last `plan_turn` found out about one order of it."""
        raise AssertionError(f"{self.label} plans no turns")

    def limit(self, clock: Clock | None, state: State, player: int) -> Clock:
        """A clock, new if there is none, with the limits of the options for a player's decision."""
        clock = Clock() if clock is None else clock
        first = None if player in state.decided else self.options.first_seconds
        seconds, iterations = first or self.options.seconds or inf, self.iterations(state, player)
        if inf == seconds == iterations == clock.seconds == clock.iterations:
            iterations = DEFAULT_ITERATIONS
        return clock.restrict(seconds, iterations, self.margin)

    def iterations(self, state: State, player: int) -> float:  # noqa: ARG002  # the number of legal actions may count
        """The most simulations for a player's decision, by the options."""
        return self.options.iterations or inf

    def _mover(self, state: State, player: int | None) -> int:
        """The player to search for: who is given, or who is to move."""
        movers = state.movers
        player = movers[0] if player is None and movers else player
        if player is None or player not in movers:
            raise WrongPlayer(f"player {player} of {self.game.name} is not to move here; a search needs one who is")
        return player

    @classmethod
    def _check(cls, game: Game, options: AnyOptions) -> None:
        card = game.card
        why = cls.refuses(card)
        if why is not None:
            raise BadGame(f"{cls.label} cannot play {card.name}: {why}")
        if card.plain and not options.plain:
            raise BadOption(f"{cls.label}: option 'plain' must be true: the rules of {card.name} cannot be compiled")

    def _named(self, option: str, name: str, known: Mapping[str, Rule]) -> Rule:
        """One of the game's rules of a kind, by the name that an option gives."""
        if name not in known:
            allowed = suggest(name, known) if known else "only none is allowed"
            raise UnknownName(
                f"{self.label}: option '{option}' = '{name}': {self.game.name} has no such {option}; {allowed}"
            )
        return known[name]

    def _compiled(self, entry: Any, *arguments: Any) -> None:
        """Compile now, or load from the cache, so that no decision's time is spent on it: a call that does nothing."""
        try:
            entry(*arguments)
        except Exception as error:
            problem = next(iter(str(error).strip().splitlines()), "")
            raise BadGame(
                f"{self.label} on {self.game.name} does not compile ({type(error).__name__}: {problem}); "
                "plain=true runs it as Python and shows where a rule is at fault"
            ) from error


class JudgingSearch(Search[AnyJudging]):
    """A search that judges positions, by the reward at the end or by an evaluation."""

    def __init__(self, game: Game, options: AnyJudging) -> None:
        super().__init__(game, options)
        reward = self._named("reward", options.reward, game.card.all_rewards)
        self.rules = self.rules._replace(reward=reward)
        self.evaluate = self._evaluation()
        self.max_depth = -1 if options.max_depth is None else options.max_depth

    @classmethod
    def _check(cls, game: Game, options: AnyJudging) -> None:
        super()._check(game, options)
        if options.max_depth is not None and not game.card.searching.evaluations:
            raise BadOption(f"{cls.label}: option 'max_depth': {game.name} has no evaluation; only none is allowed")

    def _evaluation(self) -> Rule:
        """The rule that judges an unfinished game."""
        known, name = self.game.card.searching.evaluations, self.options.evaluation
        return self._named("evaluation", name, known) if name else next(iter(known.values()), no_evaluation)


def after(game: Game, record: Any, steps: Sequence[tuple[int, int]]) -> Any:
    """The record that some steps of a game lead to from another; one that cannot be made is an error."""
    ahead = State(game, record.copy())
    for mover, action in steps:
        ahead.apply(action, mover)
    return ahead.record


def why_not_sequential(card: Card) -> str | None:
    """Why a search for players who move one after the other, and see everything, cannot play a game."""
    if card.has_hidden:
        return "it hides things from its players"
    return "its players move together" if card.is_simultaneous else None


def form(record: type[Record], plain: bool, filled: Record | None = None) -> Any:
    """A record, empty or filled, in the form that a search runs in."""
    if plain:
        return record() if filled is None else filled
    return record.native(filled)
