"""Hex, a game of connection with simple rules, many moves, and no draws."""

from spinney.games.card import Card
from spinney.games.hex import board, picture, players, rules
from spinney.games.hex.guide import GUIDE
from spinney.games.hex.options import HexOptions
from spinney.games.parts import Board, Example, Searching

GAME = Card(
    name="hex",
    title="Hex",
    summary="Connect your two edges of a board of hexagons.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        taps=picture.taps,
        signs=board.STONES,
        example=Example("dozens of legal moves, no draws"),
    ),
    players={**players.PLAYERS, "champion": "uct(c=0.4, select=rave)"},
    options=HexOptions,
    searching=Searching(evaluations={"distance": players.evaluate}, biases={"centre": players.bias}),
    guide=GUIDE,
)
