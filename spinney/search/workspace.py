"""The memory of a search besides its tree: one named record per thread, and the settings that compiled code reads."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Game
from spinney.kernel import Nested, Record, Rng, f64, i32, i64
from spinney.search.tree import MAX_DEPTH, Tree


class Settings(Record):
    """The options that compiled code of every tree search reads; a search with more of them extends it."""

    rollout_depth = i64  # -1: to the end of the game
    max_depth = i64  # -1: none
    solver = i64
    open_loop = i64


@cache
def path_record(players: int, moves: int = 1) -> type[Record]:
    """The path of one simulation through the tree, and its rewards."""

    class Path(Record):
        depth = i64
        node = i32[MAX_DEPTH]
        passed = i64  # nodes at which selection preferred a proven child, whose value counts from there up
        passed_depth = i32[MAX_DEPTH]
        passed_child = i32[MAX_DEPTH]
        reward = f64[players]
        overflow = i64  # the joint action at the leaf if there was no memory for its node, or NO_ACTION
        private = i64  # the action that is made, where a child stands for all that look alike to the searcher
        open = i64[players]  # of simultaneous moves: the actions to search, as bits
        tried = f64[players, moves]  # and two numbers for each of them
        worth = f64[players, moves]

    return Path


@cache
def workspace_record(position: type[Record], answers: type[Record], way: type[Record]) -> type[Record]:
    """What a thread needs to run simulations in a tree."""

    class Workspace(Record):
        tree = Nested(Tree)
        rng = Nested(Rng)
        state = Nested(position)  # the position of the simulation
        spare = Nested(position)  # another one, for lookahead
        out = Nested(answers)  # the answers of rules
        path = Nested(way)

    return Workspace


def workspace_of(game: Game) -> type[Record]:
    """The workspace of a tree search of a game."""
    card = game.card
    return workspace_record(card.rules.State, card.out, path_record(game.players, card.bound_rules.moves))


def form(record: type[Record], plain: bool, filled: Record | None = None) -> Any:
    """A record, empty or filled, in the form that a search runs in: plain or native."""
    if plain:
        return record() if filled is None else filled
    return record.native(filled)


def fill_rng(target: Any, source: Any) -> None:
    """Copy a random number generator, each of the two in either form."""
    for key in Rng.fields:
        setattr(target, key, int(getattr(source, key)))
