"""Saboteur for two players, as in a course's program: tunnels, hidden cards, and a nugget to reach first."""

from spinney.games.card import Card
from spinney.games.saboteur import board, paper, picture, race, recording, rules, study
from spinney.games.saboteur.authors import authors
from spinney.games.saboteur.checks import CHECKS
from spinney.games.saboteur.players import PLAYERS

GAME = Card(
    name="saboteur",
    title="Saboteur",
    summary="Lay tunnels with cards that only you see, and be the one who reaches the nugget.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    picture=picture.picture,
    name_seen=board.name_seen,
    players={**PLAYERS, "authors": authors},
    evaluations={**race.EVALUATIONS, **paper.EVALUATIONS},
    openings=paper.OPENINGS,
    checks=CHECKS,
    rewards={"nugget": rules.reach_it, "soon": rules.soon},
    presets={
        "paper": "infoset(opening=paper, iterations=355, cutoff=0, horizon=1, evaluation=paper, choice=value)",
        "paper_code": "authors",
        "champion": "infoset(seconds=2, rollout=means_ends, others='careless(often=none)', check=planner, c=0.7, "
        "reward=soon, early=true)",
    },
    study=study.STUDY,
    replay=recording.replay,
)
