"""`spinney play`: a person against agents in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from spinney import games
from spinney.agents import Agent, build, read_spec, strong_agent
from spinney.agents.background import BackgroundAgent
from spinney.cli.output import Seed, console
from spinney.cli.position import Position, begin, check_position
from spinney.cli.save_options import Html, Save, check_save, save_game
from spinney.errors import BadOption, SpinneyError
from spinney.files import check_target
from spinney.games import State
from spinney.kernel.cache import check_cache_folder
from spinney.play import Seat, Session, outcome
from spinney.search import SEARCHES
from spinney.show.terminal import print_events

COMMANDS = "hint: an agent's move   undo: take back   moves: legal   position: text   quit"


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
    position: Position = None,
    seed: Seed = None,
    stand_in: Annotated[
        bool | None,
        typer.Option(
            help="While an agent is compiled, a hand-written player plays for it; by default on a terminal, without "
            "--seed."
        ),
    ] = None,
) -> None:
    """Play a game against agents.

    Type an action as the screen names it, or the beginning of its name. `hint` asks an agent, `undo` takes your last
    move back, `moves` lists what is legal, `position` prints the position as text, `quit` ends the game.
    """
    if stand_in is None:
        stand_in = seed is None and sys.stdin.isatty() and sys.stdout.isatty()
    check_target(save, html)
    loaded = games.load(game)
    check_save(save, loaded)
    check_position(position, loaded, save)
    if not 1 <= seat <= loaded.players:
        raise BadOption(f"--seat {seat}: {loaded!r} has seats 1 to {loaded.players}")
    hint = strong_agent(loaded) if hint is None else hint
    free = loaded.players - 1
    specs = against or [strong_agent(loaded)] * (free > 0)
    if len(specs) > free:
        raise BadOption(f"--against was given {len(specs)} times: {loaded!r} has {free} other seat{'s' * (free != 1)}")
    for spec in (*specs, hint):  # errors come before anything is compiled
        read_spec(loaded, spec)
    others = [player for player in range(loaded.players) if player != seat - 1]
    agents: list[Seat | None] = [None] * loaded.players
    names = ["you"] * loaded.players
    screen = console()
    check_cache_folder()  # a message comes before the first prompt
    for i, player in enumerate(others):
        names[player] = specs[i % len(specs)]
        own_seed = None if seed is None else seed + 1 + i
        if stand_in and read_spec(loaded, names[player])[0] in SEARCHES:
            agents[player] = BackgroundAgent(loaded, names[player], own_seed, screen.print)
        else:
            agents[player] = build(loaded, names[player], own_seed)
    game_screen = GameScreen(begin(loaded, position, seed), agents, names, hint, seed, screen)
    game_screen.run()
    state = game_screen.session.state
    for player, agent in enumerate(agents):
        if isinstance(agent, BackgroundAgent) and agent.stood_in:
            names[player] = f"{agent.stand_in.name}, then {agent.spec}"
    if state.is_over:
        save_game(state, names, save, html, screen, decisions=game_screen.session.decisions)


class GameScreen:
    """A session of a person and agents on the terminal."""

    def __init__(
        self, state: State, agents: list[Seat | None], names: list[str], hint: str, seed: int | None, screen: Console
    ) -> None:
        self.seat, self.names, self.agents = agents.index(None), names, agents
        self.session = Session(state, agents, undoable=True)
        self.hint_spec, self.seed = hint, seed
        self.hinter: Agent | None = None
        self.screen = screen

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        session, title = self.session, self.session.state.game.card.title
        stop = "" if title.endswith("!") else "."
        self.screen.print(f"{title}{stop} You are player {self.seat + 1}.", style="bold")
        self.screen.print(COMMANDS, style="dim")
        self._show()
        while not session.is_over:
            movers = session.state.movers
            if self.seat not in movers:
                with self.screen.status(escape(f"{' and '.join(self.names[player] for player in movers)} thinking")):
                    session.ask()
                self._reveal()
            elif not self._person_moves():  # first of those who move simultaneously, so as not to wait for the others
                self.screen.print("Game left.")
                return
        self._print_position()
        self.screen.print(f"Game over: {outcome(session.state, self.names)}", style="bold")

    def _reveal(self) -> None:
        """After a choice: what has happened since, unless others have still to choose. A person who gives several
        orders sees the position in between."""
        state = self.session.state
        if not state.waits_for_others:
            self._show()
        elif state.mover == self.seat:
            self._draw()

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
        try:
            if word == "hint":
                self._hint()
            elif word == "undo":
                self.session.undo()
                self._draw()
            elif word == "position":
                self._print_position()
            elif word in ("moves", "help", "?", ""):
                legal = ", ".join(self.session.state.names(self.seat))
                self.screen.print(f"legal: {legal}\n{COMMANDS}", style="dim")
            else:
                self.session.tell(line, self.seat)
                self._reveal()
        except SpinneyError as error:
            self.screen.print(str(error), style="red")
        return True

    def _hint(self) -> None:
        self.hinter = self.hinter or build(self.session.state.game, self.hint_spec, self.seed)
        with self.screen.status("thinking"):
            decision = self.hinter.decide(self.session.state, player=self.seat)
        self.screen.print(f"hint: {decision}", style="cyan")
        for choice in decision.choices[:3] if decision.iterations else ():  # else a rule gave the answer
            value = f"value {choice.value:.3f}{' exactly' if choice.proven else ''}"
            self.screen.print(f"  {choice.name:<12} {value}  {choice.visits:>9,} visits", style="cyan")

    def _show(self) -> None:
        """What has happened since it was last shown, as far as the person may know, and the position."""
        frame = self.session.frame().seen_by(self.session.state.game, self.seat)
        events = [event for event in frame.events if event.mover != self.seat]
        deciding = [agent.name if isinstance(agent, BackgroundAgent) else name
                    for agent, name in zip(self.agents, self.names, strict=True)]  # fmt: skip
        print_events(self.screen, events, deciding)
        self._draw()

    def _draw(self) -> None:
        self.screen.print(str(self._seen()))

    def _print_position(self) -> None:
        self.screen.print(f"position: {self._seen().to_text()}", style="dim", soft_wrap=True)

    def _seen(self) -> State:
        """The position as far as the person may know it."""
        state = self.session.state
        return state if state.is_over else state.observe(self.seat)
