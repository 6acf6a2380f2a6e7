"""Games as replays: from steps that were stored, or from a state that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spinney.errors import BadRecording
from spinney.games import CHANCE, Game, State
from spinney.games.frame import Frame, Replay, outcome
from spinney.games.recording import make_step
from spinney.play.session import Session


def replay_steps(
    game: Game, seed: int | None, steps: Sequence[tuple[int, int]], names: Sequence[str], about: str, result: str = ""
) -> Replay:
    """A game that began with a seed, by its steps: (mover, action) each. Without a result, it is that of the rules."""
    replay = Replay(game.card, names, about, game=game)

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
    """A game that was played here, from its beginning."""
    if state.seed is None:
        raise BadRecording(f"this game of {state.game.name} was not started here, so it cannot be replayed")
    return replay_steps(state.game, state.seed, state.history, names, f"{state.game!r}, seed {state.seed}")
