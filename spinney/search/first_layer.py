"""The first convolution of a network, which skips zeros.

Most squares of most planes are zero, and the first layer has the most inputs. So it is computed here, and onnxruntime
begins with the second layer.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spinney.kernel import bind
from spinney.search.encoding import Planes

KERNEL = 3
"""Squares of the kernel in each direction."""
INPUT = "features"
"""The input of a network without its first layer."""


def make_convolve(planes, height, width, padding, filters):
    """A function that convolves planes with a kernel of 3x3 squares, and sets negative sums to zero.

    Sums are collected on a grid with a border, so that the kernel may reach over the edge, and with the filters
    innermost: what a square adds to three neighbours in a row is one vector operation.
    """
    reach = KERNEL - 1
    wide, edge, strip = width + reach, reach - padding, KERNEL * filters
    across, down = width + 2 * padding - reach, height + 2 * padding - reach
    size, room = planes * height * width, (height + reach) * wide * filters

    def convolve(inputs, words, weights, bias, sums, outputs, n):
        for i in range(n):
            for j in range(room):
                sums[j] = bias[j]
            first = i * size
            for word in range(first // 2, (first + size + 1) // 2):
                if words[word] != 0:  # one of two numbers is not zero
                    for j in range(max(0, 2 * word - first), min(size, 2 * word + 2 - first)):
                        value, line = inputs[first + j], j // width
                        plane = line // height
                        y, x = line - plane * height, j - line * width
                        for row in range(KERNEL):
                            source, target = (plane * KERNEL + row) * strip, ((y + reach - row) * wide + x) * filters
                            for k in range(strip):
                                sums[target + k] += value * weights[source + k]
            for y in range(down):
                source, target = ((y + edge) * wide + edge) * filters, (i * down + y) * across * filters
                for j in range(across * filters):
                    outputs[target + j] = max(sums[source + j], np.float32(0.0))

    return convolve


class FirstLayer:
    """The first layer of a network: a convolution and a ReLU. Outputs are by squares first, and then by filters."""

    def __init__(
        self, weights: npt.NDArray[Any], bias: npt.NDArray[Any], padding: int, shape: tuple[int, int, int]
    ) -> None:
        self._parts, (planes, height, width) = (weights, bias, padding), shape
        filters, border, less = len(bias), KERNEL - 1, 2 * padding - KERNEL + 1
        self.shape = height + less, width + less, filters
        self._weights = np.ascontiguousarray(weights[..., ::-1].transpose(1, 2, 3, 0), np.float32).reshape(-1)
        self._bias = np.tile(bias.astype(np.float32), (height + border) * (width + border))
        self._convolve = bind(
            make_convolve, "network/first_layer", planes=planes, height=height, width=width, padding=padding,
            filters=filters,
        )  # fmt: skip
        self(np.zeros((0, *shape), np.float32))  # compiles it before the first decision

    def __call__(self, planes: Planes) -> npt.NDArray[np.float32]:
        inputs, sums = planes.reshape(-1), np.empty_like(self._bias)
        outputs = np.empty((len(planes), *self.shape), np.float32)
        if inputs.size % 2:
            inputs = np.append(inputs, np.float32(0))
        words = inputs.view(np.int64)  # zeros are found faster two at a time
        self._convolve(inputs, words, self._weights, self._bias, sums, outputs.reshape(-1), len(planes))
        return outputs

    def metadata(self) -> dict[str, str]:
        """The layer as metadata of an ONNX file: weights in half precision."""
        weights, bias, padding = self._parts
        halves = {"weights": weights, "bias": bias}
        encoded = {key: base64.b64encode(part.astype(np.float16).tobytes()).decode() for key, part in halves.items()}
        return {**encoded, "padding": str(padding)}

    @classmethod
    def read(cls, metadata: Mapping[str, str], shape: tuple[int, int, int]) -> FirstLayer:
        """The layer from the metadata of an ONNX file."""
        weights, bias = (np.frombuffer(base64.b64decode(metadata[key]), np.float16) for key in ("weights", "bias"))
        return cls(weights.reshape(len(bias), shape[0], KERNEL, KERNEL), bias, int(metadata["padding"]), shape)
