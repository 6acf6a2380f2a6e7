"""Training of a network on replay data. It can be resumed after every epoch, with the same result."""

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
"""The part of a one-cycle schedule in which the learning rate rises."""


@dataclass(frozen=True)
class Epoch:
    """The losses of one epoch."""

    epoch: int
    loss: float
    """Policy loss on the training data: Kullback-Leibler divergence from the visits of the search."""
    value_loss: float
    held_out: float
    """Policy loss on the validation data."""
    held_out_value: float
    agreement: float
    """Accuracy on the validation data: how often the policy's best output is that of the search."""


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
    """Train a network; yields the losses of each epoch after the checkpoint, and the network."""
    torch.set_num_threads(1)  # for reproducible sums
    network = make_network(card, shape, seed) if start is None else load_network(card, shape, start)
    network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=training.rate, weight_decay=training.decay)
    done = epochs_done(checkpoint)
    if done:
        with _checkpoint_errors(checkpoint):
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
            planes, policies, values = samples.batch(rows, mirrored[rows], training.value_mix)
            if training.one_cycle:
                rate = training.rate * _one_cycle((epoch * steps + step) / (training.epochs * steps))
                for group in optimizer.param_groups:
                    group["lr"] = rate
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
    """The number of epochs in a checkpoint; 0 if there is no such file."""
    if not checkpoint.is_file():
        return 0
    with _checkpoint_errors(checkpoint):
        return int(_read(checkpoint)["epoch"])


def _read(checkpoint: Path) -> Any:
    return torch.load(io.BytesIO(checkpoint.read_bytes()), weights_only=True)


@contextmanager
def _checkpoint_errors(checkpoint: Path) -> Iterator[None]:
    """Turn any error into a BadNetwork of one line."""
    try:
        yield
    except Exception as error:
        problem = f"{checkpoint} cannot be used: {type(error).__name__}"
        raise BadNetwork(f"{problem}; delete it to train the network from the beginning") from None


def _one_cycle(done: float) -> float:
    """The learning rate of a one-cycle schedule relative to its maximum, after a fraction of the training."""
    if done < RISE:
        return 0.05 + 0.95 * done / RISE
    return 0.01 + 0.99 * (1 + cos(pi * (done - RISE) / (1 - RISE))) / 2


def _losses(network: PolicyNet, planes: Any, policies: Any, values: Any) -> tuple[Any, Any, Any]:
    """The policy loss, the value loss and the logits of the policy."""
    # convolutions on a CPU are faster in the channels-last layout
    logits, wins = network(torch.from_numpy(planes).contiguous(memory_format=torch.channels_last))
    target = torch.from_numpy(policies)
    divergence = functional.kl_div(functional.log_softmax(logits, 1), target, reduction="batchmean")
    if wins is None:
        return divergence, torch.zeros(()), logits
    return divergence, functional.binary_cross_entropy_with_logits(wins, torch.from_numpy(values)), logits


def _validate(network: PolicyNet, validation: Samples, training: Training) -> tuple[float, float, float]:
    """The policy loss, the value loss and the accuracy of the policy."""
    network.eval()
    total = np.zeros(3)
    with torch.no_grad():
        for first in range(0, len(validation), training.batch):
            rows = np.arange(first, min(first + training.batch, len(validation)))
            planes, policies, values = validation.batch(rows, np.zeros(len(rows), bool), training.value_mix)
            loss, value_loss, logits = _losses(network, planes, policies, values)
            same = (logits.argmax(1).numpy() == policies.argmax(1)).mean()
            total += np.array([loss.item(), value_loss.item(), float(same)]) * len(rows)
    loss, value_loss, same = total / max(1, len(validation))
    return float(loss), float(value_loss), float(same)
