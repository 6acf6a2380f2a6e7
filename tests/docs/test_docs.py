"""The documents: their code runs and prints what they show, their tables are complete, the site builds."""

from __future__ import annotations

import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

import spinney
from spinney import games
from spinney.agents import NetOptions
from spinney.cli import main
from spinney.cli.commands import COMMANDS, load_command
from spinney.cli.lists import matrix
from spinney.games.card import RULE_NAMES, PieceRules
from spinney.games.options import Options
from spinney.games.spec import parse_spec
from spinney.learn.settings import Settings, Shape, Training
from spinney.play import Session
from spinney.search import SEARCHES
from spinney.search.options import EvaluationOptions, SimulationOptions

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "searches").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
EXACT = ("games", "searches", "agents", "verify", "replay", "report")
"""Commands whose output is always the same."""
TIMES = re.compile(r"in [\d.]+ s \([\d,]+/s\)|\([\d.]+ s\)|(?<=│ )\d+\.\d{3}(?= │)")


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The fenced blocks of a page: language, text, and the language of a block right above."""
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
    """The output in one line and without times, so that line breaks do not matter."""
    return TIMES.sub("(time)", " ".join(text.split()))


def test_the_tutorial_shows_its_examples():
    """All of Pig is on the page, in order; the parts of other examples are as in their files."""

    def lines(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.strip()]

    shown = {
        page: re.findall(r"^```{code-block} python\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.M | re.S)
        for page in ("write-your-own-game.md", "interop.md")
    }
    *pig, pennies = shown["write-your-own-game.md"]
    assert lines("".join(pig)) == lines((ROOT / "examples" / "pig.py").read_text())
    assert pennies in (ROOT / "examples" / "pennies.py").read_text()
    assert shown["interop.md"] == [(ROOT / "examples" / "clobber.py").read_text()]


@pytest.mark.parametrize("page", pages_with("console"), ids=lambda page: page.stem)
def test_commands_run_and_print_what_the_page_shows(page, monkeypatch, capsys, tmp_path):
    """The commands of a page, in order, except `play` and `table`, which wait for a person, and `bench`, which
    takes long.

    Commands with a seed, those of EXACT, and errors print what the page shows, except for times; a line of three dots
    stands for any output.
    """
    monkeypatch.setenv("COLUMNS", "88")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shown = [pair for language, text, _ in blocks(page) if language == "console" for pair in COMMAND.findall(text)]
    for command, output in shown:
        name, *words = shlex.split(command)
        if name != "spinney" or words[0] in ("play", "table", "bench"):
            continue
        with pytest.raises(SystemExit) as ended:
            main(words)
        printed = "".join(capsys.readouterr())
        fails = output.startswith("spinney:")
        assert ended.value.code == (2 if fails else 0), f"{command}\n{printed}"
        if output and ("--seed" in words or words[0] in EXACT or fails):
            start, left_out, end = f" {without_times(output)}".rpartition(" ... ")
            if not left_out:
                assert without_times(printed) == end.strip(), command
            assert without_times(printed).startswith(start.strip()), command
            assert without_times(printed).endswith(end.strip()), command


def option_tables(page: Path, head: str = "option") -> list[dict[str, str]]:
    """The tables of a page whose first column has this heading: defaults by name."""
    tables: list[dict[str, str]] = []
    inside = False
    for line in page.read_text().splitlines():
        if line.startswith(f"| {head} |"):
            tables.append({})
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and (match := re.match(r"\| `(\w+)` \| (?:`([^`]+)`|(needed)) \|", line)):
            tables[-1][match[1]] = match[2] or match[3]
    return tables


@pytest.mark.parametrize("search", SEARCHES)
def test_the_option_tables_are_complete(search):
    common, evaluation, simulation = option_tables(ROOT / "docs" / "searches.md")
    (own,), options = option_tables(ROOT / "docs" / "searches" / f"{search}.md"), SEARCHES[search][1]
    shared = common | (evaluation if issubclass(options, EvaluationOptions) else {})
    shared |= simulation if issubclass(options, SimulationOptions) else {}
    assert list(shared | own) == list(options.model_fields)
    check_defaults(shared | own, options)


def check_defaults(table: dict[str, str], options: type[Options]) -> None:
    """The defaults of a table, written as in a spec, equal those of the code."""
    for name, default in table.items():
        _, given = parse_spec(f"agent({name}={default})")
        real = options.model_fields[name].default
        assert given[name] == (pytest.approx(real, abs=5e-6) if type(real) is float else real), name


def test_the_option_table_of_net_is_complete():
    (table,) = option_tables(ROOT / "docs" / "learning.md")
    assert list(table) == list(NetOptions.model_fields)
    check_defaults(table, NetOptions)


def test_the_tables_of_settings_are_complete():
    """Defaults are written as in the file of settings."""
    tables = option_tables(ROOT / "docs" / "learning.md", "setting")
    for table, settings in zip(tables, (Settings, Shape, Training), strict=True):
        fields = {name: field for name, field in settings.model_fields.items() if name not in ("shape", "training")}
        assert list(table) == list(fields)
        for name, field in fields.items():
            assert table[name] == "needed" if field.is_required() else yaml.safe_load(table[name]) == field.default


OWN_PAGES = {
    "serve": "serve-battlesnake",
    "bridge": "bridge-colosseum",
    "client": "client-saboteur",
    "bot": "bot-halite",
}
"""Commands of bridges, and the pages with their options; a page is named after its game."""
WITHOUT_TABLE = ("games", "searches", "agents")
DEPENDS_ON_THE_MACHINE = {("bench", "--threads")}


def command_of(name: str) -> click.Command:
    """A command, or that of a bridge for the game of its page."""
    command = load_command(name)
    if name not in OWN_PAGES:
        return command
    return command.get_command(click.Context(command, info_name=name), OWN_PAGES[name].rpartition("-")[2])


def command_table(command: str) -> dict[str, str]:
    """The options of a command with their defaults, as a page has them."""
    text = (ROOT / "docs" / f"{OWN_PAGES.get(command, 'command-line')}.md").read_text()
    section = text.partition("\n## Options\n" if command in OWN_PAGES else f"\n## {command}\n")[2].partition("\n## ")[0]
    found = {}
    for cells in (line.split(" | ") for line in section.splitlines() if line.startswith("| `--")):
        names = re.findall(r"--[a-z-]+", cells[0])
        defaults = cells[1].replace("`", "").split(", ") if len(names) > 1 else [cells[1].replace("`", "")]
        found |= dict(zip(names, defaults, strict=True))
    return found


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT_TABLE])
def test_the_option_tables_of_commands_are_complete(command):
    """Defaults that are numbers or words are compared."""
    options = {
        param.opts[0]: param.default for param in command_of(command).params if param.param_type_name == "option"
    }
    for shared in ("--json", "--help"):
        options.pop(shared, None)
    table = command_table(command)
    assert sorted(table) == sorted(options)
    for name, default in options.items():
        if default in (None, False) or (command, name) in DEPENDS_ON_THE_MACHINE:
            continue
        told = table[name].replace(",", "")
        assert told == ("none" if default == "" else f"{default:g}" if type(default) is float else str(default)), name


def test_pages_name_their_papers():
    """Each game with a study has a page with the title of the paper, and the README links to it."""
    readme = (ROOT / "README.md").read_text()
    for card in (games.card(name) for name in games.game_names()):
        if card.study is not None:
            paper = (ROOT / "docs" / f"{card.name}.md").read_text().partition("\n## Paper\n")[2]
            assert f"*{card.study.paper}*" in " ".join(paper.split())
            assert f"(docs/{card.name}.md#paper)" in readme


GLOSSARY = ROOT / "docs" / "glossary.md"


def glossary_rows(heading: str, columns: int) -> list[list[str]]:
    """The rows of the tables below a heading, with this many columns."""
    section = GLOSSARY.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


def test_the_terms_of_the_glossary_are_in_the_code():
    """The last column names modules and classes that exist, rules of games, and options of agents."""
    options = {name for _, kind in SEARCHES.values() for name in kind.model_fields}
    known = {"rule ": {*RULE_NAMES, *PieceRules._fields}, "option ": options}
    headings = re.findall(r"^## (.*)$", GLOSSARY.read_text(), re.M)
    terms = [row for heading in headings if "0.1" not in heading for row in glossary_rows(heading, 3)[1:]]
    assert len(terms) > 90
    for _, _, places in terms:
        for kind, name in re.findall(r"(\w* ?)`([\w.]+)`", places):
            if kind in known:
                assert name in known[kind]
            else:
                pkgutil.resolve_name(name)


def test_old_names_in_the_glossary_are_gone_and_new_ones_are_there():
    options = {name for _, kind in SEARCHES.values() for name in kind.model_fields}
    known = {"option": options, "rule": set(RULE_NAMES), "rule of pieces": set(PieceRules._fields)}
    source = "".join(file.read_text() for file in Path(spinney.__file__).parent.rglob("*.py"))
    classes = set(re.findall(r"^ *class (\w+)", source, re.M))
    for kind, old, new in glossary_rows("Renamed since 0.1", 3):
        if kind == "class":
            assert classes >= set(re.findall(r"\w+", new))
        if kind in known and "=" not in old + new:
            (before,), (now,) = (re.findall(r"^`(\w+)`", cell) for cell in (old, new))
            assert now in known[kind]
            assert before not in known[kind] or " of " in old, before


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
    seats = game.agent("uct(iterations=2000)", seed=1), game.agent("heuristic", seed=1)
    assert sorted(Session(game.start(seed=1), seats).play().rewards()) == [0, 1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("faces", "right"), [([2], "throw"), ([6] * 6, "hold")])
def test_a_search_plays_the_tutorial_game_well(faces, right, seed):
    """With two points in the pot, throw; with 36 of the 50 that win, hold."""
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
