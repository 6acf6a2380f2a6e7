"""BattleSnake's webhook API: a server that answers for snakes, and an engine that asks servers."""
