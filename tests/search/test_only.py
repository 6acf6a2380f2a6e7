"""Searches of one action alone: the root has no other."""

from __future__ import annotations

import pytest

import spinney
from spinney.agents import build
from spinney.errors import BadOption
from spinney.games import State

AGENTS = [
    ("tictactoe", "uct(iterations=300)"),
    ("tictactoe", "uct(iterations=300, open_loop=true)"),
    ("examples/pig.py", "uct(iterations=300)"),
    ("kuhn_poker", "infoset(iterations=300)"),
    ("kuhn_poker", "infoset(iterations=300, method=mo_ismcts)"),
    ("kuhn_poker", "infoset(iterations=300, method=determinized)"),
    ("goofspiel(num_cards=4)", "joint(iterations=300, chance=sample)"),
    ("goofspiel(num_cards=4)", "decoupled(iterations=300, chance=sample)"),
]


def searched(game: str, agent: str, only: int | None, plain: bool = False):
    """What a search of the first decision found, of one action or of all."""
    state = spinney.game(game).start(2)
    player = state.movers[0]
    made = build(state.game, agent.replace(")", ", plain=true)") if plain else agent, 1)
    return made.search.run(state.observe(player), player=player, only=only)


@pytest.mark.parametrize(("game", "agent"), AGENTS)
def test_all_simulations_are_of_that_action_plain_and_compiled(game, agent):
    state = spinney.game(game).start(2)
    action = state.legal(state.movers[0])[-1]
    found = [searched(game, agent, action, plain).choices for plain in (False, True)]
    assert found[0] == found[1]
    (choice,) = found[0]
    assert (choice.action, choice.visits) == (action, 300)


def test_the_action_has_the_value_of_the_position_after_it():
    """After two opposite corners; the search proves what a minimax search in Python says."""
    game = spinney.game("tictactoe")
    state = game.start()
    for square in ("1", "9"):
        state.apply(square)
    search = build(game, "uct(iterations=200000, solver=true)", 1).search
    for action in state.legal():
        (choice,) = search.run(state, only=action).choices
        after = state.copy()
        after.apply(action)
        assert (choice.proven, choice.values[0]) == (True, minimax(after))


def minimax(state: State) -> float:
    """The value of a position of two players for the first of them."""
    if state.is_over:
        return state.rewards()[0]
    values = []
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        values.append(minimax(after))
    return (min if state.mover else max)(values)


def test_the_next_search_is_of_all_actions_and_begins_anew():
    game = spinney.game("connect_four")
    state = game.start()
    search = build(game, "uct(iterations=500, reuse=true)", 1).search
    assert len(search.run(state, only=0).choices) == 1
    after = search.run(state)
    assert (len(after.choices), sum(choice.visits for choice in after.choices)) == (7, 500)


@pytest.mark.parametrize("agent", ["flat", "uct(root=gumbel)"])
def test_searches_without_that_refuse(agent):
    with pytest.raises(BadOption, match="cannot search one action alone"):
        searched("tictactoe", agent, 0)
