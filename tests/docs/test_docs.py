"""The documents are true: their code runs and prints what they say, their tables are complete, the site builds."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spinney
from spinney.cli import main
from spinney.cli.lists import matrix
from spinney.games.spec import parse_spec
from spinney.search import SEARCHES
from spinney.search.driver import SimulationOptions
from spinney.search.search import JudgingOptions

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "searches").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
TIMES = re.compile(r"in [\d.]+ s \([\d,]+/s\)|\([\d.]+ s\)|(?<=│ )\d+\.\d{3}(?= │)")


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The fenced blocks of a page: language, text, and the language of a block that stands right above."""
    text, found, end, above = page.read_text(), [], 0, ""
    for match in BLOCK.finditer(text):
        found.append((match[1], match[2], "" if text[end : match.start()].strip() else above))
        end, above = match.end(), match[1]
    return found


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if language in {block[0] for block in blocks(page)}]


@pytest.mark.parametrize("page", pages_with("python"), ids=lambda page: page.stem)
def test_python_blocks_run_and_print_what_the_page_shows(page, monkeypatch, capsys):
    """The blocks of a page are one program. A text block right below one is what it prints."""
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {"__name__": f"docs_{page.stem}"}
    printed = ""
    for language, text, above in blocks(page):
        if language == "python":
            exec(compile(text, str(page), "exec"), namespace)
            printed = capsys.readouterr().out
        elif (language, above) == ("text", "python"):
            assert printed.splitlines() == text.splitlines()


def without_times(text: str) -> str:
    """What was printed, in one line, so that it does not matter where a line with a time was wrapped."""
    return TIMES.sub("(time)", " ".join(text.split()))


@pytest.mark.parametrize("page", pages_with("console"), ids=lambda page: page.stem)
def test_commands_run_and_print_what_the_page_shows(page, monkeypatch, capsys, tmp_path):
    """The commands of a page, in order; not `play`, which waits for a person, and `bench`, which takes long.

    Commands with a seed, recordings, results and errors print what the page shows, times aside. Lists of what there is
    may have grown since.
    """
    monkeypatch.setenv("COLUMNS", "88")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shown = [pair for language, text, _ in blocks(page) if language == "console" for pair in COMMAND.findall(text)]
    for command, output in shown:
        name, *words = shlex.split(command)
        if name != "spinney" or words[0] in ("play", "bench"):
            continue
        with pytest.raises(SystemExit) as ended:
            main(words)
        printed = "".join(capsys.readouterr())
        fails = output.startswith("spinney:")
        assert ended.value.code == (2 if fails else 0), f"{command}\n{printed}"
        if output and ("--seed" in words or words[0] in ("verify", "replay", "report") or fails):
            start, _, end = f" {without_times(output)}".rpartition(" ... ")
            assert without_times(printed).startswith(start.strip()), command
            assert without_times(printed).endswith(end.strip()), command


def option_tables(page: Path) -> list[dict[str, str]]:
    """The option tables of a page: default by name."""
    tables: list[dict[str, str]] = []
    for line in page.read_text().splitlines():
        if line.startswith("| option |"):
            tables.append({})
        elif match := re.match(r"\| `(\w+)` \| `([^`]+)` \|", line):
            tables[-1][match[1]] = match[2]
    return tables


@pytest.mark.parametrize("search", SEARCHES)
def test_the_option_tables_are_complete(search):
    common, judging, simulation = option_tables(ROOT / "docs" / "searches.md")
    (own,), options = option_tables(ROOT / "docs" / "searches" / f"{search}.md"), SEARCHES[search][1]
    shared = common | judging if issubclass(options, JudgingOptions) else common
    shared |= simulation if issubclass(options, SimulationOptions) else {}
    assert list(shared | own) == list(options.model_fields)
    for name, default in (shared | own).items():
        _, given = parse_spec(f"search({name}={default})")
        real = options.model_fields[name].default
        assert given[name] == (pytest.approx(real, abs=5e-6) if type(real) is float else real), name


def test_the_readme_says_which_search_plays_what():
    head = f"| | {' | '.join(f'`{name}`' for name in SEARCHES)} |"
    lines = (ROOT / "README.md").read_text().splitlines()
    rows = lines[lines.index(head) + 2 :]
    for row, (game, why) in zip(rows, matrix().items(), strict=False):
        assert row == f"| `{game}` | {' | '.join('' if reason else 'yes' for reason in why.values())} |"
    assert not rows[len(matrix())]


def test_the_tutorial_game_is_short_and_playable():
    lines = (ROOT / "examples" / "pig.py").read_text().splitlines()
    assert sum(1 for line in lines if line.strip()) < 80
    game = spinney.game(str(ROOT / "examples" / "pig.py"))
    searcher, hand = game.agent("uct(iterations=2000)", seed=1), game.agent("heuristic", seed=1)
    state = game.start(seed=1)
    while not state.is_over:
        decision = (searcher, hand)[state.mover].decide(state)
        assert decision.action in state.legal()
        state.apply(decision.action)
    assert sorted(state.rewards()) == [0, 1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("faces", "right"), [([2], "throw"), ([6] * 6, "hold")])
def test_a_search_plays_the_tutorial_game_well(faces, right, seed):
    """Two points in the pot are not worth holding for; 36 of the 50 that win are not worth another throw."""
    game = spinney.game(str(ROOT / "examples" / "pig.py"))
    state = game.start(seed=1, manual_chance=True)
    for face in faces:
        state.apply("throw")
        state.apply(face)
    assert game.agent("uct(iterations=2000)", seed=seed).decide(state).name == right


def test_the_site_builds_without_warnings(tmp_path):
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(tmp_path / "trees")]
    done = subprocess.run(
        [*build, "docs", str(tmp_path / "html")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "index.html").exists()
