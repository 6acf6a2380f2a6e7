"""Halite III: fleets mine a map, and the player with the most halite wins."""

from spinney.games.card import Card
from spinney.games.halite import board, hlt, losses, notation, picture, pieces, recording, rules, taps
from spinney.games.halite.admiral import ADMIRALS, CHAMPION
from spinney.games.halite.building import CHAMPION_01, make_command
from spinney.games.halite.example import POSITION
from spinney.games.halite.guide import GUIDE
from spinney.games.halite.options import HaliteOptions
from spinney.games.halite.planner import PLANNERS, SKIMMER
from spinney.games.halite.players import PLAYERS
from spinney.games.halite.study import STUDY
from spinney.games.parts import Board, Example, Format, Pieces, Searching

GAME = Card(
    name="halite",
    title="Halite III",
    summary="Order your ships, simultaneously with your rivals, mine halite, and collect the most.",
    rules=rules,
    board=Board(
        board.draw,
        board.name_action,
        picture.picture,
        board.name_seen,
        notation.write,
        notation.read,
        taps.taps,
        signs=[letter + letter.lower() for letter in board.LETTERS],
        example=Example(
            hard="hundreds of ships to move in a turn",
            title="Halite III: the fleets of four players on a map of 16x16",
            options={"players": 4, "size": 16},
            position=POSITION,
        ),
    ),
    players={**PLAYERS, **PLANNERS, **ADMIRALS, "champion": CHAMPION, "champion_01": CHAMPION_01, "skimmer": SKIMMER},
    options=HaliteOptions,
    searching=Searching(rollout="collector"),
    pieces=Pieces(pieces, make_command, losses.standing, losses.losses),
    formats={".jsonl": Format(verify=recording.replay), ".hlt": Format(read=hlt.read, write=hlt.write)},
    guide=GUIDE,
    bridge="spinney.bridges.halite",
    study=STUDY,
)
