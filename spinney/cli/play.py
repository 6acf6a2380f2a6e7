"""`spinney play`: a person against agents in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from spinney import games
from spinney.agents import Agent, Decision, build, read_spec, strong_agent
from spinney.cli.output import Seed, chance_words, check_target, console, result
from spinney.cli.save_options import Html, Save, check_save, keep
from spinney.errors import BadOption, SpinneyError
from spinney.games import State

COMMANDS = "hint: what an agent would do   undo: take back   moves: what is legal   quit: stop"


def play(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", "-a", help="An agent to play against, the strongest unless named; repeat it for more players."
        ),
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat; 1 moves first.")] = 1,
    hint: Annotated[str | None, typer.Option(help="The agent that gives hints; the strongest unless named.")] = None,
    save: Save = None,
    html: Html = None,
    seed: Seed = None,
) -> None:
    """Play a game against agents.

    Type an action as the screen names it, or the beginning of its name. `hint` asks an agent, `undo` takes your last
    move back, `moves` lists what is legal, `quit` ends the game.
    """
    check_target(save, html)
    loaded = games.load(game)
    check_save(save, loaded)
    if not 1 <= seat <= loaded.players:
        raise BadOption(f"--seat {seat}: {loaded!r} has seats 1 to {loaded.players}")
    hint = strong_agent(loaded) if hint is None else hint
    free = loaded.players - 1
    specs = against or [strong_agent(loaded)] * (free > 0)
    if len(specs) > free:
        raise BadOption(f"--against was given {len(specs)} times: {loaded!r} has {free} other seat{'s' * (free != 1)}")
    for spec in (*specs, hint):  # all that can be wrong is told before anything is compiled
        read_spec(loaded, spec)
    others = [player for player in range(loaded.players) if player != seat - 1]
    agents = {
        player: build(loaded, specs[i % len(specs)], None if seed is None else seed + 1 + i)
        for i, player in enumerate(others)
    }
    names = {player: specs[i % len(specs)] for i, player in enumerate(others)}
    table = GameTable(loaded.start(seed), agents, names, hint, seed)
    table.run()
    if table.state.is_over:
        keep(table.state, table.names, save, html, table.screen)


class GameTable:
    """A person and some agents around one state."""

    def __init__(
        self, state: State, agents: dict[int, Agent], names: dict[int, str], hint: str, seed: int | None
    ) -> None:
        self.state, self.agents = state, agents
        (self.seat,) = set(range(state.game.players)) - agents.keys()
        self.hint_spec, self.seed = hint, seed
        self.hinter: Agent | None = None
        self.screen: Console = console()
        self.taken_back: list[tuple[State, list[str]]] = []
        """The positions before each of the person's moves, and what was sealed there."""
        self.sealed: list[str] = []
        """What agents have chosen who move at the same time as the person, to be told when all have chosen."""
        self.names = [names.get(player, "you") for player in range(state.game.players)]

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        title = self.state.game.card.title
        stop = "" if title.endswith("!") else "."
        self.screen.print(f"{title}{stop} You are player {self.seat + 1}.", style="bold")
        self.screen.print(COMMANDS, style="dim")
        self._show(self.state.game.start(self.state.seed, manual_chance=True))
        while not self.state.is_over:
            agents = [player for player in self.state.movers if player in self.agents]
            if agents:
                self._agent_moves(agents[0])
            elif not self._person_moves():
                self.screen.print("Game left.")
                return
        self.screen.print(f"Game over: {result(self.state, self.names)}", style="bold")

    def _agent_moves(self, player: int) -> None:
        before = self.state.copy(manual_chance=True)
        with self.screen.status(escape(f"{self.names[player]} is thinking")):
            decision = self.agents[player].move(self.state, player)
        self.state.apply(decision.action, player)
        told = str(decision)
        if self.state.game.card.has_hidden:  # what an agent thinks would tell of its cards
            seen = before.name(decision.action, self.seat)
            told = seen and f"{seen}  ({decision.seconds:.3f} s)"
        if told:
            self.sealed.append(f"player {player + 1} ({self.names[player]}): {told}")
        self._reveal(before)

    def _reveal(self, before: State) -> None:
        """After a choice: what has happened since, unless others have still to choose; the person who gives several
        orders sees the position in between."""
        waits = self.state.waits_for_others
        if waits and self.state.mover != self.seat:
            return
        if not waits:
            for line in self.sealed:
                self.screen.print(line)
            self.sealed = []
        self._show(before)

    def _person_moves(self) -> bool:
        """One line from the person; False to leave."""
        try:
            line = self.screen.input(f"player {self.seat + 1} (you): ", markup=False).strip()
        except EOFError:
            self.screen.print()
            return False
        word = line.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word == "hint":
            self._hint()
        elif word == "undo":
            self._undo()
        elif word in ("moves", "help", "?", ""):
            self.screen.print(f"legal: {', '.join(self.state.names(self.seat))}\n{COMMANDS}", style="dim")
        else:
            before = self.state.copy()
            try:
                self.state.apply(line, self.seat)
            except SpinneyError as error:
                self.screen.print(str(error), style="red")
                return True
            self.taken_back.append((before, self.sealed.copy()))
            self._reveal(before.copy(manual_chance=True))
        return True

    def _hint(self) -> None:
        try:
            self.hinter = self.hinter or build(self.state.game, self.hint_spec, self.seed)
        except SpinneyError as error:
            self.screen.print(str(error), style="red")
            return
        with self.screen.status("thinking"):
            decision = self.hinter.decide(self.state, self.seat)
        self.screen.print(f"hint: {decision}", style="cyan")
        for line in best_choices(decision):
            self.screen.print(line, style="cyan")

    def _undo(self) -> None:
        if not self.taken_back:
            self.screen.print("there is no move of yours to take back", style="red")
            return
        self.state, self.sealed = self.taken_back.pop()
        self._show()

    def _show(self, before: State | None = None) -> None:
        """The position, after the chance events that led to it from the one before."""
        for words in chance_words(before or self.state.copy(manual_chance=True), self.state, self.seat):
            self.screen.print(f"chance: {words}", style="yellow")
        self.screen.print(str(self.state if self.state.is_over else self.state.observe(self.seat)))


def best_choices(decision: Decision, most: int = 3) -> list[str]:
    """The best few actions of a search, a line each."""
    if not decision.iterations:  # a rule gave the answer, and nothing was estimated
        return []
    return [
        f"  {choice.name:<12} value {choice.value:.3f}{' exactly' if choice.proven else ''}  {choice.visits:>9,} visits"
        for choice in decision.choices[:most]
    ]
