"""Saboteur's players, the paper's opening and evaluation, and the board."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

import spinney
from spinney import CHANCE, OVER
from spinney.games.saboteur import official, paper, players, recording, rules
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, LOOK
from spinney.games.saboteur.state import CELLS, cell_at
from spinney.games.saboteur.tiles import CARD_NAMES, SHAPE_NAMES
from spinney.kernel import Rng, assign, bind, seeded
from tests.games.saboteur.positions import position

CARD = spinney.game("saboteur").card
DOWN = [("0", row, 5) for row in range(6, 10)]
"""A tunnel from the entrance down to row 9, with all the straight tiles there are."""


def named(s, action):
    return CARD.board.name_action(s, action)


def choose(name, s, seed=1):
    return named(s, CARD.player(name)(s, s.player, CARD.out(), seeded(seed)))


# ---- the course's random player


def test_the_random_player_draws_from_the_programs_list():
    s = position([("8", 6, 5), ("8", 5, 4), ("5", 5, 3)], (["8", "8", "Map", "Destroy", "9", "Malus", "Malus"], ["0"]))
    hand = recording.cards(s, 0)
    raw = official.moves(s, 0, hand)
    expected = Counter(official.read_move(text, hand) for text in raw)
    assert max(expected.values()) == 4
    draws, rng, out = 20_000, seeded(3), CARD.out()
    found = Counter(players.official_random(s, 0, out, rng) for _ in range(draws))
    assert found.keys() == expected.keys()
    scale = draws / len(raw)
    actions = sorted(expected)
    assert chisquare([found[a] for a in actions], [expected[a] * scale for a in actions]).pvalue > 0.001


# ---- greedy


def test_greedy_cures_itself_first():
    s = position(DOWN, (["Bonus", "Map", "8"], []))
    s.malus[0] = 1
    assert choose("greedy", s) == "Bonus"


def test_greedy_wins_if_it_can():
    s = position([*DOWN, ("8", 10, 5)], (["Map", "9", "6", "Malus"], []), nugget=1)
    s.seen[0] = 0b010
    assert choose("greedy", s) == "Tile:6 11 5"


def test_greedy_looks_while_the_nugget_is_unknown():
    s = position(DOWN[:3], (["Map", "8"], []), nugget=1)
    assert choose("greedy", s) == "Map 12 3"
    s.seen[0] = 0b001
    assert choose("greedy", s) == "Map 12 7"
    s.seen[0] = 0b101
    assert choose("greedy", s) == "Tile:8 9 5"


def test_greedy_lays_toward_the_nugget_it_knows():
    s = position(DOWN[:2], (["7", "10", "5"], []), nugget=2)
    s.seen[0] = 0b100
    assert choose("greedy", s) == "Tile:7 8 5"  # from above to the right
    s = position(DOWN[:2], (["7", "10", "5"], []), nugget=0)
    s.seen[0] = 0b001
    assert choose("greedy", s) == "Tile:5_flip 8 5"


def test_greedy_does_not_lay_the_last_but_one_for_the_other():
    """Column 5 lacks rows 10 and 11."""
    s = position(DOWN, (["6", "Destroy"], []), nugget=1)
    s.seen[0] = 0b010
    assert choose("greedy", s) == "Drop Destroy"
    s.malus[1] = 1
    assert choose("greedy", s) == "Tile:6 10 5"
    s = position(DOWN[:3], (["6"], []), nugget=1)
    s.seen[0] = 0b010
    assert choose("greedy", s) == "Tile:6 9 5"  # three are missing, and the other cannot lay two


def test_greedy_blocks_when_the_end_is_near_and_breaks_dead_ends():
    s = position(DOWN, (["Malus", "6"], []), nugget=1)
    s.seen[0] = 0b010
    assert choose("greedy", s) == "Malus"
    s = position([*DOWN, ("1", 10, 5)], (["Destroy", "12"], []), nugget=1)
    s.seen[0] = 0b010
    assert choose("greedy", s) == "Destroy 10 5"


def test_greedy_drops_what_it_needs_least():
    s = position(DOWN, (["8", "13", "9"], []), nugget=1)
    s.seen[0] = 0b010
    s.malus[0] = 1
    assert choose("greedy", s) == "Drop 13"
    s = position(DOWN, (["8", "Map", "9"], []), nugget=1)
    s.seen[0] = 0b010
    s.malus[0] = 1
    assert choose("greedy", s) == "Drop Map"


def make_match(rules, one, two):
    mover, apply, chance, reward = rules.mover, rules.apply, rules.chance, rules.reward

    def play(root, s, out, rng, seat, n):
        won, lost = 0, 0
        for _ in range(n):
            assign(s, root)
            player = mover(s)
            while player != OVER:
                if player == CHANCE:
                    apply(s, chance(s, rng))
                elif player == seat:
                    apply(s, one(s, player, out, rng))
                else:
                    apply(s, two(s, player, out, rng))
                player = mover(s)
            reward(s, out)
            won += 1 if out.reward[seat] == 1.0 else 0
            lost += 1 if out.reward[seat] == 0.0 else 0
        return won, lost

    return play


@pytest.mark.parametrize(
    ("one", "two", "least_won", "most_lost"),
    [("greedy", "official_random", 0.75, 0.06), ("paper_opening", "official_random", 0.37, 0.09)],
)
def test_strength(one, two, least_won, most_lost):
    """Over 10,000 games on each side: 0.788 and 0.764 won by `greedy`, 0.402 and 0.385 by `paper_opening`."""
    root = spinney.game("saboteur").start(1, manual_chance=True).record
    native = [rules.State.native(root), rules.State.native(), CARD.out.native(), Rng.native(seeded(9))]
    match = bind(make_match, "saboteur/match", rules=CARD.bound_rules, one=CARD.player(one), two=CARD.player(two))
    for seat in range(2):
        won, lost = match(*native, seat, 10_000)
        assert won / 10_000 > least_won
        assert lost / 10_000 < most_lost


# ---- the paper


def open_as(s, seed=1):
    action = paper.opening(s, s.player, CARD.out(), seeded(seed))
    return action if action == paper.NONE else named(s, action)


def test_the_opening_cures_and_looks_before_all_else():
    s = position((), (["Bonus", "Map", "8"], []))
    assert open_as(s) == "Map 12 3"
    s.seen[0] = 0b001
    assert open_as(s) == "Map 12 7"
    s.seen[0] = 0b101
    assert open_as(s) == "Tile:8 6 5"
    s.malus[0] = 1
    assert open_as(s) == "Bonus"


def test_the_opening_takes_the_highest_value():
    s = position((), (["0", "8", "6", "13", "Malus"], []))
    assert open_as(s) == "Tile:8 6 5"  # 800 + 100
    s = position([("8", 6, 5)], (["10", "9", "13"], []))
    assert open_as(s) == "Tile:9_flip 7 5"  # 900 + 0, and to either side only 700 + 80
    s = position([("8", 6, 5)], (["10", "9", "0"], []))
    assert open_as(s) == "Tile:0 7 5"  # 900 + 80
    s = position([("8", 6, 5), ("8", 7, 5)], (["7", "5"], []))
    assert {open_as(s, seed) for seed in range(20)} == {"Tile:7 8 5", "Tile:5_flip 8 5"}  # 1000 + 0 each


def test_the_opening_is_silent():
    s = position((), (["13", "Malus"], []))
    assert open_as(s) == paper.NONE
    s = position((), (["8"], []), turn=8)
    assert open_as(s) == paper.NONE
    s = position((), (["8"], []), turn=7)
    assert open_as(s) == "Tile:8 6 5"


def test_opening_values_of_the_table():
    shape = SHAPE_NAMES.index
    assert paper.opening_value(shape("10"), cell_at(5, 4)) == 450
    assert paper.opening_value(shape("7_flip"), cell_at(6, 5)) == 860
    assert paper.opening_value(shape("6"), cell_at(8, 6)) == 990
    assert paper.opening_value(shape("6_flip"), cell_at(8, 4)) == 990
    assert paper.opening_value(shape("13"), cell_at(6, 5)) == -1
    for row, column in ((4, 5), (9, 5), (6, 2), (6, 8)):
        assert paper.opening_value(shape("8"), cell_at(row, column)) == -1
    totals = [sum(int(v) for v in paper.TILE_VALUES[i * 26 : i * 26 + 26] if v > 0) for i in range(3)]
    assert totals == [570, 550, 550]


def after(s, text):
    """The evaluation after a move, times 310 less 10: what the move is worth."""
    out = CARD.out()
    mover = s.player
    actions = CARD.out()
    n = rules.legal(s, mover, actions)
    rules.apply(s, next(action for action in actions.action[:n] if named(s, action) == text))
    paper.paper(s, out)
    assert sum(out.reward) == pytest.approx(1)
    while rules.mover(s) == CHANCE:
        rules.apply(s, rules.chance(s, seeded(1)))
    again = CARD.out()
    paper.paper(s, again)
    assert again.reward == out.reward
    return round(out.reward[mover] * 310 - 10, 6)


def test_the_evaluation_of_tiles():
    assert after(position((), (["8", "10"], ["9"])), "Tile:8 6 5") == 100 + 50 + 100
    left = position(DOWN, (["8", "10"], ["9"]), nugget=0)
    left.seen[0] = 0b001
    assert after(left, "Tile:8 10 5") == 100 + 90 - 15 + 100
    assert after(position([("13", 6, 5)], (["8", "10"], ["9"])), "Tile:8 7 5") == 100 + 60 - 10
    assert after(position((), (["13", "10"], ["9"])), "Tile:13 6 5") == 0
    assert after(position((), (["9", "10"], ["9"])), "Tile:9 4 5") == 70 + 0 + 100
    near = position([*DOWN, ("8", 10, 5), ("8", 11, 5), ("9", 11, 4)], (["8", "10"], ["9"]), nugget=2)
    assert after(near, "Tile:8 12 4") == 100 + 107.5 - 3 * 7.5 + 100  # which opens the left one: it is the right one


def test_the_evaluation_of_other_cards():
    assert after(position((), (["Malus", "10"], ["9"]), turn=9), "Malus") == 0
    assert after(position((), (["Malus", "10"], ["9"]), turn=10), "Malus") == 10
    assert after(position((), (["Malus", "10"], ["9"]), turn=31), "Malus") == 31
    way = [*DOWN, ("8", 10, 5), ("1", 11, 5), ("13", 10, 4), ("10", 10, 6)]
    assert after(position(way, (["Destroy", "10"], ["9"])), "Destroy 11 5") == 10
    assert after(position(way, (["Destroy", "10"], ["9"])), "Destroy 10 4") == 0
    assert after(position([*way[:-3], ("8", 11, 5)], (["Destroy", "10"], ["9"]), nugget=0), "Destroy 11 5") == 0
    for text in ("Map 12 3", "Drop 10"):
        assert after(position((), (["Map", "10"], ["9"])), text) == 0


def test_the_evaluation_of_the_end_is_the_reward():
    s = position([*DOWN, ("8", 10, 5)], (["8"], ["9"]), nugget=1)
    assert after(s, "Tile:8 11 5") == 300
    out = CARD.out()
    paper.paper(s, out)
    assert out.reward == [1.0, 0.0]
    paper.paper(position(), out)
    assert out.reward == [0.5, 0.5]


def test_after_its_opening_the_paper_player_follows_the_evaluation():
    s = position(DOWN, (["8", "13", "Map"], ["9"]), turn=9, nugget=1)
    s.seen[0] = 0b010
    assert choose("paper_opening", s) == "Tile:8 10 5"
    s.malus[0] = 1
    s.hand[0, CARD_NAMES.index("Malus")] = 1
    s.turn = 20
    assert choose("paper_opening", s) == "Malus"


# ---- the board


def test_the_board_is_drawn():
    s = position([("2", 6, 5), ("7", 5, 4)], (["6", "Map"], ["5"]), nugget=2, turn=3)
    s.seen[0], s.malus[1] = 0b001, 1
    rules.observe(s, 0)
    lines = CARD.board.draw(s).splitlines()
    assert lines[:12] == [
        "    3  4  5  6  7",
        "",
        " 4  ·  ·  ·  ·  ·",
        "",
        "      ░█░░█░",
        " 5  · ░███E█ ·  ·",
        "      ░░░░█░",
        "         ░█░",
        " 6  ·  · ░░█ ·  ·",
        "         ░█░",
        "",
        " 7  ·  ·  ·  ·  ·",
    ]
    assert lines[-11:] == [
        "   ┌─┐   ┌─┐   ┌─┐",
        "12 │x│ · │?│ · │?│",
        "   └─┘   └─┘   └─┘",
        "",
        "player 1: 6 Map; has looked at: left",
        "  ░█░",
        "  ██░",
        "  ░█░",
        "    6",
        "player 2: 1 cards; blocked",
        "turn 3, 50 cards in the deck; player 1 moves",
    ]
    s.nugget = 2
    assert "12 │x│ · │x│ · │$│" in CARD.board.draw(s)


def test_the_board_fits_a_terminal():
    state = spinney.game("saboteur").start(2)
    agents = [spinney.game("saboteur").agent("random", seed=i) for i in range(2)]
    while not state.is_over:
        state.apply(agents[state.mover].decide(state).action)
        assert max(map(len, str(state).splitlines())) <= 80
    assert str(state).endswith("the end: a draw")


def test_names_of_actions():
    s = position()
    cell = cell_at(6, 5)
    actions = {
        SHAPE_NAMES.index("5_flip") * CELLS + cell: "Tile:5_flip 6 5",
        LOOK + 1: "Map 12 5",
        CURE: "Bonus",
        BLOCK: "Malus",
        BREAK + cell: "Destroy 6 5",
        DROP + CARD_NAMES.index("Destroy"): "Drop Destroy",
        DROP + 5: "Drop 5",
    }
    assert {action: named(s, action) for action in actions} == actions
