"""What a meeting with a rival is worth, and how likely it is: one measure for every cell that a ship may be on next,
its own included.

All ships that meet are lost, and their cargo falls on the cell, for whoever mines it. The player with more ships near
will get most of that. Whether rivals ram, when it pays for them, is learnt during the game.
"""

from spinney.games.halite import state
from spinney.games.halite.chart import MOST_CHANCES, ORDERS, REACH, there
from spinney.games.halite.rules import can_leave
from spinney.kernel import rule

PER_FRIEND = 0.12
"""What one ship more near a wreck adds to the part of it that its player will mine."""
BLIND = 0.08
"""The probability that a rival enters a cell next to it without a reason."""
STANDS = 0.5
"""The probability that a rival stays on its cell."""
WORTH_IT = 20.0
"""The least gain for which a rival rams."""
EXPECTED = 0.3
"""The probability that a rival rams when that pays, before the game; with more than two players a quarter of it."""
DOUBT = 4.0
"""How many chances to ram count as much as what was expected of rivals before the game."""


@rule
def count_ships(s, a, player):
    """On each cell, how many more own ships than rivals are near."""
    size = int(s.size)
    reach = min(REACH, (size - 1) // 2)
    for y in range(size):
        for x in range(size):
            a.balance[state.STRIDE * y + x] = 0
    for i in range(s.ships):
        sign = 1 if s.player[i] == player else -1
        x, y = s.cell[i] & (state.STRIDE - 1), s.cell[i] // state.STRIDE
        for dy in range(-reach, reach + 1):
            row = y + dy
            row += size if row < 0 else -size if row >= size else 0
            width = reach - abs(dy)
            for dx in range(-width, width + 1):
                column = x + dx
                column += size if column < 0 else -size if column >= size else 0
                a.balance[row * state.STRIDE + column] += sign


@rule(inline=True)
def ours(a, cell):
    """The part of a wreck that the player will mine."""
    return min(0.95, max(0.05, 0.5 + PER_FRIEND * a.balance[cell]))


@rule
def meeting(s, a, player, cell, cargo, rival):
    """What it is worth to meet a rival on a cell, in halite: with two players as much as the rival's loss."""
    held = float(s.cargo[rival])
    owner = s.owner[cell]
    part = ours(a, cell)
    if owner != state.NONE:
        part = 1.0 if owner == player else 0.0
    worth = part * (cargo + held) - cargo
    if s.players > 2:  # the others gain as well from what two of them lose
        life = min(float(state.SHIP_COST), a.income * (s.turns - s.turn))
        worth -= life * 2.0 / 3.0 + part * held / 3.0
    return worth


@rule
def wants_to_meet(s, a, cell, cargo, rival):
    """Whether it pays for a rival to meet a ship with this cargo, as far as cargo and ships near tell."""
    held = float(s.cargo[rival])
    return (1.0 - ours(a, cell)) * (cargo + held) > held + WORTH_IT


@rule
def risk(s, a, player, cell, cargo):
    """What meetings on a cell in this turn are worth to a ship, each times its probability."""
    if s.owner[cell] == player:
        return 0.0
    total = 0.0
    for order in range(ORDERS):
        rival = int(s.ship[there(s, cell, order)])
        if rival == state.NONE or s.player[rival] == player or (order != state.STAY and not can_leave(s, rival)):
            continue
        worth = meeting(s, a, player, cell, cargo, rival)
        total += likely(s, a, cell, order, cargo, rival) * worth * (a.ram if worth > 0.0 else a.caution)
    return total


@rule
def likely(s, a, cell, order, cargo, rival):
    """The probability that a rival on a cell, or next to it if there is an order, will be on it."""
    at_home = s.owner[cell] == s.player[rival]
    if order == state.STAY:
        return BLIND if at_home else STANDS
    if at_home:
        return STANDS
    return max(BLIND, a.rams[s.player[rival]]) if wants_to_meet(s, a, cell, cargo, rival) else BLIND


@rule
def learn(s, a, player):
    """Count which rivals used the chances to ram that they had in the last turn."""
    if a.chances and s.turn == a.turn + 1:
        for k in range(a.chances):
            rammed, found = False, False
            for i in range(s.ships):
                if s.id[i] == a.chance_id[k]:
                    found = True
                    rammed = s.cell[i] == a.chance_cell[k]
            other = int(a.chance_of[k])
            a.tried[other] += 1.0
            if rammed or not found:
                a.hits[other] += 1.0
    expected = EXPECTED if s.players == 2 else EXPECTED / 4.0
    for other in range(s.players):
        a.rams[other] = (DOUBT * expected + a.hits[other]) / (DOUBT + a.tried[other])
    a.chances = 0


@rule
def note_chances(s, a, player):
    """Remember which rivals stand beside an own ship that it pays to ram."""
    for n in range(a.ships):
        i = int(a.own[n])
        here = int(s.cell[i])
        if s.owner[here] != state.NONE:
            continue
        for order in range(1, ORDERS):
            rival = int(s.ship[state.step(s, here, order)])
            if rival == state.NONE or s.player[rival] == player or not can_leave(s, rival):
                continue
            if a.chances < MOST_CHANCES and wants_to_meet(s, a, here, float(s.cargo[i]), rival):
                a.chance_id[a.chances] = s.id[rival]
                a.chance_cell[a.chances] = here
                a.chance_of[a.chances] = s.player[rival]
                a.chances += 1
