"""Options of UCT, and which of them go together."""

from __future__ import annotations

from typing import Any, Literal, Self

import pydantic

from spinney.search.options import (
    EvaluationOptions,
    SearchOptions,
    SimulationOptions,
    UcbOptions,
    goes_with,
    plain_value,
)
from spinney.search.selection import BOUNDS
from spinney.search.workspace import DRAWS

EXCLUDED: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("lookahead", False, {"select": "ucb1", "learn": None, "transpositions": False, "multiplayer": "max_n"}),
    (
        "transpositions",
        False,
        {"open_loop": False, "reuse": False, "opponents": None, "widen": 0, "multiplayer": "max_n"},
    ),
    ("multiplayer", "max_n", {"opponents": None}),
    (
        "root",
        "select",
        {"reuse": False, "threads": 1, "open_loop": False, "early_stop": False, "transpositions": False},
    ),
    (
        "parallel",
        "root",
        {"open_loop": False, "opponents": None, "lookahead": False, "transpositions": False, "root": "select"},
    ),
)
"""Options that exclude values of others: the option, its value when it is off, and what others must be."""


class UctOptions(UcbOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of UCT."""

    bias: float = pydantic.Field(
        0.0, ge=-1e6, le=1e6, allow_inf_nan=False, description="weight of the progressive bias; 0: none"
    )
    bias_by: str | None = pydantic.Field(
        None, description="which of the game's biases rates actions, for bias and widen; none: its default one"
    )
    bias_untried: bool = pydantic.Field(
        True, description="whether untried actions have a bias, too; if not, it is divided by the visits alone"
    )
    widen: float = pydantic.Field(
        0.0,
        ge=0,
        le=1e6,
        allow_inf_nan=False,
        description="progressive widening: consider the 1 + widen * sqrt(visits) actions of highest bias; 0: all",
    )
    rollout_first: bool = pydantic.Field(
        False, description="try the action first that the rollout policy chooses at a new node, not a random one"
    )
    lookahead: bool = pydantic.Field(
        False, description="evaluate all actions of a new node at once, instead of a rollout from it"
    )
    minimax: float = pydantic.Field(
        0.0, ge=0, le=1, description="implicit minimax: weight of the minimax value beside the mean; needs lookahead"
    )
    solver: bool = pydantic.Field(True, description="prove wins, losses and draws, and search them no more")
    open_loop: bool = pydantic.Field(False, description="no nodes for chance: a node is a sequence of actions")
    chance_groups: int = pydantic.Field(
        0, ge=0, le=1000, description="open loop: nodes for at most this many groups of outcomes; 0: none"
    )
    multiplayer: Literal["max_n", "paranoid", "best_reply"] = pydantic.Field(
        "max_n", description="the other players: each for itself, all against the searcher, or one of them replies"
    )
    prior: str | None = pydantic.Field(
        None, description="puct: the player of the game whose choices are the prior probabilities; none: all equal"
    )
    prior_draws: int = pydantic.Field(
        4, ge=1, le=DRAWS, description="puct: how often that player is asked at a new node"
    )
    root: Literal["select", "gumbel"] = pydantic.Field(
        "select", description="choice at the root: the selection rule, or Gumbel noise and sequential halving"
    )
    root_actions: int = pydantic.Field(16, ge=2, le=100_000, description="gumbel: most actions that are considered")
    transpositions: bool = pydantic.Field(False, description="one node per position: a graph instead of a tree")
    reuse: bool = pydantic.Field(False, description="keep the subtree of the position that the game has reached")
    parallel: Literal["root", "tree"] = pydantic.Field(
        "root", description="what threads grow: independent trees, merged at the root, or one tree"
    )
    virtual_loss: int = pydantic.Field(
        1, ge=1, le=1000, description="parallel=tree: visits without reward on the path of a simulation under way"
    )

    @pydantic.model_validator(mode="after")
    def _minimax_needs_lookahead(self) -> Self:
        if self.minimax and not self.lookahead:
            raise ValueError(f"minimax={self.minimax:g} needs lookahead=true: there are no evaluations without")
        if self.lookahead and self.open_loop:
            raise ValueError("lookahead=true needs explicit chance nodes; open_loop=true has none")
        if self.rollout_first and (self.lookahead or self.open_loop):
            other = "lookahead" if self.lookahead else "open_loop"
            raise ValueError(f"rollout_first=true needs nodes with all actions, and rollouts; {other} must be false")
        if self.lookahead and self.opponents is not None:
            raise ValueError("lookahead=true evaluates all actions of the opponents; opponents must be none")
        return self

    @pydantic.model_validator(mode="after")
    def _what_goes_together(self) -> Self:
        goes_with(
            self,
            {
                "prior": ("select", ("puct",)),
                "prior_draws": ("select", ("puct",)),
                "root_actions": ("root", ("gumbel",)),
                "virtual_loss": ("parallel", ("tree",)),
            },
        )
        if self.chance_groups and not self.open_loop:
            raise ValueError(f"chance_groups={self.chance_groups} needs open_loop=true: else every outcome has a node")
        for name, off, others in EXCLUDED:
            if getattr(self, name) != off:
                for other, allowed in others.items():
                    if getattr(self, other) != allowed:
                        raise ValueError(
                            f"{name}={plain_value(getattr(self, name))} does not go with "
                            f"{other}={plain_value(getattr(self, other))}; {other} must be {plain_value(allowed)}"
                        )
        if self.transpositions and "squares" in BOUNDS[self.select].extras:
            raise ValueError(f"transpositions=true does not go with select={self.select}, which needs all rewards")
        if self.parallel == "tree" and "amaf" in BOUNDS[self.select].extras:
            raise ValueError(f"parallel=tree does not go with select={self.select}; its AMAF values are of one thread")
        if BOUNDS[self.select].has_prior and (self.bias or self.widen or self.open_loop):
            other = "bias" if self.bias else "widen" if self.widen else "open_loop"
            off = "false" if other == "open_loop" else "0"
            raise ValueError(f"select={self.select} keeps priors in the nodes; {other} must be {off}")
        return self

    @pydantic.model_validator(mode="before")
    @classmethod
    def _solver_needs_chance_nodes(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        why = None
        if given.get("open_loop") is True:
            why = "needs explicit chance nodes; open_loop=true has none"
        elif given.get("multiplayer") == "best_reply":
            why = "proves nothing where multiplayer=best_reply leaves out replies"
        if why is None:
            return given
        if given.get("solver") is True:
            raise ValueError(f"solver=true {why}")
        return {**given, "solver": False}
