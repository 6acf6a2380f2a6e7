"""Pig, the smallest game of dice and risk; it is solved for two players."""

from spinney.games.card import Card
from spinney.games.parts import Board, Example
from spinney.games.pig import board, picture, rules
from spinney.games.pig.guide import GUIDE
from spinney.games.pig.options import PigOptions
from spinney.games.pig.players import PLAYERS

GAME = Card(
    name="pig",
    title="Pig",
    summary="Roll a die as often as you dare; a one loses the points of the turn.",
    rules=rules,
    board=Board(
        board.draw, board.name_action, picture.picture, taps=board.taps, example=Example("dice, two to ten players")
    ),
    players=PLAYERS,
    options=PigOptions,
    guide=GUIDE,
)
