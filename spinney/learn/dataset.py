"""Training batches from replay data. Each position is a sample for every player who had a choice in it."""

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
    """Pairs of position and player, encoded on demand: records take a tenth of the memory of planes."""

    def __init__(self, card: Card, encoder: Encoder, played: Played, keep: npt.NDArray[np.bool_] | None = None) -> None:
        self.played, self.records = played, played.records(card)
        acting = played.acting if keep is None else played.acting & keep[:, None]
        self.rows, self.players = np.nonzero(acting)
        self._encoder, self._mirror = PlaneEncoder(card, encoder), np.array(encoder.mirror, np.int64)

    def __len__(self) -> int:
        return len(self.rows)

    def batch(
        self, chosen: npt.NDArray[np.int64], mirrored: npt.NDArray[np.bool_], value_mix: float
    ) -> tuple[Planes, Any, Any]:
        """Planes, policy targets and value targets of the chosen samples, of which some are mirrored."""
        rows, players = self.rows[chosen], self.players[chosen]
        planes = self._encoder.look(np.ascontiguousarray(self.records[rows]), players)
        policies = self.played.policies[rows, players]
        if len(self._mirror) and mirrored.any():
            planes[mirrored] = planes[mirrored][..., ::-1]
            policies[mirrored] = policies[mirrored][:, self._mirror]
        rewards, values = self.played.rewards[rows, players], self.played.values[rows, players]
        return planes, policies, np.clip((1 - value_mix) * rewards + value_mix * values, 0, 1).astype(np.float32)


def split(card: Card, encoder: Encoder, played: Played, held_out: float) -> tuple[Samples, Samples]:
    """Samples for training and for validation, split by games because positions of one game are correlated."""
    every = round(1 / held_out)
    kept = played.numbers % every == min(every - 1, int(played.numbers.max()))  # the last game, if there are few
    samples, validation = Samples(card, encoder, played, ~kept), Samples(card, encoder, played, kept)
    if not len(samples):
        raise BadNetwork("there is nothing to train on: in no position did a player have a choice")
    return samples, validation
