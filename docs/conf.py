"""How Sphinx builds the site: `make docs`."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

import spinney
from docs.notebooks import as_markdown

project = "Spinney"
author = "The Spinney authors"
copyright = "2026, The Spinney authors"
release = version = spinney.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "**.ipynb_checkpoints"]

html_theme = "furo"
html_title = f"Spinney {release}"
html_static_path = ["_static"]
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True


class NotebookParser(MystParser):
    """A notebook is read as Markdown, with the outputs that are stored in it."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        super().parse(as_markdown(json.loads(inputstring)), document)


def setup(app: Sphinx) -> None:
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
