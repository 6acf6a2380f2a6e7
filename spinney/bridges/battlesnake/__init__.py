"""BattleSnake's webhook API: a server that answers for snakes, and an engine that asks servers."""

from spinney.bridges.battlesnake.read_log import is_log, read_log

__all__ = ["is_log", "read_log"]
