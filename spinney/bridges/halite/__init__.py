"""A bot for Halite III's official engine, on standard input and output."""

LIMIT = 2.0
"""Seconds that the engine waits for an answer."""
MARGIN = 0.3
"""Seconds of these that are kept in reserve."""
