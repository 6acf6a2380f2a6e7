"""Search where things are hidden: worlds that may be the real one are guessed, and searched as if all were seen.

`determinized` guesses a number of worlds, grows a tree in each, all for equal shares of the budget, and adds up what
they say at the root. In each of its worlds a player knows what is hidden, so it makes plans there that depend on it,
and overrates positions in which they would be needed (strategy fusion, Frank and Basin 1998).

`ismcts` (single observer, Cowling, Powley and Whitehouse 2012) has one tree, and guesses anew for every simulation.
Its nodes are what the searching player can tell apart: sequences of actions and, where the game has a rule `sight`,
what the player has seen besides. In one world some actions are legal at a node, in another others; the bound of an
action counts how often it was legal in place of the visits of its parent.

In both, chance has no nodes. The others are taken to choose what is best for them, or, with `others`, to play as some
player of the game does, in the tree and in rollouts.
"""

from __future__ import annotations

from math import e, inf, sqrt
from typing import Any, Literal

import pydantic

from spinney.games import Card, Game, State
from spinney.kernel import Record, bind
from spinney.search.driver import SimulationOptions, TreeSearch
from spinney.search.found import Edge, Found
from spinney.search.playout import make_sides, no_bias
from spinney.search.uct import OTHERS, Settings, bounds, make


class InfosetOptions(SimulationOptions):
    """What can be set about search with hidden information."""

    method: Literal["ismcts", "determinized"] = pydantic.Field(
        "ismcts", description="one tree over what the player can tell apart, or a tree for each of some guessed worlds"
    )
    worlds: int = pydantic.Field(20, ge=1, le=100_000, description="determinized: worlds that each thread guesses")
    c: float = pydantic.Field(sqrt(2), ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of UCB1")
    log_base: float = pydantic.Field(e, gt=1, le=1e6, allow_inf_nan=False, description="base of the logarithm in UCB1")
    first_play: float = pydantic.Field(
        inf, gt=-inf, description="value of an action not yet tried; infinite: try each once before any twice"
    )
    check: str | None = pydantic.Field(
        None, description="which of the game's static checks leaves actions out; none: none of them"
    )
    others: str | None = pydantic.Field(None, description=OTHERS)
    choice: Literal["visits", "value", "secure"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or highest value less c / sqrt(visits)"
    )


class Infoset(TreeSearch[InfosetOptions]):
    """Tree search for players who do not see everything."""

    label = "infoset"
    open_loop = True

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if not card.has_hidden:
            return "it hides nothing from its players"
        if card.under_way is not None:
            return "its turns have many steps, and only these are hidden"
        return "its players move together" if card.moves_together else None

    @classmethod
    def trees(cls, options: InfosetOptions) -> int:
        return options.threads * (options.worlds if options.method == "determinized" else 1)

    def choose(self, found: Found) -> Edge:
        return found.best(self.options.choice, self.options.c)

    def roots(self, state: State, player: int) -> list[Any]:
        if self.options.method == "ismcts":
            return super().roots(state, player)
        worlds = []
        for worker in self.workers:
            world = state.record.copy()
            self.rules.hide(world, player, self.dice)
            worlds.append(worker.form(type(world), world))
        return worlds

    def bind(self, game: Game, options: InfosetOptions) -> tuple[Any, Record]:
        card = game.card
        others = self._player("others", options.others) if options.others else None
        entry = bind(
            make,
            f"{card.name}/infoset",
            plain=options.plain,
            rules=self.rules,
            legal=self._named("check", options.check, card.checks) if options.check else self.rules.legal,
            policy=self.policy if others is None else make_sides(self.policy, others),
            evaluate=self.evaluate,
            bias=no_bias,
            lookahead=False,
            hidden=options.method == "ismcts",
            others=others,
        )
        settings = Settings(
            **bounds(options.c, options.log_base),
            first_play=options.first_play,
            cutoff=self.cutoff,
            horizon=self.horizon,
            rollouts=options.rollouts,
            open_loop=1,
            trust=1.0,
        )
        return entry, settings
