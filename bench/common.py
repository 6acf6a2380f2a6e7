"""What the comparisons share: Spinney's search, timing, the table and the JSON file."""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

import spinney
from spinney.agents import build
from spinney.cli.output import console, table

sys.path.append(str(Path(__file__).parents[1]))  # for engines of the tests

Position = Annotated[str, typer.Option(help="columns played so far, such as 4453; by default the empty board")]
Simulations = Annotated[int, typer.Option(min=100, max=100_000_000, help="simulations per search")]
Repeats = Annotated[int, typer.Option(min=1, help="timed runs of each search; the best counts")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="seed of the random numbers")]


class Answer(NamedTuple):
    """The result of one search."""

    action: str
    """The chosen action; of connect four, the column from 1."""
    share: float
    """Its share of the visits."""
    simulations: int
    nodes: int | None = None


@dataclass
class Contender:
    """A search in the comparison, and its results so far."""

    name: str
    version: str
    settings: str
    search: Callable[[], Answer]
    """Searches once and frees the tree."""
    rates: list[float] = field(default_factory=list)
    """Simulations per CPU second of each run."""
    answers: list[Answer] = field(default_factory=list)

    @property
    def best(self) -> float:
        return max(self.rates)

    @property
    def action(self) -> str:
        """The action chosen most often."""
        return Counter(answer.action for answer in self.answers).most_common(1)[0][0]

    def figures(self) -> dict[str, Any]:
        """The contender as plain data."""
        return {
            "name": self.name,
            "version": self.version,
            "settings": self.settings,
            "best": self.best,
            "median": median(self.rates),
            "rates": self.rates,
            "action": self.action,
            "answers": [answer._asdict() for answer in self.answers],
        }


def run(main: Callable[..., None]) -> None:
    """Run a script. A SpinneyError is printed as one line, with exit code 2."""
    try:
        typer.run(main)
    except spinney.SpinneyError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def position(columns: str) -> spinney.State:
    """The position after moves, given as columns from 1. It must have two legal moves or more."""
    state = spinney.game("connect_four").start(seed=0)
    try:
        for column in columns:
            state.apply(column)
    except spinney.SpinneyError as error:
        raise spinney.SpinneyError(f"position {columns}: {error}") from None
    if len(state.legal()) < 2:
        raise spinney.SpinneyError(f"position {columns}: there must be two legal columns or more")
    return state


def title(state: spinney.State, position: str) -> str:
    """A game and its position, for the head of a table."""
    return f"{state.game.card.title}, {f'after {position}' if position else 'first position'}"


def spinney_search(state: spinney.State, spec: str, simulations: int, c: float, seed: int) -> Contender:
    """Spinney's search, with memory for the whole tree."""
    name, _, options = spec.rstrip(")").partition("(")
    actions = state.game.card.rules.MAX_ACTIONS
    nodes = max(1_000_000, (1 + actions) * simulations)
    settings = ", ".join(filter(None, [f"c={c:.3f}", options]))
    agent = build(
        state.game, f"{name}(iterations={simulations}, c={c}, nodes={nodes}{options and ', ' + options})", seed
    )

    def search() -> Answer:
        result = agent.decide(state, player=state.movers[0]).result
        assert result is not None
        visits = next(choice.visits for choice in result.choices if choice.action == result.action)
        return Answer(state.name(result.action), visits / result.iterations, result.iterations, result.nodes)

    return Contender(f"Spinney {name}", spinney.__version__, settings, search)


def announce(seconds: float, to: str | None) -> None:
    """Say how long a script will take, before it begins."""
    words = f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{max(1.0, seconds):.0f} s"
    console(to).print(f"about {words}, and more the first time, when searches are compiled")


def measure(contenders: Sequence[Contender], repeats: int) -> None:
    """Time the contenders alternately, after one run of each that does not count."""
    for contender in contenders:
        contender.search()
    for _ in range(repeats):
        for contender in contenders:
            gc.collect()  # the last tree is not freed during the next search
            started = time.process_time()
            answer = contender.search()
            seconds = time.process_time() - started
            contender.answers.append(answer)
            contender.rates.append(answer.simulations / seconds)


def tree_size(contender: Contender) -> int:
    """The number of nodes of Spinney's largest tree."""
    return max(answer.nodes or 0 for answer in contender.answers)


def report(title: str, contenders: Sequence[Contender], figures: dict[str, Any], last: str, to: str | None) -> Any:
    """Print the table, the size of the tree, the choices and the last line. Returns all figures, for the JSON file."""
    screen, rows = console(to), []
    for contender in contenders:
        answers = contender.answers
        chosen = [answer for answer in answers if answer.action == contender.action]
        rows.append(
            (
                f"{contender.name} {contender.version}\n {contender.settings}",
                f"{median(answer.simulations for answer in answers):,.0f}",
                f"{contender.best:,.0f}",
                f"{median(contender.rates):,.0f}",
                f"{contender.action}\n{len(chosen)} of {len(answers)}",
                f"{median(answer.share for answer in chosen):.0%}",
            )
        )
    names = ("search", ">simulations", ">best", ">median", ">action", ">share")
    screen.print(table(title, *names, rows=rows))
    screen.print("best and median: simulations per CPU second; share: the chosen action's share of the visits")
    screen.print(f"Spinney's tree: {figures['nodes']:,} nodes")
    same = len({contender.action for contender in contenders}) == 1
    screen.print("All choose the same action." if same else "Note: they do not all choose the same action.")
    screen.print(last)
    return {**figures, "contenders": [contender.figures() for contender in contenders]}


def missing(package: str) -> NoReturn:
    """Exit with one line: a package is not installed."""
    print(f"{package} is not installed; try: pip install 'spinney-mcts[peers]'", file=sys.stderr)
    raise SystemExit(2)
