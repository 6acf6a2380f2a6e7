"""Networks: their sizes, what is saved of them, and that they learn."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spinney
from spinney.errors import BadNetwork
from spinney.kernel import bind
from spinney.learn.dataset import Samples
from spinney.learn.networks import load_network, make_network, save_network, to_onnx
from spinney.learn.settings import Shape, Training
from spinney.learn.shards import Played
from spinney.learn.train import train
from spinney.search.evaluators import load
from spinney.search.first_layer import FirstLayer, make_convolve

SNAKES = spinney.game("battlesnake").card
FOUR = spinney.game("connect_four")


def test_the_papers_networks():
    """Two convolutions of 16 filters, 3x3, two or three dense layers of 256, three outputs."""
    first = 14 * 16 * 9 + 16 + 16 * 16 * 9 + 16 + 16 * 17 * 17 * 256 + 256
    for kind, layers in (("paper", 1), ("later", 2)):
        network = make_network(SNAKES, Shape(kind=kind, filters=16), 1)
        assert sum(part.numel() for part in network.parameters()) == first + layers * (256 * 256 + 256) + 256 * 3 + 3
        logits, values = network(torch.zeros(2, 14, 21, 21))
        assert logits.shape == (2, 3)
        assert values is None


@pytest.mark.parametrize(
    ("card", "kind"), [(SNAKES, "later"), (SNAKES, "own"), (FOUR.card, "own"), (FOUR.card, "paper")]
)
def test_saved_networks_say_the_same(card, kind, tmp_path):
    """By onnxruntime as by torch, but for weights of half precision; in any batch the same, bit for bit."""
    shape = Shape(kind=kind, filters=8, dense=32)
    network = make_network(card, shape, 5)
    save_network(network, card, tmp_path, {"shares": True})
    planes = np.random.default_rng(1).random((37, *network.encoder.shape), np.float32)
    loaded = load(card, str(tmp_path))
    assert loaded.encoder is network.encoder is card.encoders[-1 if kind == "own" else 0]
    priors, values = loaded(planes)
    with torch.no_grad():
        logits, wins = network(torch.from_numpy(planes))
    assert np.abs(priors - torch.softmax(logits, 1).numpy()).max() < 1e-3
    if kind == "own":
        assert np.abs(values - torch.sigmoid(wins).numpy()).max() < 1e-3
        assert values.shape == (37,)
    else:
        assert values is None
    for first, last in ((0, 1), (3, 11), (20, 37)):
        part, part_values = loaded(planes[first:last])
        assert (part == priors[first:last]).all()
        assert values is None or (part_values == values[first:last]).all()
    again = load_network(card, shape, tmp_path / "network.safetensors")
    assert all((one == other).all() for one, other in zip(again.parameters(), network.parameters(), strict=True))
    with pytest.raises(BadNetwork, match="do not fit the network"):
        load_network(card, Shape(kind=kind, filters=9, dense=32), tmp_path / "network.safetensors")


@pytest.mark.parametrize("shape", [(2, 5, 6), (1, 5, 7)])
@pytest.mark.parametrize("padding", [0, 1])
def test_the_first_layer_is_the_same_plain_and_compiled(shape, padding):
    draw = np.random.default_rng(2)
    weights, bias = draw.normal(size=(3, shape[0], 3, 3)).astype(np.float16), draw.normal(size=3).astype(np.float16)
    planes = (draw.random((3, *shape)) * (draw.random((3, *shape)) < 0.3)).astype(np.float32)
    layer = FirstLayer.read(FirstLayer(weights, bias, padding, shape).metadata(), shape)
    found = layer(planes)
    with torch.no_grad():
        parts = (torch.from_numpy(part.astype(np.float32)) for part in (planes, weights, bias))
        expected = torch.relu(torch.nn.functional.conv2d(*parts, padding=padding)).numpy()
    assert np.abs(found.transpose(0, 3, 1, 2) - expected).max() < 1e-5
    count, height, width = shape
    sizes = {"planes": count, "height": height, "width": width, "padding": padding, "filters": 3}
    layer._convolve = bind(make_convolve, "first", plain=True, **sizes)
    assert (layer(planes) == found).all()


def test_layers_that_cannot_be_exported_are_refused():
    network = make_network(FOUR.card, Shape(filters=4, dense=16), 1)
    network.policy.insert(1, torch.nn.Tanh())
    with pytest.raises(BadNetwork, match=r"layer 1 of the policy, Tanh, cannot be exported.*allowed: Conv2d, Linear"):
        to_onnx(network, network.encoder.shape)


def lesson() -> Played:
    """Positions of connect four whose policy is plain to see: the column of the only stone."""
    rng = np.random.default_rng(3)
    states, policies, rewards = [], [], []
    for column in rng.integers(0, 7, 300):
        state = FOUR.start()
        state.apply(int(column))
        states.append(np.frombuffer(type(state.record).native(state.record).tobytes(), np.uint8))
        policies.append(np.stack([np.eye(7)[column]] * 2))
        rewards.append([float(column > 3), float(column <= 3)])
    n = len(states)
    acting = np.array([[state.view(FOUR.card.rules.State.dtype)[0].turn == p for p in (0, 1)] for state in states])
    return Played(
        np.stack(states), acting, np.array(policies, np.float32), np.zeros((n, 2), np.float32),
        np.array(rewards, np.float32), np.arange(n),
    )  # fmt: skip


def test_training_learns_and_mirrors(tmp_path):
    samples = Samples(FOUR.card, FOUR.card.encoders[0], lesson())
    chosen = np.arange(20)
    planes, policies, _ = samples.batch(chosen, np.zeros(20, bool), 0.0)
    mirrored, turned, _ = samples.batch(chosen, np.ones(20, bool), 0.0)
    assert (mirrored == planes[..., ::-1]).all()
    assert (turned == policies[:, ::-1]).all()
    training = Training(epochs=12, batch=32, rate=1e-2, one_cycle=True)
    epochs = [
        figures
        for figures, _ in train(
            FOUR.card, Shape(filters=8, dense=32), training, samples, samples, tmp_path / "checkpoint.pt", 7
        )
    ]
    assert [one.epoch for one in epochs] == list(range(1, 13))
    assert epochs[-1].held_out < 0.1 * epochs[0].held_out
    assert epochs[-1].agreement > 0.9
