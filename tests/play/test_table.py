"""Games at a real table: entered, taken back, corrected, joined in the middle, and seen from one seat."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney.errors import BadGame, BadOption, BadPosition, BadRecording, GameOver, SpinneyError, WrongPlayer
from spinney.games.deepsea import forecast as forecasts
from spinney.games.deepsea import rules as deepsea
from spinney.games.deepsea.forecast import forecast, make_rest_of_round
from spinney.games.saboteur import rules as saboteur
from spinney.kernel import seeded
from spinney.play import Table, describe, seated
from tests.recorded_tables import SaboteurGame, left, recorded, sayings, steps_of

DEEPSEA = spinney.game("deepsea(players=3)")
SABOTEUR = spinney.game("saboteur")
NAMES = ("Ann", "Ben", "Cem")


def snapshot(table):
    return table.known.to_text(), table.state.to_text(), list(table.entries), table.sheet()


def table_of(game, lines, most=10_000):
    """A table at which some lines of a recorded game were entered."""
    table = Table(spinney.game("deepsea", players=game["players"], ruleset=game["ruleset"]), seat=0, agent="heuristic")
    while steps_of(table) < min(most, len(lines)):
        table.enter(left(table, lines)[0])
    return table


@pytest.mark.parametrize("number", range(6))
def test_a_recorded_game_with_one_corrected_entry_has_the_recorded_scores(number):
    """The wrong throw is noticed some entries later."""
    game = recorded("deepsea.jsonl.gz", 6)[number]
    lines = list(sayings(game))
    table = table_of(game, lines, 20)
    step, entry = next((n, it) for n, it in enumerate(table.entries, 1) if it.words.startswith("dice"))
    wrong = "6" if entry.words != "dice 6" else "5"
    table.correct(step, wrong)
    assert table.words_of(step) == f"player 1: dice {wrong}"
    done = table.correct(step, entry.words)
    assert not done.dropped or steps_of(table) < 20
    while lines[steps_of(table) :]:
        table.enter(left(table, lines)[0])
    assert table.is_over
    assert [points for _, points in table.scores()] == game["final_scores"]
    assert table.state.winners() == game["winners"]
    by_rounds = [points for _, points in table.sheet()]
    assert [sum(points) for points in zip(*by_rounds, strict=True)] == game["final_scores"]
    with pytest.raises(GameOver, match="the game is over"):
        table.enter("5")
    stored = json.loads(json.dumps(table.to_json()))
    assert snapshot(Table.from_json(table.game, stored)) == snapshot(table)


def played(spec, seed, most=40):
    """A table of a game played at random, entry by entry."""
    pick = random.Random(seed)
    table = Table(spinney.game(spec), seat=0, agent="random")
    for _ in range(most):
        if table.is_over:
            return
        options = table._possible(table.expects().mover)
        yield table, pick.choice(options)


@settings(max_examples=12, deadline=None)
@given(
    spec=st.sampled_from(["deepsea", "deepsea(players=4, ruleset=official)", "saboteur", "pig", "goofspiel",
                          "connect_four"]),
    seed=st.integers(0, 1000),
)  # fmt: skip
def test_undo_after_any_entry_restores(spec, seed):
    for table, action in played(spec, seed):
        before, known = snapshot(table), len(table.entries)
        entry = table.enter(action)
        assert table.entries[known] == entry
        after = snapshot(table)
        assert table.undo() == entry
        assert snapshot(table) == before
        table.enter(action)
        assert snapshot(table) == after


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), text=st.text(max_size=12))
def test_a_bad_entry_is_one_line_and_changes_nothing(seed, text):
    for spec in ("deepsea", "saboteur"):
        steps = played(spec, seed, seed % 30)
        for table, action in steps:
            table.enter(action)
        table = Table(spinney.game(spec), seat=0) if seed % 30 == 0 else table
        before = snapshot(table)
        for entry in (text, 9999, -5, f"{text} 99 99", "total 999", "7 7 7 7 7 7 7 7 7"):
            assert "\n" not in problem_of(table, entry)
            assert snapshot(table) == before


def problem_of(table, entry):
    """The error that an entry is; empty if it happened to mean something, which is taken back."""
    try:
        table.enter(entry)
    except SpinneyError as error:
        return str(error)
    table.undo()
    return ""


def test_a_correction_keeps_what_still_fits():
    table = Table(DEEPSEA, NAMES, 0, "heuristic")
    for entry in ("3 2", "leave", "2+2", "take", "5", "leave", "4"):
        table.enter(entry)
    number = next(n for n in range(1, 99) if table.words_of(n) == "Ben: dice 4")
    assert table.before(number).expects().words == "Ben throws two dice to go down"
    kept = table.correct(number, "1 1")
    assert kept.dropped == ()
    assert [table.words_of(n) for n in (number, number + 1)] == ["Ben: dice 2", "Ben: take"]
    before = snapshot(table)
    table.correct(number, "2")  # the same once more
    assert snapshot(table) == before
    taken = number + 1
    entries = [entry.words for entry in table.entries if not entry.forced]
    lost = table.correct(taken, "leave")
    assert lost.dropped == ()
    assert [entry.words for entry in table.entries if not entry.forced] == [
        "leave" if it == "take" else it for it in entries
    ]
    for wrong in (0, 99, 1):  # the first one was forced
        before = snapshot(table)
        with pytest.raises(BadOption, match=f"entry {wrong}"):
            table.correct(wrong, "5")
        assert snapshot(table) == before


START = (
    "path .11.1111 .2222222 33333333 44444444\ndiver 1: tile 4, dives, holds 1 2 1\nturn: diver 1 chooses a direction"
)


def test_entries_that_do_not_fit_are_dropped():
    """A diver that was thought to stand on a blank, and to have dropped a stack there."""
    table = Table(DEEPSEA, NAMES, 0, "heuristic", START.replace("holds 1 2 1", "holds 1 1 2"))
    for entry in ("up", "6", "drop 1", "2", "take"):
        table.enter(entry)
    done = table.correct(2, "5")
    assert [entry.words for entry in done.dropped] == ["drop 1", "dice 2", "take"]
    assert table.expects().words == "Ann is on tile 2, with level 1"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("3 2", "dice 5"),
        ("3+2", "dice 5"),
        ("3, 2", "dice 5"),
        ("5", "dice 5"),
        ("dice 5", "dice 5"),
        ("1 1", "dice 2"),
    ],
)
def test_throws_as_people_say_them(said, words):
    table = Table(DEEPSEA, NAMES, 0)
    assert table.enter(said).words == words


@pytest.mark.parametrize("said", ["4 1", "7", "0", "1", "1 1 1", "take", "3 -2", ""])
def test_no_throws(said):
    with pytest.raises(spinney.IllegalAction, match=r"3 2, 3\+2, or the total"):
        Table(DEEPSEA, NAMES, 0).enter(said)


def test_choices_as_people_say_them():
    table = Table(DEEPSEA, NAMES, 0, position=START)
    assert table.enter("turning back").words == "up"
    table.undo()
    assert table.enter("Dive").words == "down"


def test_values_by_their_total():
    """People may say only how much a diver has brought home."""
    game = recorded("deepsea.jsonl.gz", 2)[1]
    lines = list(sayings(game))
    table = table_of(game, lines, next(n for n in range(len(lines)) if _reveals(game, lines, n)))
    diver = table.expects().player
    chips = table.expects().words.rpartition(": ")[2].split(", ")
    low = sum(4 * (int(level) - 1) for level in chips)
    with pytest.raises(spinney.IllegalAction, match="cannot be worth"):
        table.enter(f"total {low + 3 * len(chips) + 1}")
    table.enter(f"total {low + 1}")
    assert table.scores()[diver][1] == low + 1
    assert table.expects().player != diver or table.state.record.round == 2


def _reveals(game, lines, n):
    """Whether the n-th line is the value of the first of several chips."""
    table = table_of(game, lines, n)
    return steps_of(table) == n and not table.is_over and "chips from here" in table.expects().words


def test_any_seat_may_begin():
    assert seated(NAMES, 0, 1) == (["Ben", "Cem", "Ann"], 2)
    assert seated(NAMES, None, 2) == (["Cem", "Ann", "Ben"], None)
    with pytest.raises(BadOption, match="seat 4: there are 3 people"):
        seated(NAMES, 0, 3)


# ---- hidden cards


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_of_saboteur_from_one_seat(seat):
    """After every entry the table knows exactly what the player may know, and never the other's hand."""
    for game in recorded("saboteur/public.jsonl.gz", 12):
        real = SaboteurGame(game)
        table = Table(SABOTEUR, ("Ann", "Ben"), seat, "greedy")
        table.enter(real.hand_words(seat))
        for number, move in enumerate(real.moves):
            mover, own, others, drawn = real.play(move)
            if sum(entry.mover >= 0 for entry in table.entries) > number:
                continue  # it was the only possible one
            table.enter(own if mover == seat else others)
            while not table.is_over and "is it the nugget" in table.expects().words:
                table.enter(real.answer(table))
            if mover == seat and drawn and not table.is_over and table.expects().mover == spinney.CHANCE:
                table.enter(drawn)
            seen = real.record.copy()
            saboteur.observe(seen, seat)
            if saboteur.mover(seen) == saboteur.mover(table.state.record):
                assert saboteur.State.native(table.known.record).tobytes() == saboteur.State.native(seen).tobytes()
            assert sum(table.state.record.hand[1 - seat, kind] for kind in range(20)) == 0
        assert table.is_over
        assert table.state.record.winner == real.record.winner


def test_the_other_player_may_play_whatever_is_possible():
    """Any card that was not seen, but none that is known to be elsewhere."""
    table = Table(SABOTEUR, ("Ann", "Ben"), 0, "greedy")
    table.enter("2 3 4 13 Malus Malus 8")
    table.enter("drop 2")
    table.enter("5")
    table.enter("8 5 6")
    table.undo()
    for impossible in ("malus", "2 5 6", "8 0 0", "bonus"):
        with pytest.raises(spinney.IllegalAction):
            table.enter(impossible)
    table.enter("drop")
    assert table.expects().words == "Ann plays a card"


def test_an_observed_position_is_analysed_and_played_on():
    table = Table(SABOTEUR, ("Ann", "Ben"), 0, "greedy")
    table.enter("8 8 5 6 0 Map Malus")
    told = table.advice()
    assert told.decision.name == "Map 12 3"
    assert told.words[0] == "the nugget may be left or middle or right, 33% each"
    table.enter("map left")
    assert table.expects().words == "Ann sees the left objective: is it the nugget?"
    table.enter("no")
    table.enter("Map")
    table.enter("map left")
    text = table.known.to_text()
    assert "???????" in text
    joined = Table(SABOTEUR, ("Ann", "Ben"), 0, "greedy", text)
    assert joined.known.to_text() == text
    joined.enter("map right")
    joined.enter("nothing")
    joined.enter("0")
    assert joined.state.record.nugget == 1  # it must be in the middle
    with pytest.raises(BadPosition, match="the hand of player 2 is hidden"):
        Table(SABOTEUR, ("Ann", "Ben"), 1, "greedy", text)


def test_tables_that_are_not_possible():
    with pytest.raises(BadGame, match="kuhn_poker cannot be followed"):
        Table(spinney.game("kuhn_poker"), seat=0)
    with pytest.raises(BadOption, match="say which seat is yours"):
        Table(SABOTEUR)
    with pytest.raises(BadOption, match="seats 0 to 2"):
        Table(DEEPSEA, seat=3)
    with pytest.raises(BadOption, match="they must differ"):
        Table(DEEPSEA, ("Ann", "ann"))
    with pytest.raises(BadOption, match="4 names"):
        Table(DEEPSEA, (*NAMES, "Dan"))


# ---- joining in the middle


@pytest.mark.parametrize("number", range(4))
def test_a_described_position_is_the_same_apart_from_values(number):
    """What lies on the table is enough to go on; only the values of single chips may be others."""
    game = recorded("deepsea.jsonl.gz", 4)[number]
    lines, joins = list(sayings(game)), 0
    for most in range(10, len(lines) - 5, 23):
        table = table_of(game, lines, most)
        if "turns over" in table.expects().words:
            continue
        joined = Table(table.game, seat=0, agent="heuristic", position=describe(table.state))
        words, others = (it.known.to_text().split() for it in (table, joined))
        assert words[:-2] + words[-1:] == others[:-2] + others[-1:]  # all but the values that are left
        assert joined.scores() == table.scores()
        joined.enter(left(table, lines)[0])
        joins += 1
    assert joins > 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("air 99", "the air is '99'; a number from 0 to 25 is allowed"),
        ("round 4", "the round is '4'; a number from 1 to 3"),
        ("diver 1: tile 3\ndiver 2: tile 3", "divers 1 and 2 are both on tile 3"),
        ("diver 1: tile 40", "a number from 1 to 32 is allowed"),
        ("diver 1: tile 3, flies", "diver 1 has 'flies'; allowed: submarine, tile 3"),
        ("diver 1: tile 9, dives, holds 1", "there are 9 chips of level 1; there must be 8"),
        ("path 1111", "there are 4 chips of level 1; there must be 8"),
        ("diver 1: submarine, dives, points 7", "no values of the scored chips"),
        ("diver 1: submarine, home", "diver 1 is to act, and is home"),
        ("path 1111111 22222222 33333333 44444444\ndiver 1: points 2, scored 1000", "in round 1 the path has 32 tiles"),
        ("turn: diver 4 throws", "a number from 1 to 3 is allowed"),
        ("turn: diver 1 sleeps", "'sleeps'; allowed: chooses a direction, throws, acts"),
        ("hello", "it has the line 'hello'; allowed are lines such as round 2"),
    ],
)
def test_positions_that_cannot_be(text, why):
    with pytest.raises(BadPosition) as raised:
        Table(DEEPSEA, NAMES, 0, position=text)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_cards_that_cannot_be():
    begun = SABOTEUR.start(1).observe(0).to_text()
    hand = begun.split()[5].partition(",")[0]
    for cards, why in (("MMMMMMM", "cards M in all"), (hand[:-1], "each of these destroys one tile")):
        with pytest.raises(BadPosition, match=why):
            Table(SABOTEUR, seat=0, position=begun.replace(f" {hand},", f" {cards},"))
    with pytest.raises(BadPosition, match="the cards are not dealt yet"):
        Table(SABOTEUR, seat=0, position=SABOTEUR.start(1, manual_chance=True).to_text())


# ---- advice and warnings

DEEP = "air 3\npath 11111111 22222222 33333333 44444.44\ndiver 1: tile 30, dives, holds 4"
SHORE = "path .1111111 22222222 33333333 44444444\ndiver 1: tile 1, returns, holds 1"


def test_a_forecast_of_what_is_clear():
    deep = Table(DEEPSEA, NAMES, 0, position=f"{DEEP}\nturn: diver 1 chooses a direction").state.record
    assert forecast(deep, 0, 1) == (0.0, 0.0)
    shore = Table(DEEPSEA, NAMES, 0, position=f"{SHORE}\nturn: diver 1 throws").state.record
    home, points = forecast(shore, 0, 3)
    assert home == 1.0
    assert 1.3 < points < 1.7  # a chip of level 1 is worth 0 to 3, two of each


def test_forecasts_are_the_same_plain_and_compiled():
    s = Table(DEEPSEA, NAMES, 0, position=START).state.record
    run = make_rest_of_round(
        deepsea.mover,
        deepsea.apply,
        deepsea.chance,
        forecasts.SELF,
        forecasts.OTHERS.policy,
        len(forecasts.OTHERS.specs),
    )
    sums, out = [0.0, 0.0], DEEPSEA.card.out()
    work = s.copy()
    run(s, work, 0, 1, out, seeded(1), 40, sums)
    assert forecast(s, 0, 1, 40) == (sums[0] / 40, sums[1] / 40)
    assert 0 < sums[0] <= 40


def test_reasons_and_warnings():
    divers = "diver 1: tile 12, dives, holds 2\ndiver 2: tile 18, returns, holds 3"
    text = f"air 15\npath 11111111 222.2222 3.333333 44444444\n{divers}"
    table = Table(DEEPSEA, NAMES, 0, "uct(iterations=200, plain=true)", text)
    told = table.advice()
    assert len(told.reasons) == 2
    assert "you get home " in told.reasons[0]
    assert "the air lasts for 8 more throws" in told.reasons[0]
    assert told.values[0].startswith(f"value of {told.decision.name}: ")
    assert told.values[1].startswith("expected for the others: Ben ")
    assert any("turning back" in warning for warning in table.warnings())
    late = Table(DEEPSEA, NAMES, 0, position=f"{DEEP}\nturn: diver 1 chooses a direction")
    assert any("not even the best throws" in warning for warning in late.warnings())
    others = Table(DEEPSEA, NAMES, 1, position=f"{DEEP}\nturn: diver 1 chooses a direction")
    assert others.warnings() == []
    with pytest.raises(WrongPlayer, match="not to choose"):
        others.advice()


@pytest.mark.parametrize("spec", ["battlesnake", "colosseum", "goofspiel", "hex", "pig", "saboteur", "examples/pig.py"])
def test_the_names_of_all_that_is_possible_can_be_entered(spec):
    table, pick = Table(spinney.game(spec), seat=0, agent="random"), random.Random(2)
    for _ in range(30):
        if table.is_over:
            break
        expected = table.expects()
        assert expected.words
        assert expected.example
        table.enter(pick.choice(expected.options))
        if table.is_advised:
            assert table.advice().decision.name
    assert len(table.entries) > 5


def test_advice_for_everybody_and_in_any_game():
    table = Table(spinney.game("connect_four"), ("Ann", "Ben"), None, "uct(iterations=300, plain=true)")
    for column in ("4", "4"):
        told = table.advice()
        assert told.values[0].startswith("value of ")
        table.enter(column)
    assert [table.words_of(step) for step in (1, 2)] == ["Ann: 4", "Ben: 4"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored: stored.pop("entries"),
        lambda stored: stored.update(game="pig"),
        lambda stored: stored["entries"][0].__setitem__(1, [77]),
        lambda stored: stored["entries"][0].__setitem__(2, "dice 4"),
        lambda stored: stored.update(seat="x"),
        lambda stored: stored.update(entries=[1, 2]),
    ],
)
def test_a_damaged_file_is_one_line(damage):
    table = Table(DEEPSEA, NAMES, 0)
    table.enter("3 2")
    stored = json.loads(json.dumps(table.to_json()))
    damage(stored)
    with pytest.raises(BadRecording, match="this is no table of deepsea") as raised:
        Table.from_json(DEEPSEA, stored)
    assert "\n" not in str(raised.value)
