"""BattleSnake: snakes on a grid move simultaneously, eat to stay alive, and the last survivor wins.

A turn is one joint move, followed by chance steps: food spawns, one piece per step, and in a royale game hazards
advance from one side every few turns. Moves are 0 to 3: up, down, left, right.
"""

from spinney.games.battlesnake.spawning import NONE, SIDES, apply, begin_spawning, chance, default_outcome, outcomes
from spinney.games.battlesnake.start import start
from spinney.games.battlesnake.state import (
    ALIVE,
    BODY_COLLISION,
    DOWN,
    FINISHED,
    FOOD,
    FULL_HEALTH,
    HAZARD,
    HEAD_COLLISION,
    LEFT,
    LONGEST,
    MAX_PLAYERS,
    MOVE,
    MOVES,
    NOBODY,
    OUT_OF_HEALTH,
    RIGHT,
    SELF_COLLISION,
    UP,
    WALL,
    WALL_COLLISION,
    Scratch,
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
    "Scratch",
    "State",
    "apply",
    "apply_joint",
    "chance",
    "default_outcome",
    "is_active",
    "is_out",
    "legal",
    "mover",
    "outcomes",
    "plausible",
    "reward",
    "scores",
    "start",
    "winners",
]  # fmt: skip

MAX_ACTIONS = 1 + LONGEST * LONGEST
"""The chance outcomes on the largest board when it is empty: no food, or food on any square."""


@rule(inline=True)
def mover(s):
    if s.phase == MOVE:
        return SIMULTANEOUS
    return OVER if s.phase == FINISHED else CHANCE


@rule(inline=True)
def is_active(s, player):
    """Whether a player has to choose a move now."""
    return s.phase == MOVE and player < s.players and s.cause[player] == ALIVE


@rule(inline=True)
def is_out(s, player):
    """Whether a player can win no more."""
    return s.cause[player] != ALIVE and s.living > 0


# ---- legal actions


@rule
def legal(s, player, out):
    """All four moves of a living snake, deadly ones as well."""
    if not is_active(s, player):
        return 0
    for direction in range(MOVES):
        out.action[direction] = direction
    return MOVES


@rule
def plausible(s, player, out):
    """The moves that are not certain death on this turn; if all are, straight ahead."""
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


@rule(inline=True)
def safe_moves(s, player):
    """The moves that are not certain death on this turn, as bits 1, 2, 4, 8; possibly none."""
    head = int(s.head[player])
    up, down = is_safe(s, player, step(s, head, UP)), is_safe(s, player, step(s, head, DOWN))
    left, right = is_safe(s, player, step(s, head, LEFT)), is_safe(s, player, step(s, head, RIGHT))
    return up << UP | down << DOWN | left << LEFT | right << RIGHT


@rule(inline=True)
def is_safe(s, player, to):
    """Whether a snake may survive on a square that it enters: no wall, no body that stays, and enough health. A tail
    with nothing stacked on it leaves its square."""
    there = s.cell[to]
    body = owner(s, to) & (MAX_PLAYERS - 1)  # without branches: what is on a square is hard to predict
    leaves = (there < WALL) & (s.tail[body] == to) & (s.stacked[body] == 0)
    health = s.health[player] - 1
    if s.hazards > 0:
        health -= s.hazard[to] * s.hazard_damage
    return ((there <= FOOD) | leaves) & ((health > 0) | (there & FOOD == FOOD))


# ---- a turn


@rule
def apply_joint(s, out):
    """All snakes make their moves in `out.joint`; then health, hazards, food and eliminations are settled."""
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


@rule(inline=True)
def move(s, player, direction):
    """Move one snake: the tail leaves its square; `head` is the new square, but the grid does not have it there yet.
    A snake without health or in a wall is eliminated at once."""
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
    if there & FOOD:  # it stays until all snakes on the square have eaten
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


@rule(inline=True)
def collide(s, player):
    """Eliminate a snake whose head ran into a body, or into the head of one that is not shorter."""
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
    """Whether other snakes can collide with a snake: it lives, or was eliminated by a collision on this turn."""
    return s.cause[player] == ALIVE or (s.cause[player] >= SELF_COLLISION and s.fell[player] == s.turn)


@rule
def eliminate(s, player, cause, by):
    """Note that a snake is eliminated on this turn, why, and by which snake."""
    s.cause[player] = cause
    s.by[player] = by
    s.fell[player] = s.turn
    s.living -= 1


@rule
def remove(s, player):
    """Take a body off the board; its head has not entered its square yet."""
    at = int(s.tail[player])
    for _ in range(s.length[player] - s.stacked[player] - 1):
        way = onward(s, at)
        s.cell[at] &= FOOD
        at = step(s, at, way)


@rule(inline=True)
def enter(s, player):
    """Place the head of a survivor on its new square."""
    take_food(s, s.head[player])
    s.cell[s.head[player]] = (player + 1) << 3


@rule(inline=True)
def take_food(s, at):
    """Remove food from a square, if there is any."""
    if s.cell[at] & FOOD:
        s.cell[at] ^= FOOD
        s.food -= 1


@rule
def constrict(s):
    """Constrictor mode: no food, full health, and all snakes grow, those eliminated on this turn included."""
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
    """1 for the last survivor; if there is none, those eliminated last share it. In a game for one: the part of the
    board that the snake fills."""
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
    """The last survivor; nobody if the last snakes were eliminated on the same turn."""
    return [player for player in range(s.players) if s.cause[player] == ALIVE]


def scores(s):
    """The number of turns that each snake has survived."""
    return [s.turn if s.cause[player] == ALIVE else s.fell[player] for player in range(s.players)]
