"""Reviews: planted blunders are found, perfect play is not blamed, nobody is judged by what it could not know."""

from __future__ import annotations

import threading

import pytest

import spinney
from spinney.agents import build
from spinney.errors import BadGame, BadOption
from spinney.games import State
from spinney.games.halite import hlt
from spinney.games.halite.state import distance
from spinney.play import Replay, Session, replay_of
from spinney.play.review import Findings, Point, Review, Reviewer, begin_review, judged
from spinney.search.tree_search import TreeSearch
from tests.search.test_only import minimax


def played(game: str, moves: str) -> State:
    """A game by the names of its moves."""
    state = spinney.game(game).start(1)
    for move in moves.split():
        state.apply(move)
    return state


def reviewed(replay: Replay, agent: str | None = None, **limits: int) -> Review:
    review = begin_review(replay)
    assert replay.game is not None
    reviewer = Reviewer(replay.game, agent, **limits)
    review.agent = reviewer.spec
    list(judged(review, reviewer, Findings()))
    return review


@pytest.mark.parametrize(
    ("moves", "frame", "player", "best"),
    [
        ("4 1 4 1 4 2 4", 5, 1, "4"),  # does not block
        ("4 1 4 1 4 4 3 5 3 5 3 6 3", 11, 1, "3"),  # does not block, later
        ("4 1 4 1 4 2 5 1 5 1", 8, 0, "4"),  # neither wins nor blocks
    ],
)
def test_a_planted_blunder_is_the_worst_decision(moves, frame, player, best):
    review = reviewed(replay_of(played("connect_four", moves), "ab"), "uct", iterations=4000)
    worst = review.worst[0]
    assert (worst.frame, worst.player, worst.best) == (frame, player, best)
    assert worst.cost > 0.3
    assert worst.played == moves.split()[frame]
    assert worst.line[0] == best


def test_perfect_play_is_not_blamed():
    game = spinney.game("tictactoe")
    agent = "uct(iterations=100000, solver=true)"
    for seed in (1, 2):
        state = Session(game.start(seed), [build(game, agent, seed) for _ in range(2)]).play()
        review = reviewed(replay_of(state, "ab"), agent, iterations=20000)
        assert state.rewards() == (0.5, 0.5)
        assert len(review.findings) == 8  # the last move is forced
        assert review.worst == []
        assert review.findings[-1].values == (0.5, 0.5)
        assert review.curve()[-1] == (9, [0.5, 0.5])


def test_a_proven_mistake_costs_exactly_what_it_gave_away():
    review = reviewed(replay_of(played("tictactoe", "1 9 2 3 4 6"), "ab"), "uct(solver=true)", iterations=100000)
    costs = {finding.frame: (finding.cost, finding.error) for finding in review.findings}
    values = []
    for frame in review.frames:
        values.append(minimax(State(review.replay.game, frame.record)))
    for frame, (cost, error) in costs.items():
        assert (cost, error) == (abs(values[frame + 1] - values[frame]), 0.0)
    assert {finding.frame for finding in review.worst} == {1, 2}


def test_each_player_of_a_simultaneous_move_is_judged_by_its_own_action():
    game = spinney.game("goofspiel(num_cards=4)")
    state = Session(game.start(3), [build(game, "random", seat) for seat in range(2)]).play()
    review = reviewed(replay_of(state, "ab"), "decoupled(chance=sample)", iterations=500)
    assert [(it.frame, it.player) for it in review.points] == [(i, p) for i in range(3) for p in range(2)]
    chosen = [name for finding in review.findings for name in [finding.played]]
    steps = [before.name(action) for before, mover, action in state.steps() if mover >= 0]
    assert chosen == steps[:6]
    assert all(None not in values for _, values in review.curve())


def test_a_player_is_judged_by_what_it_knew():
    """Whatever card the opponent holds, the review says the same."""
    game = spinney.game("kuhn_poker")
    found = []
    for seed in range(40):
        state = game.start(seed)
        if state.observe(0).to_text() != game.start(0).observe(0).to_text():
            continue
        state.apply("pass" if "pass" in state.names() else state.names()[0])
        replay = begin_review(replay_of(state, "ab"))
        first = next(point for point in replay.points if point.player == 0)
        reviewer = Reviewer(game, iterations=2000)
        finding = reviewer.judge(first, replay.frames[first.frame])
        found.append((reviewer.key(first, replay.frames[first.frame]), finding))
    assert len({key for key, _ in found}) > 1  # the positions differ
    assert len({repr(finding) for _, finding in found}) == 1


def test_a_curve_of_hidden_information_has_only_what_the_players_thought():
    game = spinney.game("kuhn_poker")
    state = Session(game.start(3), [build(game, "random", seat) for seat in range(2)]).play()
    review = reviewed(replay_of(state, "ab"), iterations=500)
    *known, last = review.curve()
    for (_, values), point in zip(known, review.points, strict=True):
        assert [value is not None for value in values] == [player == point.player for player in range(2)]
    assert last[1] == [*state.rewards()]


def test_an_interrupted_review_goes_on_with_the_same_result(monkeypatch):
    replay = replay_of(played("connect_four", "4 1 4 1 4 2 5 4 3 2 1"), "ab")
    whole = reviewed(replay, iterations=300)
    replay = replay_of(played("connect_four", "4 1 4 1 4 2 5 4 3 2 1"), "ab")
    lines: list[str] = []
    part = begin_review(replay)
    for count, _ in enumerate(judged(part, Reviewer(replay.game, iterations=300), Findings("", lines.append)), 1):
        if count == 4:
            break
    rest = begin_review(replay_of(played("connect_four", "4 1 4 1 4 2 5 4 3 2 1"), "ab"))
    more: list[str] = []
    text = "".join(lines) + '{"key": "cut'
    list(judged(rest, Reviewer(replay.game, iterations=300), Findings(text, more.append)))
    assert rest.findings == whole.findings
    assert (len(lines), len(more)) == (4, len(whole.points) - 4)
    other: list[str] = []
    again = begin_review(replay_of(played("connect_four", "4 1 4 1 4 2 5 4 3 2 1"), "ab"))
    list(judged(again, Reviewer(replay.game, iterations=301), Findings(text, other.append)))
    assert len(other) == len(whole.points)  # other settings, other findings


def test_lost_ships_are_those_of_the_official_recording():
    game = spinney.game("halite(size=16, players=2, turns=120)")
    state = Session(game.start(2), [build(game, "random", seat) for seat in range(2)]).play()
    review = begin_review(replay_of(state, "ab"))
    assert review.points == ()
    recorded = hlt.recorded(state)
    lost = wrecked = 0
    for frame, turn in enumerate(recorded["turns"]):
        before = review.frames[frame].record
        owner = {int(before.id[i]): i for i in range(before.ships)}
        ships = [n for kind, *told in turn["events"] if kind == "shipwreck" for n in told[2] if n in owner]
        far = {
            int(before.player[owner[n]])
            for n in ships
            if distance(before, before.cell[owner[n]], before.yard[before.player[owner[n]]]) > 1
        }
        told = {loss.player for loss in review.losses if loss.frame == frame}
        assert told == far or before.dropoffs
        lost, wrecked = lost + len(told), wrecked + len(ships)
    assert lost > 0
    assert wrecked >= lost
    assert all(loss.cost >= 1000 for loss in review.losses)
    assert sum(review.curve()[0][1]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("game", "agent", "error"),
    [
        ("connect_four", "heuristic", "its values are not means of simulations; name a tree search, such as champion"),
        ("connect_four", "alphabeta", "its values are not means of simulations"),
        ("connect_four", "flat", "it cannot search one action alone"),
    ],
)
def test_agents_that_cannot_judge_are_refused(game, agent, error):
    with pytest.raises(BadOption, match=error):
        Reviewer(spinney.game(game), agent)


def test_a_game_whose_champion_is_no_tree_search_has_another_judge():
    assert Reviewer(spinney.game("colosseum"), iterations=10).spec.startswith("uct(")


def test_positions_that_nobody_can_go_on_from_are_refused():
    with pytest.raises(BadGame, match="nobody can go on"):
        begin_review(Replay(spinney.game("tictactoe").card, "ab", ""))


def test_a_forced_action_is_no_decision():
    replay = replay_of(played("tictactoe", "1 2 3 4 6 5 8 9 7"), "ab")
    review = begin_review(replay)
    assert [point.frame for point in review.points] == [*range(8)]
    assert review.points[0] == Point(0, 0, 0)


def test_a_search_that_got_no_time_is_made_again(monkeypatch):
    """On a busy machine a limit in seconds may be over after a simulation, which says nothing."""
    game, done = spinney.game("connect_four"), list[int]()
    review = begin_review(replay_of(played("connect_four", "4 1 4 1 4 2 4"), "ab"))
    reviewer = Reviewer(game, "uct", seconds=0.02)
    run = TreeSearch.run

    def interrupted(self, state, clock, player, **more):
        clock.iterations = 1 if len(done) % 2 == 0 else 2000
        done.append(clock.iterations)
        return run(self, state, clock, player, **more)

    monkeypatch.setattr(TreeSearch, "run", interrupted)
    point = review.points[5]
    finding = reviewer.judge(point, review.frames[point.frame])
    assert done == [1, 2000] * (len(done) // 2)
    assert finding.best == "4"
    assert 0 < finding.error < 0.1


def test_a_review_that_is_stopped_keeps_no_finding_that_was_cut_off():
    review = begin_review(replay_of(played("connect_four", "4 1 4 1 4 2 4"), "ab"))
    reviewer, known = Reviewer(spinney.game("connect_four"), "uct", seconds=30), Findings()
    threading.Timer(0.2, reviewer.stop.set).start()
    assert list(judged(review, reviewer, known)) == []
    assert len(known) == 0
