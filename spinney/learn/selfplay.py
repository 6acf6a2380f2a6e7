"""Self-play games, with the search's visits and values of every position.

A game depends only on the settings, the seed and its number, not on the games played at the same time: a network's
outputs for a position do not depend on the batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spinney import games as known_games
from spinney.agents import build
from spinney.agents.net import sample
from spinney.games import Game
from spinney.games.spec import parse_spec, write_spec
from spinney.kernel import uniform
from spinney.learn.settings import Settings
from spinney.learn.shards import Played
from spinney.play import NativeState
from spinney.search import Choice, TreeSearch
from spinney.search.encoding import encoder_of
from spinney.search.network import TreeTask, grow_all, most_children
from spinney.search.result import merge
from spinney.search.tree import ROOT
from spinney.seeds import derive


class SelfPlayGame:
    """A game in progress, with the search's visits and values of its positions."""

    def __init__(self, game: Game, settings: Settings, number: int) -> None:
        self.game, self.settings, self.number = game, settings, number
        self.state = NativeState(game, derive(settings.seed, "game", number))
        self.encoder = encoder_of(game.card)
        self._rows: list[tuple[bytes, Any, Any, Any]] = []

    @property
    def over(self) -> bool:
        return not self.state.movers or self.state.turns >= self.settings.max_turns

    def note(self, found: dict[int, list[Choice]], values: Sequence[float]) -> None:
        """Record the position with the results of a search, and make all players' moves, sampled by their visits."""
        players, state = self.game.players, self.state
        acting = np.zeros(players, bool)
        policies = np.zeros((players, len(self.encoder.outputs)), np.float32)
        plain = state.plain().record
        actions = {}
        for player, choices in found.items():
            for choice in choices:
                output = self.encoder.output(plain, player, choice.action)
                if output >= 0:
                    policies[player, output] += choice.visits
            total = policies[player].sum()
            if total > 0 and len(choices) > 1:  # forced moves are not trained on
                acting[player] = True
                policies[player] /= total
            legal, visits = [choice.action for choice in choices], [float(choice.visits) for choice in choices]
            actions[player] = sample(legal, visits, self.settings.temperature, uniform(state.picks))
        self._rows.append((state.record.tobytes(), acting, policies, np.array(values, np.float32)))
        for player, action in actions.items():
            state.apply(action, player)

    def played(self) -> Played:
        """The finished game as replay data."""
        out: Any = self.game.card.out()
        self.game.card.all_rewards[self.settings.reward](self.state.plain().record, out)
        states, acting, policies, values = zip(*self._rows, strict=True)
        return Played(
            states=np.stack([np.frombuffer(state, np.uint8) for state in states]),
            acting=np.stack(acting),
            policies=np.stack(policies),
            values=np.stack(values),
            rewards=np.tile(np.array(out.reward[: self.game.players], np.float32), (len(states), 1)),
            numbers=np.full(len(states), self.number, np.int64),
        )


def play_first(settings: Settings, numbers: Sequence[int]) -> Iterator[tuple[int, Played]]:
    """Play games of the teacher, one after the other."""
    game = known_games.load(settings.game)
    for number in numbers:
        agent: Any = build(game, settings.teacher, derive(settings.seed, "teacher", number))
        search: TreeSearch = agent.search
        record = SelfPlayGame(game, settings, number)
        while not record.over:
            movers = record.state.movers
            result = search.run(record.state.plain(), player=movers[0])
            choices = {player: _tried(merge([search.choices(worker, player) for worker in search.workers]))
                       for player in movers}  # fmt: skip
            record.note(choices, result.root_values)
        yield number, record.played()


def play_with_network(settings: Settings, weights: str, numbers: Sequence[int]) -> Iterator[tuple[int, Played]]:
    """Play self-play games, many at once; yields each when it is over."""
    game = known_games.load(settings.game)
    waiting, growing = list(numbers), list[GrowingGame]()
    while waiting or growing:
        while waiting and len(growing) < settings.parallel_games:
            growing.append(GrowingGame(game, settings, weights, waiting.pop(0)))
        tasks = [one.task for one in growing]
        counts = grow_all(tasks, tasks[0].network.evaluator, [one.left for one in growing])
        for one, done in zip(growing, counts, strict=True):
            one.left -= done
        for one in [one for one in growing[::-1] if one.left <= 0]:
            one.decide()
            if one.record.over:
                yield one.record.number, one.record.played()
                growing.remove(one)


class GrowingGame:
    """A self-play game and the tree of its position, which grows together with those of other games."""

    def __init__(self, game: Game, settings: Settings, weights: str, number: int) -> None:
        name, given = parse_spec(settings.search)
        given = {"reward": settings.reward, **given, "weights": weights}
        agent: Any = build(game, write_spec(name, given), derive(settings.seed, "search", number))
        self.search: TreeSearch = agent.search
        network = self.search.parts.network
        assert network is not None
        self.record = SelfPlayGame(game, settings, number)
        self.task: TreeTask = network.task(self.search.workers[0], None)
        self.left = 0
        """Simulations until the next decision."""
        self._plant()

    def decide(self) -> None:
        """Make the moves of the players to move, by the tree."""
        worker, record = self.task.worker, self.record
        root = worker.nodes[ROOT]
        found = {player: _tried(self.search.choices(worker, player)) for player in record.state.movers}
        record.note(found, [float(value) / root.visits for value in root.value])
        if not record.over:
            self._plant()

    def _plant(self) -> None:
        """A new tree for the position that the game has reached."""
        worker, state, game = self.task.worker, self.record.state, self.record.game
        self.left = self.search.options.iterations or 0
        self.task.root = state.record.copy()
        worker.clear(1 + (most_children(game) + 1) * self.left)
        worker.nodes[ROOT].mover = game.card.rules.mover(state.plain().record)
        worker.work.out.searcher = state.movers[0]


def _tried(choices: Sequence[Choice]) -> list[Choice]:
    return [choice for choice in choices if choice.visits > 0]
