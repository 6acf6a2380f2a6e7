"""A game in retrospect: what it was worth to each player at every decision, and what each decision cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import hypot, sqrt
from threading import Event

import pydantic

from spinney.agents import SearchAgent, build, read_spec, usual_agent, with_limits
from spinney.clock import Clock, Turnstile
from spinney.display import view
from spinney.errors import BadGame, BadOption, BadRecording
from spinney.games import CHANCE, Game, State
from spinney.games.frame import Frame, Replay
from spinney.search import SEARCHES, Choice, SearchResult
from spinney.search.tree_search import TreeAlgorithm, TreeSearch
from spinney.seeds import derive

SECONDS = 0.5
"""The time of a search if no limit is given."""
SURE = 2.0
"""Standard errors that a cost must exceed to be listed."""
LEAST = 0.01
"""The least cost that is listed."""
FEW = 30
"""A search with fewer simulations is made again: the machine was busy with something else."""
TRIES = 4


@dataclass(frozen=True)
class Point:
    """A decision of a stored game: the frame in which it was made, the player, and the action."""

    frame: int
    player: int
    action: int


@dataclass(frozen=True)
class Finding:
    """A decision and what searches found out about it. The fields are those of the results on disk."""

    frame: int
    player: int
    played: str
    best: str
    """What the search chose."""
    values: tuple[float, ...]
    """The value of the best action for every player."""
    cost: float
    """The value of the best action minus that of the played one, for its player."""
    error: float
    """The standard error of the cost."""
    line: tuple[str, ...]
    """What the search expects after the best action."""

    @property
    def is_fault(self) -> bool:
        """Whether the cost is more than chance in the searches explains."""
        return _is_sure(self.cost, self.error)


@dataclass(frozen=True)
class Loss:
    """What a player lost in a turn, in games whose single orders are not judged."""

    frame: int
    player: int
    words: str
    cost: float


@dataclass
class Review:
    """The review of a game so far."""

    replay: Replay = field(repr=False)
    frames: Sequence[Frame] = field(repr=False)
    agent: str
    """Who judged it; empty where nobody has to."""
    points: Sequence[Point] = field(repr=False)
    findings: list[Finding] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)

    @property
    def worst(self) -> list[Finding]:
        """The decisions that cost something beyond doubt, the most expensive first."""
        return sorted((it for it in self.findings if it.is_fault), key=lambda it: (-it.cost, it.frame, it.player))

    @property
    def biggest_losses(self) -> list[Loss]:
        return sorted(self.losses, key=lambda it: (-it.cost, it.frame, it.player))

    def curve(self) -> list[tuple[int, list[float | None]]]:
        """The values of all players by frame. A player who decides has the value of its own search, others that of the
        searches of those who do; with hidden information none, because the searcher does not know what they know. The
        end of the game has its rewards."""
        card, players = self.replay.card, len(self.replay.names)
        if card.pieces is not None and card.pieces.standing is not None:
            return [(i, [*card.pieces.standing(frame.record)]) for i, frame in enumerate(self.frames)]
        by_frame: dict[int, dict[int, Finding]] = {}
        for finding in self.findings:
            by_frame.setdefault(finding.frame, {})[finding.player] = finding
        found: list[tuple[int, list[float | None]]] = []
        for frame, own in sorted(by_frame.items()):
            means = [sum(it.values[player] for it in own.values()) / len(own) for player in range(players)]
            row = [
                own[player].values[player] if player in own else None if card.has_hidden else means[player]
                for player in range(players)
            ]
            found.append((frame, row))
        assert self.replay.game is not None
        last = State(self.replay.game, self.frames[-1].record)
        if last.is_over:
            found.append((len(self.frames) - 1, [*last.rewards()]))
        return found

    def _repr_html_(self) -> str:
        return view("html_of")(self)


def begin_review(replay: Replay, agent: str = "") -> Review:
    """The review of a game by an agent, without findings yet. Its frames are read."""
    frames = list(replay.frames)
    if replay.game is None:
        raise BadGame("this file shows its positions, but nobody can go on from them, so they cannot be judged")
    review = Review(replay, frames, agent, () if replay.card.has_turns else points_of(replay.game, frames))
    pieces = replay.card.pieces
    if replay.card.has_turns and (pieces is None or pieces.standing is None):
        raise BadGame(f"{replay.card.name} has turns of many orders, and its card does not say how a game stands")
    if pieces is not None and pieces.losses is not None:
        for number in range(1, len(frames)):
            lost = pieces.losses(frames[number - 1].record, frames[number].record)
            review.losses += [Loss(number - 1, *one) for one in lost]
    return review


def points_of(game: Game, frames: Sequence[Frame]) -> list[Point]:
    """The decisions of a game; a forced action is none."""
    found = []
    for number in range(len(frames) - 1):
        state = State(game, frames[number].record)
        for event in frames[number + 1].events:
            if event.mover != CHANCE and event.action is not None:
                legal = state.legal(event.mover)
                if event.action not in legal:  # a log can have a gap, or tell of a snake that is gone
                    continue
                if len(legal) > 1:
                    found.append(Point(number, event.mover, event.action))
    return found


class Reviewer:
    """Judges decisions by searches. Each depends on the position and the seed alone, so that a review can be
    interrupted."""

    def __init__(
        self, game: Game, agent: str | None = None, seconds: float | None = None, iterations: int | None = None,
        seed: int = 1,
    ) -> None:  # fmt: skip
        self.game, self.seed = game, seed
        self.stop = Event()
        """Set it, from any thread, to end the review soon."""
        self.turnstile: Turnstile | None = None
        """Shares the cores with other searches of this process."""
        spec = _judge_of(game) if agent is None else agent
        kind, _ = read_spec(game, spec)
        if kind not in SEARCHES or not isinstance(SEARCHES[kind][0], TreeAlgorithm):
            raise BadOption(
                f"{spec} cannot review a game: its values are not means of simulations; name a tree search, such as "
                f"{_judge_of(game)}"
            )
        if seconds is None and iterations is None:
            seconds = SECONDS
        self.spec = build(game, with_limits(game, spec, seconds=seconds, iterations=iterations)).spec
        self._search(0, 0)

    def _search(self, *names: int) -> TreeSearch:
        agent = build(self.game, self.spec, derive(self.seed, *names))
        assert isinstance(agent, SearchAgent)
        assert isinstance(agent.search, TreeSearch)
        if not agent.search.parts.restricts:
            raise BadOption(f"{self.spec} cannot review a game: it cannot search one action alone")
        return agent.search

    def judge(self, point: Point, frame: Frame) -> Finding:
        """What a decision cost. The search chooses the best action. If that is another one than was played, both are
        searched again, each alone, so that the one is not judged by few simulations, nor the other by its luck. A cost
        that seems to be beyond doubt is measured a second time: the mean counts, and the error is at least that of the
        two costs."""
        player, state = point.player, State(self.game, frame.record)
        view, search = state.observe(player), self._search(point.frame, player)
        found = self._run(search, view, player)
        cost = error = 0.0
        best, values = found.action, found.values
        if best != point.action:
            known = {choice.action: choice for choice in found.choices if choice.proven}

            def alone(action: int) -> Choice:
                return known.get(action) or self._run(search, view, player, action).choices[0]

            def measure() -> tuple[float, float]:
                nonlocal values
                better, played = alone(best), alone(point.action)
                values = better.values
                error = hypot(_error(better), _error(played))
                return better.values[player] - played.values[player], error

            cost, error = measure()
            if error and _is_sure(cost, error):
                again, other = measure()
                cost, error = (cost + again) / 2, max(hypot(error, other), abs(cost - again)) / 2
        return Finding(
            point.frame, player, state.name(point.action), state.name(best), tuple(values), cost, error, found.line
        )

    def _run(self, search: TreeSearch, view: State, player: int, only: int | None = None) -> SearchResult:
        """Search a position. A time limit may leave a search without time on a busy machine."""
        for _ in range(TRIES):
            found = search.run(view, Clock(stop=self.stop, turnstile=self.turnstile), player, only=only)
            enough = found.iterations >= FEW or (found.chosen is not None and found.chosen.proven)
            if enough or self.stop.is_set() or search.options.seconds is None:
                break
        return found

    def key(self, point: Point, frame: Frame) -> str:
        """What a finding depends on, as a short text."""
        state = State(self.game, frame.record)
        asked = (self.spec, self.seed, state.to_text(), point.frame, point.player, point.action)
        return hashlib.blake2b(json.dumps(asked).encode(), digest_size=12).hexdigest()


def judged(review: Review, reviewer: Reviewer, known: Findings) -> Iterator[Finding]:
    """Judge the decisions of a game one by one, until the reviewer is stopped; those that are known are not searched
    again."""
    for point in review.points:
        frame = review.frames[point.frame]
        key = reviewer.key(point, frame)
        finding = known.get(key)
        if finding is None:
            finding = reviewer.judge(point, frame)
            if reviewer.stop.is_set():  # its searches were cut off
                return
            known.add(key, finding)
        review.findings.append(finding)
        yield finding


class Findings:
    """Findings as JSON lines, by what they depend on."""

    def __init__(self, lines: str = "", write: Callable[[str], None] = lambda line: None) -> None:
        """Read the lines of a file; `write` adds one to it. A last line that was cut off is left out."""
        self._known: dict[str, Finding] = {}
        self._write = write
        self.whole = lines[: lines.rfind("\n") + 1]
        """The lines that are complete."""
        for number, line in enumerate(self.whole.splitlines(), 1):
            try:
                read = json.loads(line)
                self._known[read.pop("key")] = FINDING.validate_python(read)
            except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
                raise BadRecording(f"line {number} is not a finding of a review") from None

    def get(self, key: str) -> Finding | None:
        return self._known.get(key)

    def add(self, key: str, finding: Finding) -> None:
        self._known[key] = finding
        self._write(json.dumps({"key": key} | asdict(finding)) + "\n")

    def __len__(self) -> int:
        return len(self._known)


def _is_sure(cost: float, error: float) -> bool:
    return cost >= LEAST and cost > SURE * error


def _error(choice: Choice) -> float:
    """The standard error of the value of who chooses. Two good and two bad simulations are added to those that were
    made, so that few that agree are not beyond doubt (Agresti and Coull 1998)."""
    if choice.proven:
        return 0.0
    n = choice.visits + 4
    mean = (min(1.0, max(0.0, choice.value)) * choice.visits + 2) / n
    return sqrt(mean * (1 - mean) / n)


FINDING = pydantic.TypeAdapter(Finding)


def _judge_of(game: Game) -> str:
    """The usual agent, or where that is no tree search, the first one that plays the game."""
    usual = usual_agent(game)
    if usual in SEARCHES or usual in game.card.presets:
        kind = read_spec(game, usual)[0]
        if kind in SEARCHES and isinstance(SEARCHES[kind][0], TreeAlgorithm):
            return usual
    for name, (search, _) in SEARCHES.items():
        if isinstance(search, TreeAlgorithm) and search.plays(game.card) and name not in ("flat", "net_search"):
            return name
    raise BadGame(f"no tree search plays {game.name}, so that its games cannot be judged")
