"""Halite's fleets: voyages, moves that fit together, and the players that plan whole turns."""

from __future__ import annotations

import itertools
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import spinney
from spinney.agents import build
from spinney.games.card import OVER
from spinney.games.halite.building import assign_orders, command, yard_is_free
from spinney.games.halite.planner import FleetPlanner, PlannerOptions
from spinney.games.halite.rules import can_leave, carry_out, rank
from spinney.games.halite.state import CONSTRUCT, EAST, NONE, NORTH, SPAWN, STAY, STRIDE, WEST, State, add_ship, step
from spinney.games.halite.voyages import LONGEST, Voyages, dig, most
from spinney.games.parts import PieceStats
from spinney.kernel import Rng, bind, seeded
from spinney.play import Session
from tests.games.halite.match import compiled


def with_ships(ships: list[tuple[int, int, int]], size: int = 10, seed: int = 1) -> Any:
    """A map with ships of player 0: x, y and cargo of each."""
    s: Any = spinney.game(f"halite(size={size}, turns=100)").start(seed).record
    for number, (x, y, cargo) in enumerate(ships):
        add_ship(s, 0, STRIDE * y + x, cargo, number)
    return s


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_own_ships_never_meet(data):
    """Whatever ships want, and wherever they are; but on own structures when they may."""
    places = data.draw(st.lists(st.integers(0, 99), min_size=1, max_size=40, unique=True))
    cargo = data.draw(st.lists(st.integers(0, 1000), min_size=len(places), max_size=len(places)))
    s = with_ships([(place % 10, place // 10, held) for place, held in zip(places, cargo, strict=True)])
    wants = np.random.default_rng(data.draw(st.integers(0, 99))).random((len(places), WEST + 1))
    crash = data.draw(st.booleans())
    ships = list(range(s.ships))
    orders = assign_orders(s, ships, wants, crash)
    targets = [
        int(s.cell[i]) if order == STAY else int(step(s, int(s.cell[i]), order)) for i, order in enumerate(orders)
    ]
    assert all(order == STAY or can_leave(s, i) for i, order in enumerate(orders))
    free = [to for to in targets if not (crash and s.owner[to] == 0)]
    assert len(free) == len(set(free))
    for i, order in enumerate(orders):
        s.order[i] = order
    yard_free = yard_is_free(s, 0, ships, orders)
    before, delivered = s.ships, sum(s.cargo[: s.ships]) + s.total + sum(s.treasury)
    carry_out(s)
    if crash:
        assert sum(s.cargo[: s.ships]) + s.total + sum(s.treasury) <= delivered
    else:
        assert s.ships == before
    assert yard_free == (int(s.ship[s.yard[0]]) == NONE and s.yard[0] not in targets)


def test_most_wanted_moves_are_made():
    """A train: all go east at once; and of two who want one cell, the one who wants it more."""
    s = with_ships([(x, 1, 500) for x in range(4)])
    east = np.zeros((4, WEST + 1))
    east[:, EAST] = 1.0
    assert assign_orders(s, range(4), east, False) == [EAST] * 4
    s = with_ships([(2, 2, 900), (4, 2, 900)])
    wants = np.zeros((2, WEST + 1))
    wants[:, STAY] = 0.5
    wants[0, EAST], wants[1, WEST] = 1.0, 2.0
    assert assign_orders(s, range(2), wants, False) == [STAY, WEST]


def test_a_forest_keeps_out_of_the_way_of_three_rivals():
    """To the east is a rival, to the north none can come; with one rival, ships go where their trees say."""
    for players, east, north in ((2, EAST, NORTH), (4, STAY, NORTH)):
        s: Any = spinney.game(f"halite(size=32, turns=100, players={players})").start(1).record
        for cell in range(len(s.halite)):
            s.halite[cell] = 0
        add_ship(s, 0, STRIDE * 1 + 1, 0, 0)
        add_ship(s, 1, STRIDE * 1 + 3, 0, 1)
        for wanted, order in ((EAST, east), (NORTH, north)):
            visits = np.zeros((2, WEST + 1), np.int64)
            visits[:, wanted], visits[:, STAY] = 80, 20
            assert command(s, 0, PieceStats(visits, visits / 100, np.zeros(2)))[0] == order


@pytest.mark.parametrize(
    ("treasury", "builds", "spawns"), [(3000, False, [STAY]), (4500, True, []), (20_000, True, [SPAWN])]
)
def test_a_forest_builds_dropoffs_and_saves_for_them(treasury, builds, spawns):
    """Eleven ships on the largest map are enough for one, and one of them is far from home where there is most."""
    s: Any = spinney.game("halite(size=64)").start(1).record
    yard = int(s.yard[0])
    for cell in range(len(s.halite)):
        s.halite[cell] = 10
    s.total = 64 * 64 * 300
    far = (yard + 32) % STRIDE + yard // STRIDE * STRIDE
    for n in range(11):
        add_ship(s, 0, far if n == 5 else yard + 2 * STRIDE + n - 5, 100, n)
        add_ship(s, 1, far + 8 * STRIDE + n - 5, 100, 11 + n)
    s.halite[far + 1] = 100_000
    s.treasury[0] = treasury
    visits = np.zeros((22, WEST + 1), np.int64)
    visits[:, STAY] = 100
    orders = command(s, 0, PieceStats(visits, visits / 100, np.full(22, 20.0)))
    assert orders == [CONSTRUCT if builds and n == 5 else STAY for n in range(11)] + spawns


def test_plain_and_compiled_plan_the_same():
    game = spinney.game("halite(size=12, turns=60, players=4)")
    found = []
    for plain in (True, False):
        fleets = [FleetPlanner(PlannerOptions(plain=plain, inspiration=1.0, pool=1.0, dropoffs=1)) for _ in range(4)]
        s: Any = game.start(4).record
        orders = []
        while s.mover != OVER and s.turn < 40:
            turn = [fleet.orders(s, player) for player, fleet in enumerate(fleets)]
            for player, given_orders in enumerate(turn):
                give(s, player, given_orders)
            carry_out(s)
            orders += turn
        found.append((orders, [float(fleet.voyages.income) for fleet in fleets], s))
    assert found[0] == found[1]


def test_a_planned_turn_is_followed_order_by_order():
    """Asked order by order, an agent plays as if it gave all orders of a turn at once, in a game that it has not seen
    before. When another order was given, it plans again."""
    game = spinney.game("halite(size=12, turns=150)")
    found = []
    for known in (True, False):
        state, seats = game.start(3), [build(game, "planner") for _ in range(2)]
        while not state.is_over:
            player = state.mover
            if known or len(state.legal()) == 1:
                state.apply(order(seats[player], state), player)
            else:
                for action in seats[player].decide_turn(state.copy(manual_chance=True)).actions:
                    state.apply(action, player)
        found.append(state.history)
    assert found[0] == found[1]

    state, agent = with_three_ships(game), build(game, "planner")
    while len(state.legal(0)) == 1:
        state.apply(order(agent, state), 0)
    planned = agent.decide(state, player=0).action
    state.apply(next(order for order in state.legal(0) if order != planned), 0)
    stranger = build(game, "planner")
    assert agent.decide(state, player=0).action == stranger.decide(state, player=0).action


def test_a_ship_that_has_its_order_does_not_build():
    """Asked in the middle of a turn, the planner does not count on ships and money that are given away already."""
    game = spinney.game("halite(size=16, turns=200, energy=20000)")
    state, seats = game.start(3), [build(game, "planner(dropoffs=1)") for _ in range(2)]
    refused = 0
    while not state.is_over and refused < 3:
        player = state.mover
        wanted = order(seats[player], state)
        if player == 0 and wanted == CONSTRUCT:
            state.apply(STAY, 0)
            state.record.treasury[0] = 4500  # enough for a dropoff or a ship, not for both
            turn, stranger = state.record.turn, build(game, "planner(dropoffs=1)")
            while state.mover == 0 and state.record.turn == turn:
                state.apply(order(stranger, state), 0)
            refused += 1
        else:
            state.apply(wanted, player)
    assert refused == 3


def order(agent: Any, state: Any) -> int:
    """The order of the agent to move, which is asked only where it has a choice."""
    legal = state.legal()
    return legal[0] if len(legal) == 1 else agent.decide(state).action


def with_three_ships(game: Any) -> Any:
    """A game in which player 0 has three ships to order."""
    state, seats = game.start(3), [build(game, "planner") for _ in range(2)]
    while state.mover != 0 or sum(state.record.player[i] == 0 for i in range(state.record.ships)) < 3:
        state.apply(order(seats[state.mover], state), state.mover)
    return state


def give(s: Any, player: int, orders: list[int]) -> None:
    ships = [i for i in range(s.ships) if s.player[i] == player]
    for i, order in zip(ships, orders, strict=False):
        s.order[i] = order
    s.spawn[player] = int(len(orders) > len(ships) and orders[-1] == SPAWN)


def test_a_ship_takes_the_rich_cell_and_another_ship_leaves_it():
    s = with_ships([(5, 5, 0), (5, 7, 0)])
    for cell in range(len(s.halite)):
        s.halite[cell] = 0
    rich, good = STRIDE * 6 + 7, STRIDE * 8 + 5
    s.halite[rich], s.halite[good] = 900, 400
    s.total = 1300
    fleet = FleetPlanner(PlannerOptions())
    fleet.orders(s, 0)
    assert sorted(int(fleet.voyages.goal[i]) for i in range(2)) == sorted([rich, good])


def test_a_ship_that_skims_leaves_a_poor_cell():
    goals = []
    for skim in (0.0, 3.0):
        s = with_ships([(5, 5, 700)])
        for cell in range(len(s.halite)):
            s.halite[cell] = 0
        here = STRIDE * 5 + 5
        s.halite[here], s.total = 60, 10_000  # fifteen for a turn, where one costs eight, or 32
        fleet = FleetPlanner(PlannerOptions(skim=skim))
        fleet.orders(s, 0)
        goals.append(int(fleet.voyages.goal[0]))
    assert goals == [here, NONE]


@settings(max_examples=1000, deadline=None)
@given(
    st.integers(1, 3000),
    st.floats(0.1, 400),
    st.floats(0, 1000) | st.integers(990, 1000),
    st.floats(0, 2),
    st.floats(0, 1),
    st.integers(1, LONGEST),
)
def test_no_cell_is_worth_more_than_the_most(halite, price, cargo, inspiration, near, limit):
    """What is passed over without digging would not have been better."""
    v: Any = Voyages()
    v.left[0], v.price, v.inspiration, v.near[0] = halite, price, inspiration, near
    dig(State(size=1), v, 0, cargo, limit)
    assert v.gain - v.price * v.stay <= most(v, 0, cargo, 0) + 1e-9


@pytest.mark.parametrize("pool", [0.0, 2.0])
def test_everybody_is_home_in_the_end(pool):
    """Alone on the map, which nobody shares: nothing is lost on the way, and at the end nothing is left in ships."""
    game = spinney.game("halite(size=16, turns=250, players=1)")
    s: Any = game.start(2).record
    fleet = FleetPlanner(PlannerOptions(pool=pool))
    turn, most, lost = bind(make_turn, "halite/turn"), 0, 0
    n = State.native(s)
    while n["mover"] != OVER:
        s = State.plain(n)
        most = max(most, s.ships)
        if s.turn < 230:
            lost = most - s.ships
        native_give(n, s, fleet.orders(s, 0))
        turn(n)
    assert lost == 0
    assert most >= 5
    assert sum(n["cargo"][: n["ships"]]) < 200
    assert n["treasury"][0] > 5000


def make_turn():
    def turn(s):
        carry_out(s)

    return turn


def native_give(n: Any, s: Any, orders: list[int]) -> None:
    give(s, 0, orders)
    n["order"][: s.ships] = s.order[: s.ships]
    n["spawn"][0] = s.spawn[0]


def test_the_planner_as_an_agent_beats_the_collector():
    """Order by order, as all agents play; it builds dropoffs if it is told to."""
    game = spinney.game("halite(size=24, turns=200)")
    state = game.start(4)
    session = Session(state, [build(game, "planner(dropoffs=2)"), build(game, "collector", 1)])
    built = 0
    while not session.is_over:
        built += sum(decision.player == 0 and decision.action == CONSTRUCT for decision in session.ask())
    assert rank(state.record, 0) == 1
    assert built == state.record.built[0] > 0


def test_agents_are_asked_only_where_there_is_a_choice():
    """So a plan has to pass over the orders of ships that cannot move."""
    game = spinney.game("halite(size=10, turns=30, energy=9000)")
    agents = [build(game, "planner"), build(game, "forest(iterations=5, seed=1)")]
    session = Session(game.start(1), agents)
    for (decision,) in itertools.islice(iter(session.ask, []), 200):
        assert decision.action in (STAY, SPAWN, *range(NORTH, WEST + 1))
    assert session.state.record.turn > 10


def test_a_forest_finds_more_than_chance_does():
    game = spinney.game("halite(size=16, turns=250, players=1)")
    agent = build(game, "forest(iterations=100, seed=1)")
    state = Session(game.start(2), [agent]).play()
    random = State.native(game.start(2).record)
    compiled()(random, game.card.out.native(), Rng.native(seeded(1)), 0)
    assert state.record.treasury[0] > max(5500, random["treasury"][0])


@pytest.mark.parametrize("spec", ["champion", "champion_01", "admiral", "skimmer", "planner", "forest"])
def test_lists_tell_of_them(spec, capsys):
    from spinney.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["agents", "halite", spec])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert f"{spec}: " in shown
