"""Networks for play: found by name or file, checked against the game, and run by onnxruntime."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from spinney.errors import BadNetwork, MissingPackage, UnknownName
from spinney.files import read_bounded
from spinney.games.card import Card
from spinney.games.encoding import UNIFORM, Encoder
from spinney.games.spec import suggest
from spinney.search.encoding import Planes, encoder_of
from spinney.search.first_layer import INPUT, FirstLayer

Floats = npt.NDArray[np.float32]


class Evaluator(Protocol):
    """A function from planes to probabilities of the outputs, and perhaps values."""

    encoder: Encoder
    """The encoder of the planes."""
    has_values: bool
    """Whether there is a value for each position: the probability that the player whose view it is wins."""
    shares: bool
    """Whether the values of all players of a position have to add up to one."""

    def __call__(self, planes: Planes) -> tuple[Floats, Floats | None]: ...


class Uniform:
    """No network: all outputs are equally likely, and there are no values."""

    has_values = False
    shares = False

    def __init__(self, encoder: Encoder) -> None:
        self.encoder, self.outputs = encoder, len(encoder.outputs)

    def __call__(self, planes: Planes) -> tuple[Floats, None]:
        return np.full((len(planes), self.outputs), 1 / self.outputs, np.float32), None


class Onnx:
    """A network run by onnxruntime, on one core."""

    def __init__(self, file: Path, about: dict[str, Any], encoder: Encoder) -> None:
        runtime = import_runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = runtime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            problem = next(iter(str(error).strip().splitlines()), type(error).__name__)
            raise BadNetwork(f"{file} cannot be run: {problem}") from None
        self.file, self.about, self.encoder = file, about, encoder
        self._input = self._session.get_inputs()[0].name
        metadata = self._session.get_modelmeta().custom_metadata_map
        self._first = FirstLayer.read(metadata, encoder.shape) if self._input == INPUT else None
        """The first layer; none in files of Spinney 0.1, which have it in the graph."""
        self.has_values = len(self._session.get_outputs()) > 1
        self.shares = bool(about.get("shares", False))

    def __call__(self, planes: Planes) -> tuple[Floats, Floats | None]:
        features = planes if self._first is None else self._first(planes)
        priors, *values = self._session.run(None, {self._input: features})
        return priors, values[0] if values else None


def import_runtime() -> Any:
    """Import onnxruntime; without it, an error names the extra to install."""
    try:
        import onnxruntime
    except ImportError:
        raise MissingPackage.of("a network", "onnxruntime", "net") from None
    return onnxruntime


def shipped(card: Card) -> list[str]:
    """The names of the networks that come with a game."""
    folder = None if card.networks is None else card.networks.folder
    found = [] if folder is None else sorted(file.stem for file in folder.glob("*.onnx"))
    return [*found, UNIFORM]


def locate(card: Card, weights: str | None) -> Path | None:
    """The file of a network, by its name or path; none: the uniform one."""
    networks = card.networks
    name = (UNIFORM if networks is None else networks.default) if weights is None else weights
    if name == UNIFORM:
        return None
    if networks is not None and networks.folder is not None and name in shipped(card):
        return networks.folder / f"{name}.onnx"
    file = Path(name)
    if file.is_dir():
        file /= "network.onnx"
    if not file.is_file():
        raise UnknownName(
            f"{card.name} has no network '{name}', and there is no such file; {suggest(name, shipped(card))}"
        )
    return file


def load(card: Card, weights: str | None) -> Evaluator:
    """The network that an option names, with its encoder."""
    file = locate(card, weights)
    return Uniform(card.encoders[0]) if file is None else _load(card, file, file.stat().st_mtime_ns)


@cache
def _load(card: Card, file: Path, _changed: int) -> Onnx:
    """A file is read once, and again when it has changed."""
    try:
        about = json.loads(read_bounded(file.with_suffix(".json"), 2**22))
    except (OSError, ValueError, RecursionError) as error:
        raise BadNetwork(f"{file} needs its card, {file.with_suffix('.json').name}, beside it: {error}") from None
    if not isinstance(about, dict):
        raise BadNetwork(f"{file.with_suffix('.json')} is not the card of a network: it holds no fields")
    made_for = [about.get(field) for field in ("game", "encoder", "planes", "outputs")]
    encoder = next((one for one in card.encoders if one.version == about.get("encoder")), encoder_of(card))
    needed = [card.name, encoder.version, list(encoder.shape), len(encoder.outputs)]
    if made_for != needed:
        raise BadNetwork(
            f"{file} is for {made_for[0]}, encoder {made_for[1]}, planes {made_for[2]}, {made_for[3]} outputs; "
            f"{card.name} has encoder {needed[1]}, planes {needed[2]}, {needed[3]} outputs"
        )
    return Onnx(file, about, encoder)
