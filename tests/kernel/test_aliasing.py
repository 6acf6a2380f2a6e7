"""LLVM is told that the arguments of a rule do not overlap. Plain runs show whether that is true."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

import spinney
from spinney.kernel.record import Block, Grid, Record
from spinney.kernel.rule import RULES

READ_ONLY = {"value_of", "has", "count_cells"}
"""Rules that take a record and a part of it, and write to neither."""
CALLS = 20
"""Calls of a rule that are looked at."""


def parts(value, found):
    """The identities of an argument and of all its arrays and records."""
    found.add(id(value))
    for key in value.fields if isinstance(value, Record) else ():
        part = getattr(value, key)
        if isinstance(part, Record | list | Grid):
            parts(part, found)
    return found


@pytest.mark.parametrize(
    ("spec", "agents"),
    [
        ("connect_four", ["uct(iterations=40)", "uct(iterations=20, lookahead=true)", "alphabeta(iterations=100)"]),
        ("deepsea(players=3)", ["uct(iterations=20)", "champion(iterations=5, seconds=none)"]),
        ("colosseum(size=5)", ["champion(iterations=4, seconds=none, first_seconds=none)",
                               "paper(iterations=4, seconds=none, first_seconds=none)"]),
        ("battlesnake", ["champion(iterations=10, seconds=none)", "decoupled(iterations=10, select=regret)"]),
        ("saboteur", ["champion(iterations=3, seconds=none)"]),
        ("halite(size=32)", ["champion_01(iterations=2, seconds=none)", "skimmer", "admiral(ram=1)"]),
    ],
)  # fmt: skip
def test_arguments_of_rules_do_not_overlap(spec, agents):
    game, calls, overlaps = spinney.game(spec), Counter(), set()

    def look(frame, event, _argument):
        code = frame.f_code
        if event != "call" or code not in known or calls[code] == CALLS:
            return
        calls[code] += 1
        given = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
        seen = set()
        for value in given:
            if isinstance(value, Record | list | Grid) and not isinstance(value, Block):
                own = parts(value, set())
                if own & seen and code.co_name not in READ_ONLY:
                    overlaps.add(code.co_qualname)
                seen |= own

    for name in agents:
        agent = game.agent(name.replace(")", ", plain=true)"), seed=1)
        state = game.start(seed=3)
        quick = game.agent(next(iter(game.card.players)), seed=1)
        for _ in range(40 if spec.startswith("halite") else 0):  # until there are ships
            state.apply(quick.decide(state).action)
        known = {rule.__code__ for rule in RULES}
        sys.setprofile(look)
        try:
            agent.decide(state, player=state.movers[0])
        finally:
            sys.setprofile(None)
    assert len(calls) > 15
    assert not overlaps
