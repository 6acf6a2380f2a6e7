"""Search with hidden information: positions that agree with what the player knows are drawn (determinizations).

`determinized` draws a number of determinizations, grows a tree in each with equal shares of the simulations, and adds
up the choices at the roots. In each tree the hidden information is known, so plans depend on it, and positions in
which they do are overrated (strategy fusion, Frank and Basin 1998).

`ismcts` (single observer, Cowling, Powley and Whitehouse 2012) has one tree, and a new determinization in every
simulation. Its nodes are information sets of the searcher: sequences of actions, in which opponents' actions that look
alike to it are one (the game's rule `public_action`), and of its other observations (the rule `observation_key`). An
action is available at a node in some determinizations only; its bound counts how often it was, in place of the visits
of the parent.

`mo_ismcts` (multiple observers, in the same paper) has a tree for each player, of that player's information sets; see
observers.py. So opponents act on what they know, where single-observer search has them know as little as the searcher.

In all of them, chance has no nodes. Opponents maximise their own reward, or play as opponent models do, in the tree and
in rollouts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import pydantic

from spinney.games import Card, Game, State
from spinney.kernel import Rng
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, UcbOptions, key_of
from spinney.search.selection import SAMPLED_BOUNDS
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch, most_actions
from spinney.search.uct import ucb_parts


class InfosetOptions(UcbOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of search with hidden information."""

    select: Annotated[str, key_of(SAMPLED_BOUNDS)] = pydantic.Field(
        "ucb1", description="selection rule: ucb1, ucb1_tuned, rave, grave or progressive_history"
    )
    method: Literal["ismcts", "mo_ismcts", "determinized"] = pydantic.Field(
        "ismcts",
        description="a tree of the searcher's information sets, one of each player's, or one for each of several "
        "determinizations",
    )
    determinizations: int = pydantic.Field(
        20, ge=1, le=100_000, description="determinized: determinizations of each thread"
    )

    @pydantic.model_validator(mode="after")
    def _determinizations_are_of_one_method(self) -> Self:
        if "determinizations" in self.model_fields_set and self.method != "determinized":
            raise ValueError(
                f"determinizations={self.determinizations} goes with method=determinized; {self.method} draws one for "
                "every simulation"
            )
        return self


def why_not_hidden(card: Card) -> str | None:
    if not card.has_hidden:
        return "it has no hidden information"
    if card.has_turns:
        return "its turns have many steps, and only these are hidden"
    return "its players move simultaneously" if card.is_simultaneous else None


def most_children(game: Game) -> int:
    """The most children of a node, and the roots of the opponents' trees."""
    return most_actions(game) + game.players - 1


def build_infoset(search: TreeSearch) -> Parts:
    method = search.options.method

    def determinize(state: State, player: int, rng: Rng) -> Any:
        world = state.record.copy()
        search.rules.determinize(world, player, rng)
        return world

    if method == "determinized":
        return ucb_parts(search, open_loop=True, determinize=determinize)
    return ucb_parts(search, open_loop=True, hidden=True, observers=method == "mo_ismcts")


INFOSET = TreeAlgorithm(
    label="infoset",
    summary="Tree search with hidden information, over information sets or determinizations.",
    options=InfosetOptions,
    refuses=why_not_hidden,
    search=TreeSearch,
    build=build_infoset,
    most_children=most_children,
    trees=lambda options: options.determinizations if options.method == "determinized" else 1,
)
