"""The few elements of SVG that the pictures are made of. Fonts are named by kind alone: none comes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

SANS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def element(tag: str, content: str | None = None, **attributes: object) -> str:
    """An element, its content already SVG. Attributes are written with a hyphen for each underscore; none is left out
    but those that are None."""
    words = "".join(
        f" {name.strip('_').replace('_', '-')}={quoteattr(number(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{words}/>" if content is None else f"<{tag}{words}>{content}</{tag}>"


def number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def text(x: float | str, y: float, words: str, **attributes: object) -> str:
    """Words at a point; x may be a list, of a place for each character."""
    return element("text", escape(words), x=x, y=y, **attributes)


def drawing(width: float, height: float, title: str, font: str, card: dict[str, object], parts: Iterable[str]) -> str:
    """A whole file: a card with round corners, which looks the same on a white page and on a dark one, and what is on
    it."""
    ground = element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8, **card)
    body = "\n".join([element("title", escape(title)), ground, *parts])
    return (
        element(
            "svg",
            f"\n{body}\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
            role="img",
            font_family=font,
        )
        + "\n"
    )
