"""Colosseum Survival!: two players put up walls until these separate them."""

from spinney.games.card import Card
from spinney.games.colosseum import board, notation, picture, recording, rules, study, values
from spinney.games.colosseum.guide import GUIDE
from spinney.games.colosseum.options import ColosseumOptions
from spinney.games.colosseum.players import PLAYERS
from spinney.games.colosseum.rollouts import static_check
from spinney.games.parts import Board, Example, Format, Searching

GAME = Card(
    name="colosseum",
    title="Colosseum Survival!",
    summary="Walk, put up a wall, and own the larger region when the walls separate the players.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        write=notation.write,
        read=notation.read,
        taps=picture.taps,
        signs=board.LETTERS,
        example=Example(
            hard="hundreds of legal moves, a time limit",
            title="Colosseum Survival!: walls, both players, and the cells that the one to move can reach",
            agents=("greedy",),
            seed=8,
            steps=12,
        ),
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
