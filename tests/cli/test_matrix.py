"""Every search on every game, as it is typed: it plays, plain as compiled, or is refused with the reason."""

from __future__ import annotations

import json

import pytest

import spinney
from spinney.cli.lists import matrix
from tests.commands import run
from tests.tiny import soon_over

WHY = matrix()
CELLS = [(game, search) for game, searches in WHY.items() for search in searches]


@pytest.mark.parametrize(("game", "search"), CELLS)
def test_a_search_plays_or_says_why_not(game, search, capsys):
    spec, why = soon_over(game), WHY[game][search]
    others = ["random"] * (spinney.game(spec).players - 1)
    weights = ", weights=uniform" * (search == "net_search")
    games = []
    for plain in ("true", "false"):
        agent = f"{search}(iterations=3{weights}, plain={plain})"
        code, out, err = run(capsys, "watch", spec, agent, *others, "--seed", "5", "-q", "--json", "-")
        if why is not None:
            assert (code, out, err) == (2, "", f"spinney: {search} cannot play {game}: {why}\n")
            continue
        assert code == 0, err
        (played,) = json.loads(out)
        games.append([(one["player"], one["action"]) for one in played["decisions"]])
    assert why is not None or games[0] == games[1] != []
