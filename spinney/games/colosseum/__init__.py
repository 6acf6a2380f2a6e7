"""Colosseum Survival!: two gladiators wall each other in."""

from spinney.games.card import Card
from spinney.games.colosseum import board, picture, recording, rules, study, values
from spinney.games.colosseum.options import ColosseumOptions
from spinney.games.colosseum.players import PLAYERS
from spinney.games.colosseum.rollouts import static_check

GAME = Card(
    name="colosseum",
    title="Colosseum Survival!",
    summary="Walk, put up a wall, and be in the larger part of the arena when it falls in two.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    players=PLAYERS,
    rollout="uniform",
    evaluations=values.EVALUATIONS,
    biases=values.BIASES,
    checks={"cage": static_check, "decisive": values.decisive},
    scores=recording.scores,
    presets=study.PRESETS,
    study=study.STUDY,
    variants=tuple(f"colosseum(size={size})" for size in study.SIZES),
    options=ColosseumOptions,
    replay=recording.replay,
)
