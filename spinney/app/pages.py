"""The pages of the app, from the templates in the folder `templates`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from spinney.files import file_name
from spinney.show.html import TEMPLATES, make_environment

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent


@cache
def _environment() -> Environment:
    return make_environment(HERE / "templates", TEMPLATES)


def text_of(template: str, **values: Any) -> Markup:
    """A page, or a part of one, from a template."""
    return Markup(_environment().get_template(template).render(values))


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template."""
    return HTMLResponse(text_of(template, **values), status)


def attachment(data: bytes, name: str, kind: str) -> Response:
    """A file to save."""
    plain = re.sub(r"[^\w.()-]", "_", file_name(name), flags=re.ASCII)
    return Response(data, media_type=kind, headers={"content-disposition": f'attachment; filename="{plain}"'})
