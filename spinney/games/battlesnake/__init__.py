"""BattleSnake: the last snake living wins."""

from pathlib import Path

from spinney.games.battlesnake import board, encode, outlook, picture, recording, rules, values
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.players import PLAYERS
from spinney.games.battlesnake.study import STUDY
from spinney.games.card import Card

GAME = Card(
    name="battlesnake",
    title="BattleSnake",
    summary="Snakes move all at once on one board, eat to stay alive, and the last one living wins.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    players=PLAYERS,
    rollout="trivial",
    evaluations=values.EVALUATIONS,
    rewards=values.REWARDS,
    presets={
        "champion": "joint(cutoff=0, c=0.01, reuse=true)",
        "net_champion": "net_search(batch=8, cutoff=0, patience=16, select=joint, c=0.01, blend=0.5, reuse=true)",
    },
    study=STUDY,
    winners=recording.winners,
    scores=recording.scores,
    options=BattlesnakeOptions,
    replay=recording.replay,
    encoders=(encode.ENCODER, outlook.ENCODER),
    weights=Path(__file__).parent / "weights",
    network="iteration_3",
)
