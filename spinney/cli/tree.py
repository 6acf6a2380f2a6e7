"""`spinney tree`: the search tree behind a decision, as text, JSON, a picture, or a page to explore it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.agents import build, read_spec
from spinney.cli.output import Json, Seed, console, write_json
from spinney.cli.position import Position, begin, check_position
from spinney.errors import BadOption
from spinney.files import check_target, write_atomic
from spinney.games import State
from spinney.search import SEARCHES
from spinney.search.tree_search import TreeAlgorithm
from spinney.show.tree_page import MOST, tree_page


def tree(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agent: Annotated[str, typer.Argument(help="The agent that decides, a search with a tree.")],
    moves: Annotated[
        str, typer.Option(help="The players' actions before, separated by commas; the beginnings of names are enough.")
    ] = "",
    position: Position = None,
    depth: Annotated[int, typer.Option(min=0, max=512, help="Levels of the text, the JSON and the picture.")] = 2,
    width: Annotated[int, typer.Option(min=1, max=10_000, help="Children of a node in them, the most visited.")] = 5,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="PICTURE", help="Write the tree as an SVG picture.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write the tree as a page to explore, in one file.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, max=100_000, help="Nodes in the page, the most visited.")] = MOST,
    seed: Seed = None,
    json_to: Json = None,
) -> None:
    """Show the search tree behind an agent's decision: as text, JSON, a picture or a page.

    With hidden information, it shows what the player who decides sees. With several threads or determinizations, it
    shows the first of the trees.

    Example: spinney tree connect_four "uct(iterations=20000)" --moves "4, 4" --html tree.html
    """
    check_target(json_to, svg, html)
    loaded = games.load(game)
    name, _ = read_spec(loaded, agent)  # errors come before anything is compiled
    if name not in with_tree():
        raise BadOption(f"{name} grows no search tree; {', '.join(with_tree())} do")
    check_position(position, loaded, None)
    state = after(begin(loaded, position, seed), moves)
    if state.is_over:
        raise BadOption(f'--moves "{moves}" end the game; there is nothing to decide')
    decider = build(loaded, agent, seed)
    decision = decider.decide(state, player=state.movers[0])
    root = decision.tree
    if root is None:
        raise BadOption(f"{decider.spec} did not search: its opening has an answer; omit the option opening")
    screen = console(json_to)
    if svg is not None:
        write_atomic(svg, root.svg(depth, width))
        screen.print(f"the tree as a picture in {svg}", soft_wrap=True)
    if html is not None:
        about = f"{decider.spec} in {loaded!r}, seed {state.seed}{f', after {moves}' if moves else ''}"
        write_atomic(html, tree_page(decision, about, most))
        screen.print(f"the tree as a page in {html}", soft_wrap=True)
    if svg is None and html is None:
        screen.print(f"player {decision.player + 1} ({decider.spec}): {decision}", soft_wrap=True)
        screen.print(root.show(depth, width), soft_wrap=True)
    if json_to is not None:
        write_json(json_to, decision.to_dict() | {"tree": root.to_dict(depth, width)})


def with_tree() -> list[str]:
    """The searches that grow a tree."""
    return [name for name, (algorithm, _) in SEARCHES.items() if isinstance(algorithm, TreeAlgorithm)]


def after(state: State, moves: str) -> State:
    """The state after actions of the players, in the order in which they have to choose; the state samples chance."""
    for number, move in enumerate(filter(None, map(str.strip, moves.split(","))), 1):
        if state.is_over:
            raise BadOption(f"--moves: the game is over before action {number}, '{move}'")
        state.apply(move, state.movers[0])
    return state
