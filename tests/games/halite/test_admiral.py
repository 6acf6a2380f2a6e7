"""Halite's admiral: its targets, its moves, its nerve, its growth, and whole games of it."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import spinney
from spinney.games.card import OVER
from spinney.games.halite import state
from spinney.games.halite.admiral import Admiral, AdmiralOptions
from spinney.games.halite.chart import HOME, MINE, ON_THE_WAY, Chart, begin_game, steps_away, survey, there
from spinney.games.halite.fleet import give_orders
from spinney.games.halite.growth import RICH, around, choose_site
from spinney.games.halite.rivals import count_ships, learn, note_chances, risk
from spinney.games.halite.rules import can_leave, carry_out
from spinney.games.halite.state import CONSTRUCT, EAST, NONE, NORTH, SOUTH, STAY, STRIDE, WEST, add_ship
from spinney.games.halite.targets import choose_targets, set_duties
from spinney.games.halite.traffic import NEVER, assign, burn_to


def cell(x: int, y: int) -> int:
    return STRIDE * y + x


def flat_map(halite: int = 0, size: int = 20, players: int = 2) -> Any:
    """A map with the same halite on all cells but the shipyards; of two, that of player 0 is on 5,10."""
    s: Any = spinney.game(f"halite(size={size}, players={players}, turns=400)").start(1).record
    s.treasury[:players] = [0] * players
    for y in range(size):
        for x in range(size):
            s.halite[cell(x, y)] = 0 if s.owner[cell(x, y)] != NONE else halite
    s.total = sum(s.halite)
    return s


def put(s: Any, halite: dict[tuple[int, int], int]) -> None:
    for (x, y), much in halite.items():
        s.halite[cell(x, y)] = much
    s.total = sum(s.halite)


def chart(s: Any, **options: Any) -> Any:
    """A chart of a position for player 0."""
    a = Chart(**AdmiralOptions(**options).model_dump(exclude={"plain"}))
    a.turn = NONE
    begin_game(s, a)
    survey(s, a, 0)
    learn(s, a, 0)
    count_ships(s, a, 0)
    steps_away(s, a, 0, NONE)
    return a


def targets(s: Any, **options: Any) -> Any:
    a = chart(s, **options)
    set_duties(s, a, 0)
    choose_targets(s, a, 0)
    return a


def orders(s: Any, player: int = 0, **options: Any) -> list[int]:
    a = Chart(**AdmiralOptions(**options).model_dump(exclude={"plain"}))
    a.turn = NONE
    made = s.copy()
    give_orders(made, a, player)
    return [made.order[i] for i in range(s.ships) if s.player[i] == player]


# ---- economy


def test_ways_home_are_shortest_and_burn_least():
    """Home is 5,10: from 7,11 there are three shortest ways; one of them leads over two cheap cells."""
    s = flat_map(100)
    put(s, {(6, 11): 10, (5, 11): 20})
    a = chart(s)
    assert a.home[cell(7, 11)] == 3
    assert a.home_burn[cell(7, 11)] == 10 + 1 + 2
    assert a.home[cell(15, 10)] == 10
    assert burn_to(s, a, cell(7, 11), cell(5, 10)) == 13
    assert burn_to(s, a, cell(3, 19), cell(3, 1)) == 10 + 10  # around the edge


def test_the_nearer_ship_gets_the_rich_cell_and_the_other_one_the_next():
    s = flat_map(0)
    put(s, {(8, 10): 900, (8, 14): 400})
    add_ship(s, 0, cell(8, 7), 0, 0)
    add_ship(s, 0, cell(8, 9), 0, 1)
    a = targets(s)
    assert [a.goal[n] for n in range(2)] == [cell(8, 14), cell(8, 10)]


def test_a_ship_leaves_its_cell_only_for_much_more():
    for beside, goes in ((300, False), (360, True)):
        s = flat_map(1)
        put(s, {(9, 9): 100, (10, 9): beside})
        add_ship(s, 0, cell(9, 9), 100, 0)
        assert targets(s).goal[0] == (cell(10, 9) if goes else cell(9, 9))


def test_a_full_ship_goes_home_and_mines_on_the_way_what_it_has_room_for():
    s = flat_map(10)
    add_ship(s, 0, cell(9, 9), 960, 0)
    assert targets(s).duty[0] == HOME
    s.cargo[0] = 940  # the way has cost something
    for halite, duty in ((180, HOME), (220, MINE), (260, HOME)):  # 45 in a turn is little, 65 are too much
        put(s, {(9, 9): halite})
        a = chart(s)
        a.homeward[0] = ON_THE_WAY
        set_duties(s, a, 0)
        choose_targets(s, a, 0)
        assert (a.duty[0], a.goal[0]) == (duty, cell(9, 9))


def test_ships_are_home_when_the_game_ends():
    s = flat_map(300)
    add_ship(s, 0, cell(9, 10), 100, 0)
    s.turn = s.turns - 5
    assert targets(s).duty[0] == HOME
    assert orders(s) == [WEST]


def test_ships_that_go_home_late_may_meet_there_and_others_may_not():
    for late, meet in ((True, 3), (False, 1)):
        s = flat_map(0)
        for number, at in enumerate([(4, 10), (6, 10), (5, 9)]):
            add_ship(s, 0, cell(*at), 980, number)
        s.turn = s.turns - 3 if late else 100
        given_orders = orders(s)
        cells = [there(s, s.cell[i], order) for i, order in enumerate(given_orders)]
        assert cells.count(cell(5, 10)) == meet


# ---- moves


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_orders_fit_together_and_none_is_better(data):
    """No two ships enter a cell, and the utilities add up to those of SciPy's assignment."""
    from scipy.optimize import linear_sum_assignment

    places = data.draw(st.lists(st.integers(0, 48), min_size=1, max_size=30, unique=True))
    s = flat_map(100)
    for number, place in enumerate(places):
        add_ship(s, 0, cell(8 + place % 7, 2 + place // 7), data.draw(st.sampled_from([0, 500])), number)
    a = chart(s)
    set_duties(s, a, 0)
    wants = np.random.default_rng(data.draw(st.integers(0, 999))).random((len(places), WEST + 1))
    cost = np.full((len(places), len(s.halite)), 1e6)
    for n, i in enumerate(range(s.ships)):
        for order in range(WEST + 1):
            to = there(s, s.cell[i], order)
            a.to[n, order] = to
            a.use[n, order] = wants[n, order] if order == STAY or can_leave(s, i) else NEVER
            if a.use[n, order] > NEVER:
                cost[n, to] = -wants[n, order]
    assign(s, a, 0)
    entered = [a.to[n, a.chosen[n]] for n in range(s.ships)]
    assert len(set(entered)) == s.ships
    rows, columns = linear_sum_assignment(cost)
    found = sum(a.use[n, a.chosen[n]] for n in range(s.ships))
    assert found == pytest.approx(-cost[rows, columns].sum())


# ---- rivals


def beside_a_rival(cargo: int, rivals: int, friends: int) -> Any:
    """A ship on 10,4 and a rival with 300 on 11,4, each with so many more ships some steps away."""
    s = flat_map(40)
    add_ship(s, 0, cell(10, 4), cargo, 0)
    add_ship(s, 1, cell(11, 4), 300, 1)
    for n in range(friends):
        add_ship(s, 0, cell(7, 2 + n), 500, 2 + n)
    for n in range(rivals):
        add_ship(s, 1, cell(14, 2 + n), 500, 20 + n)
    return s


def test_a_heavy_ship_in_the_minority_leaves_also_when_it_mines():
    s = beside_a_rival(cargo=800, rivals=4, friends=0)
    put(s, {(10, 4): 300})
    a = chart(s)
    assert risk(s, a, 0, cell(10, 4), 800.0) < -100
    to = there(s, cell(10, 4), orders(s)[0])
    assert to in (cell(9, 4), cell(10, 3), cell(10, 5))


def test_a_light_ship_in_the_majority_rams_and_a_heavy_one_does_not():
    assert orders(beside_a_rival(cargo=20, rivals=0, friends=5))[0] == EAST
    assert orders(beside_a_rival(cargo=20, rivals=5, friends=0))[0] != EAST
    assert orders(beside_a_rival(cargo=900, rivals=0, friends=2))[0] != EAST


def test_at_home_nothing_is_dangerous():
    s = beside_a_rival(cargo=900, rivals=4, friends=0)
    s.owner[cell(10, 4)] = 0
    assert risk(s, chart(s), 0, cell(10, 4), 900.0) == 0.0


def test_it_learns_who_rams():
    """A rival that has nothing stands beside a full ship in the minority: it may ram, or not."""
    for rams in (True, False):
        s = beside_a_rival(cargo=900, rivals=4, friends=0)
        s.cargo[1] = 0
        put(s, {(11, 4): 0})
        a = chart(s)
        before = a.rams[1]
        note_chances(s, a, 0)
        assert a.chances == 1
        a.turn = s.turn
        s.turn += 1
        s.ship[s.cell[1]] = NONE
        s.cell[1] = cell(10, 4) if rams else cell(11, 5)
        learn(s, a, 0)
        assert (a.rams[1] > before) == rams
        assert a.rams[0] == before


# ---- growth


def test_a_dropoff_goes_where_the_halite_is_and_ships_wait_for_its_price():
    s = flat_map(20, size=32)
    for y in range(3, 10):
        for x in range(1, 9):
            s.halite[cell(x, y)] = 700
    s.total = sum(s.halite)
    for number in range(17):
        add_ship(s, 0, cell(6, 9) if number == 0 else cell(number % 8, 20 + number // 8), 100, number)
    a = chart(s)
    site = choose_site(s, a, 0)
    assert around(s, a, site) >= RICH
    assert state.distance(s, site, cell(5, 6)) <= 6
    s.cell[0], s.ship[s.cell[0]], s.ship[site] = site, NONE, 0
    price = 4000 - 100 - s.halite[site]
    for treasury, builds in ((price - 1, False), (price, True)):  # what the ship carries is paid in
        s.treasury[0] = treasury
        made = s.copy()
        a = Chart(**AdmiralOptions().model_dump(exclude={"plain"}))
        a.turn = NONE
        give_orders(made, a, 0)
        assert (made.order[0] == CONSTRUCT) == builds
        assert made.spawn[0] == 0


def test_ships_are_bought_while_there_is_halite_for_each():
    for halite, buys in ((3, False), (300, True)):
        s = flat_map(halite)
        s.treasury[0] = 1000
        add_ship(s, 0, cell(9, 9), 0, 0)
        made = s.copy()
        give_orders(made, Chart(**AdmiralOptions().model_dump(exclude={"plain"}), turn=NONE), 0)
        assert made.spawn[0] == buys


# ---- whole games


def play(players: int, size: int, turns: int, plain: bool, stop: int, **options: Any) -> Any:
    """A game between admirals up to a turn, and all their orders."""
    s: Any = spinney.game(f"halite(size={size}, turns={turns}, players={players})").start(4).record
    fleets = [Admiral(AdmiralOptions(plain=plain, **options)) for _ in range(players)]
    said = []
    while s.mover != OVER and s.turn < stop:
        turn = []
        for player, fleet in enumerate(fleets):
            seen = s.copy()
            seen.mover = player
            turn.append(fleet.orders(seen, player))
        for player, given_orders in enumerate(turn):
            ships = [i for i in range(s.ships) if s.player[i] == player]
            for i, order in zip(ships, given_orders, strict=False):
                s.order[i] = order
            s.spawn[player] = int(len(given_orders) > len(ships) and given_orders[-1] > WEST)
        carry_out(s)
        said.append(turn)
    return s, said, fleets


@pytest.mark.parametrize("players", [2, 4])
def test_plain_and_compiled_give_the_same_orders(players):
    plain, compiled = (play(players, 12, 400, way, 110, dropoffs=4) for way in (True, False))
    assert plain[:2] == compiled[:2]
    assert plain[0].ships > 3 * players
    for one, other in zip(plain[2], compiled[2], strict=True):
        assert float(one.chart.income) == float(other.chart.income)
        assert list(one.chart.rams) == list(other.chart.rams)


def test_alone_it_loses_no_ship_and_brings_everything_home():
    """An economy on the smallest map of the competition: nobody meets before the end, and nothing stays in ships."""
    game = spinney.game("halite(size=32, map_seed=9101)")
    s: Any = game.start(1).record
    fleet = Admiral(AdmiralOptions())
    bought, built = 0, 0
    while s.mover != OVER:
        s.mover = 0
        said = fleet.orders(s, 0)
        for i in range(s.ships):
            s.order[i] = said[i]
        s.spawn[0] = int(len(said) > s.ships and said[-1] > WEST)
        bought += int(s.spawn[0])
        built += said[: s.ships].count(CONSTRUCT)
        carry_out(s)
        if s.turn == s.turns - 20:
            assert s.ships == bought - built
    assert built >= 1
    assert s.treasury[0] > 85_000
    assert sum(s.cargo[: s.ships]) < 1000


def test_all_directions_are_used():
    """A ship with a goal in each direction takes the step towards it."""
    for order, goal in ((NORTH, (10, 4)), (SOUTH, (10, 8)), (EAST, (12, 6)), (WEST, (8, 6))):
        s = flat_map(0)
        put(s, {goal: 900})
        add_ship(s, 0, cell(10, 6), 0, 0)
        assert orders(s) == [order]
