"""`spinney play`: a person against agents in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer
from rich.markup import escape

from spinney import games
from spinney.agents import Agent, Decision, build, read_spec, strong_agent
from spinney.agents.background import BackgroundAgent
from spinney.cli.choices import Choices
from spinney.cli.output import Seed, console
from spinney.cli.paper import Paper, on_terminal
from spinney.cli.position import Position, begin, check_position
from spinney.cli.prompt import Prompt
from spinney.cli.save_options import Html, Save, check_save, save_game
from spinney.errors import BadOption, SpinneyError
from spinney.files import check_target
from spinney.games import State
from spinney.kernel.cache import check_cache_folder
from spinney.play import Seat, Session, outcome
from spinney.play.advice import reason_of
from spinney.play.orders import Completer
from spinney.search import SEARCHES

COMMANDS = "hint: an agent's move   undo: take back   moves: legal   rules   position: text   help   quit"
HELP = """Type an action as it is named, or the beginning of its name. Tab completes it on a terminal, arrow keys move.
hint: what an agent would do, and why   undo: take your last move back   moves: what is legal
rules: how the game is played   position: the position as text   quit: leave the game
A value is what an agent expects: 1 is a win, 0 a loss. Simulations are the games that it imagined for that, with the
seconds that it took, and in parentheses how many it made per second."""
ORDERS = (
    """Orders come one after the other. Order any ship as in: ship 3 north. rest: an agent gives all other orders."""
)


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
    move back, `moves` lists what is legal, `rules` says how the game is played, `position` prints the position as text,
    `quit` ends the game. In Halite, `rest` lets an agent give the orders that you have not given.
    """
    screen = console()
    in_place = on_terminal(screen)
    if stand_in is None:
        stand_in = seed is None and in_place
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
    check_cache_folder()  # a message comes before the first prompt
    state, stop = begin(loaded, position, seed), "" if loaded.card.title.endswith("!") else "."
    made = {  # errors come before the first line
        player: build(loaded, specs[i % len(specs)], None if seed is None else seed + 1 + i)
        for i, player in enumerate(others)
        if not (stand_in and read_spec(loaded, specs[i % len(specs)])[0] in SEARCHES)
    }
    paper = Paper(screen, loaded.card, f"{loaded.card.title}{stop} You are player {seat}.", in_place)
    for i, player in enumerate(others):
        names[player] = specs[i % len(specs)]
        own_seed = None if seed is None else seed + 1 + i
        agents[player] = made.get(player) or BackgroundAgent(loaded, names[player], own_seed, paper.note)
    game_screen = GameScreen(state, agents, names, hint, seed, paper)
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
        self, state: State, agents: list[Seat | None], names: list[str], hint: str, seed: int | None, paper: Paper
    ) -> None:
        self.seat, self.names, self.agents = agents.index(None), names, agents
        self.session = Session(state, agents, undoable=True, at_once=state.game.card.is_simultaneous)
        self.hint_spec, self.seed = hint, seed
        self.hinter: Agent | None = None
        self.paper, self.prompt = paper, Prompt(paper.screen, paper.in_place)
        self.completer = Completer(state.game, seed)
        self.given: dict[str, int] = {}
        """Orders of this turn to pieces that are not asked for yet."""
        self.begun = ""
        """The card that was chosen, as it was typed."""
        self._commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "moves": lambda: paper.note("\n".join(self._choices().listed()), "dim"),
            "rules": lambda: paper.note(_paragraphs(state.game.card.guide or state.game.card.summary)),
            "position": self._note_position,
            "help": self._help,
            "?": self._help,
        }
        if state.game.card.has_turns:
            self._commands["rest"] = self._rest

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        session = self.session
        self.paper.note(COMMANDS, "dim")
        if session.state.game.card.has_turns:
            self.paper.note(ORDERS, "dim")
        self._make_forced()
        self._show()
        try:
            while not session.is_over:
                movers = session.state.movers
                if self.seat not in movers:
                    self._think(f"{' and '.join(self.names[player] for player in movers)} thinking", session.ask)
                    self._reveal()
                elif not self._person_moves():  # first of those who move simultaneously, so as not to wait for others
                    self.paper.screen.print("Game left.")
                    return
        finally:
            session.close()
        self._note_position()
        self.paper.redraw()
        self.paper.screen.print(f"Game over: {outcome(session.state, self.names)}", style="bold")

    def _think(self, words: str, call: Callable[[], object]) -> None:
        self.paper.redraw()
        with self.paper.screen.status(escape(words)):
            call()

    def _make_forced(self) -> None:
        """Choices of the person that are none, and orders that were given before."""
        state = self.session.state
        while self.session.make_forced() is not None or self._make_given():
            pass
        if self.seat not in state.movers:
            self.given = {}

    def _make_given(self) -> bool:
        choices = self._choices() if self.given else None
        action = None if choices is None else self.given.pop(choices.given_to if choices.names else "", None)
        if choices is None or action not in choices.names:
            return False
        self.session.state.apply(action, self.seat)
        return True

    def _reveal(self) -> None:
        """After a choice: what has happened since, unless others have still to choose. A person who gives several
        orders sees the position in between."""
        self._make_forced()
        state = self.session.state
        if not state.waits_for_others:
            self._show()
        elif state.mover == self.seat:
            self._draw()

    def _choices(self) -> Choices:
        return Choices(self.session.state, self.seat)

    def _person_moves(self) -> bool:
        """One line from the person; False to leave."""
        choices = self._choices()
        if cards := choices.cards() if self.paper.in_place and not self.begun else "":
            self.paper.note(f"cards: {cards}; as in {choices.example}: a card, and then the place", "dim")
        self.paper.redraw()
        after = choices.words_after(self.begun)
        example = after[0] if after else choices.example
        words = after or [*choices.names.values(), *choices.numbered]
        asked = f"card {self.begun}" if after else f"player {self.seat + 1} (you)"
        try:
            line = self.prompt.ask(f"{asked}, as in {example}: ", [*words, *self._commands, "quit"], choices.arrows)
        except EOFError:
            self.paper.screen.print()
            return False
        line, word = line.strip(), line.strip().lower()
        if word in ("quit", "exit", "q"):
            return False
        self.paper.begin()
        try:
            if not word:
                self.begun = ""
            elif word in self._commands and f"{self.begun} {word}" not in choices.numbered:
                self._commands[word]()
            else:
                self._choose(f"{self.begun} {line}".strip() if after else line, choices)
        except SpinneyError as error:
            self.begun = ""
            self.paper.note(str(error), "red")
        return True

    def _choose(self, line: str, choices: Choices) -> None:
        """The action, the order or the card that a line names."""
        words = " ".join(line.lower().split())
        if words not in choices.numbered and (after := choices.words_after(words)):
            self.begun = words
            self.paper.note(f"card {words}, and then: {', '.join(after)}; Enter: another card", "dim")
            return
        order = choices.read_order(line) if self.session.state.game.card.has_turns else None
        if order is not None and order[0] != choices.given_to:
            self.given[order[0]] = order[1]
            self.paper.note(f"{line}: the order is given when its turn comes, or with rest", "dim")
            return
        self.begun = ""
        self._tell([choices.read(line) if order is None else order[1]])

    def _tell(self, actions: list[int]) -> None:
        """Choices of the person, which are taken back together."""
        session = self.session
        session.tell(actions[0], self.seat)
        for action in actions[1:]:
            session.state.apply(action, self.seat)
        self.paper.begin(choice=True)
        self._reveal()

    def _rest(self) -> None:
        """An agent gives the orders of the turn that the person has not given."""
        given, self.given = self._choices().places(self.given), {}
        self._tell(self.completer.complete(self.session.state, self.seat, given))

    def _undo(self) -> None:
        self.session.undo()
        self.given, self.begun = {}, ""
        self.paper.begin(choice=True)
        self._draw()

    def _help(self) -> None:
        turns = self.session.state.game.card.has_turns
        self.paper.note(f"{HELP}\n{ORDERS}" if turns else HELP, "dim")

    def _hint(self) -> None:
        self.hinter = self.hinter or build(self.session.state.game, self.hint_spec, self.seed)
        state, found = self.session.state, list[Decision]()
        hinter = self.hinter
        self._think("thinking", lambda: found.append(hinter.decide(state, player=self.seat)))
        decision = found[0]
        self.paper.note(f"hint: {decision}", "cyan")
        reasons = [reason_of(decision)]
        explain = state.game.card.board.at_table.explain
        if explain is not None and not state.game.card.has_hidden:
            others = [it.action for it in decision.choices if it.action != decision.action]
            reasons += explain(state.observe(self.seat).record, self.seat, [decision.action, *others[:1]])
        self.paper.note("\n".join(f"  {words}" for words in reasons), "cyan")
        for choice in decision.choices[:3] if decision.iterations else ():  # else a rule gave the answer
            value = f"value {choice.value:.3f}{' exactly' if choice.proven else ''}"
            self.paper.note(f"  {choice.name:<12} {value}  {choice.visits:>9,} visits", "cyan")

    def _show(self) -> None:
        """What has happened since it was last shown, as far as the person may know, and the position."""
        frame = self.session.frame().seen_by(self.session.state.game, self.seat)
        events = [event for event in frame.events if event.mover != self.seat]
        deciding = [agent.name if isinstance(agent, BackgroundAgent) else name
                    for agent, name in zip(self.agents, self.names, strict=True)]  # fmt: skip
        self.paper.show(events, deciding)
        self._draw()

    def _draw(self) -> None:
        self.paper.draw(str(self._seen()))

    def _note_position(self) -> None:
        self.paper.note(f"position: {self._seen().to_text()}", "dim")

    def _seen(self) -> State:
        """The position as far as the person may know it."""
        state = self.session.state
        return state if state.is_over else state.observe(self.seat)


def _paragraphs(text: str) -> str:
    """A text without the ends of lines in its paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
