"""The pages of the app, from the templates in the folder `templates`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse

from spinney.show.html import TEMPLATES, make_environment

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent


@cache
def _environment() -> Environment:
    return make_environment(HERE / "templates", TEMPLATES)


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template."""
    return HTMLResponse(_environment().get_template(template).render(values), status)
