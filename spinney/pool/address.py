"""Addresses of Ray clusters, as they are written on the command line."""

from __future__ import annotations

import re
import socket

from spinney.errors import BadOption, SpinneyError

LOCAL, AUTO = "local", "auto"
"""A cluster that is started on this machine for the purpose, and one that is already running there."""
PATIENCE = 5.0
"""Seconds to wait for an answer; Ray itself would wait for minutes."""

_HOST_AND_PORT = re.compile(r"(?:ray://)?(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+)):(\d{1,5})")


def is_address(text: str) -> bool:
    """Whether a word can be the address of a cluster, and nothing else."""
    return text in (LOCAL, AUTO) or text.startswith("ray://") or _HOST_AND_PORT.fullmatch(text) is not None


def keeps_to_loopback(address: str) -> bool:
    """Whether a cluster is one that no other machine can reach: Ray would look for it under this machine's own name."""
    match = _HOST_AND_PORT.fullmatch(address)
    host = "" if match is None or address.startswith("ray://") else match[1] or match[2]
    return address == LOCAL or host in ("localhost", "::1") or host.startswith("127.")


def check_address(address: str) -> None:
    """Refuse what is no address, and one at which nobody listens."""
    if address in (LOCAL, AUTO):
        return
    match = _HOST_AND_PORT.fullmatch(address)
    if match is None or not 0 < int(match[3]) < 2**16:
        raise BadOption(
            f"'{address}' is no address of a Ray cluster; allowed: {AUTO}, HOST:PORT, ray://HOST:PORT, or {LOCAL}, "
            "which starts one on this machine"
        )
    try:
        socket.create_connection((match[1] or match[2], int(match[3])), PATIENCE).close()
    except (OSError, UnicodeError) as error:  # a name that is too long is the latter
        why = getattr(error, "strerror", None) or error
        raise SpinneyError(f"no Ray cluster answers at {address}: {why}") from None
