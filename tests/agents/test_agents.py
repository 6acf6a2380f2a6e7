"""Agents: specs, errors that help, decisions with their figures, and honesty."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spinney
from spinney.agents import strong_agent, usual_agent
from spinney.games.parts import Player
from spinney.games.spec import parse_spec
from spinney.kernel import seeded
from spinney.play import Session
from tests.games.test_perft import after
from tests.tiny import to_a_choice


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("uct", ("uct", {})),
        (" uct ( ) ", ("uct", {})),
        ("uct(n=20, c=1.4, rollout=heuristic)", ("uct", {"n": 20, "c": 1.4, "rollout": "heuristic"})),
        ("a(b=true, c=False, d=none)", ("a", {"b": True, "c": False, "d": None})),
        ("a(e=-1, f='x y', g=inf)", ("a", {"e": -1, "f": "x y", "g": float("inf")})),
        ("examples/pig.py(players=3,)", ("examples/pig.py", {"players": 3})),
        (" my games/pig.py (players=3)", ("my games/pig.py", {"players": 3})),
    ],
)  # fmt: skip
def test_specs(text, parsed):
    assert parse_spec(text) == parsed


@given(st.text(max_size=30))
def test_no_spec_breaks_the_parser(text):
    for wrapped in (text, f"uct({text})", f"uct(c={text})"):
        try:
            name, options = parse_spec(wrapped)
        except spinney.BadSpec:
            continue
        assert name
        assert all(isinstance(option, str) for option in options)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("utc", spinney.UnknownName, "connect_four has no agent 'utc'; did you mean 'uct'? known: random, heuristic"),
        ("uct(depth=3)", spinney.BadOption, "no option 'depth'; did you mean 'max_depth'? its options: iterations"),
        ("uct(c=-1)", spinney.BadOption, "uct: option 'c' = -1 must be greater than or equal to 0"),
        ("uct(c=often)", spinney.BadOption, "uct: option 'c' = 'often' must be a valid number"),
        ("uct(c=nan)", spinney.BadOption, "option 'c'"),
        ("uct(iterations=0)", spinney.BadOption, "option 'iterations' = 0 must be greater than 0"),
        ("uct(iterations=-5)", spinney.BadOption, "option 'iterations' = -5 must be greater than 0"),
        ("uct(iterations=1.5)", spinney.BadOption, "option 'iterations' = 1.5 must be a valid integer"),
        ("uct(seconds=0)", spinney.BadOption, "option 'seconds' = 0 must be greater than 0"),
        ("uct(seconds=inf)", spinney.BadOption, "option 'seconds' = inf must be a finite number"),
        ("uct(c=inf)", spinney.BadOption, "option 'c' = inf must be a finite number"),
        ("uct(bias=nan)", spinney.BadOption, "option 'bias' = 'nan' must be a valid number"),
        ("uct(fpu=nan)", spinney.BadOption, "option 'fpu' = 'nan' must be a valid number"),
        ("uct(iterations='100')", spinney.BadOption, "option 'iterations' = '100' must be a valid integer"),
        ("uct(threads=0)", spinney.BadOption, "option 'threads' = 0 must be greater than or equal to 1"),
        ("uct(minimax=2)", spinney.BadOption, "'minimax' = 2 must be less than or equal to 1; 0 to 1 is allowed"),
        ("uct(choice=best)", spinney.BadOption, "option 'choice' = 'best' must be 'visits' or 'value'"),
        ("uct(solver=2)", spinney.BadOption, "option 'solver' = 2 must be a valid boolean"),
        ("uct(rollout=hero)", spinney.UnknownName, "uct: option 'rollout' = 'hero': connect_four has no player 'hero'"),
        ("uct(nodes=10, threads=2)", spinney.BadOption, "connect_four with 2 threads needs at least 16"),
        ("uct(open_loop=true, solver=true)", spinney.BadOption, "solver=true needs explicit chance nodes"),
        ("uct(first_play=1)", spinney.BadOption, "uct has no option 'first_play'; it is called 'fpu' now"),
        ("random(iterations=5)", spinney.BadOption, "random has no option 'iterations'; its options: seed"),
        ("uct(5)", spinney.BadSpec, "write option=value"),
        ("uct(c=1, c=2)", spinney.BadSpec, "option 'c' is given twice"),
        ("uct(c=[1])", spinney.BadSpec, "cannot read the value of 'c'"),
        ("uct)", spinney.BadSpec, "cannot read 'uct)'"),
    ],
)  # fmt: skip
def test_wrong_agents(spec, error, message):
    with pytest.raises(error) as caught:
        spinney.game("connect_four").agent(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_that_a_game_cannot_serve():
    game = spinney.game("examples/pig.py")
    with pytest.raises(spinney.BadOption, match="pig has no evaluation"):
        game.agent("uct(rollout_depth=3)")
    with pytest.raises(spinney.BadOption, match="pig has no bias; only 0"):
        game.agent("uct(bias=0.1)")


@pytest.mark.parametrize("spec", ["random", "heuristic", "flat(iterations=200)", "uct(iterations=200)"])
@pytest.mark.parametrize("name", ["connect_four", "examples/pig.py(players=4, goal=15)"])
def test_decisions(spec, name):
    game = spinney.game(name)
    agent = game.agent(spec, seed=1)
    state = to_a_choice(game.start(seed=1))
    before = state.record.copy()
    decision = agent.decide(state)
    assert state.record == before
    assert decision.action in state.legal()
    assert decision.name == state.name(decision.action)
    assert decision.player == state.mover
    assert 0 < decision.seconds < 5
    json.dumps(decision.to_dict())
    assert decision.name in str(decision)
    if spec.startswith(("flat", "uct")):
        assert decision.iterations == 200
        assert sum(decision.values) == pytest.approx(1)
        assert {choice.action for choice in decision.choices} == set(state.legal())
        assert decision.line[0] == decision.name
        assert decision.result.nodes > 1
        assert decision.tree.visits == 200
    state = Session(state, [agent] * game.players).play()
    assert sum(state.rewards()) == pytest.approx(1)


def test_what_an_agent_cannot_decide():
    game = spinney.game("connect_four")
    agent = game.agent("random")
    with pytest.raises(spinney.GameOver, match="random cannot decide: the game is over"):
        agent.decide(after(game, "1212121"))
    with pytest.raises(spinney.BadGame, match="this agent plays connect_four; the state is of tictactoe"):
        agent.decide(spinney.game("tictactoe").start())
    pig = spinney.game("examples/pig.py")
    waiting = pig.start(manual_chance=True)
    waiting.apply("throw")
    with pytest.raises(spinney.WrongPlayer, match="chance is to move"):
        pig.agent("uct").decide(waiting)
    with pytest.raises(spinney.BadGame, match="this agent plays"):
        pig.agent("uct").decide(spinney.game("examples/pig.py(goal=20)").start())
    with pytest.raises(spinney.BadGame, match="for 2 players, and there are 1 seats"):
        Session(game.start(), [agent])
    with pytest.raises(spinney.BadGame, match="chance is to move, and this state leaves that to you"):
        list(Session(pig.start(manual_chance=True), [pig.agent("random")] * 2).frames())


def test_seeds_repeat_and_specs_remake():
    game = spinney.game("connect_four")
    specs = ["random", "uct(iterations=300, c=0.9, rollout=heuristic)"]
    for spec in specs:
        one, two = game.agent(spec, seed=8), game.agent(spec, seed=8)
        state = game.start()
        assert [one.decide(state).action for _ in range(5)] == [two.decide(state).action for _ in range(5)]
        again = game.agent(one.spec)
        assert again.options == one.options
        assert again.decide(state).choices == game.agent(spec, seed=8).decide(state).choices


class Reader(spinney.Options):
    book: str = "none"
    careful: bool = False


@pytest.mark.parametrize("book", ["my book.txt", "true", "class", "a'b", "5", "diver(depth=20)", "word"])
def test_specs_remake_options_that_need_quotes(book):
    plain = spinney.game("tictactoe").card
    reader = Player(lambda **_: plain.player("random"), Reader)
    game = spinney.game(dataclasses.replace(plain, players={"reader": reader}, options=Reader), book=book)
    agent = game.agent(f"reader(book={book!r}, careful=true)", seed=1)
    assert game.agent(agent.spec).options == agent.options
    assert parse_spec(repr(game)) == ("tictactoe", {"book": book})


def test_a_preset_of_an_agent_that_is_not_there():
    card = dataclasses.replace(spinney.game("tictactoe").card, players={"best": "utc(iterations=5)"})
    with pytest.raises(spinney.BadGame, match="preset 'best' of tictactoe names an agent 'utc'; did you mean 'uct'"):
        spinney.game(card).agent("random")


def test_the_future_dice_do_not_matter():
    """Two states that differ only in the dice to come: the same decision, figure for figure."""
    game = spinney.game("examples/pig.py")
    state = to_a_choice(game.start(seed=1))
    other = state.copy()
    other._rng = seeded(2)
    decisions = [game.agent("uct(iterations=500)", seed=3).decide(s) for s in (state, other)]
    assert decisions[0].choices == decisions[1].choices
    assert len(decisions[0].choices) == 2
    state.apply("throw")
    other.apply("throw")
    assert state.record != other.record


def test_what_is_forced_is_not_searched():
    state = spinney.game("examples/pig.py").start(seed=1)
    (decision,) = Session(state, [state.game.agent("uct(seconds=60)")] * 2).ask()
    assert (decision.name, decision.iterations, decision.tree) == ("throw", 0, None)


@pytest.mark.parametrize("name", ["deepsea", "battlesnake"])
def test_a_champion_is_a_search_with_options_that_can_be_changed(name):
    game = spinney.game(name)
    agent = game.agent("champion(iterations=300)", seed=1)
    assert game.agent(agent.spec).options == agent.options
    assert agent.options.iterations == 300
    assert agent.options.reuse
    state = game.start(seed=1)
    while len(state.legal(state.movers[0])) < 2:
        state.apply(state.legal()[0])
    assert agent.decide(state, player=state.movers[0]).iterations <= 300
    with pytest.raises(spinney.BadOption, match="champion has no option 'depth'"):
        game.agent("champion(depth=3)")


@pytest.mark.parametrize(
    ("game", "usual", "strong"),
    [
        ("battlesnake", "champion", "champion(seconds=1)"),
        ("halite", "champion", "champion"),
        ("examples/pig.py", "uct", "uct(seconds=1)"),
    ],
)
def test_who_plays_unless_another_is_named(game, usual, strong):
    loaded = spinney.game(game)
    assert (usual_agent(loaded), strong_agent(loaded)) == (usual, strong)
