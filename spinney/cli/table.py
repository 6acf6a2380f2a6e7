"""`spinney table`: a game at a real table, in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from spinney import games
from spinney.agents import is_program, timed, usual_agent
from spinney.cli.output import console, table
from spinney.errors import BadOption, BadRecording, SpinneyError
from spinney.files import check_target, read_bounded, write_atomic
from spinney.games import Game
from spinney.games.spec import parse_spec
from spinney.kernel.cache import check_cache_folder
from spinney.play import Table, seated

LARGEST = 16 * 2**20
"""Bytes of a table that is read."""
COMMANDS = """undo: take the last entry back
correct 7: replace entry 7; correct 7 5 does so at once
log: all entries with their numbers   scores: the points by rounds
board: the position                   position: the same in a line of text
options: what can be entered          advice: once more   quit"""


def at_table(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    names: Annotated[
        str | None, typer.Option(help="Who sits at the table, in the order of turns, as in Ann,Ben,Cem.")
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat; 0: advice for everybody.")] = None,
    begins: Annotated[int | None, typer.Option(min=1, help="The seat that begins; 1 unless given.")] = None,
    agent: Annotated[str | None, typer.Option(help="The agent that advises; the strongest unless named.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds that it thinks about a choice.")] = 1.0,
    position: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Join a game in this position: its text, or lines as the game describes it."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Keep the table in this file; if it is there already, go on with it.")
    ] = None,
) -> None:
    """Play at a real table: enter what happens, and hear what an agent would do.

    Enter throws, choices and cards as the prompt says. `undo` takes the last entry back, `correct 7` replaces an
    earlier one, `help` lists the other commands, `quit` ends. With `--file`, the same command goes on later.
    """
    people = [name.strip() for name in names.split(",")] if names is not None else []
    loaded = _load(game, people)
    if file is not None and file.exists():
        given = {"--names": names, "--seat": seat, "--begins": begins, "--agent": agent, "--position": position}
        if wrong := [option for option, value in given.items() if value is not None]:
            raise BadOption(f"{wrong[0]}: {file} has a table already; name another file, or leave the option out")
        made = _read(file, loaded)
    else:
        check_target(file)
        people += [""] * (loaded.players - len(people))
        mine = None if seat == 0 else (1 if seat is None else seat) - 1
        turned, mine = seated(people, mine, 0 if begins is None else begins - 1)
        made = Table(
            loaded, turned, mine, timed(loaded, usual_agent(loaded) if agent is None else agent, seconds), position
        )
    check_cache_folder()  # a message comes before the first prompt
    TableScreen(made, file, console()).run()


def _load(spec: str, people: list[str]) -> Game:
    """The game as people own it, for as many players as there are names, unless its options say otherwise."""
    card, given = games.card(spec.partition("(")[0]), parse_spec(spec)[1]
    usual = dict(card.board.at_table.options)
    if people and "players" in card.options.model_fields:
        usual["players"] = len(people)
    return games.load(spec, **{option: value for option, value in usual.items() if option not in given})


def _read(file: Path, game: Game) -> Table:
    try:
        stored: Any = json.loads(read_bounded(file, LARGEST))
        if isinstance(stored, dict) and is_program(game, str(stored.get("agent", ""))):
            raise BadRecording("its agent is another program, which is not started for a file")
        if isinstance(stored, dict) and "game" in stored:
            game = Game(game.card, game.card.options.read(game.name, parse_spec(str(stored["game"]))[1]))
        return Table.from_json(game, stored)
    except OSError as error:
        raise BadRecording(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError, BadRecording) as error:
        raise BadRecording(f"{file}: {error}") from None


class TableScreen:
    """A table on the terminal."""

    def __init__(self, made: Table, file: Path | None, screen: Console) -> None:
        self.table, self.file, self.screen = made, file, screen
        self.shown = 0
        """Entries that were shown."""

    def run(self) -> None:
        """Ask what happens until the person leaves."""
        made = self.table
        you = "everybody is advised" if made.seat is None else f"you are {made.names[made.seat]}"
        self.screen.print(f"{made.game.card.title}: {', '.join(made.names)}; {you}.", style="bold")
        self.screen.print("help lists the commands", style="dim")
        self._keep()
        self._show()
        while self._one_line():
            pass

    def _show(self) -> None:
        """What has happened since it was last shown, and what is said about it."""
        made = self.table
        self._log(self.shown + 1)
        self.shown = len(made.entries)
        if made.is_over:
            if made.has_points:
                self._scores()
            self.screen.print(f"The game is over: {made.result()}.", style="bold")
            return
        picture = made.state.game.card.board.picture
        if picture is not None:
            self.screen.print(picture(made.state.record).head, style="dim")
        for warning in made.warnings():
            self.screen.print(f"! {warning}", style="yellow")
        if made.is_advised:
            self._advise()

    def _print_entry(self, step: int) -> None:
        forced = "" if not self.table.entries[step - 1].forced else " (nothing else was possible)"
        self.screen.print(f"{step:>4}  {self.table.words_of(step)}{forced}")

    def _advise(self) -> None:
        with self.screen.status("thinking"):
            told = self.table.advice()
        self.screen.print(f"advice: {told.decision.name}", style="bold cyan")
        for words in told.words:
            self.screen.print(f"  {words}", style="cyan")

    def _one_line(self) -> bool:
        """One line from the person; False to leave."""
        expected, number = self.table.expects(), len(self.table.entries) + 1
        prompt = f"{number:>4}  {expected.words}{f' (such as {expected.example})' if expected.example else ''}: "
        line = self._ask("undo, correct, log, scores or quit: " if self.table.is_over else prompt)
        word, _, rest = (line or "quit").partition(" ")
        try:
            if word == "quit":
                return False
            if word == "correct":
                self._correct(rest)
            elif line in self._commands():
                self._commands()[line]()
            elif line:
                self.table.enter(line)
                self._changed()
        except SpinneyError as error:
            self.screen.print(str(error), style="red")
        return True

    def _ask(self, prompt: str) -> str | None:
        """A line; none at the end of the input."""
        try:
            return " ".join(self.screen.input(prompt, markup=False).split())
        except EOFError:
            self.screen.print()
            return None

    def _commands(self) -> dict[str | None, Any]:
        made, write = self.table, self.screen.print
        return {
            "undo": self._undo,
            "log": self._log,
            "board": lambda: write(str(made.state)),
            "scores": self._scores,
            "advice": self._advise,
            "options": lambda: write(f"can be entered: {', '.join(made.expects().options)}", style="dim"),
            "position": lambda: write(made.known.to_text(), style="dim", soft_wrap=True),
            "help": lambda: write(COMMANDS, style="dim"),
        }

    def _log(self, first: int = 1) -> None:
        for step in range(first, len(self.table.entries) + 1):
            self._print_entry(step)

    def _undo(self) -> None:
        gone = self.table.undo()
        self.screen.print(f"taken back: {gone.words}")
        self._changed()

    def _correct(self, rest: str) -> None:
        """Replace an entry; the new one is on the same line, or asked for."""
        number, _, entry = rest.partition(" ")
        if not number.isdecimal():
            raise BadOption(f"correct {rest}: say which entry, as in correct 7; log shows their numbers")
        step = int(number)
        expected = self.table.before(step).expects()
        if not entry:
            asked = (
                f"      entry {step} is '{self.table.words_of(step)}'; {expected.words} (such as {expected.example}): "
            )
            entry = self._ask(asked) or ""
        done = self.table.correct(step, entry)
        self.screen.print(f"corrected: {self.table.words_of(step)}")
        if done.dropped:
            words = ", ".join(old.words for old in done.dropped)
            self.screen.print(f"entries that do not fit any more, to be entered again: {words}", style="yellow")
        self.shown = min(self.shown, len(self.table.entries))
        self._changed()

    def _changed(self) -> None:
        self._keep()
        self.shown = min(self.shown, len(self.table.entries))
        self._show()

    def _keep(self) -> None:
        if self.file is not None:
            write_atomic(self.file, json.dumps(self.table.to_json()))

    def _scores(self) -> None:
        made = self.table
        rows = [[f"round {number}", *(f"{it:g}" for it in points)] for number, points in made.sheet()]
        total = ["total", *(f"{points:g}" for _, points in made.scores())]
        self.screen.print(table("", "", *(f">{name}" for name in made.names), rows=[*rows, total]))
