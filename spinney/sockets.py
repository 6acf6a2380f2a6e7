"""The socket that a server listens on."""

from __future__ import annotations

import socket

from spinney.errors import SpinneyError


def reserve(host: str, port: int) -> socket.socket:
    """A socket that is bound to an address and does not listen yet."""
    made = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, UnicodeError) as error:
        if made is not None:
            made.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise SpinneyError(f"cannot listen on {host}, port {port}: {reason.lower()}") from None
    return made
