"""Leduc poker, the usual yardstick of methods for hidden information: small enough to compute exploitability."""

from spinney.games.card import Card
from spinney.games.leduc_poker import board, notation, picture, rules
from spinney.games.leduc_poker.guide import GUIDE
from spinney.games.leduc_poker.options import LeducOptions
from spinney.games.leduc_poker.players import PLAYERS
from spinney.games.parts import Board, Example

GAME = Card(
    name="leduc_poker",
    title="Leduc poker",
    summary="One card each and a public card, two rounds of bets; a pair or the highest card wins.",
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
    options=LeducOptions,
    guide=GUIDE,
)
