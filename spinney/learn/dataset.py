"""Replay data as batches for training: each position once for every player who was to move."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spinney.errors import BadNetwork
from spinney.games import Card
from spinney.games.encoding import Encoder
from spinney.learn.shards import Played
from spinney.search.encoding import PlaneEncoder, Planes


class Samples:
    """Positions as players saw them, encoded when they are asked for: records are a tenth of the size of planes."""

    def __init__(self, card: Card, encoder: Encoder, played: Played, keep: npt.NDArray[np.bool_] | None = None) -> None:
        self.played, self.records = played, played.records(card)
        acting = played.acting if keep is None else played.acting & keep[:, None]
        self.rows, self.players = np.nonzero(acting)
        self._eyes, self._mirror = PlaneEncoder(card, encoder), np.array(encoder.mirror, np.int64)

    def __len__(self) -> int:
        return len(self.rows)

    def batch(
        self, chosen: npt.NDArray[np.int64], mirrored: npt.NDArray[np.bool_], from_search: float
    ) -> tuple[Planes, Any, Any]:
        """Planes, policies and values of some samples; those that are marked, mirrored."""
        rows, players = self.rows[chosen], self.players[chosen]
        planes = self._eyes.look(np.ascontiguousarray(self.records[rows]), players)
        policies = self.played.policies[rows, players]
        if len(self._mirror) and mirrored.any():
            planes[mirrored] = planes[mirrored][..., ::-1]
            policies[mirrored] = policies[mirrored][:, self._mirror]
        rewards, values = self.played.rewards[rows, players], self.played.values[rows, players]
        return planes, policies, np.clip((1 - from_search) * rewards + from_search * values, 0, 1).astype(np.float32)


def split(card: Card, encoder: Encoder, played: Played, held_out: float) -> tuple[Samples, Samples]:
    """What is trained on, and what is kept to validate: whole games, for positions of one game are much alike."""
    every = round(1 / held_out)
    kept = played.numbers % every == min(every - 1, int(played.numbers.max()))  # of few games, the last
    samples, validation = Samples(card, encoder, played, ~kept), Samples(card, encoder, played, kept)
    if not len(samples):
        raise BadNetwork("there is nothing to train on: no position in which a player had a choice")
    return samples, validation
