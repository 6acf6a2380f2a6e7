"""Games as replays: from steps that were stored, or from a state that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spinney.agents.briefs import Briefs, from_brief
from spinney.errors import BadRecording
from spinney.games import CHANCE, State
from spinney.games.frame import Frame, Replay, outcome
from spinney.games.recording import make_step
from spinney.play.session import Session


def replay_steps(
    first: State, steps: Sequence[tuple[int, int]], names: Sequence[str], about: str, result: str = "",
    briefs: Briefs | None = None,
) -> Replay:  # fmt: skip
    """A game by its first position, with manual chance, and its steps: (mover, action) each. Without a result, it is
    that of the rules. Orders of a last turn that have not taken effect are left out. Briefs are the stored figures of
    the decisions behind steps, by the numbers of the steps."""
    replay = Replay(first.game.card, names, about, game=first.game)

    def frames() -> Iterator[Frame]:
        session, begun = Session(first.copy()), False
        for number, (mover, action) in enumerate(steps):
            if mover != CHANCE and not session.state.waits_for_others:
                yield session.frame()
                begun = True
            if briefs and number in briefs:
                session.explain(from_brief(session.state, mover, action, briefs[number]))
            make_step(session.state, mover, action)
        if not (begun and session.state.is_under_way):
            yield session.frame()
        replay.result = result or (outcome(session.state, names) if session.is_over else "")

    replay.frames = frames()
    return replay


def replay_of(state: State, names: Sequence[str]) -> Replay:
    """A game that was played here, from its beginning."""
    if state.first is None:
        raise BadRecording(f"this game of {state.game.name} was not started here, so it cannot be replayed")
    return replay_steps(state.beginning(), state.history, names, f"{state.game!r}, {origin(state)}")


def origin(state: State) -> str:
    """How a game began, in words."""
    return "from a given position" if state.seed is None else f"seed {state.seed}"
