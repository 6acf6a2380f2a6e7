"""What all pages of HTML share. A page needs nothing else: no fonts, no links to anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path


def page(title: str, parts: Iterable[str], head: str = "") -> str:
    """A whole page of parts that are HTML already, with the style sheet inside, and what else belongs into its head."""
    style = Path(__file__).with_name("report.css").read_text()
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n{head}</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """What a page is about: names, and what there is to say, as HTML."""
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{value}</dd>' for name, value in pairs)}</dl>"


def command(words: str) -> str:
    """A command to be typed, which is not broken within the name of an option."""
    return "<code>" + re.sub(" (--[a-z]+)", r" <span>\1</span>", escape(words)) + "</code>"


def plot(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"


def titled(svg: str, title: str) -> str:
    """A plot with its name above, for one of several that are alike."""
    return f"<figure><figcaption>{title}</figcaption>{svg}</figure>"


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already; number columns are written as ">name"."""
    classes = [" class=n" if name.startswith(">") else "" for name in names]
    head = "".join(f"<th{c}>{name.removeprefix('>')}</th>" for c, name in zip(classes, names, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{c}>{cell}</td>" for c, cell in zip(classes, row, strict=True)) + "</tr>" for row in rows
    )
    return f"<div class=wide><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def signed(rating: float) -> str:
    return f"{round(rating):+d}".replace("-", "\N{MINUS SIGN}")


def interval(low: float, high: float) -> str:
    return f"{100 * low:.1f}\N{EN DASH}{100 * high:.1f} %"


def with_interval(share: float, low: float, high: float) -> str:
    """A share for a cell of a table, with its interval below."""
    return f"<b>{percent(share)}</b> <small>{interval(low, high)}</small>"
