"""Tic-tac-toe, the yardstick for correctness: small enough to solve, a draw."""

from spinney.games.card import Card
from spinney.games.tictactoe import board, picture, players, rules

GAME = Card(
    name="tictactoe",
    title="Tic-tac-toe",
    summary="Three marks in a line on a three by three board.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    players={"heuristic": players.heuristic},
    evaluations={"even": players.evaluate},
)
