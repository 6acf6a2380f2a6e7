"""Tic-tac-toe, the reference for correctness: small enough to solve, and a draw."""

from spinney.games.card import Card
from spinney.games.parts import Board, Example, Searching
from spinney.games.tictactoe import board, notation, picture, players, rules
from spinney.games.tictactoe.guide import GUIDE

GAME = Card(
    name="tictactoe",
    title="Tic-tac-toe",
    summary="Three marks in a line on a three by three board win.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        write=notation.write,
        read=notation.read,
        taps=picture.taps,
        signs=board.MARKS,
        example=Example("nothing: the benchmark for correctness"),
    ),
    players={"heuristic": players.heuristic},
    searching=Searching(evaluations={"even": players.evaluate}),
    guide=GUIDE,
)
