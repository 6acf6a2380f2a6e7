"""Text from elsewhere as it may be printed."""

from __future__ import annotations

import re

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor of a terminal, change its colours or turn the direction of the text."""


def printable(text: str) -> str:
    """A text without control characters, but for tabs and the ends of lines: names in files may hold any."""
    return CONTROL.sub("?", text)
