"""Importing an agent registers it."""

from .random_agent import RandomAgent as RandomAgent
