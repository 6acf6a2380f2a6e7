"""Verify the rules with recorded games: all lists of legal actions and all states are compared."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, Card
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import ACTS, DIRECTIONS, levels
from spinney.games.recording import differences_at
from spinney.games.state import Game, State

PHASES = {rules.DIRECTION: "turnback", rules.ROLL: "roll", rules.ACT: "act", rules.FINISHED: "over"}


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; return the number of steps, and the differences of the first step that has any."""
    options = card.options.read(card.name, {"players": recorded["players"], "ruleset": recorded["ruleset"]})
    state = Game(card, options).start(seed=0, manual_chance=True)
    differences = differences_at("before the first step", recorded["initial"], _as_recorded(state.record))
    for number, step in enumerate(recorded["steps"], 1):
        where = f"step {number}"
        if step["kind"] == "roll":
            state.apply(sum(step["dice"]))
        else:
            legal = [_word(state, action) for action in state.legal()]
            differences += differences_at(where, step, {"legal": legal})
            if step["choice"] not in legal:
                differences.append(
                    f"{where}: the recording has the choice {step['choice']}, which the rules do not allow"
                )
                return number, differences
            state.apply(state.legal()[legal.index(step["choice"])])
        for player, level, value in step.get("reveals", []):
            s = state.record
            if state.mover != CHANCE or (s.shown_player, rules.shown_level(s) + 1) != (player, level):
                differences.append(f"{where}: the recording turns over a chip of level {level} of player {player}")
                break
            state.apply(value)
        differences += differences_at(where, step["state_after"], _as_recorded(state.record))
        if differences:
            return number, differences
    return len(recorded["steps"]), _compare_end(recorded, state)


def _word(state: State, action: int) -> str:
    if state.record.phase == rules.DIRECTION:
        return DIRECTIONS[action]
    return ACTS[action] if action < rules.DROP else f"drop:{action - rules.DROP}"


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
        "held": [[sorted(levels(s.held[p, i])) for i in range(s.hand[p])] for p in seats],
        "path": [sorted(levels(code)) for code in s.path[: s.length]],
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
        "winners": rules.winners(state.record),
        "rewards": list(rewards),
    }
    return differences_at("at the end", recorded, found)
