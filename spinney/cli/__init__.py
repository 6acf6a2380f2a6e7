"""The command line. Each command is in a file of its own."""

from __future__ import annotations

import errno
import io
import logging
import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from spinney.cli.commands import COMMANDS, Commands
from spinney.errors import SpinneyError
from spinney.printing import printable

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # no warnings about a home folder that is read-only

app = typer.Typer(
    cls=Commands,
    help="Monte Carlo tree search for the games that chess engines are not made for.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, (_, _summary) in COMMANDS.items():
    app.command(_name, help=_summary)(lambda: None)


def _version(wanted: bool) -> None:
    if wanted:
        import spinney

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
        sys.stdout.flush()  # errors of the output are reported below
    except KeyboardInterrupt:
        code = 130
    except SpinneyError as error:
        code = _fail(str(error))
    except BrokenPipeError:  # the reader of the output has closed the pipe
        code = 1
    except OSError as error:
        where = error.filename or ("the output" if error.errno == errno.ENOSPC else "the system")
        code = _fail(f"{where}: {error.strerror or error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # not a usage error of click, but a bug
            raise
        code = _fail(error.format_message())
    _discard_output()
    sys.exit(code if isinstance(code, int) else 0)


def _open_streams() -> None:
    """Replace closed standard streams by the null device, and let the others replace characters that they cannot
    encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # the next file that is opened would get its descriptor, and be written to
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the exit
        elif isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):  # it was read from before
                stream.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")


def _discard_output() -> None:
    """Discard output that cannot be written. Python would try to write it again at the exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_ray(words: list[str]) -> list[str]:
    """Add the default address to a `--ray` without one: options of click cannot have an optional value."""
    if "--ray" not in words:
        return words
    from spinney.pool.address import LOCAL, is_address

    following = [*words[1:], ""]
    return [
        f"--ray={LOCAL}" if word == "--ray" and not is_address(after) else word
        for word, after in zip(words, following, strict=False)
    ]


def _fail(message: str) -> int:
    if message.strip():  # empty if the help was printed
        with suppress(OSError):
            print(f"spinney: {printable(' '.join(message.split()))}", file=sys.stderr)
    return 2
