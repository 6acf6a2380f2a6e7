"""Replaying recorded games: every legal list and every state is compared."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, Card
from spinney.games.deepsea import rules
from spinney.games.state import Game, State

PHASES = {rules.DIRECTION: "turnback", rules.ROLL: "roll", rules.ACT: "act", rules.FINISHED: "over"}
DIRECTIONS = ["down", "up"]


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; the number of steps, and the differences up to the first step that has one."""
    options = card.options.read(card.name, {"players": recorded["players"], "ruleset": recorded["ruleset"]})
    state = Game(card, options).start(seed=0, manual_chance=True)
    differences = _compare(recorded["initial"], state.record, "before the first step")
    for number, step in enumerate(recorded["steps"], 1):
        where = f"step {number}"
        if step["kind"] == "roll":
            state.apply(sum(step["dice"]))
        else:
            legal = [_word(state, action) for action in state.legal()]
            if legal != step["legal"]:
                differences.append(f"{where}: the recording has legal {step['legal']}, the rules {legal}")
            state.apply(state.legal()[legal.index(step["choice"])])
        for player, level, value in step.get("reveals", []):
            if state.mover != CHANCE or (state.record.shown_player, rules.shown_level(state.record) + 1) != (
                player,
                level,
            ):
                differences.append(f"{where}: the recording turns over a chip of level {level} of player {player}")
                break
            state.apply(value)
        differences += _compare(step["state_after"], state.record, where)
        if differences:
            return number, differences
    return len(recorded["steps"]), _compare_end(recorded, state)


def winners(s: Any) -> list[int]:
    """Who has the most points, and of those the most chips of level 4, then 3, 2, 1."""
    keys = [(s.score[p], *(s.banked[p, level] for level in reversed(range(rules.LEVELS)))) for p in range(s.players)]
    return [player for player, key in enumerate(keys) if key == max(keys)]


def scores(s: Any) -> list[float]:
    """The points of each player."""
    return list(s.score[: s.players])


def levels(code: int) -> list[int]:
    """The levels of a stack's chips, ascending."""
    chips = []
    while code > 0:
        chips.append(code % 5)
        code //= 5
    return chips


def _word(state: State, action: int) -> str:
    if state.record.phase == rules.DIRECTION:
        return DIRECTIONS[action]
    return ["leave", "take"][action] if action < rules.DROP else f"drop:{action - rules.DROP}"


def _compare(expected: dict[str, Any], s: Any, where: str) -> list[str]:
    found = _as_recorded(s)
    return [
        f"{where}: the recording has {key} {expected[key]}, the rules {found[key]}"
        for key in found
        if expected[key] != found[key]
    ]


def _as_recorded(s: Any) -> dict[str, Any]:
    seats = range(s.players)
    return {
        "round": s.round,
        "oxygen": s.air,
        "phase": PHASES.get(s.phase, "reveal"),
        "actor": None if s.phase == rules.FINISHED else s.actor,
        "starter": s.starter,
        "last_in": None if s.last_in == rules.NOBODY else s.last_in,
        "pos": s.position[: s.players],
        "returning": [bool(s.returning[p]) for p in seats],
        "home": [bool(s.home[p]) for p in seats],
        "held": [[levels(s.held[p, i]) for i in range(s.hand[p])] for p in seats],
        "path": [levels(code) for code in s.path[: s.length]],
        "score": s.score[: s.players],
        "banked": [[s.banked[p, level] for level in range(rules.LEVELS)] for p in seats],
    }


def _compare_end(recorded: dict[str, Any], state: State) -> list[str]:
    if not state.is_over:
        return ["at the end: the recording stops, the rules go on"]
    rewards = state.rewards()
    found = {
        "final_scores": state.record.score[: state.game.players],
        "leaders": [player for player, reward in enumerate(rewards) if reward == 1.0],
        "winners": winners(state.record),
        "rewards": list(rewards),
    }
    return [
        f"at the end: the recording has {key} {recorded[key]}, the rules {value}"
        for key, value in found.items()
        if recorded[key] != value
    ]
