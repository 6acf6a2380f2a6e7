"""States: what people call. Wrong calls raise the library's own errors and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE, OVER
from spinney.games.connect_four import players as connect_four_players
from spinney.games.parts import Board
from tests.tiny import DARE_GAME, soon_over

PIG = "examples/pig.py(players=3)"
GAMES = [*map(soon_over, spinney.game_names()), PIG]


def play(state: spinney.State, picks: list[int]) -> list[tuple[int, int]]:
    """Apply the picked legal actions until the game or the picks end; return what was applied."""
    for pick in picks:
        if state.is_over:
            break
        for player in state.movers:
            legal = state.legal(player)
            state.apply(legal[(pick + player) % len(legal)], player)
    return state.history


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**63 - 1), picks=st.lists(st.integers(0, 99), max_size=60))
@settings(max_examples=40, deadline=None)
def test_games_keep_their_promises(name, seed, picks):
    game = spinney.game(name)
    state, again = game.start(seed), game.start(seed)
    assert play(state, picks) == play(again, picks)  # the same seed, the same dice
    assert state.record == again.record
    copy = state.copy()
    assert (state.mover == OVER) == state.is_over
    if state.is_over:
        rewards = state.rewards()
        assert len(rewards) == game.players
        assert all(0 <= reward <= 1 for reward in rewards)
        assert sum(rewards) >= 1 - 1e-9  # in some games all leaders have 1
        assert state.legal() == []
    else:
        assert set(state.movers) <= set(range(game.players))
        assert (state.mover,) == state.movers or state.mover == spinney.SIMULTANEOUS
        for player in state.movers:
            names = state.names(player)
            assert len(set(names)) == len(names) == len(state.legal(player)) > 0
            for action, word in zip(state.legal(player), names, strict=True):
                assert state.parse(word, player) == action
            copy.apply(names[-1], player)
        assert copy.record != state.record
    assert state.record == again.record  # a copy shares nothing
    assert str(state)
    assert type(state.record).plain(type(state.record).native(state.record)) == state.record
    assert [(mover, action) for _, mover, action in state.steps()] == state.history


@pytest.mark.parametrize(
    ("moves", "call", "error", "message"),
    [
        (
            "444444",
            lambda s: s.apply(3),
            spinney.IllegalAction,
            "action 3 is not legal for player 0; legal: 0 (1), 1 (2)",
        ),
        ("444444", lambda s: s.apply("4"), spinney.IllegalAction, "'4' is not legal; legal: 1, 2, 3, 5"),
        ("4", lambda s: s.apply(7), spinney.IllegalAction, "action 7 is not legal"),
        ("4", lambda s: s.apply(-1), spinney.IllegalAction, "action -1"),
        ("4", lambda s: s.apply(2.0), spinney.IllegalAction, "action 2.0"),
        ("4", lambda s: s.apply(True), spinney.IllegalAction, "action True"),
        ("4", lambda s: s.apply(None), spinney.IllegalAction, "action None"),
        ("4", lambda s: s.apply(""), spinney.IllegalAction, "'' is not legal"),
        ("4", lambda s: s.apply(3, player=0), spinney.WrongPlayer, "player 0 cannot act: player 1 is to move"),
        ("4", lambda s: s.rewards(), spinney.GameOver, "is not over"),
        ("1212121", lambda s: s.apply(3), spinney.GameOver, "the game of connect_four is over"),
    ],
)
def test_wrong_calls(moves, call, error, message):
    state = spinney.game("connect_four").start()
    for move in moves:
        state.apply(move)
    before, history = state.record.copy(), list(state.history)
    with pytest.raises(error) as caught:
        call(state)
    assert message in str(caught.value)
    assert isinstance(caught.value, spinney.SpinneyError)
    assert (state.record, state.history) == (before, history)


def test_chance_by_hand():
    state = spinney.game(DARE_GAME).start(manual_chance=True)
    state.apply(1)
    assert state.mover == CHANCE
    assert state.legal() == []
    assert state.outcomes() == [(face, pytest.approx(1 / 6)) for face in range(1, 7)]
    with pytest.raises(spinney.IllegalAction, match="outcome 7 cannot happen; possible: 1"):
        state.apply(7)
    with pytest.raises(spinney.WrongPlayer, match="chance is to move"):
        state.apply(1, player=0)
    state.apply(5)
    assert (state.mover, state.record.score[0]) == (1, 5)


def test_dice_follow_the_seed_and_an_agents_view_does_not_have_them():
    game = spinney.game(PIG)
    state = game.start(seed=5)
    view = state.observe(0)
    view.apply("throw")
    assert view.mover == CHANCE  # the view stops where the dice are thrown
    assert view.seed is None
    faces = set()
    for seed in range(100):
        state = game.start(seed)
        state.apply("throw")
        faces.add(state.history[-1][1])
    assert faces == {1, 2, 3, 4, 5, 6}


def test_a_turn_that_others_have_still_to_finish():
    sealed = spinney.game("battlesnake", players=2).start(seed=1)
    assert not sealed.waits_for_others
    sealed.apply("up", 0)
    assert sealed.waits_for_others
    assert sealed.copy().waits_for_others
    assert not sealed.observe(1).waits_for_others
    sealed.apply("up", 1)
    assert not sealed.waits_for_others
    ordered = spinney.game("halite", players=2).start(seed=1)
    assert not ordered.waits_for_others
    ordered.apply(ordered.legal()[0])
    assert (ordered.mover, ordered.waits_for_others) == (1, True)
    ordered.apply(ordered.legal()[0])
    assert not ordered.waits_for_others


def test_beginnings_of_names_are_enough():
    state = spinney.game(PIG).start(seed=1)
    assert state.parse(" THR ") == 0
    with pytest.raises(spinney.IllegalAction, match="'h' is not legal; legal: throw"):
        state.parse("h")


def test_of_many_actions_an_error_lists_the_likeliest():
    state = spinney.game("colosseum(size=12)").start(seed=3)
    with pytest.raises(spinney.IllegalAction) as caught:
        state.apply("b10 upp")
    listed, rest = str(caught.value).removeprefix("'b10 upp' is not legal; legal: ").split(" and ")
    assert len(listed.split(", ")) == 24
    assert listed.startswith("b10 up, ")
    assert rest == f"{len(state.legal()) - 24} more"
    with pytest.raises(spinney.IllegalAction, match=r" and \d+ more$"):
        state.apply(10_000)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("conect_four", spinney.UnknownName, "there is no game 'conect_four'; did you mean 'connect_four'?"),
        ("nothing.py", spinney.UnknownName, "nothing.py"),
        ("examples/pig.py(players=9)", spinney.BadOption, "option 'players' = 9 must be less than or equal to 4"),
        ("examples/pig.py(size=9)", spinney.BadOption, "pig has no option 'size'; its options: players, goal"),
        ("connect_four(size=9)", spinney.BadOption, "its options: none"),
        ("connect_four(", spinney.BadSpec, "cannot read"),
        ("", spinney.BadSpec, "cannot read"),
        ("tests/tiny.py", spinney.BadGame, "defines no GAME"),
    ],
)
def test_wrong_games(spec, error, message):
    with pytest.raises(error) as caught:
        spinney.game(spec)
    assert message in str(caught.value)


def test_incomplete_rules_are_refused():
    class Rules:
        MAX_ACTIONS = 1

    with pytest.raises(spinney.BadGame, match="lack start, mover, legal, apply, reward, State, MAX_PLAYERS"):
        spinney.Card("x", "x", "x", Rules, board=Board(str, lambda s, a: str(a)))  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 6), max_size=40))
def test_open_threes_are_the_cells_that_win(picks):
    """The evaluation's bit tricks, against dropping a stone on every empty cell."""
    from spinney.games.connect_four.rules import COLUMNS, HEIGHT, ROWS, has_line

    state = spinney.game("connect_four").start()
    play(state, picks)
    filled = state.record.filled
    for stones in (state.record.own, state.record.own ^ filled):
        if has_line(stones):
            continue
        cells = [1 << (column * HEIGHT + row) for column in range(COLUMNS) for row in range(ROWS)]
        wins = sum(cell for cell in cells if not filled & cell and has_line(stones | cell))
        assert connect_four_players.open_threes(stones, filled) == wins


PIG_FILE = Path(__file__).parents[2] / "examples" / "pig.py"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("return 2 if s.pot > 0 else 1", "return 99", "the rule legal of pig gives 99 actions; 1 to 6 (MAX_ACTIONS)"),
        ("return 2 if s.pot > 0 else 1", "return 0", "the rule legal of pig gives 0 actions"),
        ("        return OVER", "        return 9", "the rule mover of pig says 9; there are 2 players"),
        ("1.0 if player == s.turn", "7.5 if player == s.turn", "the rule reward of pig gives (7.5, 0.0)"),
        ("= 1 / 6", "= 1 / 2", "the probabilities of the rule outcomes of pig do not add up to 1"),
        ("s.pot += action", "s.pto += action", "the rules of pig fail in wrong.py, line"),
        ("s.pot += action", "s.pot += 40000 * action", "OverflowError"),
        ("s.goal = config.goal", "s.gaol = config.goal", "the rules of pig fail in wrong.py, line"),
        ("@rule\ndef legal", "def legal", "of the rules of pig, legal must be marked with @rule"),
        (
            "@rule\ndef mover",
            "@rule\ndef determinize(s, player, rng):\n    pass\n\n\n@rule\ndef mover",
            "both determinize and observe",
        ),
    ],
)
@pytest.mark.parametrize("agent", ["uct(iterations=10)", "random"])
def test_faulty_rules_are_found_before_they_are_compiled(old, new, message, agent, tmp_path):
    """Compiled, each of these would be a crash, an endless loop, or a wrong result in silence."""
    text = PIG_FILE.read_text()
    assert old in text
    file = tmp_path / "wrong.py"
    file.write_text(text.replace(old, new))
    with pytest.raises(spinney.BadGame) as caught:
        spinney.game(f"{file}(goal=1000)" if "40000" in new else str(file)).agent(agent)
    assert message in str(caught.value)


def test_a_path_may_have_spaces(tmp_path):
    folder = tmp_path / "my  games"
    folder.mkdir()
    (folder / "the pig.py").write_text(PIG_FILE.read_text())
    assert spinney.game(f"{folder}/the pig.py").players == 2
    assert spinney.game(f" {folder}/the pig.py (players=3) ").players == 3
