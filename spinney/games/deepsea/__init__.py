"""Deep Sea Adventure (Oink Games): push your luck on a shared air supply."""

from spinney.games.card import Card
from spinney.games.deepsea import board, picture, recording, rules
from spinney.games.deepsea.options import DeepseaOptions
from spinney.games.deepsea.players import CASTS, PLAYERS
from spinney.games.deepsea.study import STUDY

GAME = Card(
    name="deepsea",
    title="Deep Sea Adventure",
    summary="Dive for treasure on one shared air supply, and be home before it is used up.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    players=PLAYERS,
    rewards={"score": rules.score_reward},
    casts=CASTS,
    presets={
        "champion": "uct(rollout=heuristic(margin=2), c=0.7, others=simple, trust=0.3, "
        "early=true, haste=10, reuse=true)"
    },
    winners=recording.winners,
    scores=recording.scores,
    study=STUDY,
    options=DeepseaOptions,
    replay=recording.replay,
)
