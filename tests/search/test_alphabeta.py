"""Alpha-beta against plain minimax, known answers, and positions that its options are for."""

import random

import pytest

import spinney
from spinney.errors import BadGame, BadOption, UnknownName
from spinney.games.card import OVER
from spinney.games.colosseum.recording import position
from spinney.search.alphabeta_stack import SEARCHED

EXACT = ["killers=false", "killers=true", "transposition_table=true", "killers=true, transposition_table=true"]
OPTIONS = [*EXACT, "futility_margin=0", "transposition_table=true, futility_margin=0.02"]


def minimax(card, evaluate, s, player, depth):
    """The value for a player, by trying everything."""
    out = card.out()
    if card.rules.mover(s) == OVER:
        card.rules.reward(s, out)
        return out.reward[player]
    if depth == 0:
        evaluate(s, out)
        return out.reward[player]
    mover = card.rules.mover(s)
    values = []
    for action in out.action[: card.rules.legal(s, mover, out)]:
        then = s.copy()
        card.rules.apply(then, action)
        values.append(minimax(card, evaluate, then, player, depth - 1))
    return max(values) if mover == player else min(values)


def some_positions(spec, count, seed):
    """Positions of random games, not at their end."""
    game, rng = spinney.game(spec), random.Random(seed)
    while count:
        state = game.start(seed=rng.randrange(10**6))
        for _ in range(rng.randrange(8)):
            if not state.is_over:
                state.apply(rng.choice(state.legal()))
        if not state.is_over and len(state.legal()) > 1:
            count -= 1
            yield state


@pytest.mark.parametrize(("spec", "depth"), [("connect_four", 5), ("colosseum(size=3)", 4), ("colosseum(size=5)", 2)])
def test_the_value_is_that_of_minimax(spec, depth):
    game = spinney.game(spec)
    evaluate = next(iter(game.card.searching.evaluations.values()))
    for state in some_positions(spec, 12, seed=depth):
        player = state.mover
        right = minimax(game.card, evaluate, state.record, player, depth)
        for options in EXACT:
            decision = game.agent(f"alphabeta(iterations=10000000, max_depth={depth}, {options})", seed=1).decide(state)
            if 0 < right < 1:  # a sure end is seen at a lower depth, and ends the search there
                assert decision.values[player] == pytest.approx(right)
            then = state.copy()
            then.apply(decision.action)
            if right > 0:
                assert minimax(game.card, evaluate, then.record, player, depth - 1) == pytest.approx(right)


def test_a_table_changes_no_value():
    """All that the champion of Colosseum does besides, to a depth at which positions are met again."""
    for size in (4, 5, 6):
        spec = f"colosseum(size={size})"
        game, answered = spinney.game(spec), 0
        for state in some_positions(spec, 15, seed=size):
            both = [
                game.agent(
                    f"champion(iterations=10000000, max_depth=4, futility_margin=none, transposition_table={table})",
                    seed=1,
                )
                for table in ("false", "true")
            ]
            without, remembered = (agent.decide(state) for agent in both)
            assert remembered.values == pytest.approx(without.values)
            answered += remembered.iterations < without.iterations
        assert answered > 5


def test_a_margin_saves_work_and_rarely_changes_a_value():
    """docs/searches/alphabeta.md has these figures."""
    game, work = spinney.game("colosseum(size=6)"), {"none": 0, "1": 0, "0.02": 0}
    others = []
    for state in some_positions("colosseum(size=6)", 40, seed=5):
        found = {}
        for margin in work:
            agent = game.agent(f"champion(iterations=10000000, max_depth=5, futility_margin={margin})", seed=1)
            found[margin] = agent.decide(state)
            work[margin] += found[margin].iterations
        assert found["1"].values == found["none"].values  # nothing looks that good
        value, right = (found[margin].values[0] for margin in ("0.02", "none"))
        if value != pytest.approx(right):
            others.append((value, right))
    assert work["1"] == work["none"]
    assert work["0.02"] / work["none"] == pytest.approx(0.40, abs=0.005)
    assert len(others) == 11
    far = [right for value, right in others if abs(value - right) > 0.05]
    assert sorted(far) == [0, 0, 1]  # sure results that are not seen


def test_a_value_by_a_margin_is_not_sure():
    """All of tic-tac-toe is nine moves: with less, a search that believes evaluations must not end."""
    game = spinney.game("tictactoe")
    agent = game.agent("alphabeta(iterations=1000000, futility_margin=0)", seed=1)
    agent.decide(game.start())
    assert agent.search.stack.depth >= 9


def test_an_evaluation_is_never_sure():
    """Connect four's says 1 of some positions that are not won, as here: the search is not to stop at that."""
    game = spinney.game("connect_four")
    state = game.start()
    for column in (0, 6, 2, 3, 5, 6, 4, 1, 4, 5, 4, 0, 3, 4, 3):
        state.apply(column)
    values = {
        game.agent(f"alphabeta(iterations=10000000, max_depth=7, transposition_table={table})", seed=1)
        .decide(state)
        .values[0]
        for table in ("false", "true")
    }
    assert values == {0.75}


@pytest.mark.parametrize("options", OPTIONS)
def test_tic_tac_toe_is_a_draw(options):
    game = spinney.game("tictactoe")
    decision = game.agent(f"alphabeta(iterations=1000000, {options})", seed=2).decide(game.start())
    if options in EXACT:
        assert decision.iterations < (10_000 if "table" in options else 100_000)
    assert decision.values == (0.5, 0.5)


@pytest.mark.parametrize("options", OPTIONS)
def test_connect_four_is_won_where_it_can_be(options):
    game = spinney.game("connect_four")
    state = game.start()
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)
    agent = game.agent(f"alphabeta(iterations=5000, {options})", seed=1)
    decision = agent.decide(state)
    assert (decision.action, decision.values[0]) == (3, 1.0)
    state.apply(6)
    assert agent.decide(state).action in (0, 3)  # to win in its turn, or to stop that


@pytest.mark.parametrize("table", ["false", "true"])
def test_a_budget_of_evaluations_does_not_depend_on_slices(table):
    """The same work in pieces of any size."""
    game = spinney.game("colosseum(size=6)")
    state = game.start(seed=4)
    whole, sliced = (
        game.agent(f"alphabeta(iterations=5000, transposition_table={table})", seed=1).search for _ in range(2)
    )
    best = whole.run(state).action
    work, root = sliced._workspace(), type(state.record).native(state.record)
    done = 0
    for n in (1, 7, 100, 1000, 3000, 892):
        done += int(sliced.entry(sliced.states, work, sliced.table, root, sliced.settings, n))
    assert done == 5000
    assert int(work.stack.action[0, work.stack.best]) == best


@pytest.mark.parametrize("table", ["false", "true"])
def test_a_lost_move_is_no_answer_while_others_are_left(table):
    """Wherever the search stops, it does not play what it has just seen to lose, if there is something else."""
    game, cases = spinney.game("colosseum(size=5)"), 0
    for state in some_positions("colosseum(size=5)", 60, seed=7):
        for iterations in range(100, 3000, 200):
            agent = game.agent(f"alphabeta(iterations={iterations}, transposition_table={table})", seed=1)
            decision, stack = agent.decide(state), agent.search.stack
            searched = [i for i in range(stack.n[0]) if stack.worth[0, i] == SEARCHED]
            hope = any(stack.last[i] > 0.0 for i in range(stack.n[0]))
            if stack.ply >= 0 and searched and hope and max(stack.last[i] for i in searched) == 0.0:
                cases += 1
                assert decision.action not in [stack.action[0, i] for i in searched]
                assert decision.values[state.mover] > 0.0
    assert cases > 5


def test_a_check_sees_the_answer():
    """One move ahead, by territory alone, a player may step into a cage; asked whether the answer wins, it does not."""
    game = spinney.game("colosseum(size=5)")
    lost = safe = 0
    for state in some_positions("colosseum(size=5)", 60, seed=3):
        for options in ("killers=false", "prune_with=decisive"):
            then = state.copy()
            then.apply(game.agent(f"alphabeta(iterations=100000, max_depth=1, {options})", seed=1).decide(state).action)
            if then.is_over:
                continue
            fatal = (
                game.card.searching.checks["decisive"](then.record, then.mover, then._out) == 1
                and len(then.legal()) > 1
            )
            lost += fatal and options != "prune_with=decisive"
            safe += fatal and options == "prune_with=decisive"
    assert lost > 2 * safe


def test_it_wins_from_a_cage():
    record = position(5, [[0, 0, 2]], [(0, 2), (0, 0)])
    state = spinney.game("colosseum(size=5)").start(seed=1)
    state.record = record
    decision = state.game.agent("alphabeta(iterations=2000)", seed=1).decide(state)
    assert (decision.name, decision.values[0]) == ("b1 left", 1.0)


def test_what_it_cannot_play():
    for name, why in (("deepsea", "it has chance"), ("saboteur", "it has chance")):
        with pytest.raises(BadGame, match=f"alphabeta cannot play {name}: {why}"):
            spinney.game(name).agent("alphabeta")
    game = spinney.game("connect_four")
    with pytest.raises(BadOption, match="threads"):
        game.agent("alphabeta(threads=2)")
    with pytest.raises(UnknownName, match="prune_with"):
        game.agent("alphabeta(prune_with=cage)")
