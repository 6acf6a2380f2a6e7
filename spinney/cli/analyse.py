"""`spinney analyse`: watch an agent think about a position."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from spinney import games
from spinney.agents import Agent, Analysis, Decision, build, read_spec, usual_search
from spinney.cli.output import Json, Seed, console
from spinney.cli.replay import open_replay
from spinney.errors import BadGame, BadOption, GameOver, IllegalAction
from spinney.files import check_target, write_atomic
from spinney.games import CHANCE, Game, State
from spinney.games.spec import write_spec
from spinney.kernel import DICE, seeded
from spinney.search import SEARCHES
from spinney.show.analysis import analysis_table

SECONDS = 10.0
"""How long an agent thinks if no limit is given."""
BETWEEN = " ,;\t\n"
"""What may be between two moves."""


def analyse(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agent: Annotated[str | None, typer.Argument(help="The agent that thinks; the strongest unless named.")] = None,
    moves: Annotated[
        str | None, typer.Option(help="The way to the position: names of actions, and of chance outcomes.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The position, as `position` and pages of games show it.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Take the position from a stored game, of any kind that `spinney replay` shows.")
    ] = None,
    number: Annotated[int | None, typer.Option("--game", min=0, help="The game's number in the file, from 0.")] = None,
    step: Annotated[
        int | None,
        typer.Option(min=0, help="The frame of the stored game, from 0; by default the last where somebody chooses."),
    ] = None,
    player: Annotated[
        int | None, typer.Option(min=1, help="For whom to think, where several choose; by default the first of them.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, max=1e6, help=f"How long to think; without any limit {SECONDS:g} seconds.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Simulations at most.")] = None,
    every: Annotated[float, typer.Option(min=0.02, max=60, help="Seconds between two updates.")] = 0.25,
    seed: Seed = None,
    json_to: Json = None,
) -> None:
    """Watch an agent think about a position.

    Ctrl-C ends it with the answer so far. The limits take the place of the agent's own. Without --file and --position,
    the position is the first one; --moves go on from there. With --seed, chance outcomes that are not among the moves
    are drawn. The text of a position may be what the player who chooses sees.

    Example: spinney analyse connect_four uct --moves "4 4 3" --seconds 5
    """
    check_target(json_to, read=file)
    loaded = games.load(game)
    spec = usual_search(loaded) if agent is None else agent
    read_spec(loaded, spec)  # errors come before anything is compiled
    state = _position(loaded, game, moves, position, file, number, step, seed)
    chooser = _chooser(state, player)
    thinker = _thinker(state.game, spec, seconds, iterations, seed)
    screen, lines = console(json_to), list[str]()
    screen.print(str(state.observe(chooser)))
    screen.print(f"player {chooser + 1} to move; {thinker.spec}\n", style="dim", soft_wrap=True)
    live = Live(console=screen, auto_refresh=False, transient=True)

    def show(decision: Decision) -> None:
        if json_to is not None:
            lines.append(json.dumps(decision.to_dict(), allow_nan=False))
        if json_to == "-":
            print(lines.pop(), flush=True)
        elif screen.is_terminal:
            live.update(analysis_table(decision), refresh=True)

    with live:
        final = _watch(thinker.analyse(state, player=chooser, every=every), show)
    if json_to not in (None, "-"):
        write_atomic(Path(str(json_to)), "".join(f"{line}\n" for line in lines))
    if json_to != "-":
        screen.print(analysis_table(final))
        screen.print(f"\nplayer {chooser + 1} chooses {final.name}", style="bold")


def _watch(analysis: Analysis, show: Callable[[Decision], None]) -> Decision:
    """Show the decisions so far; returns the final one. Ctrl-C makes the next one the final one."""
    with analysis:
        while True:
            try:
                decision = next(analysis, None)
                if decision is None:
                    return analysis.wait()
                show(decision)
            except KeyboardInterrupt:
                analysis.stop()


def _position(
    game: Game, spec: str, moves: str | None, text: str | None, file: Path | None, number: int | None,
    step: int | None, seed: int | None,
) -> State:  # fmt: skip
    """The position that the options name; each kind of source is a line here."""
    if file is not None:
        if moves is not None or text is not None:
            other = "--position" if moves is None else "--moves"
            raise BadOption(f"{other} and --file both name a position; give one of them")
        return _stored(game, spec, file, number, step)
    if number is not None or step is not None:
        raise BadOption(f"{'--step' if number is None else '--game'} needs the --file of a stored game")
    first = game.start(seed, manual_chance=True) if text is None else game.from_text(text, manual_chance=True)
    return _after(first, moves or "", seed)


def _stored(game: Game, spec: str, file: Path, number: int | None, step: int | None) -> State:
    """A position of a stored game."""
    if not file.is_file():
        raise BadOption(f"--file {file}: there is no such file")
    replay = open_replay(file, number, spec.partition("(")[0] if ".py" in spec else None)
    if replay.card != game.card:
        raise BadOption(f"{file} has a game of '{replay.card.name}', not of '{game.name}'")
    if replay.game is None:
        raise BadOption(f"{file} shows its positions, but nobody can go on from them")
    last, count = None, 0
    for count, frame in enumerate(replay.frames, 1):
        state = State(replay.game, frame.record)
        if step == count - 1 or (step is None and state.movers):
            last = state
    if last is None:
        raise BadOption(f"{file} has {count} frames; --step must be from 0 to {count - 1}")
    return last


def _after(state: State, moves: str, seed: int | None) -> State:
    """The position after moves by their names. With a seed, chance outcomes that are not among them are drawn."""
    rest, rng = moves.strip(BETWEEN), seeded(seed, DICE)
    while rest or (state.mover == CHANCE and seed is not None):
        if state.is_over:
            raise GameOver(f"--moves: the game is over before '{rest}'")
        player = None if state.mover == CHANCE else state.movers[0]
        known = [number for number, _ in state.outcomes()] if player is None else state.legal(player)
        named = {state.name(number): number for number in known}
        word = max((name for name in named if _begins(rest, name)), key=len, default="")
        if not word and player is None and seed is not None:
            state.apply(int(state.game.card.rules.chance(state.record, rng)))
            continue
        word = word or rest.split(maxsplit=1)[0].strip(BETWEEN)
        try:
            state.apply(int(word) if player is None and not named and word.isdecimal() else word, player)
        except IllegalAction as error:
            raise IllegalAction(f"--moves: {error}") from None
        rest = rest[len(word) :].strip(BETWEEN)
    return state


def _begins(text: str, name: str) -> bool:
    """Whether a text begins with a name that ends there. Names may have spaces."""
    return bool(name) and text[: len(name)].lower() == name.lower() and text[len(name) :][:1] in ("", *BETWEEN)


def _chooser(state: State, player: int | None) -> int:
    """For whom to think."""
    if state.is_over:
        raise GameOver("the game is over in this position; there is nothing to think about")
    if state.mover == CHANCE:
        listed = ", ".join(state.name(number) for number, _ in state.outcomes()[:24]) or "any number of the rules"
        raise BadGame(f"chance is to move; add its outcome to --moves ({listed}), or have it drawn with --seed")
    movers = [mover + 1 for mover in state.movers]
    if player is not None and player not in movers:
        raise BadOption(f"--player {player}: to move: {', '.join(map(str, movers))}")
    chooser = (player or movers[0]) - 1
    if state.observers and chooser not in state.observers:
        raise BadOption(f"the position hides the cards of player {chooser + 1}, for whom the agent is to think")
    return chooser


def _thinker(game: Game, spec: str, seconds: float | None, iterations: int | None, seed: int | None) -> Agent:
    """The agent, with these limits in place of its own if there are any."""
    kind, options = read_spec(game, spec, seed)
    if kind in SEARCHES:
        if seconds is None and iterations is None:
            seconds, iterations = getattr(options, "seconds", None), getattr(options, "iterations", None)
        if seconds is None and iterations is None:
            seconds = SECONDS
        limits = {"seconds": seconds, "first_seconds": None, "iterations": iterations}
        spec = write_spec(kind, options.model_dump(exclude_defaults=True) | limits)
    elif seconds is not None or iterations is not None:
        raise BadOption(f"{spec} does not search, so it has no limits; leave out --seconds and --iterations")
    return build(game, spec, seed)
