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
from spinney.play import Clock, NativeState
from spinney.search import Choice, TreeSearch
from spinney.search.encoding import encoder_of
from spinney.search.network import Network, TreeTask, grow_all
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
        for player, edges in found.items():
            for edge in edges:
                place = self.encoder.output(plain, player, edge.action)
                if place >= 0:
                    policies[player, place] += edge.visits
            total = policies[player].sum()
            if total > 0 and len(edges) > 1:  # forced moves are not trained on
                acting[player] = True
                policies[player] /= total
            visits = [float(edge.visits) for edge in edges]
            drawn = uniform(state.picks)
            actions[player] = sample([edge.action for edge in edges], visits, self.settings.temperature, drawn)
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
        search: TreeSearch[Any] = agent.search
        diary = SelfPlayGame(game, settings, number)
        while not diary.over:
            state, movers = diary.state.plain(), diary.state.movers
            found = search.run(state, Clock(iterations=agent.options.iterations), movers[0])
            edges = {player: _tried(merge([search.edges(worker, player) for worker in search.workers]))
                     for player in movers}  # fmt: skip
            diary.note(edges, found.root_values)
        yield number, diary.played()


def play_with_network(settings: Settings, weights: str, numbers: Sequence[int]) -> Iterator[tuple[int, Played]]:
    """Games of a search with a network, many at once; each comes when it is over, and the next takes its place."""
    game = known_games.load(settings.game)
    waiting, plots, diaries, left = list(numbers), list[TreeTask](), list[SelfPlayGame](), list[int]()
    simulations = 0
    while waiting or plots:
        while waiting and len(plots) < settings.parallel_games:
            number = waiting.pop(0)
            search = _network(game, settings, weights, number)
            simulations = search.options.iterations or 0
            diary = SelfPlayGame(game, settings, number)
            plots.append(search.plot(search.workers[0], diary.state.record.copy()))
            diaries.append(diary)
            left.append(_plant(plots[-1], diary, simulations))
        for i, done in enumerate(grow_all(plots, plots[0].search.evaluator, left)):
            left[i] -= done
        for i in reversed(range(len(plots))):
            if left[i] > 0:
                continue
            plot, diary = plots[i], diaries[i]
            root = plot.worker.nodes[ROOT]
            edges = {player: _tried(plot.search.edges(plot.worker, player)) for player in diary.state.movers}
            diary.note(edges, [float(value) / root.visits for value in root.value])
            if diary.over:
                yield diary.number, diary.played()
                del plots[i], diaries[i], left[i]
            else:
                left[i] = _plant(plot, diary, simulations)


def _plant(plot: TreeTask, diary: SelfPlayGame, simulations: int) -> int:
    """A new tree for the position that a game has come to."""
    worker = plot.worker
    plot.root = diary.state.record.copy()
    worker.clear(1 + (Network.most_children(diary.game) + 1) * simulations)
    movers = diary.state.movers
    worker.nodes[ROOT].mover = diary.game.card.rules.mover(diary.state.plain().record)
    worker.scratch[2].searcher = movers[0]
    return simulations


def _network(game: Game, settings: Settings, weights: str, number: int) -> Network:
    """The search of one game."""
    name, given = parse_spec(settings.search)
    given = {"reward": settings.reward, **given, "weights": weights}
    agent: Any = build(game, write_spec(name, given), derive(settings.seed, "search", number))
    search: Network = agent.search
    return search


def _tried(edges: Sequence[Choice]) -> list[Choice]:
    return [edge for edge in edges if edge.visits > 0]
