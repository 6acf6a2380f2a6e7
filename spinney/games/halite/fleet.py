"""The orders of a whole fleet: its duties, its next dropoff, its targets, its moves, and new ships."""

from spinney.games.halite import state
from spinney.games.halite.chart import BUILD, ORDERS, begin_game, steps_away, survey, ways_home
from spinney.games.halite.growth import builder, choose_site, wants_dropoff, wants_ship
from spinney.games.halite.rivals import count_ships, learn, note_chances
from spinney.games.halite.rules import construction_price
from spinney.games.halite.targets import choose_targets, set_duties
from spinney.games.halite.traffic import NEVER, assign, set_utilities
from spinney.kernel import rule

SITES = 8
"""The number of turns after which the best site is looked for again."""
NEARLY = 3000
"""The treasury with which ships already go home to the site."""
EARNS = 0.8
"""The part of its income that a fleet is expected to bring home while a ship goes to the site."""


@rule
def give_orders(s, a, player):
    """Write a player's orders of this turn to the state."""
    if s.turn <= a.turn or a.turn < 0:
        begin_game(s, a)
    survey(s, a, player)
    learn(s, a, player)
    a.turn = s.turn
    if a.ships < s.ships:
        count_ships(s, a, player)
        note_chances(s, a, player)
    look_for_site(s, a, player)
    steps_away(s, a, player, int(a.site))
    if a.site != state.NONE and s.treasury[player] < NEARLY:
        ways_home(s, a, player, state.NONE)
    set_duties(s, a, player)
    builds = send_builder(s, a, player)
    choose_targets(s, a, player)
    set_utilities(s, a, player)
    if builds != state.NONE:
        for order in range(1, ORDERS):
            a.use[builds, order] = NEVER
    assign(s, a, player)
    for n in range(a.ships):
        s.order[a.own[n]] = a.chosen[n]
    if builds != state.NONE:
        i = int(a.own[builds])
        s.order[i] = state.CONSTRUCT
        s.spent[player] += construction_price(s, i)
        a.saving = 0
    s.spawn[player] = 1 if wants_ship(s, a, player) else 0
    s.spent[player] += state.SHIP_COST * s.spawn[player]


@rule
def look_for_site(s, a, player):
    """Choose the site of the next dropoff, if one is wanted, and save for it."""
    wanted = wants_dropoff(s, a, player)
    if not wanted or (a.site != state.NONE and s.owner[a.site] != state.NONE):
        a.site = state.NONE
    if wanted and (a.site == state.NONE or s.turn % SITES == 0):
        steps_away(s, a, player, state.NONE)
        a.site = choose_site(s, a, player)
    a.saving = 1 if a.site != state.NONE else 0


@rule
def send_builder(s, a, player):
    """Send the nearest ship to the site, when the dropoff can be paid on its arrival. Its place if it builds now, or
    NONE."""
    if a.site == state.NONE:
        return state.NONE
    n = builder(s, a)
    i = int(a.own[n])
    steps = state.distance(s, int(s.cell[i]), int(a.site))
    price = max(0, state.DROPOFF_COST - s.cargo[i] - s.halite[a.site])
    if s.treasury[player] + EARNS * a.ships * a.income * steps < price:
        return state.NONE
    a.duty[n] = BUILD
    a.goal[n] = a.site
    return n if steps == 0 and s.treasury[player] - s.spent[player] >= price else state.NONE


def make_orders():
    """The function that gives a fleet its orders."""

    def orders(s, a, player):
        give_orders(s, a, player)

    return orders
