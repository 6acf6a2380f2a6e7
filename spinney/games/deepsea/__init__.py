"""Deep Sea Adventure (Oink Games): push your luck on a shared air supply."""

from spinney.games.card import Card
from spinney.games.deepsea import board, notation, picture, recording, rules, taps
from spinney.games.deepsea.at_table import AT_TABLE
from spinney.games.deepsea.guide import GUIDE
from spinney.games.deepsea.options import DeepseaOptions
from spinney.games.deepsea.players import PLAYERS
from spinney.games.deepsea.study import STUDY
from spinney.games.deepsea.styles import OPPONENT_MODELS, STYLES
from spinney.games.parts import Board, Example, Format, Searching

GAME = Card(
    name="deepsea",
    title="Deep Sea Adventure",
    summary="Dive for treasure on one shared air supply, and return before it is used up.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        write=notation.write,
        read=notation.read,
        taps=taps.taps,
        example=Example(
            hard="dice, two to six players, one shared supply of air",
            title="Deep Sea Adventure: the air, the path with its chips, and four divers",
            options={"players": 4},
            agents=("heuristic", "seasoned", "explorer", "seasoned"),
            seed=5,
            steps=152,
        ),
        at_table=AT_TABLE,
    ),
    players={
        **PLAYERS,
        **STYLES,
        "champion": (
            "uct(rollout=heuristic(margin=2), c=0.7, opponents=simple, opponent_prior=0.3, early_stop=true, "
            "early_factor=10, reuse=true)"
        ),
    },
    options=DeepseaOptions,
    searching=Searching(rewards={"score": rules.score_reward}, opponent_models=OPPONENT_MODELS),
    formats={".jsonl": Format(verify=recording.replay)},
    guide=GUIDE,
    study=STUDY,
)
