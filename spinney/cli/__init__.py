"""The command line. Each command has a file of its own; here they are put together."""

from __future__ import annotations

import errno
import io
import logging
import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

import spinney
from spinney.cli.arena import arena
from spinney.cli.bench import bench
from spinney.cli.bridges import add_verbs
from spinney.cli.lists import list_agents, list_games, list_searches
from spinney.cli.play import play
from spinney.cli.replay import replay
from spinney.cli.report import report
from spinney.cli.reproduce import reproduce
from spinney.cli.train import train
from spinney.cli.tune import tune
from spinney.cli.verify import verify
from spinney.cli.watch import watch
from spinney.errors import SpinneyError
from spinney.pool.address import LOCAL, is_address

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it has much to say of a home that cannot be written to

app = typer.Typer(
    help="Monte Carlo tree search for the games that chess engines are not made for.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",  # paragraphs of docstrings flow
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(list_games)
app.command("searches")(list_searches)
app.command("agents")(list_agents)
app.command()(play)
app.command()(watch)
app.command()(arena)
app.command()(tune)
app.command()(train)
app.command()(replay)
app.command()(report)
app.command()(reproduce)
app.command()(bench)
app.command()(verify)
add_verbs(app)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"spinney {spinney.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Monte Carlo tree search for the games that chess engines are not made for."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command. A user's error is one line on standard error and exit code 2; Ctrl-C is exit code 130."""
    _open_streams()
    try:
        words = _with_ray(sys.argv[1:] if arguments is None else arguments)
        code = app(args=words, prog_name="spinney", standalone_mode=False)
        sys.stdout.flush()  # now, while trouble with it can still be told
    except KeyboardInterrupt:
        code = 130
    except SpinneyError as error:
        code = _fail(str(error))
    except BrokenPipeError:  # whoever read our output has gone
        code = 1
    except OSError as error:
        where = error.filename or ("the output" if error.errno == errno.ENOSPC else "the system")
        code = _fail(f"{where}: {error.strerror or error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # not a usage error of the command line: a bug of ours
            raise
        code = _fail(error.format_message())
    _let_go()
    sys.exit(code if isinstance(code, int) else 0)


def _open_streams() -> None:
    """Standard streams that were closed lead nowhere, and no text is too strange for the others."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # the next file that is opened would take its place, and be written to
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run
        elif isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):  # somebody has read from it before
                stream.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")


def _let_go() -> None:
    """Give up what could not be written, which Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_ray(words: list[str]) -> list[str]:
    """`--ray` may stand without an address, which options of the command line cannot by themselves."""
    following = [*words[1:], ""]
    return [
        f"--ray={LOCAL}" if word == "--ray" and not is_address(after) else word
        for word, after in zip(words, following, strict=False)
    ]


def _fail(message: str) -> int:
    if message.strip():  # none: the help has been printed instead
        with suppress(OSError):
            print(f"spinney: {' '.join(message.split())}", file=sys.stderr)
    return 2
