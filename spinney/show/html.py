"""HTML pages from the Jinja2 templates in the folder `templates`.

A page is one file: its style sheet and script are inside, and it loads nothing. Templates escape every value. Only the
package's own files, and SVG of type Markup that was drawn here with its texts escaped, are inserted as they are.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from spinney.show.colours import PALETTE

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")


def render(template: str, **values: Any) -> str:
    """The text of a template with these values. A value that the template uses and that is missing is an error."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    return make_environment(TEMPLATES)


def make_environment(*folders: Path) -> Environment:
    """An environment for templates in folders; every value is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only pages need it

    environment = Environment(
        loader=FileSystemLoader(folders), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    filters = (thousands, percent, signed, interval, seconds, split_options)
    environment.filters |= {function.__name__: function for function in filters}
    environment.globals |= {"asset": _asset, "palette": PALETTE}
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return environment


def _asset(name: str) -> Markup:
    """A style sheet or script of this package."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))


def thousands(number: float) -> str:
    return f"{number:,.10g}"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def signed(rating: float) -> str:
    return f"{round(rating):+d}".replace("-", "\N{MINUS SIGN}")


def interval(bounds: tuple[float, float]) -> str:
    """The lower and upper bound of a share in per cent."""
    low, high = bounds
    return f"{100 * low:.1f}\N{EN DASH}{100 * high:.1f} %"


def seconds(duration: float) -> str:
    """A duration in a unit that suits it."""
    if duration >= 0.9995:
        return f"{duration:,.2f} s"
    return f"{1e3 * duration:.3g} ms" if duration >= 0.0009995 else f"{1e6 * duration:.3g} µs"


def split_options(command: str) -> list[str]:
    """A command split at its options: every other part is the name of an option, which must not be broken."""
    return re.split(r" (--[a-z]+)", command)
