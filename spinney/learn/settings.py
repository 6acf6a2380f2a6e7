"""All settings of a run of the loop, in one file beside its results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic

from spinney import games as known_games
from spinney.agents import read_spec
from spinney.errors import BadNetwork, UnknownName
from spinney.files import write_whole
from spinney.games import Options
from spinney.games.spec import parse_spec, suggest
from spinney.search import SEARCHES, TreeSearch


class Shape(Options):
    """The form of a network."""

    kind: Literal["paper", "later", "own"] = pydantic.Field(
        default="own", description="the paper's, its later one with a third dense layer, or ours with a value"
    )
    filters: int = pydantic.Field(default=24, ge=1, le=512, description="filters of each convolution")
    dense: int = pydantic.Field(default=256, ge=1, le=4096, description="neurons of each dense layer")


class Training(Options):
    """How a network is trained."""

    model_config = pydantic.ConfigDict(allow_inf_nan=False)

    epochs: int = pydantic.Field(default=100, ge=1, description="times that all data are seen")
    next_epochs: int | None = pydantic.Field(
        default=None, ge=1, description="the same for networks that go on from the one before; none: as often"
    )
    batch: int = pydantic.Field(default=1024, ge=1, description="positions of one step")
    rate: float = pydantic.Field(default=5e-5, gt=0, description="learning rate of AdamW, at its highest")
    decay: float = pydantic.Field(default=5e-5, ge=0, description="weight decay of AdamW")
    warm: bool = pydantic.Field(
        default=False, description="let the rate rise and fall in one cycle, instead of staying"
    )
    mirror: bool = pydantic.Field(default=False, description="see half of the positions mirrored")
    value: float = pydantic.Field(default=1.0, ge=0, description="weight of the value's loss beside the policy's")
    from_search: float = pydantic.Field(
        default=0.0, ge=0, le=1, description="part of the value that is the search's, not the game's reward"
    )
    held_out: float = pydantic.Field(
        default=0.05, gt=0, le=0.5, description="part of the games that is kept to validate"
    )


class Settings(Options):
    """Everything that decides what a run comes to."""

    model_config = pydantic.ConfigDict(allow_inf_nan=False)

    game: str
    seed: int = pydantic.Field(default=1, description="start of all random numbers")
    iterations: int = pydantic.Field(default=3, ge=1, description="networks trained one after the other")
    teacher: str = pydantic.Field(description="the search that plays the first games")
    first_games: int = pydantic.Field(default=200, ge=2, description="games played by the teacher")
    games: int = pydantic.Field(default=200, ge=2, description="games of self-play between two networks")
    search: str = pydantic.Field(
        default="net_search(iterations=1000, batch=8)", description="the search with a network"
    )
    together: int = pydantic.Field(
        default=16, ge=1, description="games of self-play at once, whose leaves share a batch"
    )
    temperature: float = pydantic.Field(
        default=1.0, gt=0, description="1: moves are drawn as often as they were visited"
    )
    longest: int = pydantic.Field(default=500, ge=1, description="turns after which a game counts as it stands")
    reward: str = pydantic.Field(
        default="win", description="what the end of a game is worth: win, or another of the game's"
    )
    shape: Shape = Shape()
    training: Training = Training()
    window: int = pydantic.Field(
        default=100, ge=1, description="how many sets of games a network is trained on, the latest"
    )
    go_on: bool = pydantic.Field(
        default=False, description="begin with the weights of the network before, not with new ones"
    )
    candidates: int = pydantic.Field(
        default=1, ge=1, le=16, description="networks trained on the same games; more: Algorithm 3"
    )
    gate_games: int = pydantic.Field(default=100, ge=0, description="games that decide which network goes on")
    gate: float = pydantic.Field(
        default=0.5, ge=0, le=1, description="Algorithm 2: the part of the wins that a new network needs"
    )
    opponents: dict[str, Annotated[int, pydantic.Field(ge=1)]] = pydantic.Field(
        default={}, description="opponents that fill the other seats in games for the record, and how many games"
    )

    def check(self) -> None:
        """Refuse what could not be played or trained later."""
        game = known_games.load(self.game)
        for role, spec in (("teacher", self.teacher), ("search", self.search)):
            kind, options = read_spec(game, spec)
            if role == "search" and kind != "net_search":
                raise BadNetwork(f"search: {spec} has no network; net_search is allowed")
            if kind not in SEARCHES or not issubclass(SEARCHES[kind][0], TreeSearch):
                raise BadNetwork(f"teacher: {spec} is no tree search, such as uct or joint")
            if getattr(options, "seconds", None) or not getattr(options, "iterations", None):
                raise BadNetwork(f"{role}: {spec} needs iterations, not seconds: games must not depend on the clock")
        for spec in self.opponents:
            game.card.player(spec)
        known = game.card.all_rewards
        if self.reward not in known:
            raise UnknownName(f"{game.name} has no reward '{self.reward}'; {suggest(self.reward, known)}")

    def write(self, file: Path) -> None:
        """As YAML."""
        import yaml

        write_whole(file, yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False))

    @classmethod
    def load(cls, file: Path) -> Settings:
        import yaml

        try:
            given = yaml.safe_load(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
            raise BadNetwork(f"{file} cannot be read: {' '.join(str(error).split())}") from None
        if not isinstance(given, dict):
            raise BadNetwork(f"{file} holds no settings; a line each is needed, as in `games: 200`")
        return cls.read(str(file), given)


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "simulations": (2000, 1000), "batch": 8, "games": 500, "candidates": 3, "gate_games": 100, "scored": 500,
        "shape": Shape(kind="later", filters=16),
    },
    "desk": {
        "simulations": (400, 400), "batch": 4, "first_games": 100, "games": 100, "together": 20, "go_on": True,
        "gate_games": 100, "scored": 200, "shape": Shape(filters=16, dense=192),
        "training": Training(epochs=4, next_epochs=3, batch=256, rate=1e-3, warm=True, mirror=True, from_search=0.5),
    },
    "smoke": {
        "simulations": (20, 8), "batch": 4, "first_games": 3, "iterations": 2, "games": 3, "together": 2, "longest": 30,
        "candidates": 2, "gate_games": 4, "scored": 2, "shape": Shape(filters=4, dense=16),
        "training": Training(epochs=2, batch=64, rate=1e-3, mirror=True, held_out=0.3),
    },
}  # fmt: skip
"""Sizes of a run: the paper's, with Algorithm 3, take days on one core; `desk` an hour, with fewer simulations and
games, a faster schedule and a network with a value; `smoke` runs the whole loop in seconds. `simulations` are those of
the teacher and of the search with a network, `scored` the games against each opponent."""


def preset_for(name: str, game: str) -> Settings:
    """The settings of a preset for a game. What the game's card says about it takes the place of what fits all."""
    wanted, given = parse_spec(game)
    card = known_games.card(wanted)
    sizes = {**PRESETS[name]}
    (teacher, search), batch, scored = sizes.pop("simulations"), sizes.pop("batch"), sizes.pop("scored")
    general = {
        "game": game,
        "teacher": f"{'joint' if card.is_simultaneous else 'uct'}(iterations={teacher})",
        "search": f"net_search(iterations={search}, batch={batch})",
        "opponents": dict.fromkeys(["random", *list(card.all_players)[-1:]], scored),
    }
    own = {} if card.networks is None else dict(card.networks.training.get(name, {}))
    if given:
        own.pop("game", None)
    return Settings(**{**sizes, **general, **own})
