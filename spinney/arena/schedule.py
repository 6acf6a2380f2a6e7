"""The games of a tournament: every matchup in all seat orders, with the same dice within a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from spinney.errors import BadOption
from spinney.seeds import derive, seat_orders


@dataclass(frozen=True)
class Pairing:
    """One game to play."""

    number: int
    seed: int
    """The seed of the game's chance events; equal for all games of a round."""
    seats: tuple[int, ...]
    """The agent in each seat, as its index among the distinct agents."""


def schedule(specs: Sequence[str], players: int, games: int, seed: int) -> list[Pairing]:
    """The first `games` games of a tournament, in rounds of all matchups and seat orders; each round has new dice.

    As many agents as players are one matchup; of more agents, every combination is one. An agent named twice takes two
    seats.
    """
    if len(specs) < players:
        raise BadOption(f"{players} players need at least {players} agents; {len(specs)} given")
    known = list(dict.fromkeys(specs))
    matchups = sorted({tuple(sorted(known.index(spec) for spec in chosen)) for chosen in combinations(specs, players)})
    seatings = [seats for matchup in matchups for seats in seat_orders(matchup)]
    return [
        Pairing(number, derive(seed, "dice", number // len(seatings)), seatings[number % len(seatings)])
        for number in range(games)
    ]  # fmt: skip
