"""BattleSnake: snakes on a grid move all at once, eat to stay alive, and the last one living wins.

A turn is one joint move, and then chance: food that appears, a piece a step, and in a royale game now and then a side
from which hazards close in. Moves are 0 to 3: up, down, left, right.
"""

from spinney.games.battlesnake.space import ROOM
from spinney.games.battlesnake.spawning import (
    NONE,
    SIDES,
    apply,
    begin_spawning,
    chance,
    default_outcome,
    outcomes,
)
from spinney.games.battlesnake.start import start
from spinney.games.battlesnake.state import (
    ALIVE,
    BODY_COLLISION,
    FINISHED,
    FOOD,
    FULL_HEALTH,
    HAZARD,
    HEAD_COLLISION,
    MAX_PLAYERS,
    MOVE,
    MOVES,
    NOBODY,
    OUT_OF_HEALTH,
    SELF_COLLISION,
    WALL,
    WALL_COLLISION,
    State,
    onward,
    owner,
    square,
    step,
)
from spinney.games.card import CHANCE, OVER, SIMULTANEOUS
from spinney.kernel import rule

__all__ = [
    "MAX_ACTIONS",
    "MAX_PLAYERS",
    "MOVES",
    "NONE",
    "SIDES",
    "State",
    "apply",
    "apply_joint",
    "chance",
    "default_outcome",
    "is_active",
    "legal",
    "mover",
    "outcomes",
    "plausible",
    "reward",
    "scores",
    "start",
    "winners",
]  # fmt: skip

MAX_ACTIONS = ROOM
"""More than there are outcomes of chance: players use the room of the answers to look at the board."""


@rule(inline=True)
def mover(s):
    if s.phase == MOVE:
        return SIMULTANEOUS
    return OVER if s.phase == FINISHED else CHANCE


@rule(inline=True)
def is_active(s, player):
    """Whether a player is to choose a move now."""
    return s.phase == MOVE and player < s.players and s.cause[player] == ALIVE


# ---- legal actions


@rule
def legal(s, player, out):
    """A living snake may go anywhere, to its death as well."""
    if not is_active(s, player):
        return 0
    for direction in range(MOVES):
        out.action[direction] = direction
    return MOVES


@rule
def plausible(s, player, out):
    """The moves that are not certain death at once; if all are, straight on."""
    if not is_active(s, player):
        return 0
    safe = safe_moves(s, player)
    n = 0
    for direction in range(MOVES):
        if (safe >> direction) & 1:
            out.action[n] = direction
            n += 1
    if n == 0:
        out.action[0] = s.facing[player]
        n = 1
    return n


@rule
def safe_moves(s, player):
    """The moves that `plausible` lists, as bits 1, 2, 4, 8: none may be set."""
    head = int(s.head[player])
    safe = 0
    for direction in range(MOVES):
        if is_safe(s, player, step(s, head, direction)):
            safe |= 1 << direction
    return safe


@rule(inline=True)
def is_safe(s, player, to):
    """Whether a snake may live on a square that it enters: no wall, no body that stays, and health for it."""
    there = s.cell[to]
    if there > FOOD and (there >= WALL or not leaves(s, to)):
        return False
    if there & FOOD:
        return True
    health = s.health[player] - 1
    if s.hazards > 0:
        health -= s.hazard[to] * s.hazard_damage
    return health > 0


@rule(inline=True)
def leaves(s, at):
    """Whether the piece of a body on a square moves away this turn: the tail, if nothing else is stacked there."""
    player = owner(s, at)
    return s.tail[player] == at and s.stacked[player] == 0


# ---- a turn


@rule
def apply_joint(s, out):
    """Everybody moves to `out.joint`; then come hunger, hazards, meals and eliminations."""
    s.turn += 1
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            move(s, player, int(out.joint[player]))
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            collide(s, player)
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            enter(s, player)
        elif s.fell[player] == s.turn and s.cause[player] >= SELF_COLLISION:
            take_food(s, s.head[player])
            remove(s, player)
    if s.constrictor:
        constrict(s)
    begin_spawning(s)


@rule
def move(s, player, direction):
    """The tail leaves, the head points to its new square but is not there yet; who starves or hits a wall is gone."""
    head = int(s.head[player])
    s.cell[head] |= direction << 1
    if s.stacked[player] > 0:
        s.stacked[player] -= 1
    else:
        tail = int(s.tail[player])
        way = onward(s, tail)
        s.cell[tail] &= FOOD
        s.tail[player] = step(s, tail, way)
    head = step(s, head, direction)
    s.head[player] = head
    s.facing[player] = direction
    health = s.health[player] - 1
    there = s.cell[head]
    if there & FOOD:  # it stays until everybody who is there has eaten
        health = FULL_HEALTH
        s.length[player] += 1
        s.stacked[player] += 1
    elif s.hazards > 0 and s.hazard[head] > 0:
        health = min(max(health - s.hazard[head] * s.hazard_damage, 0), FULL_HEALTH)
        if health == 0:
            eliminate(s, player, HAZARD, NOBODY)
    s.health[player] = health
    if s.cause[player] == ALIVE and health <= 0:
        eliminate(s, player, OUT_OF_HEALTH, NOBODY)
    elif there == WALL:
        eliminate(s, player, WALL_COLLISION, NOBODY)
    if s.cause[player] != ALIVE:
        remove(s, player)


@rule
def collide(s, player):
    """Eliminate a snake whose head ran into a body, or met the head of one that is not shorter."""
    head = s.head[player]
    other = owner(s, head)
    if other == player:
        eliminate(s, player, SELF_COLLISION, player)
    elif other != NOBODY:
        eliminate(s, player, BODY_COLLISION, other)
    else:
        winner, least = NOBODY, s.length[player]
        for other in range(s.players):
            if s.head[other] == head and other != player and s.length[other] >= least and is_there(s, other):
                winner, least = other, s.length[other] + 1
        if winner != NOBODY:
            eliminate(s, player, HEAD_COLLISION, winner)


@rule(inline=True)
def is_there(s, player):
    """Whether a snake is in the way of others: it lives, or has just fallen in a collision."""
    return s.cause[player] == ALIVE or (s.cause[player] >= SELF_COLLISION and s.fell[player] == s.turn)


@rule
def eliminate(s, player, cause, by):
    s.cause[player] = cause
    s.by[player] = by
    s.fell[player] = s.turn
    s.living -= 1


@rule
def remove(s, player):
    """Take a body off the board; its head has not entered."""
    at = int(s.tail[player])
    for _ in range(s.length[player] - s.stacked[player] - 1):
        way = onward(s, at)
        s.cell[at] &= FOOD
        at = step(s, at, way)


@rule(inline=True)
def enter(s, player):
    take_food(s, s.head[player])
    s.cell[s.head[player]] = (player + 1) << 3


@rule(inline=True)
def take_food(s, at):
    if s.cell[at] & FOOD:
        s.cell[at] ^= FOOD
        s.food -= 1


@rule
def constrict(s):
    """No food, full health, and everybody grows, those who have just fallen too."""
    if s.food > 0:
        for y in range(s.height):
            for x in range(s.width):
                take_food(s, square(x, y))
    for player in range(s.players):
        s.health[player] = FULL_HEALTH
        if s.stacked[player] == 0:
            s.stacked[player] = 1
            s.length[player] += 1


# ---- the end of the game


@rule
def reward(s, out):
    """One for the last snake living; those who fell last share it if none is. Alone: the part of the board it fills."""
    for player in range(s.players):
        out.reward[player] = 0.0
    if s.players == 1:
        out.reward[0] = min(1.0, s.length[0] / (s.width * s.height))
        return
    last = 0
    for player in range(s.players):
        if s.cause[player] != ALIVE:
            last = max(last, s.fell[player])
    n = 0
    for player in range(s.players):
        if s.cause[player] == ALIVE or (s.living == 0 and s.fell[player] == last):
            n += 1
    for player in range(s.players):
        if s.cause[player] == ALIVE or (s.living == 0 and s.fell[player] == last):
            out.reward[player] = 1.0 / n


def winners(s):
    """The last snake living; nobody if the last ones fell together."""
    return [player for player in range(s.players) if s.cause[player] == ALIVE]


def scores(s):
    """The turns that each snake has lived."""
    return [s.turn if s.cause[player] == ALIVE else s.fell[player] for player in range(s.players)]
