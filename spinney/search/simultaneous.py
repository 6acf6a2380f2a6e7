"""What searches share for games in which players move together: options, and one player's part of joint actions."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import pydantic

from spinney.clock import Clock
from spinney.errors import BadGame, BadOption
from spinney.games import CHANCE, Card, Game, State
from spinney.games.card import Rules, no_default_outcome, no_outcomes
from spinney.kernel import bind, rule, uniform
from spinney.search.result import Choice, SearchResult, best
from spinney.search.tree import NONE, ROOT, write
from spinney.search.tree_search import SimulationOptions, TreeSearch, Worker


class SimultaneousOptions(SimulationOptions):
    """What can be set about every search for players who move together."""

    chance: Literal["default", "sample", "list"] = pydantic.Field(
        "default",
        description="default: the game's default outcome; sample: a node per outcome as it is met; list: nodes for all",
    )
    prune: bool = pydantic.Field(True, description="leave out actions that the game knows to be senseless")
    choice: Literal["visits", "value", "strategy"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or drawn from the shares of the strategy"
    )
    reuse: bool = pydantic.Field(False, description="keep the part of the tree that the game has moved into")


AnyTogether = TypeVar("AnyTogether", bound=SimultaneousOptions)


def make_open_actions(rules):
    """A function that notes in a path which actions of each player are worth searching, as bits."""
    is_active, plausible = rules.is_active, rules.plausible

    @rule
    def open_actions(s, path, out):
        for player in range(len(path.open)):
            bits = 0
            if is_active(s, player):
                for i in range(plausible(s, player, out)):
                    bits |= 1 << out.action[i]
            path.open[player] = bits

    return open_actions


class SimultaneousSearch(TreeSearch[AnyTogether]):
    """A search whose tree has a child per joint action. One tree serves whichever player asks."""

    together = True
    """Whether players move together; a search that plays other games as well says so for each."""

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if card.has_hidden:
            return "it hides things from its players"
        return None if card.is_simultaneous else "its players move one after the other"

    def joint_rules(self, game: Game, options: AnyTogether) -> Rules:
        """The rules as this search plays by them: without senseless actions, and with chance as the options say."""
        self.reuse, self.open_loop = options.reuse, options.chance == "default"
        self.tally = bind(make_tally, f"{game.name}/tally", plain=options.plain, moves=self.rules.moves)
        rules = self.rules if options.prune else self.rules._replace(plausible=self.rules.legal)
        if options.chance == "sample":
            rules = rules._replace(outcomes=no_outcomes)
        elif options.chance == "default" and game.card.has_chance:
            if rules.default_outcome is no_default_outcome:
                raise BadOption(
                    f"{self.label}: option 'chance' = 'default': {game.name} has no rule default_outcome for that"
                )
            rules = rules._replace(chance=default_chance(rules.default_outcome))
        self.played = rules
        return rules

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        if self.together and state.mover >= 0:
            raise BadGame(f"{self.label} cannot search here: player {state.mover} moves alone")
        return super().run(state, clock, player)

    def edges(self, worker: Worker, player: int) -> list[Choice]:
        if not self.together:
            return super().edges(worker, player)
        path, players = worker.scratch[-1], range(self.game.players)
        self.tally(worker.nodes, path, player)
        visits = [int(path.tried[player, action]) for action in range(self.rules.moves)]
        return [
            Choice(action, n, tuple(float(path.worth[one, action]) / n for one in players), share=n / sum(visits))
            for action, n in enumerate(visits)
            if n
        ]

    def choose(self, choices: list[Choice], player: int) -> int:
        if self.options.choice != "strategy":
            return best(choices, player, self.options.choice)
        left = uniform(self.dice) * sum(choice.share for choice in choices)
        for choice in choices:
            left -= choice.share
            if left < 0:
                return choice.action
        return best(choices, player)

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


def default_chance(default_outcome: Any) -> Any:
    """Chance that always does what changes least."""

    @rule
    def chance(s, rng):
        return default_outcome(s)

    return chance
