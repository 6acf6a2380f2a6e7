"""Saboteur for two players, as in a course's program: lay tunnels with hidden cards, and reach the nugget first."""

from spinney.games.card import Card
from spinney.games.parts import Board, Example, Format, Searching
from spinney.games.saboteur import board, means_ends_01, notation, paper, picture, race, recording, rules, study, taps
from spinney.games.saboteur.at_table import AT_TABLE
from spinney.games.saboteur.guide import GUIDE
from spinney.games.saboteur.means_ends import CHECKS
from spinney.games.saboteur.paper_program import authors
from spinney.games.saboteur.players import OPPONENT_MODELS, PLAYERS

GAME = Card(
    name="saboteur",
    title="Saboteur",
    summary="Lay tunnels with cards that only you see, and reach the nugget first.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        board.name_seen,
        notation.write,
        notation.read,
        taps.taps,
        example=Example(
            hard="hidden cards",
            title="Saboteur: tunnels between the entrance and three objectives, as the second player sees them",
            agents=("means_ends",),
            seed=3,
            steps=59,
            viewer=1,
        ),
        at_table=AT_TABLE,
    ),
    players={
        **PLAYERS,
        "authors": authors,
        "means_ends_01": means_ends_01.means_ends,
        "paper": (
            "infoset(opening=paper, iterations=355, rollout_depth=0, max_depth=1, evaluation=paper, choice=value)"
        ),
        "paper_code": "authors",
        "champion_01": (
            "infoset(seconds=2, rollout=means_ends_01, opponents='careless(often=none)', prune_with=planner_01, c=0.7, "
            "reward=soon, early_stop=true)"
        ),
        "champion": (
            "infoset(seconds=2, rollout=means_ends, opponents='careless(often=none)', prune_with=planner, c=0.7, "
            "early_stop=true)"
        ),
    },
    searching=Searching(
        evaluations={**race.EVALUATIONS, **paper.EVALUATIONS},
        openings=paper.OPENINGS,
        checks={**CHECKS, **means_ends_01.CHECKS},
        opponent_models=OPPONENT_MODELS,
        rewards={"nugget": rules.reach_it, "soon": rules.soon},
    ),
    formats={".jsonl": Format(verify=recording.replay)},
    guide=GUIDE,
    bridge="spinney.bridges.saboteur",
    study=study.STUDY,
)
