"""The one loop that drives a game: agents, people, dice from outside, positions from an engine."""

from __future__ import annotations

import threading
import time

import pytest

import spinney
from spinney.agents import Decision
from spinney.games import CHANCE
from spinney.play import Clock, Session, outcome, replay_of

PAIRS = [
    ("connect_four", "heuristic"),
    ("deepsea(players=3)", "heuristic"),
    ("battlesnake(players=3, width=7, height=7)", "flood"),
    ("saboteur", "greedy"),
    ("halite(size=32, players=2, turns=10)", "planner"),
]


def seated(spec: str, agent: str, **more) -> Session:
    game = spinney.game(spec)
    return Session(game.start(seed=3), [game.agent(agent, seed=seat) for seat in range(game.players)], **more)


@pytest.mark.parametrize(("spec", "agent"), PAIRS)
def test_frames_of_a_game_in_progress_are_those_of_its_replay(spec, agent):
    session = seated(spec, agent)
    live = list(session.frames())
    names = [agent] * session.state.game.players
    replay = replay_of(session.state, names)
    stored = list(replay.frames)
    assert [frame.record for frame in live] == [frame.record for frame in stored]
    told = [[(event.mover, event.words) for event in frame.events] for frame in live]
    assert told == [[(event.mover, event.words) for event in frame.events] for frame in stored]
    assert replay.result == outcome(session.state, names)
    decided = [event for frame in live for event in frame.events if event.mover != CHANCE]
    assert all(event.decision.name == event.words for event in decided)
    assert len(decided) == sum(mover != CHANCE for mover, _ in session.state.history)


def test_events_before_the_first_choice_belong_to_the_first_frame():
    first = next(seated("saboteur", "greedy").frames())
    assert sum("draws" in event.words for event in first.events) == 14


def test_a_viewer_is_told_nothing_that_is_hidden():
    session = seated("saboteur", "greedy")
    frames = [frame.seen_by(session.state.game, 0) for frame in session.frames()]
    assert all(max(frame.record.hand[1, kind] for kind in range(10)) == 0 for frame in frames[:-1])
    told = [event for frame in frames for event in frame.events]
    assert all(event.decision is None for event in told if event.mover == 1)
    everything = [event for frame in seated("saboteur", "greedy").frames() for event in frame.events]
    assert 0 < len(told) < len(everything)
    assert not any("player 2 draws" in event.words or "nugget is hidden" in event.words for event in told)


class Person:
    """Notes when it is asked."""

    def __init__(self, action=0):
        self.asked, self.action = [], action

    def decide(self, state, clock=None, *, player=None):
        self.asked.append((player, state.movers, clock))
        return Decision(player, state.legal(player)[self.action], "")


def test_undo_takes_back_the_last_told_choice_and_the_answers_to_it():
    game = spinney.game("connect_four")
    session = Session(game.start(seed=1), [None, game.agent("heuristic", seed=1)], undoable=True)
    positions = []
    for column in "443":
        positions.append(session.state.record.copy())
        session.tell(column)
        session.ask()
    session.undo()
    session.undo()
    assert session.state.record == positions[1]
    assert len(session.state.history) == 2
    session.tell("1")
    assert [mover for mover, _ in session.state.history] == [0, 1, 0]
    session.undo()
    session.undo()
    with pytest.raises(spinney.SpinneyError, match="no choice to take back"):
        session.undo()


def test_simultaneous_choices_are_sealed_until_all_have_chosen():
    game = spinney.game("examples/pennies.py")
    agent = Person()
    session = Session(game.start(seed=1), [agent, None], undoable=True)
    session.ask()
    assert session.waiting_for == (1,)
    assert session.frame().events == ()
    assert session.state.observe(1).record == game.start(seed=1).record
    session.tell("tails", 1)
    assert [event.words for event in session.frame().events] == ["heads", "tails"]
    session.undo()
    assert session.waiting_for == (1,)
    session.tell("heads", 1)
    assert session.is_over


def test_dice_are_told_from_outside():
    game = spinney.game("deepsea")
    session = Session(game.start(seed=1, manual_chance=True))
    session.tell("down")
    assert session.state.mover == CHANCE
    with pytest.raises(spinney.IllegalAction):
        session.tell("dice 7")
    session.tell("dice 4")
    assert [event.words for event in session.frame().events][-1] == "dice 4"
    assert session.state.mover == 0


def test_a_position_from_an_engine_continues_the_history_if_a_guess_leads_to_it():
    game = spinney.game("connect_four")
    state = game.start(seed=1)
    session = Session(state.copy())
    state.apply("4")
    assert session.follow(state.record.copy(), [[(0, action)] for action in state.legal()])
    assert session.state.history == [(0, 3)]
    state.apply("4")
    state.apply("5")
    assert not session.follow(state.record.copy(), [[(1, 0)], [(1, 3), (0, 0)]])
    assert session.state.record == state.record
    assert session.state.history == []
    assert session.follow(state.record.copy(), [[(1, 0)]], equal=lambda one, other: True)
    assert session.state.history == [(1, 0)]


def test_forced_actions_are_made_without_asking():
    game = spinney.game("deepsea")
    seats = [Person(), Person()]
    session = Session(game.start(seed=1), seats)
    session.ask()  # at the submarine there is one direction
    assert seats[0].asked == []
    asked = Session(game.start(seed=1), seats, ask_forced=True)
    asked.ask()
    assert len(seats[0].asked) == 1


def test_every_decision_gets_a_fresh_start_of_the_clock():
    clock = Clock(seconds=5.0, first_seconds=9.0)
    seats = [Person(), Person()]
    session = Session(spinney.game("connect_four").start(seed=1), seats, clock=clock)
    for _ in range(3):
        session.ask()
    given = [entry[2] for seat in seats for entry in seat.asked]
    assert len({id(one) for one in given}) == 3
    assert all(one.started >= clock.started for one in given)
    assert [one.seconds for one in given] == [9.0, 5.0, 9.0]  # the first player decides twice


def test_players_who_move_simultaneously_are_asked_at_the_same_time():
    meeting = threading.Barrier(2, timeout=10)

    class Meets(Person):
        def decide(self, state, clock=None, *, player=None):
            meeting.wait()
            return super().decide(state, clock, player=player)

    session = Session(spinney.game("examples/pennies.py").start(seed=1), [Meets(), Meets()], at_once=True)
    assert len(session.ask()) == 2
    session.close()


def test_seats_are_told_when_a_turn_begins_at_the_same_time():
    meeting = threading.Barrier(2, timeout=10)
    begun = []

    class Plans(Person):
        def begin_turn(self, state, player):
            meeting.wait()
            begun.append((int(state.record.turn), player, state.waits_for_others))

    game = spinney.game("halite(size=10, turns=4)")
    session = Session(game.start(seed=1), [Plans(-1), Plans(-1)], at_once=True)
    session.play()
    assert sorted(begun) == [(turn, player, False) for turn in range(4) for player in range(2)]
    assert len(session.seats[0].asked) > 4  # once for each order
    session.close()


def test_an_error_of_one_seat_waits_for_the_others():
    meeting, finished = threading.Barrier(2, timeout=10), []

    class Fails(Person):
        def decide(self, state, clock=None, *, player=None):
            meeting.wait()
            if player == 0:
                raise RuntimeError("no idea")
            time.sleep(0.1)
            finished.append(player)
            return super().decide(state, clock, player=player)

    session = Session(spinney.game("examples/pennies.py").start(seed=1), [Fails(), Fails()], at_once=True)
    with pytest.raises(RuntimeError, match="no idea"):
        session.ask()
    assert finished == [1]
    session.close()


def test_choices_of_all_are_told_at_once_or_not_at_all():
    session = Session(spinney.game("examples/pennies.py").start(seed=1), undoable=True)
    with pytest.raises(spinney.IllegalAction):
        session.tell_all({0: "heads", 1: "edge"})
    assert session.waiting_for == (0, 1)
    session.tell_all({0: "heads", 1: "tails"})
    assert session.is_over
    assert [event.words for event in session.frame().events] == ["heads", "tails"]
    session.undo()
    assert session.waiting_for == (0, 1)


def test_a_session_needs_a_seat_for_every_player():
    with pytest.raises(spinney.BadGame, match="is for 2 players, and there are 3"):
        Session(spinney.game("connect_four").start(), [None] * 3)


def test_what_a_session_refuses():
    game = spinney.game("connect_four")
    with pytest.raises(spinney.BadGame, match="a seat is 'heuristic'; it must be an agent"):
        Session(game.start(), ["heuristic", None])
    with pytest.raises(spinney.WrongPlayer, match="player 1 has no agent"):
        Session(game.start(), [game.agent("random"), None]).play()
    with pytest.raises(spinney.BadGame, match="chance is to move"):
        Session(spinney.game("deepsea").start(manual_chance=True), [Person(), Person()]).play()
    session = Session(game.start())
    session.follow(game.start().record)
    with pytest.raises(spinney.BadRecording, match="cannot be replayed"):
        replay_of(session.state, ["a", "b"])
    snakes = Session(spinney.game("battlesnake(players=2)").start(seed=1))
    with pytest.raises(spinney.WrongPlayer):
        snakes.tell_all({0: "up", 1: "up", 2: "up"})
    assert snakes.frame().events == ()


@pytest.mark.parametrize(("spec", "agent"), PAIRS)
def test_what_agents_decide_is_made_later(spec, agent):
    asked, apart = seated(spec, agent), seated(spec, agent)
    for _ in range(8):
        before = apart.state.to_text()
        decisions = apart.decide()
        assert apart.state.to_text() == before
        apart.make(decisions)
        assert [it.action for it in asked.ask()] == [it.action for it in decisions]
    assert apart.state.history == asked.state.history


def test_a_person_may_choose_while_agents_think():
    game = spinney.game("battlesnake(players=3, width=7, height=7)")
    session = Session(game.start(seed=3), [None, game.agent("flood"), game.agent("flood")], at_once=True, undoable=True)
    decisions = session.decide()
    session.tell("up", 0)
    session.make(decisions)
    assert len(session.state.history) >= 3
    assert session.state.history[0] == (0, game.start(seed=3).parse("up", 0))


def test_undo_keeps_no_copy_of_the_history():
    game = spinney.game("connect_four")
    session = Session(game.start(seed=1), undoable=True)
    for column in "4434353":
        session.tell(column)
    histories = [session.state.history.copy()]
    while session.can_undo:
        session.undo()
        histories.append(session.state.history.copy())
        assert game.from_text(session.state.to_text()).record == session.state.record
    assert [len(history) for history in histories] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert all(histories[0][: len(history)] == history for history in histories)
