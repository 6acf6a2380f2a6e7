"""`spinney app`: play, watch and analyse in the browser."""

from __future__ import annotations

import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from spinney.errors import BadOption, MissingPackage
from spinney.files import make_folder

FOLDER = Path("~/.local/share/spinney")


def app(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Your own games: .py files that define GAME.", show_default=False)
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other devices of your network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any that is free.")] = 8080,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder or file with stored games or results, to watch; repeat it for more.", show_default=False
        ),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where games in progress are kept.")] = FOLDER,
) -> None:
    """Open the app: play, watch and analyse in the browser.

    Games are stored at every step, and go on after a restart. On another address than this machine's own, browsers
    need a token, which is part of the address that is printed, also as a QR code for phones. It is kept in the folder;
    delete its file `token` for a new one.

    Example: spinney app --host 0.0.0.0 mygame.py
    """
    for package in ("websockets", "segno"):
        if find_spec(package) is None:
            raise MissingPackage.of("the app", package, "app")
    from spinney.app import server  # not before: the framework takes a while to load
    from spinney.app.access import is_loopback, kept_token
    from spinney.app.catalogue import Catalogue

    missing = [str(it) for it in stored or () if not it.exists()]
    if missing:
        raise BadOption(f"--stored: there is no file or folder {missing[0]}")
    catalogue = Catalogue(str(file) for file in files or ())
    folder = folder.expanduser()
    token = None if is_loopback(host) else kept_token(make_folder(folder))
    screen = Console(highlight=False, soft_wrap=True)

    made = server.make_app(catalogue, folder, token, stored or ())

    def ready(port: int) -> None:
        if token:
            made.state.address = f"http://{_shown(host)}:{port}"
        address = f"http://{_shown(host)}:{port}/" + (f"?token={token}" if token else "")
        screen.print(f"Spinney is open at {address}  (Ctrl-C ends)")
        if token:
            _print_qr(screen, address)
        if open_page:
            webbrowser.open(address)

    server.serve(made, host, port, ready)


def _shown(host: str) -> str:
    """The address that other devices reach: for all addresses, the one of this machine in its network."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; chooses the address of the way out
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _print_qr(screen: Console, address: str) -> None:
    """The address as a QR code of half blocks."""
    import segno

    rows = [[*row] for row in segno.make(address, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # dark on light, on a dark terminal
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        screen.print("".join(blocks[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True)))
