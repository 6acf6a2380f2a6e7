"""A game as the browsers of one player are told it: encoded frames, and what a person taps."""

from __future__ import annotations

from typing import Any

from spinney.agents import Decision
from spinney.games import Game, State
from spinney.games.frame import Event, Frame
from spinney.games.picture import Tap
from spinney.show.frames import NOTHING, FrameEncoder


class Film:
    """The frames so far, each as its difference from the one before."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.game, self.viewer = game, viewer
        self.frames: list[dict[str, Any]] = []
        self._encoder, self._shown = FrameEncoder(game.card, game), NOTHING
        self._record: Any = None

    def add(self, frame: Frame) -> None:
        seen = frame if self.viewer is None else frame.seen_by(self.game, self.viewer)
        changes, self._shown = self._encoder.encode(seen, self._shown)
        if frame.events and self._record is not None:
            changes["last"] = self._places(frame.events[0])
        self._record = frame.record
        self.frames.append(changes)

    def _places(self, event: Event) -> list[list[float]]:
        """Where on the board a choice was made: for each place the player, its centre, width and height. Of a card that
        was played, the place in the hand is left out, because it tells about the other cards."""
        card = self.game.card
        if event.mover < 0 or event.action is None or card.board.taps is None or card.has_turns or card.is_simultaneous:
            return []
        if self.viewer not in (None, event.mover) and event.seen and event.seen[self.viewer] != event.words:
            return []
        taps = card.board.taps(self._record, event.action, event.mover)[1 if card.has_cards else 0 :]
        return [
            [event.mover, *((tap.x, tap.y, tap.width, tap.height) if tap.at is None else (*tap.at, 1, 1))]
            for tap in taps
            if tap.x is not None and tap.y is not None
        ]

    def header(self) -> dict[str, Any]:
        """What all frames share: the size of the picture, colours and styles."""
        return self._encoder.header()


def choices_of(state: State, player: int | None) -> dict[str, Any]:
    """What a player, or chance, may do: every action with its name and what a person taps for it one after the other,
    as numbers of taps."""
    taps: dict[Tap, int] = {}
    actions = [action for action, _ in state.outcomes()] if player is None else state.legal(player)
    listed = [
        [action, state.name(action), [taps.setdefault(tap, len(taps)) for tap in state.taps(action, player)]]
        for action in actions
    ]
    return {"player": player, "actions": listed, "taps": [list(tap) for tap in taps]}


def turn_of(state: State, player: int | None) -> dict[str, Any]:
    """What a player may order in a turn of many orders: the choices of each order in the sequence of the rules, as they
    are if the orders before it change nothing."""
    ahead, orders = state.copy(manual_chance=True), list[dict[str, Any]]()
    while not orders or (ahead.movers == (player,) and ahead.is_under_way):
        orders.append(choices_of(ahead, player))
        ahead.apply(ahead.legal(player)[0], player)
    return {"player": player, "orders": orders}


def reason_of(decision: Decision) -> str:
    """Why a decision was made, in words."""
    if not decision.iterations:
        return "A hand-written player would choose so."
    if len(decision.choices) < 2:
        return "There is no other choice."
    first = next((it for it in decision.choices if it.action == decision.action), decision.choices[0])
    others = [it for it in decision.choices if it is not first and it.visits]
    if first.proven and first.value >= 1:
        words = f"{decision.name} wins whatever follows."
    elif first.proven and first.value <= 0:
        words = f"Every choice loses if the others play well; {decision.name} is as good as any."
    else:
        words = f"{decision.name} is worth {_share(first.value)} of a win"
        second = max(others, key=lambda it: it.value, default=None)
        if second is None:
            words += "."
        elif first.value - second.value < 0.01:
            words += f", hardly more than {second.name}."
        else:
            words += f"; the next best, {second.name}, {_share(second.value)}."
    line = ", ".join(decision.line[1:6])
    return words + (f" Expected then: {line}." if line else "")


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def figures_of(decision: Decision, most: int = 12) -> dict[str, Any]:
    """The figures of a decision for a panel of bars."""
    listed = [
        {"action": it.action, "name": it.name, "visits": it.visits, "value": it.value, "values": list(it.values),
         "errors": list(it.errors), "proven": it.proven}
        for it in decision.choices[:most]
    ]  # fmt: skip
    return {
        "player": decision.player, "action": decision.action, "name": decision.name, "seconds": decision.seconds,
        "iterations": decision.iterations, "per_second": decision.per_second, "values": list(decision.values),
        "choices": listed, "more": max(0, len(decision.choices) - most), "line": list(decision.line),
        "total": sum(it.visits for it in decision.choices),
    }  # fmt: skip
