"""A typical position of a game, for its picture."""

from __future__ import annotations

from spinney.agents import build
from spinney.games import CHANCE, Card, Game, State
from spinney.play.session import Session

LONGEST = 20_000
"""Steps after which the game is long enough."""


def example(card: Card) -> State:
    """The position that the board's example describes, as its viewer sees it. It is always the same."""
    wanted = card.board.example
    game = Game(card, card.options.read(card.name, wanted.options))
    state = _position(game)
    return state if wanted.viewer is None else state.observe(wanted.viewer)


def _position(game: Game) -> State:
    wanted = game.card.board.example
    if wanted.position:
        return game.from_text(wanted.position, manual_chance=True)
    usual = next((name for name in game.card.all_players if name != "random"), "random")
    specs = wanted.agents or (usual,)
    agents = [build(game, specs[seat % len(specs)], wanted.seed + seat) for seat in range(game.players)]
    session = Session(game.start(wanted.seed), agents, events=False)
    while not session.is_over and len(session.state.history) < (wanted.steps or LONGEST):
        session.ask()
    if wanted.steps is not None:
        return session.state
    half = len(session.state.history) // 2
    for number, (state, mover, _) in enumerate(session.state.steps()):
        if number >= half and mover != CHANCE and not state.waits_for_others:
            return state.copy()
    return session.state
