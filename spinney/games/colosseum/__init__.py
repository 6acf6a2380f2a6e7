"""Colosseum Survival!: two players put up walls until these separate them."""

from spinney.games.card import Card
from spinney.games.colosseum import board, notation, picture, recording, rules, study, values
from spinney.games.colosseum.guide import GUIDE
from spinney.games.colosseum.options import ColosseumOptions
from spinney.games.colosseum.players import PLAYERS
from spinney.games.colosseum.rollouts import static_check
from spinney.games.parts import Board, Format, Searching

GAME = Card(
    name="colosseum",
    title="Colosseum Survival!",
    summary="Walk, put up a wall, and own the larger region when the walls separate the players.",
    rules=rules,
    board=Board(
        board.draw, board.name_action, picture.picture, write=notation.write, read=notation.read, taps=picture.taps
    ),
    players={**PLAYERS, **study.PRESETS},
    options=ColosseumOptions,
    searching=Searching(
        rollout="uniform",
        evaluations=values.EVALUATIONS,
        biases=values.BIASES,
        checks={"cage": static_check, "decisive": values.decisive},
    ),
    formats={".jsonl": Format(verify=recording.replay)},
    guide=GUIDE,
    bridge="spinney.bridges.colosseum",
    study=study.STUDY,
)
