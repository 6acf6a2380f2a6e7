"""The settings of a training run. They are stored as YAML in the run's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from spinney import games as known_games
from spinney.agents import read_spec
from spinney.errors import BadNetwork, UnknownName
from spinney.files import read_bounded, write_atomic
from spinney.games import Options
from spinney.games.spec import parse_spec, suggest
from spinney.search import SEARCHES, TreeAlgorithm

RENAMED = {
    "together": "parallel_games", "longest": "max_turns", "go_on": "warm_start", "warm": "one_cycle",
    "from_search": "value_mix",
}  # fmt: skip
"""Settings of version 0.1 under their present names."""


class Shape(Options):
    """The architecture of a network."""

    kind: Literal["paper", "later", "own"] = Field(
        default="own",
        description="`paper`, `later` (the paper's with a third dense layer), or `own` (with a value head)",
    )
    filters: int = Field(default=24, ge=1, le=512, description="filters per convolution")
    dense: int = Field(default=256, ge=1, le=4096, description="units per dense layer")


class Training(Options):
    """The training of one network."""

    model_config = ConfigDict(allow_inf_nan=False)

    epochs: int = Field(default=100, ge=1, description="passes over the training data")
    next_epochs: int | None = Field(
        default=None, ge=1, description="epochs of networks that start with earlier weights; none: as `epochs`"
    )
    batch: int = Field(default=1024, ge=1, description="batch size")
    rate: float = Field(default=5e-5, gt=0, description="learning rate of AdamW (its maximum)")
    decay: float = Field(default=5e-5, ge=0, description="weight decay of AdamW")
    one_cycle: bool = Field(default=False, description="one-cycle schedule of the learning rate, not a constant one")
    mirror: bool = Field(default=False, description="mirror half of the positions")
    value: float = Field(default=1.0, ge=0, description="weight of the value loss; the policy loss has weight 1")
    value_mix: float = Field(
        default=0.0, ge=0, le=1, description="weight of the search's value in the value target; the rest is the reward"
    )
    held_out: float = Field(default=0.05, gt=0, le=0.5, description="share of the games used for validation")


class Settings(Options):
    """Everything that determines the result of a run."""

    model_config = ConfigDict(allow_inf_nan=False)

    game: str
    seed: int = Field(default=1, description="seed of all random numbers")
    iterations: int = Field(default=3, ge=1, description="iterations of the loop, with one network each")
    teacher: str = Field(description="the search that plays the first games")
    first_games: int = Field(default=200, ge=2, description="games played by the teacher")
    games: int = Field(default=200, ge=2, description="self-play games per iteration")
    search: str = Field(default="net_search(iterations=1000, batch=8)", description="the search of self-play games")
    parallel_games: int = Field(default=16, ge=1, description="self-play games at once; their leaves share batches")
    temperature: float = Field(
        default=1.0, gt=0, description="temperature of the moves in self-play; 1: in proportion to the visits"
    )
    max_turns: int = Field(default=500, ge=1, description="turns after which a game is cut off")
    reward: str = Field(default="win", description="the reward at the end of a game: one that the game has")
    shape: Shape = Shape()
    training: Training = Training()
    window: int = Field(default=100, ge=1, description="size of the replay buffer in sets of games, the latest ones")
    warm_start: bool = Field(default=False, description="start training with the weights of the last network")
    candidates: int = Field(default=1, ge=1, le=16, description="networks per iteration; 2 or more: Algorithm 3")
    gate_games: int = Field(default=100, ge=0, description="gating games per iteration")
    gate: float = Field(
        default=0.5, ge=0, le=1, description="Algorithm 2: share of the wins that a new network needs in gating"
    )
    opponents: dict[str, Annotated[int, Field(ge=1)]] = Field(
        default={}, description="hand-written players that each network is scored against, and the number of games"
    )

    def check(self) -> None:
        """Raise an error for settings that cannot be played or trained."""
        game = known_games.load(self.game)
        for role, spec in (("teacher", self.teacher), ("search", self.search)):
            kind, options = read_spec(game, spec)
            if role == "search" and kind != "net_search":
                raise BadNetwork(f"search: {spec} has no network; net_search is allowed")
            if kind not in SEARCHES or not isinstance(SEARCHES[kind][0], TreeAlgorithm):
                raise BadNetwork(f"teacher: {spec} is not a tree search, such as uct or joint")
            if getattr(options, "seconds", None) or not getattr(options, "iterations", None):
                raise BadNetwork(f"{role}: {spec} needs iterations, not seconds: games must be reproducible")
        for spec in self.opponents:
            game.card.player(spec)
        known = game.card.all_rewards
        if self.reward not in known:
            raise UnknownName(f"{game.name} has no reward '{self.reward}'; {suggest(self.reward, known)}")

    def write(self, file: Path) -> None:
        """Write the settings as YAML."""
        import yaml

        write_atomic(file, yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False))

    @classmethod
    def load(cls, file: Path) -> Settings:
        import yaml

        try:
            given = yaml.safe_load(read_bounded(file, 2**20).decode("utf-8"))
        except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
            raise BadNetwork(f"{file} cannot be read: {' '.join(str(error).split())}") from None
        if not isinstance(given, dict) or not all(isinstance(name, str) for name in given):
            raise BadNetwork(f"{file} has no settings; each needs a line such as `games: 200`")
        training = given.get("training")
        names = {*given, *(training if isinstance(training, dict) else ())}
        if old := ", ".join(f"'{name}' is called '{new}' now" for name, new in RENAMED.items() if name in names):
            raise BadNetwork(f"{file} has settings of Spinney 0.1: {old}; options of searches were renamed, too")
        return cls.read(str(file), given)


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "simulations": (2000, 1000), "batch": 8, "games": 500, "candidates": 3, "gate_games": 100, "scored": 500,
        "shape": Shape(kind="later", filters=16),
    },
    "desk": {
        "simulations": (400, 400), "batch": 4, "first_games": 100, "games": 100, "parallel_games": 20,
        "warm_start": True, "gate_games": 100, "scored": 200, "shape": Shape(filters=16, dense=192),
        "training": Training(epochs=4, next_epochs=3, batch=256, rate=1e-3, one_cycle=True, mirror=True, value_mix=0.5),
    },
    "smoke": {
        "simulations": (20, 8), "batch": 4, "first_games": 3, "iterations": 2, "games": 3, "parallel_games": 2,
        "max_turns": 30, "candidates": 2, "gate_games": 4, "scored": 2, "shape": Shape(filters=4, dense=16),
        "training": Training(epochs=2, batch=64, rate=1e-3, mirror=True, held_out=0.3),
    },
}  # fmt: skip
"""Sizes of a run. `paper`, with Algorithm 3, takes days on one core. `desk` takes an hour, with fewer simulations and
games, a faster schedule and a value head. `smoke` runs the whole loop in seconds. `simulations` are those of the
teacher and of the self-play search, `scored` the games against each opponent."""


def preset_for(name: str, game: str) -> Settings:
    """The settings of a preset for a game. Those on the game's card override the general ones."""
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
