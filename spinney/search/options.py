"""Options of searches, in groups. The options of a search list the groups that it has, the first one last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import e, inf, sqrt
from typing import Annotated, Any, ClassVar, Literal, Self

import pydantic

from spinney.games import Options
from spinney.search.selection import BOUNDS


def key_of(table: Mapping[str, Any]) -> pydantic.AfterValidator:
    """The type of an option that names an entry of a table."""

    def check(name: str) -> str:
        if name not in table:
            *others, last = (f"'{known}'" for known in table)
            raise ValueError(f"must be {' or '.join([', '.join(others), last] if others else [last])}")
        return name

    return pydantic.AfterValidator(check)


RENAMED = {
    "alone": "separate_simulations", "blend": "rollout_mix", "check": "prune_with", "common": "reward_mode",
    "cutoff": "rollout_depth", "each": "rollouts_per_action", "early": "early_stop", "first_play": "fpu",
    "haste": "early_factor", "horizon": "max_depth", "margin": "futility_margin", "others": "opponents",
    "patience": "min_visits", "table": "transposition_table", "trust": "opponent_prior", "virtual": "virtual_loss",
    "worlds": "determinizations",
}  # fmt: skip
"""Options of version 0.1, and their names today."""


def plain_value(value: Any) -> str:
    """A value as it is written in a spec."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def goes_with(self: Options, rules: Mapping[str, tuple[str, Sequence[str]]]) -> None:
    """Refuse options that are given where the value of another option makes them useless."""
    for name, (other, values) in rules.items():
        if name in self.model_fields_set and getattr(self, other) not in values:
            given, wanted, now = (
                plain_value(getattr(self, name)),
                " or ".join(values),
                plain_value(getattr(self, other)),
            )
            raise ValueError(f"{name}={given} goes with {other}={wanted}, not with {other}={now}")


class SearchOptions(Options):
    """What every search has: limits, an opening, and random numbers."""

    renamed: ClassVar[Mapping[str, str]] = RENAMED
    iterations: int | None = pydantic.Field(None, gt=0, description="simulations per decision")
    seconds: float | None = pydantic.Field(
        None, gt=0, allow_inf_nan=False, description="time per decision; with neither, 10000 iterations"
    )
    first_seconds: float | None = pydantic.Field(
        None, gt=0, allow_inf_nan=False, description="time for a player's first decision in a game; none: as for others"
    )
    opening: str | None = pydantic.Field(
        None, description="which of the game's openings is asked before searching; none: none of them"
    )
    seed: int | None = pydantic.Field(None, description="start of the random numbers; none: a new one every time")
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


class EvaluationOptions(Options):
    """How the end of the game, or of the search, is evaluated."""

    reward: str = pydantic.Field("win", description="reward at the end of a game: win, or another of the game's")
    max_depth: int | None = pydantic.Field(
        None,
        ge=1,
        le=500,
        description="evaluate this many steps after the root, in the tree or in a rollout; none: never",
    )
    evaluation: str | None = pydantic.Field(
        None, description="evaluation of unfinished games; none: the game's default evaluation"
    )


class SimulationOptions(Options):
    """Rollouts, threads and memory of simulations."""

    rollout: str | None = pydantic.Field(
        None, description="rollout policy: a player of the game, with options if it has any; none: the game's default"
    )
    rollout_depth: int | None = pydantic.Field(
        None, ge=0, le=1_000_000, description="stop a rollout after this many actions and evaluate; none: at the end"
    )
    threads: int = pydantic.Field(
        1, ge=1, le=256, description="threads, which share the iterations; each grows a tree unless parallel=tree"
    )
    nodes: int = pydantic.Field(
        1_000_000, ge=2, le=2**31 - 1, description="most nodes of all trees together; when full, the search goes on"
    )


class UcbOptions(Options):
    """Selection by upper confidence bounds, opponent models, and the final choice."""

    c: float = pydantic.Field(sqrt(2), ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of UCB1")
    log_base: float = pydantic.Field(e, gt=1, le=1e6, allow_inf_nan=False, description="base of the logarithm in UCB1")
    fpu: float = pydantic.Field(
        inf, gt=-inf, description="first-play urgency, the bound of an untried action; infinite: try each once first"
    )
    select: Annotated[str, key_of(BOUNDS)] = pydantic.Field(
        "ucb1", description="selection rule: ucb1, ucb1_tuned, puct, rave, grave or progressive_history"
    )
    equivalence: float = pydantic.Field(
        1000.0, gt=0, le=1e12, description="rave, grave: visits at which the mean counts as much as the AMAF mean"
    )
    reference_visits: int = pydantic.Field(
        50, ge=0, le=1_000_000_000, description="grave: an ancestor with more visits than this gives the AMAF means"
    )
    history: float = pydantic.Field(
        1.0, ge=0, le=1e6, description="progressive_history: weight of an action's mean reward in the whole search"
    )
    learn: Literal["mast", "nst"] | None = pydantic.Field(
        None, description="rollouts that learn: mast or nst; none: the rollout policy alone"
    )
    epsilon: float = pydantic.Field(
        0.2, ge=0, le=1, description="mast, nst: part of the actions of a rollout that the rollout policy chooses"
    )
    prune_with: str | None = pydantic.Field(
        None, description="which of the game's static checks prunes actions; none: none of them"
    )
    opponents: str | None = pydantic.Field(
        None, description="player or set of players that models the opponents; none: each maximises its own reward"
    )
    opponent_prior: float = pydantic.Field(
        1.0, ge=0, le=1, description="prior probability that an opponent is one of the models"
    )
    choice: Literal["visits", "value"] = pydantic.Field(
        "visits", description="final choice: most visits, or highest value"
    )
    early_stop: bool = pydantic.Field(
        False, description="stop when the remaining simulations cannot change which action has most visits"
    )
    early_factor: float = pydantic.Field(
        1.0,
        ge=1,
        le=1e6,
        allow_inf_nan=False,
        description="early stop: divide the remaining simulations by this before the test",
    )

    @pydantic.model_validator(mode="after")
    def _early_stop_needs_visits(self) -> Self:
        if self.early_stop and self.choice != "visits":
            raise ValueError(f"early_stop=true goes with choice=visits, not with choice={self.choice}")
        if self.early_factor > 1 and not self.early_stop:
            raise ValueError(f"early_factor={self.early_factor:g} goes with early_stop=true")
        return self

    @pydantic.model_validator(mode="after")
    def _parameters_go_with_their_rule(self) -> Self:
        goes_with(
            self,
            {
                "equivalence": ("select", ("rave", "grave")),
                "reference_visits": ("select", ("grave",)),
                "history": ("select", ("progressive_history",)),
                "epsilon": ("learn", ("mast", "nst")),
            },
        )
        return self

    @pydantic.model_validator(mode="after")
    def _prior_needs_opponents(self) -> Self:
        if self.opponent_prior < 1 and self.opponents is None:
            raise ValueError(f"opponent_prior={self.opponent_prior:g} needs opponents: no model is named")
        return self


class SimultaneousOptions(Options):
    """Simultaneous moves."""

    chance: Literal["default", "sample", "list"] | None = pydantic.Field(
        None,
        description="default: the game's default outcome; sample: a node per drawn outcome; list: nodes for all; none: "
        "default if the game has a default outcome, else sample",
    )
    prune: bool = pydantic.Field(True, description="leave out actions that the game's rules call implausible")
    choice: Literal["visits", "value", "strategy"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or drawn from the average strategy"
    )
    reuse: bool = pydantic.Field(False, description="keep the subtree of the position that the game has reached")


class BoundsOptions(Options):
    """Proofs where moves are simultaneous."""

    solver: bool = pydantic.Field(True, description="prove bounds of rewards, and search dominated moves no more")
    refute: float = pydantic.Field(
        0.0,
        ge=0,
        le=0.9,
        description="part of the limits in which alpha-beta looks for moves that lose by force, to leave them out",
    )
