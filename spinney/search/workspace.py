"""The memory of a search besides its tree: one named record per thread, and the settings that compiled code reads."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Card, Game
from spinney.kernel import Nested, Record, Rng, f64, i32, i64
from spinney.search.tree import MAX_DEPTH, Tree

DRAWS = 16
"""The most times that a player is asked for priors at a node."""


class Settings(Record):
    """The options that compiled code of every tree search reads; a search with more of them extends it."""

    rollout_depth = i64  # -1: to the end of the game
    max_depth = i64  # -1: none
    only = i64  # 1 + the only action of the searcher at the root; 0: all are searched


@cache
def path_record(players: int, moves: int = 1) -> type[Record]:
    """The path of one simulation through the tree, and its rewards."""

    class Path(Record):
        depth = i64
        node = i32[MAX_DEPTH]
        edge = i32[MAX_DEPTH]  # with transpositions, the children that led to the nodes
        passed = i64  # nodes at which selection preferred a proven child, whose value counts from there up
        passed_depth = i32[MAX_DEPTH]
        passed_child = i32[MAX_DEPTH]
        reward = f64[players]
        overflow = i64  # the joint action at the leaf if there was no memory for its node, or NO_ACTION
        private = i64  # the action that is made, where a child stands for all that look alike to the searcher
        replied = i64  # of best-reply search: whether an opponent has replied since the searcher moved
        drawn = i32[DRAWS]  # actions of the player that gives the priors
        open = i64[players]  # of simultaneous moves: the moves to search, as bits, or just whether there are any
        worth = f64[players, moves]  # and a number for each of them
        ranked = i32[players, moves]  # from here on for `best_untried`: the moves by their worth, best first
        ranks = i64[players]  # their number
        rank = i64[players]  # the next one to look at
        joint = i64[players + 1]  # the moves of the players before, as a joint action
        value = f64[players + 1]  # their values
        prior = f64[players + 1]  # and priors
        rest_value = f64[players + 1]  # the highest values of this player and those behind
        rest_prior = f64[players + 1]
        lower = f64[players]  # new bounds of a node; see score_bounds.py
        upper = f64[players]

    return Path


@cache
def nested_record(name: str, **records: type[Record]) -> Any:
    """A record class whose fields are records."""
    kind: Any = type(Record)
    return kind(name, (Record,), {field: Nested(record) for field, record in records.items()})


def playout_record(card: Card) -> type[Record]:
    """What a rollout needs: a position, the rules' answers, random numbers."""
    record: type[Record] = nested_record("Playout", state=card.rules.State, out=card.out, rng=Rng)
    return record


def workspace_of(game: Game, **more: type[Record]) -> type[Record]:
    """The workspace of a tree search of a game: what a thread needs to run simulations in a tree. A search with more of
    it, or another path, names these.

    `state` is the position of the simulation, `spare` another one, for lookahead; `out` has the answers of rules.
    """
    state, players, moves = game.card.rules.State, game.players, game.card.bound_rules.moves
    fields = {"state": state, "spare": state, "out": game.card.out, "path": path_record(players, moves), **more}
    record: type[Record] = nested_record("Workspace", tree=Tree, rng=Rng, **fields)
    return record


def form(record: type[Record], plain: bool, filled: Record | None = None) -> Any:
    """A record, empty or filled, in the form that a search runs in: plain or native."""
    if plain:
        return record() if filled is None else filled
    return record.native(filled)


def fill_rng(target: Any, source: Any) -> None:
    """Copy a random number generator, each of the two in either form."""
    for key in Rng.fields:
        setattr(target, key, int(getattr(source, key)))
