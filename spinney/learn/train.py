"""Training a network on replay data: resumable after every epoch, and the same result whether it was or not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from spinney.errors import BadNetwork
from spinney.files import write_atomic
from spinney.games import Card
from spinney.learn.dataset import Samples
from spinney.learn.networks import PolicyNet, load_network, make_network
from spinney.learn.settings import Shape, Training

RISE = 0.15
"""The part of the training in which the rate of a warm schedule rises."""


@dataclass(frozen=True)
class Epoch:
    """Figures of one epoch."""

    epoch: int
    loss: float
    """Kullback-Leibler divergence from the search's policy, on what is trained on."""
    value_loss: float
    held_out: float
    """The same divergence on games that are not trained on."""
    held_out_value: float
    agreement: float
    """How often the likeliest output is the search's, on those games."""


def train(
    card: Card,
    shape: Shape,
    training: Training,
    samples: Samples,
    validation: Samples,
    checkpoint: Path,
    seed: int,
    start: Path | None = None,
) -> Iterator[tuple[Epoch, PolicyNet]]:
    """Train a network; yields the figures of every epoch that is not in the checkpoint yet, and the network."""
    torch.set_num_threads(1)  # sums in another order would be another network
    network = make_network(card, shape, seed) if start is None else load_network(card, shape, start)
    network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=training.rate, weight_decay=training.decay)
    done = epochs_done(checkpoint)
    if done:
        with _told(checkpoint):
            held = _read(checkpoint)
            network.load_state_dict(held["network"])
            optimizer.load_state_dict(held["optimizer"])
        if done >= training.epochs:
            yield Epoch(**held["figures"]), network
    steps = -(-len(samples) // training.batch)
    for epoch in range(done, training.epochs):
        network.train()
        losses = np.zeros(2)
        draw = np.random.default_rng([seed & 0xFFFFFFFF, epoch])
        order = draw.permutation(len(samples))
        mirrored = draw.random(len(samples)) < (0.5 if training.mirror else 0.0)
        for step in range(steps):
            rows = order[step * training.batch : (step + 1) * training.batch]
            planes, policies, values = samples.batch(rows, mirrored[rows], training.from_search)
            for group in optimizer.param_groups:
                group["lr"] = training.rate * _pace((epoch * steps + step) / (training.epochs * steps), training.warm)
            optimizer.zero_grad()
            loss, value_loss, _ = _losses(network, planes, policies, values)
            (loss + training.value * value_loss).backward()
            optimizer.step()
            losses += np.array([loss.item(), value_loss.item()]) * len(rows)
        loss, value_loss = losses / max(1, len(samples))
        figures = Epoch(epoch + 1, float(loss), float(value_loss), *_validate(network, validation, training))
        buffer = io.BytesIO()
        torch.save(
            {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1,
             "figures": vars(figures)}, buffer,
        )  # fmt: skip
        write_atomic(checkpoint, buffer.getvalue())
        yield figures, network


def epochs_done(checkpoint: Path) -> int:
    """How many epochs are behind a checkpoint; none if there is no such file."""
    if not checkpoint.is_file():
        return 0
    with _told(checkpoint):
        return int(_read(checkpoint)["epoch"])


def _read(checkpoint: Path) -> Any:
    return torch.load(io.BytesIO(checkpoint.read_bytes()), weights_only=True)


@contextmanager
def _told(checkpoint: Path) -> Iterator[None]:
    """Trouble with a checkpoint, in a line."""
    try:
        yield
    except Exception as error:
        problem = f"{checkpoint} cannot be used: {type(error).__name__}"
        raise BadNetwork(f"{problem}; without it, the network is trained from the beginning") from None


def _pace(done: float, warm: bool) -> float:
    """The learning rate, as a part of the highest, when so much of the training is done."""
    if not warm:
        return 1.0
    if done < RISE:
        return 0.05 + 0.95 * done / RISE
    return 0.01 + 0.99 * (1 + cos(pi * (done - RISE) / (1 - RISE))) / 2


def _tensor(planes: Any) -> torch.Tensor:
    """Planes side by side for each square: convolutions on a CPU are faster that way."""
    return torch.from_numpy(planes).contiguous(memory_format=torch.channels_last)


def _losses(network: PolicyNet, planes: Any, policies: Any, values: Any) -> tuple[Any, Any, Any]:
    """Of the policy and of the value, and the policy's logits."""
    logits, wins = network(_tensor(planes))
    target = torch.from_numpy(policies)
    divergence = functional.kl_div(functional.log_softmax(logits, 1), target, reduction="batchmean")
    if wins is None:
        return divergence, torch.zeros(()), logits
    return divergence, functional.binary_cross_entropy_with_logits(wins, torch.from_numpy(values)), logits


def _validate(network: PolicyNet, validation: Samples, training: Training) -> tuple[float, float, float]:
    """The losses, and how often the likeliest output is the search's."""
    network.eval()
    total = np.zeros(3)
    with torch.no_grad():
        for first in range(0, len(validation), training.batch):
            rows = np.arange(first, min(first + training.batch, len(validation)))
            planes, policies, values = validation.batch(rows, np.zeros(len(rows), bool), training.from_search)
            loss, value_loss, logits = _losses(network, planes, policies, values)
            same = (logits.argmax(1).numpy() == policies.argmax(1)).mean()
            total += np.array([loss.item(), value_loss.item(), float(same)]) * len(rows)
    loss, value_loss, same = total / max(1, len(validation))
    return float(loss), float(value_loss), float(same)
