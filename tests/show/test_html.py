"""Templates: values are escaped, and missing values are errors."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from jinja2 import UndefinedError

from spinney.show.html import TEMPLATES, interval, percent, render, seconds, signed
from tests.show.pages import HOSTILE, Page


def test_values_are_escaped_and_must_be_there():
    page = Page(render("base.html.j2", title=HOSTILE))
    assert page.words.count(HOSTILE) == 1
    assert page.tags == Page(render("base.html.j2", title="tame")).tags
    with pytest.raises(UndefinedError, match="title"):
        render("base.html.j2")


def test_no_template_switches_escaping_off():
    for file in TEMPLATES.glob("*.j2"):
        assert not re.search(r"\|\s*safe|autoescape|Markup", file.read_text(encoding="utf-8")), file.name


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (percent(0.1234), "12.3 %"),
        (signed(-3.6), "\N{MINUS SIGN}4"),
        (signed(12.2), "+12"),
        (interval((0.1, 0.25)), "10.0\N{EN DASH}25.0 %"),
        (seconds(1234.5), "1,234.50 s"),
        (seconds(0.9996), "1.00 s"),
        (seconds(0.0123), "12.3 ms"),
        (seconds(0.0000123), "12.3 µs"),
    ],
)
def test_figures_in_words(found, words):
    assert found == words


def test_jinja_waits_until_a_page_is_made():
    check = "import sys, spinney.show.replay_page, spinney.show.svg; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0
