"""Positions of Deep Sea Adventure as short texts, for the tests.

A stack is written by its levels ("3", "124"), a path as stacks with "." for a blank, and a diver as where it is and
what it carries: "5v 3 12" dives on tile 5 with two stacks, "5^" returns with none, "home 4" is back with one.
"""

from __future__ import annotations

from typing import Any

import spinney
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import levels

PATH = " ".join(str(level) for level in (1, 2, 3, 4) for _ in range(6))
"""A path of 24 tiles: two chips of each level are elsewhere."""
RULESETS = ("paper", "official", "paper_code")


def code(stack: str) -> int:
    """The number of a stack."""
    return sum(int(level) * 5**i for i, level in enumerate(stack) if stack != ".")


def position(divers: list[str], path: str = PATH, ruleset: str = "paper", **fields: Any) -> spinney.State:
    """A position; the first diver is to choose a direction, unless fields of the record say otherwise."""
    state = spinney.game(f"deepsea(players={len(divers)}, ruleset={ruleset})").start(seed=0, manual_chance=True)
    s = state.record
    stacks = [code(stack) for stack in path.split()]
    s.length = len(stacks)
    s.path[:] = stacks + [0] * (rules.TILES - len(stacks))
    for player, text in enumerate(divers):
        where, *hand = text.split()
        s.home[player] = int(where == "home")
        s.returning[player] = int(where == "home" or where.endswith("^"))
        s.position[player] = 0 if where == "home" else int(where[:-1])
        s.hand[player] = len(hand)
        for i, stack in enumerate(hand):
            s.held[player, i] = code(stack)
    for key, value in fields.items():
        if isinstance(value, list):
            getattr(s, key)[: len(value)] = value
        else:
            setattr(s, key, value)
    return state


def acting(divers: list[str], path: str = PATH, ruleset: str = "paper", **fields: Any) -> spinney.State:
    """A position in which the first diver is to act on its tile."""
    return position(divers, path, ruleset, phase=rules.ACT, **fields)


def after(state: spinney.State, *steps: int | str) -> spinney.State:
    for step in steps:
        state.apply(step)
    return state


def path(state: spinney.State) -> str:
    s = state.record
    return " ".join("".join(map(str, levels(stack))) or "." for stack in s.path[: s.length])


def hand(state: spinney.State, player: int) -> str:
    s = state.record
    return " ".join("".join(map(str, levels(s.held[player, i]))) for i in range(s.hand[player]))
