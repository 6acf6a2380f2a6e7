"""Breakthrough, a usual benchmark of game-playing programs: simple rules, many moves, and no draws."""

from spinney.games.breakthrough import board, picture, players, rules
from spinney.games.breakthrough.guide import GUIDE
from spinney.games.breakthrough.options import BreakthroughOptions
from spinney.games.card import Card
from spinney.games.parts import Board, Example, Searching

GAME = Card(
    name="breakthrough",
    title="Breakthrough",
    summary="Pawns move forward and capture diagonally; the first on the opponent's home row wins.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        taps=picture.taps,
        signs=board.PAWNS,
        example=Example("dozens of legal moves, no draws"),
    ),
    players={**players.PLAYERS, "champion": "uct(c=0.5, learn=mast)"},
    options=BreakthroughOptions,
    searching=Searching(evaluations={"advance": players.evaluate}, biases={"advance": players.bias}),
    guide=GUIDE,
)
