"""A BattleSnake of your own: it goes to the nearest food, as the crow flies, and avoids certain death."""

import spinney
from spinney.games.battlesnake.rules import plausible
from spinney.games.battlesnake.state import FOOD, column, row, square, step
from spinney.kernel import rule


@rule
def mine(s, player, out, rng):
    best, nearest = s.facing[player], 1000
    for i in range(plausible(s, player, out)):
        to = step(s, int(s.head[player]), out.action[i])
        for y in range(s.height):
            for x in range(s.width):
                distance = abs(x - column(to)) + abs(y - row(to))
                if s.cell[square(x, y)] & FOOD and distance < nearest:
                    best, nearest = out.action[i], distance
    return best


GAME = spinney.game("battlesnake").card.extend(mine=mine, deep="joint(rollout=mine, rollout_depth=10, reuse=true)")
