"""Connect four, the reference for speed: a small and well-known game, which is solved (the first player wins)."""

from spinney.games.card import Card
from spinney.games.connect_four import board, notation, picture, players, rules
from spinney.games.connect_four.encode import ENCODER
from spinney.games.connect_four.guide import GUIDE
from spinney.games.parts import Board, Example, Networks, Searching

GAME = Card(
    name="connect_four",
    title="Connect four",
    summary="Drop stones into seven columns; four in a line win.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        write=notation.write,
        read=notation.read,
        taps=picture.taps,
        signs=board.STONES,
        example=Example("nothing: the benchmark for speed"),
    ),
    players={
        "random": players.random,
        "heuristic": players.heuristic,
        "champion": "uct(c=0.6, rollout=heuristic, reuse=true)",
    },
    searching=Searching(evaluations={"threats": players.evaluate}, biases={"threats": players.bias}),
    networks=Networks((ENCODER,)),
    guide=GUIDE,
)
