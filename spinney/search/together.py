"""What searches share for games in which players move together: options, and one player's part of joint actions."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import pydantic

from spinney.errors import BadGame, BadOption
from spinney.games import CHANCE, Card, Game, State
from spinney.games.card import Rules, no_outcomes, no_quiet
from spinney.kernel import bind, rule, uniform
from spinney.search.budget import Budget
from spinney.search.driver import SimulationOptions, TreeSearch, Worker
from spinney.search.found import Edge, Found
from spinney.search.tree import NONE, ROOT, write


class TogetherOptions(SimulationOptions):
    """What can be set about every search for players who move together."""

    chance: Literal["quiet", "sample", "list"] = pydantic.Field(
        "quiet",
        description="quiet: what changes least happens; sample: a node per outcome as it is met; list: nodes for all",
    )
    prune: bool = pydantic.Field(True, description="leave out actions that the game knows to be senseless")
    choice: Literal["visits", "value", "strategy"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or drawn from the shares of the strategy"
    )
    reuse: bool = pydantic.Field(False, description="keep the part of the tree that the game has moved into")


AnyTogether = TypeVar("AnyTogether", bound=TogetherOptions)


def make_open_actions(rules):
    """A function that notes in a path which actions of each player are worth searching, as bits."""
    acts, sensible = rules.acts, rules.sensible

    @rule
    def open_actions(s, path, out):
        for player in range(len(path.open)):
            bits = 0
            if acts(s, player):
                for i in range(sensible(s, player, out)):
                    bits |= 1 << out.action[i]
            path.open[player] = bits

    return open_actions


class TogetherSearch(TreeSearch[AnyTogether]):
    """A search whose tree has a child per joint action. One tree serves whichever player asks."""

    together = True
    """Whether players move together; a search that plays other games as well says so for each."""

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if card.has_hidden:
            return "it hides things from its players"
        return None if card.moves_together else "its players move one after the other"

    def joint_rules(self, game: Game, options: AnyTogether) -> Rules:
        """The rules as this search plays by them: without senseless actions, and with chance as the options say."""
        self.reuse, self.open_loop = options.reuse, options.chance == "quiet"
        self.tally = bind(make_tally, f"{game.name}/tally", plain=options.plain, moves=self.rules.moves)
        rules = self.rules if options.prune else self.rules._replace(sensible=self.rules.legal)
        if options.chance == "sample":
            rules = rules._replace(outcomes=no_outcomes)
        elif options.chance == "quiet" and game.card.has_chance:
            if rules.quiet is no_quiet:
                raise BadOption(f"{self.label}: option 'chance' = 'quiet': {game.name} has no rule quiet for that")
            rules = rules._replace(chance=quiet_chance(rules.quiet))
        self.played = rules
        return rules

    def run(self, state: State, budget: Budget | None = None, player: int | None = None) -> Found:
        if self.together and state.mover >= 0:
            raise BadGame(f"{self.label} cannot search here: player {state.mover} moves alone")
        return super().run(state, budget, player)

    def edges(self, worker: Worker, player: int) -> list[Edge]:
        if not self.together:
            return super().edges(worker, player)
        path, players = worker.scratch[-1], range(self.game.players)
        self.tally(worker.nodes, path, player)
        visits = [int(path.tried[player, action]) for action in range(self.rules.moves)]
        return [
            Edge(action, n, tuple(float(path.worth[one, action]) / n for one in players), share=n / sum(visits))
            for action, n in enumerate(visits)
            if n
        ]

    def choose(self, found: Found) -> Edge:
        if self.options.choice != "strategy":
            return found.best(self.options.choice)
        left = uniform(self.dice) * sum(edge.share for edge in found.edges)
        for edge in found.edges:
            left -= edge.share
            if left < 0:
                return edge
        return found.best()

    def _compile(self) -> None:
        super()._compile()
        self._compile_tally()

    def _compile_tally(self) -> None:
        worker = self.workers[0]
        write(worker.nodes[ROOT], 0, 0.0)
        self.tally(worker.nodes, worker.scratch[-1], 0)

    def _after(self, steps: list[tuple[int, int]]) -> Any:
        """As ever; but a tree that left chance out is kept only if the game has come to where it thought."""
        if not self.open_loop:
            return super()._after(steps)
        ahead = State(self.game, self._searched.copy())
        for mover, action in steps:
            if mover != CHANCE:
                ahead.apply(action, mover)
            while ahead.mover == CHANCE:
                ahead.apply(int(self.played.chance(ahead.record, None)))
        return ahead.record

    def _way(self, history: list[tuple[int, int]]) -> list[int]:
        """The way through the tree: joint actions, and chance outcomes where chance has nodes."""
        if not self.together:
            return super()._way(history)
        way, last = [], CHANCE
        for mover, action in history:
            if mover == CHANCE:
                if not self.open_loop:
                    way.append(action)
            elif mover > last >= 0:  # one more of those who moved together
                way[-1] += action * self.rules.moves**mover
            else:
                way.append(action * self.rules.moves**mover)
            last = mover
        return way


def make_tally(moves):
    """A function that adds up what the root's children say about the actions of one of those who moved together."""

    def tally(nodes, path, player):
        """Visits to the path's `tried`, everybody's rewards to its `worth`, by the player's action."""
        players = len(path.open)
        for action in range(moves):
            path.tried[player, action] = 0.0
            for one in range(players):
                path.worth[one, action] = 0.0
        child = nodes[ROOT].first
        while child != NONE:
            node = nodes[child]
            action = node.action // moves**player % moves
            path.tried[player, action] += node.visits
            for one in range(players):
                path.worth[one, action] += node.value[one]
            child = node.next

    return tally


def quiet_chance(quiet: Any) -> Any:
    """Chance that always does what changes least."""

    @rule
    def chance(s, rng):
        return quiet(s)

    return chance
