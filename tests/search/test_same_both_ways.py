"""The same source, plain and compiled: every search on every game gives the same tree, bit for bit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import spinney
from spinney.agents.compiled_players import compiled_player
from spinney.kernel import block
from spinney.search import SEARCHES
from tests.tiny import (
    BIASED_PENNIES,
    DARE_GAME,
    LOADED_PENNIES,
    SCHUR_GAME,
    TRIO_GAME,
    UNLISTED_DARE,
    soon_over,
    to_a_choice,
)
from tests.tiny_hidden import COIN_GAME, LOCK_GAME, POKER_GAME

GAMES = [
    *(soon_over(name) for name in spinney.game_names() if name != "battlesnake"),
    "examples/pig.py(players=3, goal=20)", "kuhn_poker(players=3)", "examples/morpion.py(points=4)", SCHUR_GAME,
    DARE_GAME, UNLISTED_DARE, TRIO_GAME, BIASED_PENNIES, LOADED_PENNIES, COIN_GAME, LOCK_GAME, POKER_GAME,
    "battlesnake(players=3, width=5, height=5)",
]  # fmt: skip
PAIRS = [
    (search, spec)
    for search, (kind, _) in SEARCHES.items()
    for spec in GAMES
    if kind.plays(spinney.game(spec).card)
]  # fmt: skip
VARIANTS = {
    "uct": [
        "",
        "solver=false, c=0.5, log_base=10, fpu=0.7",
        "open_loop=true",
        "rollout_first=true",
        "nodes=100",  # a full tree goes on simulating
        "threads=2",
    ],
    "flat": ["", "threads=2"],
    "infoset": [
        "",
        "c=0.3, fpu=0.7",
        "method=determinized, determinizations=7",
        "method=determinized, determinizations=3, threads=2",
        "nodes=100",
        "threads=2, choice=value",
        "method=mo_ismcts, c=0.5",
        "method=mo_ismcts, nodes=100, learn=mast",
        "method=mo_ismcts, select=grave, threads=2",
    ],
    "mccfr": ["", "explore=0.1, reuse=true", "information_sets=5"],
    "joint": ["", "c=0.01, choice=value", "nodes=700", "threads=2", "reuse=true", "solver=false"],
    "decoupled": [
        "",
        "select=exp3, choice=strategy",
        "select=regret, explore=0.2, choice=strategy",
        "c=0.2, nodes=700",
        "select=regret, solver=false",
        "threads=2",
        "reuse=true",
    ],
    "alphabeta": [
        "",
        "iterations=3000",
        "max_depth=2",
        "iterations=3000, killers=true, transposition_table=true, futility_margin=0.02",
        "iterations=2000, root_margin=0.1",
    ],
    "forest": ["", "separate_simulations=true", "reward_mode=total, depth=3"],
    "nrpa": [
        "",
        "iterations=50, levels=2, level_iterations=4, alpha=0.7",
        "iterations=50, levels=3, level_iterations=2, threads=2",
        "levels=0",
    ],
    "net_search": [
        "weights=uniform",
        "weights=uniform, batch=5, nodes=700, virtual_loss=2, reuse=true, min_visits=3",
        "weights=uniform, threads=2",
    ],
}
ITERATIONS = {"colosseum": 60, "saboteur": 40, "morpion": 40}
"""For games that are slow in plain Python; else 120."""
LOOKAHEAD = ["lookahead=true, minimax=0.5", "lookahead=true, c=0.1, widen=1, reuse=true"]
ONLY = {
    "connect_four": [
        "rollout=heuristic",
        "rollout_depth=4",
        "rollout_depth=0, bias=0.5",
        "bias=-0.3, fpu=0.6, widen=0.5",
        "iterations=5000",
        "parallel=tree, virtual_loss=2, learn=mast",
    ],
    "deepsea": [
        "parallel=tree",
        "rollout=pruned, reward=score, opponents=heuristic, reuse=true",
        "opponents=simple, opponent_prior=0.5",
        "rollout='diver(depth=20)'",
    ],
    "colosseum": [
        "rollout=code_rollout, bias=0.05, log_base=10",
        "rollout_depth=3, bias=0.05, bias_by=ways_out",
        "rollout=paper_rollout, prune_with=cage, bias=0.025, bias_by=walls_code, bias_untried=false",
    ],
    "saboteur": [
        "rollout=greedy, opponents='careless(often=0.5)', prune_with=planner",
        "opponents='careless(often=none, else_as=means_ends)', prune_with=planner, reward=soon, rollout_depth=4, "
        "evaluation=race",
        "rollout=greedy, max_depth=6",
        "rollout_depth=0, max_depth=1, choice=value",
    ],
    "battlesnake": [
        "rollout=flood, max_depth=3, evaluation=survival, reward=survival, chance=sample",
        "chance=list, prune=false, rollout_depth=1",
        "iterations=1000, max_depth=12",
        "rollout_depth=0, refute=0.5, reward=alone",
    ],
}


@pytest.fixture
def used_memory(monkeypatch):
    """New memory for trees is full of something, as that of earlier decisions is."""

    def used(record, size, plain):
        made = block(record, size, plain)
        if not plain:
            made.view(np.uint8)[:] = 0xFF  # no number in fields that have fractions, -1 in the others
        return made

    monkeypatch.setattr("spinney.search.memory.block", used)


def tree_of(game, spec, plain):
    state = to_a_choice(game.start(seed=3))
    agent = game.agent(f"{spec}, seed=11, plain={plain})")
    trees = []
    for _ in range(2):
        player = state.movers[-1]
        decision = agent.decide(state, player=player)
        trees.append(
            [
                (depth, node.action, node.visits, node.values, node.weight, node.mover, node.proven)
                for root in decision.trees
                for depth, node in root.walk()
            ]
        )
        trees.append(dataclasses.replace(decision.result, trees=()))
        for mover in state.movers:
            state.apply(decision.action if mover == player else state.legal(mover)[0], mover)
        if to_a_choice(state).is_over:
            break
    return trees


def sampled(search, card, variant):
    """An option for searches that assume default outcomes, in games that have none."""
    assumed = search in ("joint", "decoupled") and card.has_chance and not hasattr(card.rules, "default_outcome")
    return ", chance=sample" if assumed and "chance=" not in variant else ""


@pytest.mark.usefixtures("used_memory")
@pytest.mark.parametrize(("search", "spec"), PAIRS, ids=str)
def test_plain_and_compiled_build_the_same_tree(search, spec):
    game = spinney.game(spec)
    variants = VARIANTS[search] + (ONLY.get(game.name, []) if search not in ("flat", "alphabeta", "net_search") else [])
    if search == "uct":
        variants += ["reuse=true", *(LOOKAHEAD if game.card.searching.evaluations and not game.card.has_chance else [])]
    elif search not in ("alphabeta", "forest", "mccfr", "nrpa") and game.card.searching.evaluations:
        variants += (
            ["rollout_depth=3"]
            if search != "net_search"
            else ["weights=uniform, rollout_depth=3, select=joint, c=0.02"]
        )
    least = f"nodes={max(100, game.players + game.card.rules.MAX_ACTIONS)}"  # room for the roots, too
    for variant in [variant.replace("nodes=100", least) for variant in variants]:
        usual = f"iterations={ITERATIONS.get(game.name, 120)}{sampled(search, game.card, variant)}"
        options = variant if "iterations" in variant else ", ".join(filter(None, [usual, variant]))
        plain = tree_of(game, f"{search}({options}", "true")
        assert plain == tree_of(game, f"{search}({options}", "false"), variant
        assert len(plain[0]) > 1 or search in ("alphabeta", "forest", "mccfr", "nrpa")  # these have no such tree


@pytest.mark.parametrize("name", [*spinney.game_names(), "examples/pig.py"])
def test_players_choose_the_same(name):
    """Hand-written players and evaluations, called plain by agents and compiled by rollouts."""
    from spinney.kernel import Rng, bind, seeded

    def make_score(score):
        def evaluate(s, out):
            score(s, out)

        return evaluate

    game = spinney.game(soon_over(name))
    card = game.card
    out, native_out = card.out(), card.out.native()
    for player_name in card.all_players:
        policy = card.player(player_name)
        rng, native_rng = seeded(5), Rng.native(seeded(5))
        choose = compiled_player(game.card, player_name)
        for seed in range(2 if name == "battlesnake" else 5):
            state = game.start(seed)
            while not state.is_over:
                native = type(state.record).native(state.record)
                for score in card.searching.evaluations.values():
                    score(state.record, out)
                    bind(make_score, f"{card.name}/evaluate", score=score)(native, native_out)
                    assert native_out.reward.tolist() == out.reward
                    assert all(0 <= reward <= 1 for reward in out.reward)
                for mover in state.movers:
                    action = policy(state.record, mover, out, rng)
                    assert choose(native, mover, native_out, native_rng) == action
                    state.apply(action, mover)
