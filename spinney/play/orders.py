"""Turns of many orders: what is asked one after the other, and the rest of a turn that a person began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spinney.agents import PlannerAgent, build, hand_written, planner_name
from spinney.games import Game, State


def asked_in_turn(state: State, player: int | None) -> Iterator[State]:
    """The position at each order that the player still has to give in this turn, as it is if the orders before change
    nothing. The state is the same every time."""
    ahead = state.copy(manual_chance=True)
    yield ahead
    while True:
        ahead.apply(ahead.legal(player)[0], player)
        if ahead.movers != (player,) or not ahead.is_under_way:
            return
        yield ahead


class Completer:
    """Completes turns: by the game's planner, which is made when it is asked for the first time, or by a hand-written
    player that chooses one action after the other."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game, self.seed = game, seed
        self._planner: PlannerAgent | None = None

    def release(self) -> None:
        self._planner = None

    def complete(self, state: State, player: int, given: Mapping[int, int]) -> list[int]:
        """All actions of the player's turn, around those that are given by their places in the turn."""
        name = planner_name(self.game)
        if name is None:
            return _complete_stepwise(state, player, given)
        if self._planner is None:
            agent = build(self.game, name, self.seed)
            assert isinstance(agent, PlannerAgent)
            self._planner = agent
        return list(self._planner.complete_turn(state, player, given).actions)


def _complete_stepwise(state: State, player: int, given: Mapping[int, int]) -> list[int]:
    game, ahead, actions = state.game, state.copy(), list[int]()
    agent = build(game, hand_written(game))
    while not actions or (player in ahead.movers and ahead.waits_for_others):
        place = len(actions)
        actions.append(given[place] if place in given else agent.decide(ahead, player=player).action)
        ahead.apply(actions[-1], player)
    return actions
