"""Goofspiel, the usual benchmark of simultaneous moves."""

from spinney.games.card import Card
from spinney.games.goofspiel import board, picture, rules
from spinney.games.goofspiel.guide import GUIDE
from spinney.games.goofspiel.options import GoofspielOptions
from spinney.games.goofspiel.players import PLAYERS
from spinney.games.parts import Board, Example, Searching

GAME = Card(
    name="goofspiel",
    title="Goofspiel",
    summary="All bid a card for the prize that is turned over; the highest takes it.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        taps=picture.taps,
        example=Example("simultaneous bids for prizes that chance turns over"),
    ),
    players=PLAYERS,
    options=GoofspielOptions,
    searching=Searching(rewards={"points": rules.point_share}),
    guide=GUIDE,
)
