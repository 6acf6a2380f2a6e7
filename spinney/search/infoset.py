"""Search where things are hidden: worlds that may be the real one are guessed, and searched as if all were seen.

`determinized` guesses a number of worlds, grows a tree in each, all for equal shares of the budget, and adds up what
they say at the root. In each of its worlds a player knows what is hidden, so it makes plans there that depend on it,
and overrates positions in which they would be needed (strategy fusion, Frank and Basin 1998).

`ismcts` (single observer, Cowling, Powley and Whitehouse 2012) has one tree, and guesses anew for every simulation.
Its nodes are what the searching player can tell apart: sequences of actions, in which those of others that look alike
to it are one (the game's rule `public_action` says which), and what it has seen besides (the rule `sight`). In one world some
actions are legal at a node, in another others; the bound of an action counts how often it was legal in place of the
visits of its parent.

In both, chance has no nodes. The others are taken to choose what is best for them, or, with `others`, to play as some
player of the game does, in the tree and in rollouts.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import pydantic

from spinney.games import Card, State
from spinney.search.rollout import no_bias
from spinney.search.selection import UcbOptions
from spinney.search.uct import UcbSearch


class InfosetOptions(UcbOptions):
    """What can be set about search with hidden information."""

    method: Literal["ismcts", "determinized"] = pydantic.Field(
        "ismcts", description="one tree over what the player can tell apart, or a tree for each of some guessed worlds"
    )
    determinizations: int = pydantic.Field(
        20, ge=1, le=100_000, description="determinized: worlds that each thread guesses"
    )

    @pydantic.model_validator(mode="after")
    def _worlds_are_of_one_method(self) -> Self:
        if "determinizations" in self.model_fields_set and self.method != "determinized":
            raise ValueError(
                f"determinizations={self.determinizations} goes with method=determinized; {self.method} guesses anew every time"
            )
        return self


class Infoset(UcbSearch[InfosetOptions]):
    """Tree search for players who do not see everything."""

    label = "infoset"
    open_loop = True

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if not card.has_hidden:
            return "it hides nothing from its players"
        if card.has_turns:
            return "its turns have many steps, and only these are hidden"
        return "its players move together" if card.is_simultaneous else None

    @classmethod
    def trees(cls, options: InfosetOptions) -> int:
        return options.threads * (options.determinizations if options.method == "determinized" else 1)

    def roots(self, state: State, player: int) -> list[Any]:
        if self.options.method == "ismcts":
            return super().roots(state, player)
        worlds = []
        for worker in self.workers:
            world = state.record.copy()
            self.rules.determinize(world, player, self.dice)
            worlds.append(worker.form(type(world), world))
        return worlds

    def parts(self, card: Card, options: InfosetOptions) -> dict[str, Any]:  # noqa: ARG002  # any game's are the same
        return {"hidden": options.method == "ismcts", "bias": no_bias}
