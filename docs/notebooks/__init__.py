"""The notebooks of the documentation. `make notebooks` runs them and stores what they print; tests run them, too."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 600
"""The most time of a cell; the first search of a game compiles."""


def run(file: Path) -> Any:
    """A notebook with the outputs of a new kernel, which runs in an empty folder. An error in a cell is raised."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.read(file, as_version=4)
    with TemporaryDirectory() as folder:
        own = {"PYTHONPATH": str(FOLDER.parents[1]), "IPYTHONDIR": f"{folder}/.ipython"}
        kernel = {"transport": "ipc", "connection_file": f"{folder}/.kernel.json"}
        client = NotebookClient(
            notebook, config=Config(KernelManager=kernel), kernel_name="python3", timeout=SECONDS, record_timing=False,
            resources={"metadata": {"path": folder}},
        )  # fmt: skip
        client.execute(env=os.environ | own)
    return notebook


def text_of(cell: Any) -> str:
    """What a cell printed, and its result if that is text alone."""
    words = []
    for output in cell.get("outputs", ()):
        if output["output_type"] == "stream":
            words.append("".join(output["text"]))
        elif [*output.get("data", ())] == ["text/plain"]:
            words.append("".join(output["data"]["text/plain"]) + "\n")
    return "".join(words)


def as_markdown(notebook: dict[str, Any]) -> str:
    """A notebook as a page of the site: code, and what is stored of its outputs."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```{{code-block}} {'text' if source.startswith('%%') else 'python'}\n{source}\n```")
        if words := text_of(cell):
            parts.append(f"```text\n{words}```")
        for output in cell["outputs"]:
            for kind in ("text/html", "image/svg+xml"):
                if kind in output.get("data", ()):
                    shown = f'<div style="overflow-x: auto">{"".join(output["data"][kind])}</div>'
                    parts.append(f"````{{raw}} html\n{shown}\n````")
    return "\n\n".join(parts)
