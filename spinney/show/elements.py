"""The SVG elements of diagrams and plots. Fonts are generic families, so nothing has to be loaded."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

SANS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
PAPER = "#ffffff"


def element(tag: str, content: str | None = None, **attributes: object) -> str:
    """An element whose content is SVG. Underscores in attributes become hyphens; attributes that are None are left
    out."""
    words = "".join(
        f" {name.strip('_').replace('_', '-')}={quoteattr(number(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{words}/>" if content is None else f"<{tag}{words}>{content}</{tag}>"


def number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def text(x: float, y: float, words: str, **attributes: object) -> str:
    return element("text", escape(words), x=x, y=y, **attributes)


def drawing(width: float, height: float, title: str, parts: Iterable[str], style: str | None = None) -> str:
    """A whole file: the parts on a card with round corners, which looks the same on a light and on a dark page. A style
    is a class, whose rules are in the parts."""
    ground = element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8, fill=PAPER, stroke="#d0d7de")
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
            font_family=SANS,
            class_=style,
        )
        + "\n"
    )
