"""The file that goes into the simulator's `agents` folder."""

from __future__ import annotations

import keyword
from pathlib import Path

from spinney.bridges.colosseum.player import SimulatorPlayer
from spinney.errors import BadOption, SpinneyError
from spinney.games.spec import parse_spec, write_spec

MARK = '"""A player for the Colosseum Survival! simulator, made by `spinney bridge colosseum`.'
"""The first line of every such file."""
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
        self.player = SimulatorPlayer({agent!r}, first={first:g}, later={later:g}, margin={margin:g}{game})

    def step(self, chess_board, my_pos, adv_pos, max_step):
        return self.player.step(chess_board, my_pos, adv_pos, max_step)
'''


def title_of(name: str) -> str:
    """The name of the class."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) + "Agent"


def make_adapter(spec: str, agent: str, name: str, file: Path, first: float, later: float, margin: float) -> str:
    """The text of the file, for an agent of a game by its spec. A wrong agent is an error now; a right one is in the
    cache afterwards."""
    for what, word in (("name", name), ("file name without its ending", file.stem)):
        if not word.isidentifier() or keyword.iskeyword(word):
            raise BadOption(f"the {what} '{word}' cannot be used in Python; letters, digits and _ are allowed")
    if file.suffix != ".py":
        raise BadOption(f"the file '{file}' cannot be imported; its name must end in .py")
    module, options = parse_spec(spec)
    if module.endswith(".py"):
        spec = write_spec(str(Path(module).resolve()), options)  # the simulator runs in its own folder
    if not SimulatorPlayer(agent, first, later, margin, spec).ready:
        raise SpinneyError(f"{agent} of {spec} cannot be made; the log says why")
    words = {"mark": MARK, "module": file.stem, "title": title_of(name), "name": name, "agent": agent}
    game = f", game={spec!r}" if module.endswith(".py") else ""
    return TEMPLATE.format(**words, game=game, first=first, later=later, margin=margin)
