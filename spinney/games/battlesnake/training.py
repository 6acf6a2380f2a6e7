"""The parts of the presets of `spinney train` that depend on the game."""

from __future__ import annotations

from typing import Any

PAPER_TEACHER = "joint(iterations=2000, max_depth=10, evaluation=survival, reward=survival, c=0.01)"
"""The first player of the paper: MAS-MCTS with rollouts of trivial snakes up to ten turns from the root."""

TRAINING: dict[str, dict[str, Any]] = {
    "paper": {
        "teacher": PAPER_TEACHER,
        "search": "net_search(iterations=1000, batch=8, select=joint, c=0.01, max_depth=10, evaluation=survival)",
        "reward": "survival",
        "opponents": {"trivial": 500, "flood": 500},
    },
    "desk": {
        "teacher": "joint(iterations=400, rollout_depth=0, c=0.01)",
        "search": (
            "net_search(iterations=400, batch=4, min_visits=16, select=joint, c=0.01, rollout_depth=0, rollout_mix=0.5)"
        ),
        "reward": "survival",
        "opponents": {"trivial": 200, "flood": 200},
    },
    "smoke": {
        "game": "battlesnake(players=2, width=7, height=7)",
        "teacher": "joint(iterations=20, rollout_depth=0)",
        "reward": "survival",
        "opponents": {"trivial": 2},
    },
}
