"""The file that goes into the simulator's `agents` folder."""

from __future__ import annotations

import keyword
from pathlib import Path

from spinney.agents import build
from spinney.bridges.colosseum.player import SimulatorPlayer
from spinney.errors import BadOption
from spinney.games import Game

MARK = '"""A player for the Colosseum Survival! simulator, made by `spinney bridge colosseum`.'
"""How every such file begins."""
TEMPLATE = '''{mark}

Put it into the simulator's `agents` folder, and add this line to `agents/__init__.py`:

    from .{module} import {title}
"""

from agents.agent import Agent
from store import register_agent

from spinney.bridges.colosseum import SimulatorPlayer


@register_agent("{name}")
class {title}(Agent):
    def __init__(self):
        super().__init__()
        self.name = "{title}"
        self.autoplay = True
        self.gladiator = SimulatorPlayer({agent!r}, first={first:g}, later={later:g}, margin={margin:g})

    def step(self, chess_board, my_pos, adv_pos, max_step):
        return self.gladiator.step(chess_board, my_pos, adv_pos, max_step)
'''


def title_of(name: str) -> str:
    """The name of the class."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) + "Agent"


def make_adapter(game: Game, agent: str, name: str, file: Path, first: float, later: float, margin: float) -> str:
    """The text of the file. A wrong agent is an error now, and a right one is in the cache afterwards."""
    for what, word in (("name", name), ("file name without its ending", file.stem)):
        if not word.isidentifier() or keyword.iskeyword(word):
            raise BadOption(f"the {what} '{word}' cannot be used in Python; letters, digits and _ are allowed")
    if file.suffix != ".py":
        raise BadOption(f"the file '{file}' cannot be imported; its name must end in .py")
    SimulatorPlayer(agent, first, later, margin)
    build(game, agent)
    words = {"mark": MARK, "module": file.stem, "title": title_of(name), "name": name, "agent": agent}
    return TEMPLATE.format(**words, first=first, later=later, margin=margin)
