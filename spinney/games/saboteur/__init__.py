"""Saboteur for two players, as in a course's program: tunnels, hidden cards, and a nugget to reach first."""

from spinney.games.card import Card
from spinney.games.saboteur import board, paper, recording, rules, study
from spinney.games.saboteur.authors import authors
from spinney.games.saboteur.checks import CHECKS
from spinney.games.saboteur.means_ends import race
from spinney.games.saboteur.players import PLAYERS

GAME = Card(
    name="saboteur",
    title="Saboteur",
    summary="Lay tunnels with cards that only you see, and be the one who reaches the nugget.",
    rules=rules,
    draw=board.draw,
    name_action=board.name_action,
    name_seen=board.name_seen,
    players={**PLAYERS, "authors": authors},
    evaluations={**paper.EVALUATIONS, "race": race},
    openings=paper.OPENINGS,
    checks=CHECKS,
    rewards={"nugget": rules.reach_it, "soon": rules.soon},
    presets={
        "paper": "infoset(opening=paper, iterations=355, cutoff=0, horizon=1, evaluation=paper, choice=value)",
        "paper_code": "authors",
        "champion": "infoset(seconds=2, rollout=greedy, others='careless(often=0.5)', check=builder, c=0.7, "
        "reward=nugget)",
    },
    study=study.STUDY,
    replay=recording.replay,
)
