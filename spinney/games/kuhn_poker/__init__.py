"""Kuhn poker, the smallest poker: its equilibria are known, and bluffs belong to them."""

from spinney.games.card import Card
from spinney.games.kuhn_poker import board, notation, picture, rules
from spinney.games.kuhn_poker.guide import GUIDE
from spinney.games.kuhn_poker.options import KuhnOptions
from spinney.games.kuhn_poker.players import PLAYERS
from spinney.games.parts import Board, Example

GAME = Card(
    name="kuhn_poker",
    title="Kuhn poker",
    summary="One card each, one bet; the highest card that has not folded wins.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        board.name_seen,
        notation.write,
        notation.read,
        board.taps,
        example=Example("hidden cards and bluffs: a benchmark for exploitability"),
    ),
    players=PLAYERS,
    options=KuhnOptions,
    guide=GUIDE,
)
