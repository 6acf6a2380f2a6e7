from typing import Any


def draw(s: Any) -> str:
    return ""


def name_action(s: Any, action: int) -> str:
    return str(action)
