"""Halite III: ships mine halite on a map that wraps around, and the player with the most halite wins.

All players move simultaneously, which is modelled as a sequence of orders: `mover` is the player who gives the next
order, player 0 first, to each of its ships in the order of their ids, and then to its shipyard if it can pay for a
ship. After the last order of the last player, `carry_out` plays the turn. The orders of other players are hidden in
this turn.

A search that moves whole fleets fills `order` and `spawn` of the state itself, and calls `carry_out`.
"""

from spinney.games.card import OVER
from spinney.games.halite import state
from spinney.games.halite.start import start
from spinney.games.halite.state import MAX_PLAYERS, State
from spinney.kernel import below, rule

__all__ = [
    "MAX_ACTIONS", "MAX_PLAYERS", "State", "advance", "apply", "carry_out", "determinize", "legal", "mover", "observe",
    "reward", "scores", "start", "terminate", "under_way", "winners",
]  # fmt: skip

MAX_ACTIONS = 6
ACTIONS = state.SPAWN + 1
MOST_ID = 2**15 - 1


@rule(inline=True)
def mover(s):
    return s.mover


# ---- orders


@rule
def legal(s, player, out):
    """The orders of the next piece, without moves that it cannot pay and orders that the engine terminates for."""
    if s.mover != player:
        return 0
    out.action[0] = state.STAY
    if s.piece == s.ships:
        out.action[1] = state.SPAWN  # a shipyard that cannot spawn gets no order
        return 2
    i = int(s.piece)
    n = 1
    if can_leave(s, i):
        for direction in range(1, state.WEST + 1):
            out.action[direction] = direction
        n = state.WEST + 1
    if can_construct(s, i):
        out.action[n] = state.CONSTRUCT
        n += 1
    return n


@rule(inline=True)
def can_leave(s, i):
    """Whether a ship can pay for a move."""
    return s.cargo[i] >= s.halite[s.cell[i]] // state.MOVE_COST


@rule(inline=True)
def construction_price(s, i):
    """The halite that a treasury pays for a dropoff: the ship's cargo and the cell's halite reduce it."""
    return max(0, state.DROPOFF_COST - s.cargo[i] - s.halite[s.cell[i]])


@rule
def can_construct(s, i):
    """Whether a ship may become a dropoff, after the earlier orders of this turn."""
    player = int(s.player[i])
    return (
        s.owner[s.cell[i]] == state.NONE
        and s.spent[player] + construction_price(s, i) <= s.treasury[player]
        and s.built[player] < state.MAX_DROPOFFS // s.players
    )


@rule
def can_spawn(s, player):
    """Whether a shipyard may spawn a ship, after the earlier orders of this turn."""
    return (
        s.terminated[player] == 0
        and s.treasury[player] - s.spent[player] >= state.SHIP_COST
        and s.fleet[player] < state.MAX_SHIPS // s.players
        and s.next_id <= MOST_ID - MAX_PLAYERS
    )


@rule
def apply(s, action):
    """Give an order; after the last one, carry out the orders of all players."""
    player = int(s.mover)
    if s.piece == s.ships:
        if action == state.SPAWN:
            s.spawn[player] = 1
            s.spent[player] += state.SHIP_COST
    else:
        s.order[s.piece] = action
        if action == state.CONSTRUCT:
            s.spent[player] += construction_price(s, int(s.piece))
    s.piece += 1
    advance(s)


@rule
def advance(s):
    """Go on to the next piece that needs an order, if the state is not at one."""
    while s.mover != OVER and not find_piece(s):
        carry_out(s)


@rule
def find_piece(s):
    """Find the next piece of the mover, or of a later player; False if all have their orders."""
    while s.mover < s.players:
        while s.piece < s.ships:
            if s.player[s.piece] == s.mover:
                return True
            s.piece += 1
        if s.piece == s.ships and can_spawn(s, int(s.mover)):
            return True
        s.mover += 1
        s.piece = 0
    return False


@rule
def under_way(s):
    """Whether a piece before the next one needed an order in this turn."""
    if s.mover == OVER:
        return False
    for player in range(s.mover + 1):
        for i in range(s.piece if player == s.mover else s.ships):
            if s.player[i] == player:
                return True
        if player < s.mover and (s.spent[player] > 0 or can_spawn(s, player)):
            return True
    return False


# ---- a turn


@rule
def carry_out(s):
    """Play a turn with the orders in `order` and `spawn`, and begin the next one without orders."""
    s.turn += 1
    building = leave(s)
    lost = building > 0
    if building:
        construct(s)
    lost |= arrive(s)
    deposit_and_mine(s)
    if lost:
        state.remove_lost(s)
    build_ships(s)
    for i in range(s.ships):
        s.order[i] = state.STAY
    s.mover = 0
    s.piece = 0
    keep_score(s)


@rule
def leave(s):
    """Ships that move pay for it and leave their cells; ships that cannot pay stay. Mark the inspired ones of those
    that stay. Return the number of ships that become dropoffs."""
    building = 0
    for i in range(s.ships):
        order = s.order[i]
        if order == state.CONSTRUCT:
            building += 1
            continue
        at = s.cell[i]
        halite = s.halite[at]
        if order != state.STAY:
            cost = halite // state.MOVE_COST
            if s.cargo[i] >= cost:
                s.cargo[i] -= cost
                s.ship[at] = state.NONE
                continue
            s.order[i] = state.STAY
        if s.inspiration and halite > 0 and state.is_inspired(s, i):
            s.order[i] = state.INSPIRED
    if s.inspiration:
        for player in range(s.players):
            if s.terminated[player] == 1 and s.fleet[player] == 0:
                state.clear_bitboard(s, player)
    return building


@rule
def construct(s):
    """Make dropoffs of ships, those of the last player first."""
    for player in range(s.players - 1, -1, -1):
        for i in range(s.ships):
            if s.order[i] == state.CONSTRUCT and s.player[i] == player:
                if s.built[player] >= state.MAX_DROPOFFS // s.players:
                    s.order[i] = state.STAY
                    continue
                at = int(s.cell[i])
                credit = s.cargo[i] + s.halite[at]
                s.treasury[player] += credit - state.DROPOFF_COST
                s.deposited[player] += credit
                s.ship[at] = state.NONE
                state.lose_ship(s, i)
                state.add_dropoff(s, player, at)


@rule
def arrive(s):
    """Ships enter their new cells; all that meet on one are lost. Return whether any were."""
    lost = False
    for i in range(s.ships):
        order = s.order[i]
        if order == state.STAY or order > state.WEST:
            continue
        at = int(s.cell[i])
        to = state.step(s, at, order)
        s.cell[i] = to
        if s.inspiration:
            player = int(s.player[i])
            state.flip(s, player, at)
            state.flip(s, player, to)
        there = int(s.ship[to])
        if there == state.NONE:
            s.ship[to] = i
        else:
            if there != state.WRECK:
                wreck(s, there)
                s.ship[to] = state.WRECK
            wreck(s, i)
            lost = True
    if lost:
        for i in range(s.ships):
            if s.ship[s.cell[i]] == state.WRECK:
                s.ship[s.cell[i]] = state.NONE
    return lost


@rule
def wreck(s, i):
    """Lose a ship; its cargo goes to the owner of the cell, or on the cell."""
    at = int(s.cell[i])
    owner = s.owner[at]
    if owner != state.NONE:
        s.treasury[owner] += s.cargo[i]
        s.deposited[owner] += s.cargo[i]
    else:
        s.halite[at] += s.cargo[i]
        s.total += s.cargo[i]
    state.lose_ship(s, i)


@rule
def deposit_and_mine(s):
    """Ships on their player's structures unload; others that have stayed mine. Cells with structures have no halite."""
    for i in range(s.ships):
        order = s.order[i]
        if order == state.GONE:
            continue
        at = s.cell[i]
        player = s.player[i]
        cargo = int(s.cargo[i])
        if s.owner[at] == player:
            s.treasury[player] += cargo
            s.deposited[player] += cargo
            s.cargo[i] = 0
        elif order in (state.STAY, state.INSPIRED):
            mined = (s.halite[at] + state.EXTRACT - 1) // state.EXTRACT
            room = state.CAPACITY - cargo
            s.cargo[i] = cargo + min(room, 3 * mined if order == state.INSPIRED else mined)
            mined = min(room, mined)
            s.halite[at] -= mined
            s.total -= mined


@rule
def build_ships(s):
    """Spawn ships, that of the last player first; if a ship is on the shipyard, both are lost."""
    for player in range(s.players - 1, -1, -1):
        if s.spawn[player] and s.fleet[player] < state.MAX_SHIPS // s.players and s.next_id < MOST_ID:
            s.treasury[player] -= state.SHIP_COST
            yard = int(s.yard[player])
            there = int(s.ship[yard])
            if there == state.NONE:
                state.add_ship(s, player, yard, 0, int(s.next_id))
            else:
                wreck(s, there)
                s.ship[yard] = state.NONE
                state.remove_lost(s)
            s.next_id += 1
        s.spawn[player] = 0
        s.spent[player] = 0


@rule
def terminate(s, player):
    """Remove a player before the orders of this turn are carried out: its ships are lost with their cargo, its
    structures stay. In this turn the ships still inspire those of others. The caller goes on with `carry_out`, or with
    `advance` if other players have orders to give."""
    before = 0
    for i in range(s.ships):
        if s.player[i] == player:
            s.ship[s.cell[i]] = state.NONE
            s.order[i] = state.GONE
            if i < s.piece:
                before += 1
    s.fleet[player] = 0
    s.treasury[player] = 0
    s.spawn[player] = 0
    s.spent[player] = 0
    s.terminated[player] = 1
    s.piece -= before
    state.remove_lost(s)


# ---- the end of the game, and ranks


@rule
def keep_score(s):
    """After a turn: update the players who are alive and the leads, and end the game if it is over."""
    for player in range(s.players):
        if s.terminated[player] == 0 and s.broke[player] == 0 and (s.total > 0 or can_go_on(s, player)):
            s.last_alive[player] = s.turn
    compare_treasuries(s)
    over = s.turn >= s.turns
    if s.total == 0:
        over |= not any_cargo(s)
    else:
        alive = 0
        for player in range(s.players):
            if s.terminated[player] == 0 and can_go_on(s, player):
                alive += 1
            else:
                s.broke[player] = 1
        over |= alive <= (1 if s.players > 1 else 0)
    if over:
        s.mover = OVER
        for player in range(s.players):
            if s.terminated[player] == 0 and s.broke[player] == 0 and (s.total > 0 or can_go_on(s, player)):
                s.last_alive[player] = s.turn + 1


@rule(inline=True)
def can_go_on(s, player):
    """Whether a player has a ship, or the halite for one. One who has not goes broke, but not on a map without halite,
    where the engine does not look."""
    return s.fleet[player] > 0 or s.treasury[player] >= state.SHIP_COST


@rule
def any_cargo(s):
    """Whether any ship has cargo."""
    for i in range(s.ships):
        if s.cargo[i] > 0:
            return True
    return False


@rule
def compare_treasuries(s):
    """Update `leads` of any two players; a player who is out of the game counts as having nothing."""
    for one in range(s.players):
        for other in range(one):
            lead = counted(s, one) - counted(s, other)
            if lead != 0:
                s.leads[one * MAX_PLAYERS + other] = 1 if lead > 0 else -1
                s.leads[other * MAX_PLAYERS + one] = -1 if lead > 0 else 1


@rule(inline=True)
def counted(s, player):
    """A player's treasury, or 0 if the player was terminated or went broke in an earlier turn."""
    return 0 if s.terminated[player] or (s.broke[player] and s.last_alive[player] < s.turn) else s.treasury[player]


@rule
def score(s, player):
    """The score that the engine reports: the treasury, or 0 for players who were terminated or went broke."""
    return 0 if s.terminated[player] or s.broke[player] else s.treasury[player]


@rule
def rank(s, player):
    """A player's rank from 1. Of two players the better one survived longer, or had more when their treasuries last
    differed, or has the higher random number."""
    place = 1
    for other in range(s.players):
        if other != player and beats(s, other, player):
            place += 1
    return place


@rule
def beats(s, one, other):
    """Whether a player ranks before another."""
    if s.last_alive[one] != s.last_alive[other]:
        return s.last_alive[one] > s.last_alive[other]
    lead = s.leads[one * MAX_PLAYERS + other]
    return lead > 0 if lead != 0 else s.luck[one] > s.luck[other]


@rule
def reward(s, out):
    """1 for the first rank. In a game for one: the part of all halite that is in the treasury."""
    if s.players == 1:
        out.reward[0] = min(1.0, score(s, 0) / s.wealth)
        return
    for player in range(s.players):
        out.reward[player] = 1.0 if rank(s, player) == 1 else 0.0


# ---- what is hidden


@rule
def observe(s, player):
    """Remove the other players' orders of this turn."""
    for i in range(s.ships):
        if s.player[i] != player:
            s.order[i] = state.STAY
    for other in range(s.players):
        if other != player:
            s.spawn[other] = 0
            s.spent[other] = 0


@rule
def determinize(s, player, rng):
    """Sample the other players' orders of this turn: any that they can pay for, except dropoffs."""
    observe(s, player)
    for i in range(s.ships):
        if s.player[i] != player and s.player[i] < s.mover and can_leave(s, i):
            s.order[i] = below(rng, state.WEST + 1)
    for other in range(s.mover):
        if other != player and can_spawn(s, other) and below(rng, 2):
            s.spawn[other] = 1
            s.spent[other] = state.SHIP_COST


def winners(s):
    """The player of rank 1; ranks are never shared."""
    return [player for player in range(s.players) if rank(s, player) == 1]


def scores(s):
    """The scores that the engine reports."""
    return [score(s, player) for player in range(s.players)]
