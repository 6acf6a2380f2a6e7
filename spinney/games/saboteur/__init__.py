"""Saboteur for two players, as in a course's program: tunnels, hidden cards, and a nugget to reach first."""

from spinney.games.card import Card
from spinney.games.saboteur import paper, recording, rules
from spinney.games.saboteur.players import PLAYERS

GAME = Card(
    name="saboteur",
    title="Saboteur",
    summary="Lay tunnels with cards that only you see, and be the one who reaches the nugget.",
    rules=rules,
    draw=repr,
    name_action=lambda s, a: str(a),
    players=PLAYERS,
    evaluations=paper.EVALUATIONS,
    replay=recording.replay,
)
