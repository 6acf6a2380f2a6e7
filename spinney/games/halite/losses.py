"""How a game stands, and the ships that were lost in a turn, for reviews."""

from __future__ import annotations

from typing import Any

from spinney.games.halite import state
from spinney.games.halite.recording import xy

NEAR = 2
"""Ships that collide were at most this far from each other."""


def standing(s: Any) -> list[float]:
    """The share of each player in the halite of all treasuries and ships."""
    owned = [float(s.treasury[player]) for player in range(s.players)]
    for i in range(s.ships):
        owned[s.player[i]] += s.cargo[i]
    total = sum(owned)
    return [halite / total if total else 1 / s.players for halite in owned]


def losses(before: Any, after: Any) -> list[tuple[int, str, float]]:
    """For each player that lost ships in a turn: the player, what was lost, and the halite that it was worth, their
    price and their cargo. Ships that became dropoffs are not lost; nor are those that may have collided on a structure
    of their player, which gets the cargo, as at the end of a game."""
    left = {int(after.id[i]) for i in range(after.ships)}
    gone = [i for i in range(before.ships) if int(before.id[i]) not in left and not _became_dropoff(before, after, i)]
    found = []
    for player in range(before.players):
        if after.terminated[player]:
            continue
        own = [i for i in gone if before.player[i] == player and not _at_home(before, i)]
        if own:
            found.append((player, _words(before, player, own, gone), _worth(before, own)))
    return found


def _worth(s: Any, ships: list[int]) -> float:
    return float(sum(state.SHIP_COST + int(s.cargo[i]) for i in ships))


def _words(s: Any, player: int, own: list[int], gone: list[int]) -> str:
    x, y = xy(s.cell[own[0]])
    cargo = sum(int(s.cargo[i]) for i in own)
    rivals = sorted(
        {
            int(s.player[i]) + 1
            for i in gone
            if s.player[i] != player and any(state.distance(s, s.cell[i], s.cell[k]) <= NEAR for k in own)
        }
    )
    cause = f"in a collision with player {' and '.join(map(str, rivals))}" if rivals else "by its own orders"
    ships = "a ship" if len(own) == 1 else f"{len(own)} ships"
    return f"lost {ships} with {cargo:,} halite {cause}, near x {x}, y {y}"


def _became_dropoff(before: Any, after: Any, i: int) -> bool:
    cell = before.cell[i]
    return bool(after.owner[cell] == before.player[i] and before.owner[cell] != before.player[i])


def _at_home(s: Any, i: int) -> bool:
    """Whether a structure of its player was on the ship's cell or next to it."""
    player = int(s.player[i])
    homes = [int(s.yard[player]), *(int(s.dropoff[k]) for k in range(s.dropoffs) if s.owner[s.dropoff[k]] == player)]
    return any(state.distance(s, s.cell[i], home) <= 1 for home in homes)
