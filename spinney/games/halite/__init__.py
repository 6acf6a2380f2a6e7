"""Halite III: fleets mine a map, and the fullest treasury wins."""

from spinney.games.card import Card
from spinney.games.halite import board, hlt, picture, pieces, recording, rules
from spinney.games.halite.building import CHAMPION, command
from spinney.games.halite.options import HaliteOptions
from spinney.games.halite.planner import PLANNERS, SKIMMER
from spinney.games.halite.players import PLAYERS
from spinney.games.halite.study import STUDY

GAME = Card(
    name="halite",
    title="Halite III",
    summary="Order your ships about, all at once with your rivals, mine halite, and have the fullest treasury.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    name_seen=board.name_seen,
    players=PLAYERS,
    rollout="collector",
    pieces=pieces,
    command=command,
    planners=PLANNERS,
    presets={"champion": CHAMPION, "skimmer": SKIMMER},
    winners=recording.winners,
    scores=recording.scores,
    study=STUDY,
    options=HaliteOptions,
    replay=recording.replay,
    under_way=rules.under_way,
    files={".hlt": hlt.write},
)
