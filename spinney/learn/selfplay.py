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
from spinney.kernel import PICKS, SEARCHES, seeded, uniform
from spinney.learn.settings import Settings
from spinney.learn.shards import Played
from spinney.play import NativeState
from spinney.search import TreeSearch
from spinney.search.encoding import encoder_of
from spinney.search.network import Trees, most_children
from spinney.search.result import merge
from spinney.search.workspace import fill_rng
from spinney.seeds import derive

Tried = dict[int, list[tuple[int, int]]]
"""For each player to move: the actions that the search tried, and their visits."""


class SelfPlayGame:
    """A game in progress, with the search's visits and values of its positions."""

    def __init__(self, game: Game, settings: Settings, number: int) -> None:
        self.game, self.settings, self.number = game, settings, number
        seed = derive(settings.seed, "game", number)
        self.state = NativeState(game, seed)
        self._picks, self._outputs = seeded(seed, PICKS), len(encoder_of(game.card).outputs)
        self._rows: list[tuple[bytes, Any, Any, Any]] = []

    @property
    def over(self) -> bool:
        return not self.state.movers or self.state.turns >= self.settings.max_turns

    def note(self, tried: Tried, outputs: Any, values: Sequence[float]) -> None:
        """Record the position with the results of a search, and make all players' moves, sampled by their visits.
        `outputs` has the network's output for each player's actions."""
        state = self.state
        acting = [False] * self.game.players
        policies = [[0.0] * self._outputs for _ in acting]
        for player, moves in tried.items():
            policy = policies[player]
            for action, visits in moves:
                if outputs[player][action] >= 0:
                    policy[outputs[player][action]] += visits
            total = sum(policy)
            if total > 0 and len(moves) > 1:  # forced moves are not trained on
                acting[player] = True
                policies[player] = [visits / total for visits in policy]
        self._rows.append((state.record.tobytes(), acting, policies, values))
        for player, moves in tried.items():
            actions, weights = [action for action, _ in moves], [float(visits) for _, visits in moves]
            state.apply(sample(actions, weights, self.settings.temperature, uniform(self._picks)), player)

    def played(self) -> Played:
        """The finished game as replay data."""
        out: Any = self.game.card.out()
        self.game.card.all_rewards[self.settings.reward](self.state.plain().record, out)
        states, acting, policies, values = zip(*self._rows, strict=True)
        return Played(
            states=np.stack([np.frombuffer(state, np.uint8) for state in states]),
            acting=np.array(acting, bool),
            policies=np.array(policies, np.float32),
            values=np.array(values, np.float32),
            rewards=np.tile(np.array(out.reward[: self.game.players], np.float32), (len(states), 1)),
            numbers=np.full(len(states), self.number, np.int64),
        )


def play_first(settings: Settings, numbers: Sequence[int]) -> Iterator[tuple[int, Played]]:
    """Play games of the teacher, one after the other."""
    game = known_games.load(settings.game)
    output = encoder_of(game.card).output
    for number in numbers:
        agent: Any = build(game, settings.teacher, derive(settings.seed, "teacher", number))
        search: TreeSearch = agent.search
        one = SelfPlayGame(game, settings, number)
        while not one.over:
            movers, state = one.state.movers, one.state.plain()
            result = search.run(state, player=movers[0])
            tried, outputs = Tried(), dict[int, dict[int, int]]()
            for player in movers:
                choices = merge([search.choices(worker, player) for worker in search.workers])
                tried[player] = [(choice.action, choice.visits) for choice in choices if choice.visits > 0]
                outputs[player] = {action: output(state.record, player, action) for action, _ in tried[player]}
            one.note(tried, outputs, result.root_values)
        yield number, one.played()


def play_with_network(settings: Settings, weights: str, numbers: Sequence[int]) -> Iterator[tuple[int, Played]]:
    """Play self-play games, many at once; yields each when it is over."""
    waiting = list(numbers)
    games = GrowingGames(settings, weights, min(settings.parallel_games, len(waiting)))
    while waiting or games.playing:
        for place in range(games.places):
            if waiting and place not in games.playing:
                games.start(place, waiting.pop(0))
        for one in games.grow():
            yield one.number, one.played()


class GrowingGames:
    """Self-play games at a number of places, with a tree for the position of each. All trees grow together."""

    def __init__(self, settings: Settings, weights: str, places: int) -> None:
        self.game, self.settings, self.places = known_games.load(settings.game), settings, places
        name, given = parse_spec(settings.search)
        given = {"reward": settings.reward, **given, "weights": weights, "plain": False}
        agent: Any = build(self.game, write_spec(name, given), 0)
        search: TreeSearch = agent.search
        network = search.parts.network
        assert network is not None
        self._seed, self._simulations = given.get("seed"), int(search.options.iterations or 0)
        self._trees = Trees(network, np.zeros(places, search.parts.workspace.dtype), search.workers[0].settings)
        size = min(search.options.nodes, 1 + (most_children(self.game) + 4) * self._simulations)
        self._trees.nodes = np.empty((places, size), search.node.dtype)
        self._plant, self._read = network.decisions()
        players = self.game.players
        self._visits = np.zeros((players, network.columns), np.int64)
        self._outputs, self._values = np.zeros_like(self._visits), np.zeros(players)
        self.playing: dict[int, SelfPlayGame] = {}
        """The game at each place where there is one."""
        self._left = np.zeros(places, np.int64)
        """Simulations until the next decision."""

    def start(self, place: int, number: int) -> None:
        """Start a game at a place where there is none."""
        self.playing[place] = SelfPlayGame(self.game, self.settings, number)
        work = self._trees.works[place : place + 1]
        work.view(np.uint8)[:] = 0
        seed = derive(self.settings.seed, "search", number) if self._seed is None else self._seed
        fill_rng(work[0].rng, seeded(seed, SEARCHES))
        self._begin(place)

    def grow(self) -> list[SelfPlayGame]:
        """Grow all trees by a batch, and make the moves that are decided; the games that are over."""
        self._left -= self._trees.grow(self._left)
        over = []
        for place in np.nonzero(self._left <= 0)[0].tolist():
            one = self.playing.get(place)
            if one is not None:
                self._decide(place, one)
                if one.over:
                    over.append(self.playing.pop(place))
                else:
                    self._begin(place)
        return over

    def _decide(self, place: int, one: SelfPlayGame) -> None:
        """Make the moves of the players to move, by the tree."""
        trees = self._trees
        self._read(trees.nodes, trees.roots, place, self._visits, self._outputs, self._values)
        visits, tried = self._visits.tolist(), Tried()
        for player in one.state.movers:
            tried[player] = [(action, n) for action, n in enumerate(visits[player]) if n > 0]
            if not self.game.card.is_simultaneous:
                tried[player].sort(key=lambda move: -move[1])
        one.note(tried, self._outputs.tolist(), self._values.tolist())

    def _begin(self, place: int) -> None:
        """A new tree for the position that a game has reached."""
        trees = self._trees
        trees.roots[place] = self.playing[place].state.record
        self._plant(trees.nodes, trees.works, trees.roots, place)
        self._left[place] = self._simulations
