"""Addresses of Ray clusters on the command line."""

from __future__ import annotations

import re
import socket

from spinney.errors import BadOption, SpinneyError

LOCAL, AUTO = "local", "auto"
"""A new cluster on this machine, and a cluster that is already running on this machine."""
CONNECT_TIMEOUT = 5.0
"""Seconds; Ray's own limit is several minutes."""

_HOST_AND_PORT = re.compile(r"(?:ray://)?(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+)):(\d{1,5})")


def is_address(text: str) -> bool:
    """Whether a command-line argument is the address of a cluster."""
    return text in (LOCAL, AUTO) or text.startswith("ray://") or _HOST_AND_PORT.fullmatch(text) is not None


def is_loopback(address: str) -> bool:
    """Whether a cluster listens on the loopback address only."""
    match = _HOST_AND_PORT.fullmatch(address)
    host = "" if match is None or address.startswith("ray://") else match[1] or match[2]
    return address == LOCAL or host in ("localhost", "::1") or host.startswith("127.")


def check_address(address: str) -> None:
    """Raise an error if an address is malformed, or if no server listens there."""
    if address in (LOCAL, AUTO):
        return
    match = _HOST_AND_PORT.fullmatch(address)
    if match is None or not 0 < int(match[3]) < 2**16:
        raise BadOption(
            f"'{address}' is not the address of a Ray cluster; allowed: {AUTO}, HOST:PORT, ray://HOST:PORT, or "
            f"{LOCAL}, which starts a cluster on this machine"
        )
    try:
        socket.create_connection((match[1] or match[2], int(match[3])), CONNECT_TIMEOUT).close()
    except (OSError, UnicodeError) as error:  # UnicodeError: the host name is too long
        why = getattr(error, "strerror", None) or error
        raise SpinneyError(f"no Ray cluster answers at {address}: {why}") from None
