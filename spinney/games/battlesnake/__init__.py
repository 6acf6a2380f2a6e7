"""BattleSnake: the last survivor wins."""

from pathlib import Path

from spinney.games.battlesnake import board, encode, encode_v2, notation, picture, recording, rules, taps, values
from spinney.games.battlesnake.guide import GUIDE
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.players import PLAYERS
from spinney.games.battlesnake.study import STUDY
from spinney.games.battlesnake.training import TRAINING
from spinney.games.card import Card
from spinney.games.parts import Board, Example, Format, Networks, Searching

GAME = Card(
    name="battlesnake",
    title="BattleSnake",
    summary="Snakes move simultaneously on one board, eat to stay alive, and the last survivor wins.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        write=notation.write,
        read=notation.read,
        taps=taps.taps,
        signs=[letter + letter.lower() for letter in board.LETTERS],
        example=Example(
            hard="simultaneous moves of one to eight players",
            title="BattleSnake: four snakes on a board of 11x11",
            agents=("flood",),
            seed=2,
            steps=375,
        ),
    ),
    players={
        **PLAYERS,
        "paranoid": "alphabeta(reward=alone, max_depth=3, killers=true, transposition_table=true)",
        "champion": "joint(rollout_depth=0, c=0.01, reuse=true)",
        "net_champion": (
            "net_search(batch=8, rollout_depth=0, min_visits=16, select=joint, c=0.01, rollout_mix=0.5, reuse=true)"
        ),
    },
    options=BattlesnakeOptions,
    searching=Searching(rollout="trivial", evaluations=values.EVALUATIONS, rewards=values.REWARDS),
    networks=Networks((encode.ENCODER, encode_v2.ENCODER), Path(__file__).parent / "weights", "iteration_3", TRAINING),
    formats={".jsonl": Format(verify=recording.replay)},
    guide=GUIDE,
    bridge="spinney.bridges.battlesnake",
    study=STUDY,
)
