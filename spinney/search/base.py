"""What all searches share: a game, options, limits, and one way to run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Generic, TypeVar

from spinney.clock import Clock, Margin
from spinney.errors import BadGame, BadOption, SpinneyError, UnknownName, WrongPlayer
from spinney.games import Card, Game, State
from spinney.games.parts import Rule
from spinney.games.spec import suggest
from spinney.search.options import SearchOptions
from spinney.search.result import SearchResult
from spinney.search.rollout import no_evaluation

DEFAULT_ITERATIONS = 10_000

AnyOptions = TypeVar("AnyOptions", bound=SearchOptions)


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """A search before it is bound to a game."""

    label: str
    summary: str
    options: type[SearchOptions]
    refuses: Callable[[Card], str | None]
    """Why the search cannot play a game; none if it can."""
    search: Callable[[Any, Game, Any], Search[Any]]
    """The class of the search."""

    def plays(self, card: Card) -> bool:
        """Whether the search can play a game."""
        return self.refuses(card) is None

    def __call__(self, game: Game, options: SearchOptions) -> Search[Any]:
        """The search bound to a game, with options."""
        return self.search(self, game, options)


class Search(ABC, Generic[AnyOptions]):
    """A search bound to a game."""

    plans_turns: ClassVar[bool] = False
    """Whether it decides all orders of a turn at once, by `plan_turn`."""

    def __init__(self, algorithm: Algorithm, game: Game, options: AnyOptions) -> None:
        self.label, self.game, self.options = algorithm.label, game, options
        card = game.card
        why = algorithm.refuses(card)
        if why is not None:
            raise BadGame(f"{self.label} cannot play {card.name}: {why}")
        if card.plain and not options.plain:
            raise BadOption(f"{self.label}: option 'plain' must be true: the rules of {card.name} cannot be compiled")
        self.rules = card.bound_rules
        self.margin = Margin()
        self.opening = self.named("opening", options.opening, card.searching.openings) if options.opening else None

    @abstractmethod
    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        """Search a position for the player to move, or for one of those who move simultaneously.

        The limits of the options and those of the clock both hold.
        """

    def plan_turn(self, state: State, player: int, clock: Clock | None = None) -> tuple[list[int], int]:  # noqa: ARG002
        """All orders of a player's turn, and the simulations made, if the search plans turns."""
        raise AssertionError(f"{self.label} plans no turns")

    def order_result(self, state: State, player: int, action: int, iterations: int) -> SearchResult:  # noqa: ARG002
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

    def named(self, option: str, name: str, known: Mapping[str, Rule]) -> Rule:
        """One of the game's rules of a kind, by the name that an option gives."""
        if name not in known:
            allowed = suggest(name, known) if known else "only none is allowed"
            raise UnknownName(
                f"{self.label}: option '{option}' = '{name}': {self.game.name} has no such {option}; {allowed}"
            )
        return known[name]

    def player(self, option: str, spec: str) -> Rule:
        """The player of the game that an option names."""
        try:
            return self.game.card.player(spec)
        except SpinneyError as error:
            raise type(error)(f"{self.label}: option '{option}' = '{spec}': {error}") from None

    def _mover(self, state: State, player: int | None) -> int:
        """The player to search for: the one that is given, or the one to move."""
        movers = state.movers
        player = movers[0] if player is None and movers else player
        if player is None or player not in movers:
            raise WrongPlayer(f"player {player} of {self.game.name} is not to move here; a search needs one who is")
        return player

    def compiled(self, entry: Any, *arguments: Any) -> None:
        """Compile now, or load from the cache, so that no decision waits for it: a call that does nothing."""
        try:
            entry(*arguments)
        except Exception as error:
            problem = next(iter(str(error).strip().splitlines()), "")
            raise BadGame(
                f"{self.label} on {self.game.name} does not compile ({type(error).__name__}: {problem}); "
                "plain=true runs it as Python and shows where a rule is at fault"
            ) from error


class Evaluation:
    """The options of EvaluationOptions, as rules of a game and numbers."""

    def __init__(self, search: Search[Any]) -> None:
        card, options = search.game.card, search.options
        if options.max_depth is not None and not card.searching.evaluations:
            raise BadOption(f"{search.label}: option 'max_depth': {card.name} has no evaluation; only none is allowed")
        known = card.searching.evaluations
        self.reward = search.named("reward", options.reward, card.all_rewards)
        self.evaluate = (
            search.named("evaluation", options.evaluation, known)
            if options.evaluation
            else next(iter(known.values()), no_evaluation)
        )
        self.max_depth = -1 if options.max_depth is None else options.max_depth


def why_not_sequential(card: Card) -> str | None:
    """Why a search for sequential moves and full information cannot play a game."""
    if card.has_hidden:
        return "it has hidden information"
    return "its players move simultaneously" if card.is_simultaneous else None
