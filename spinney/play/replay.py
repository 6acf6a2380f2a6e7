"""Games as replays: from steps that were stored, or from a state that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spinney.games import CHANCE, Game, State
from spinney.games.frame import Frame, Replay
from spinney.games.recording import make_step
from spinney.play.session import Session


def outcome(state: State, names: Sequence[str]) -> str:
    """Who won a finished game, in a line; players are counted from 1 for people."""
    rewards, winners = state.rewards(), state.winners()
    who = " and ".join(f"{names[player]} (player {player + 1})" for player in winners)
    listed = ", ".join(f"{reward:g}" for reward in rewards)
    if len(rewards) == 1:
        return f"the end (reward {listed})"
    if len(winners) in (0, len(rewards)):
        return f"a draw (rewards {listed})"
    return f"{who} {'wins' if len(winners) == 1 else 'win'} (rewards {listed})"


def replay_steps(
    game: Game, seed: int | None, steps: Sequence[tuple[int, int]], names: Sequence[str], about: str, result: str = ""
) -> Replay:
    """A game that began with a seed, by its steps: (mover, action) each. Without a result, it is that of the rules."""
    replay = Replay(game.card, names, about)

    def frames() -> Iterator[Frame]:
        session = Session(game.start(seed, manual_chance=True))
        for mover, action in steps:
            if mover != CHANCE and not session.state.waits_for_others:
                yield session.frame()
            make_step(session.state, mover, action)
        yield session.frame()
        replay.result = result or (outcome(session.state, names) if session.is_over else "")

    replay.frames = frames()
    return replay


def replay_of(state: State, names: Sequence[str]) -> Replay:
    """A game that was played here."""
    return replay_steps(state.game, state.seed, state.history, names, f"{state.game!r}, seed {state.seed}")
