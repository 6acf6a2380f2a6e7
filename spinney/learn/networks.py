"""The networks, and their files for training (safetensors) and for play (ONNX).

A network consists of three stacks of layers: a trunk, a policy head and, for the kind "own", a value head. The ONNX
export is written here for just these layers, with weights in half precision. Its graph begins with the second layer,
and its metadata have the first one (spinney/search/first_layer.py).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from spinney.errors import BadNetwork, MissingPackage
from spinney.files import make_folder, write_atomic
from spinney.games import Card
from spinney.games.encoding import Encoder
from spinney.learn.settings import Shape
from spinney.search.encoding import encoder_of
from spinney.search.first_layer import INPUT, FirstLayer

try:
    import torch
    from onnx import TensorProto, helper, numpy_helper
    from safetensors import torch as tensors
    from torch import nn
except ImportError as error:
    raise MissingPackage.of("learning", error.name or "torch", "learn") from None

OPSET = 17
IR_VERSION = 8


class PolicyNet(nn.Module):  # type: ignore[misc]
    """Maps planes to the logits of the policy and, if there is a value head, of the value."""

    def __init__(
        self, encoder: Encoder, trunk: nn.Sequential, policy: nn.Sequential, value: nn.Sequential | None
    ) -> None:
        super().__init__()
        self.encoder, self.trunk, self.policy, self.value = encoder, trunk, policy, value

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        features = self.trunk(planes)
        return self.policy(features), None if self.value is None else self.value(features).squeeze(1)


def encoder_for(card: Card, shape: Shape) -> Encoder:
    """The encoder of a network: a game's newest for the kind "own", its first for the paper's networks."""
    newest = encoder_of(card)  # raises an error if the game has none
    return newest if shape.kind == "own" else card.encoders[0]


def make_network(card: Card, shape: Shape, seed: int) -> PolicyNet:
    """A network for a game, with random weights from a seed."""
    encoder = encoder_for(card, shape)
    planes, height, width = encoder.shape
    torch.manual_seed(seed % 2**63)
    filters, dense, outputs = shape.filters, shape.dense, len(encoder.outputs)
    if shape.kind in ("paper", "later"):
        trunk = [nn.Conv2d(planes, filters, 3), nn.ReLU(), nn.Conv2d(filters, filters, 3), nn.ReLU(), nn.Flatten()]
        size = filters * (height - 4) * (width - 4)
        for _ in range(2 if shape.kind == "paper" else 3):
            trunk += [nn.Linear(size, dense), nn.ReLU()]
            size = dense
        return PolicyNet(encoder, nn.Sequential(*trunk), nn.Sequential(nn.Linear(size, outputs)), None)
    # kind "own": three convolutions, the second with stride 2 on large boards, and two heads
    stride = 2 if min(height, width) > 12 else 1
    trunk = [
        nn.Conv2d(planes, filters, 3, padding=1 if stride == 1 else 0), nn.ReLU(),
        nn.Conv2d(filters, filters, 3, stride=stride), nn.ReLU(),
        nn.Conv2d(filters, 32, 3), nn.ReLU(), nn.Flatten(),
    ]  # fmt: skip
    with torch.no_grad():
        size = nn.Sequential(*trunk)(torch.zeros(1, planes, height, width)).shape[1]
    trunk += [nn.Linear(size, dense), nn.ReLU()]
    half = max(1, dense // 2)
    return PolicyNet(
        encoder,
        nn.Sequential(*trunk),
        nn.Sequential(nn.Linear(dense, half), nn.ReLU(), nn.Linear(half, outputs)),
        nn.Sequential(nn.Linear(dense, half), nn.ReLU(), nn.Linear(half, 1)),
    )


def save_network(network: PolicyNet, card: Card, folder: Path, about: dict[str, Any]) -> None:
    """Write three files: the weights for further training, the network for play, and last its card."""
    encoder = network.encoder
    make_folder(folder)
    write_atomic(
        folder / "network.safetensors",
        tensors.save({name: part.contiguous() for name, part in network.state_dict().items()}),
    )
    write_atomic(folder / "network.onnx", to_onnx(network, encoder.shape))
    about = {
        "game": card.name,
        "encoder": encoder.version,
        "planes": encoder.shape,
        "outputs": len(encoder.outputs),
        "parameters": sum(part.numel() for part in network.parameters()),
        **about,
    }
    write_atomic(folder / "network.json", json.dumps(about, indent=2))


def load_network(card: Card, shape: Shape, file: Path) -> PolicyNet:
    """A network for further training, from a safetensors file."""
    network = make_network(card, shape, 0)
    try:
        network.load_state_dict(tensors.load(file.read_bytes()))
    except Exception as error:
        problem = f"the weights in {file} do not fit the network of the settings"
        raise BadNetwork(f"{problem}: {type(error).__name__}") from None
    return network


# ---- ONNX


def to_onnx(network: PolicyNet, shape: tuple[int, int, int]) -> bytes:
    """The network in the ONNX format: maps planes to priors and, if it has a value head, values."""
    graph, convolution = _Graph(), network.trunk[0]
    weights, bias = graph.half(convolution.weight), graph.half(convolution.bias)
    first = FirstLayer(weights, bias, convolution.padding[0], shape)
    squares = graph.add("Transpose", [INPUT], "squares", perm=[0, 3, 1, 2])
    features = graph.add_stack("trunk", network.trunk[2:], squares)
    graph.add("Softmax", [graph.add_stack("policy", network.policy, features)], "priors", axis=1)
    outputs = [helper.make_tensor_value_info("priors", TensorProto.FLOAT, ["n", None])]
    if network.value is not None:
        logit = graph.add_stack("value", network.value, features)
        flat = graph.add("Flatten", [graph.add("Sigmoid", [logit], "win")], "win_flat", axis=0)
        axes = helper.make_tensor("axes", TensorProto.INT64, [1], [0])
        graph.constants.append(axes)
        graph.add("Squeeze", [flat, "axes"], "values")
        outputs.append(helper.make_tensor_value_info("values", TensorProto.FLOAT, ["n"]))
    inputs = [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", *first.shape])]
    made = helper.make_graph(graph.nodes, "network", inputs, outputs, graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, first.metadata())
    data: bytes = model.SerializeToString()
    return data


class _Graph:
    """The nodes and constants of an ONNX graph under construction."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def half(self, tensor: torch.Tensor) -> Any:
        """Weights in half precision."""
        return np.ascontiguousarray(tensor.detach().numpy().astype(np.float16))

    def weights(self, name: str, tensor: torch.Tensor) -> str:
        """Add weights in half precision; the runtime converts them to single precision when it loads the file."""
        self.constants.append(numpy_helper.from_array(self.half(tensor), f"{name}_half"))
        return self.add("Cast", [f"{name}_half"], name, to=TensorProto.FLOAT)

    def add_stack(self, name: str, stack: nn.Sequential, last: str) -> str:
        """Add the layers of a stack after the output `last`; returns the name of the stack's output."""
        for i, layer in enumerate(stack):
            out, inputs = f"{name}_{i}", [last]
            if isinstance(layer, nn.Conv2d | nn.Linear):
                inputs += [self.weights(f"{out}_weight", layer.weight), self.weights(f"{out}_bias", layer.bias)]
            if isinstance(layer, nn.Conv2d):
                last = self.add("Conv", inputs, out, kernel_shape=list(layer.kernel_size),
                                strides=list(layer.stride), pads=[*layer.padding, *layer.padding])  # fmt: skip
            elif isinstance(layer, nn.Linear):
                last = self.add("Gemm", inputs, out, transB=1)
            elif isinstance(layer, nn.Flatten):
                last = self.add("Flatten", inputs, out, axis=1)
            elif isinstance(layer, nn.ReLU):
                last = self.add("Relu", inputs, out)
            else:
                raise BadNetwork(
                    f"layer {i} of the {name}, {type(layer).__name__}, cannot be exported to ONNX; "
                    "allowed: Conv2d, Linear, Flatten, ReLU"
                )
        return last
