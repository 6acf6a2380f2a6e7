"""A bot for Halite III's official engine, on standard input and output."""
