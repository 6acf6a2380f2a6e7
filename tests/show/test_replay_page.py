"""Films: frames that hold only what has changed, the page around them, the commands, and a browser if there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney.arena.play import Job, play_game
from spinney.arena.schedule import Pairing
from spinney.errors import BadGame
from spinney.games.halite import hlt
from spinney.games.picture import COLOURS, SHAPES, Look, Mark, Picture, counted
from spinney.show.replay_page import ReplayPage, page_of_game
from tests.arena.test_arena import finished
from tests.arena.test_report import Page, fill
from tests.commands import run
from tests.games.test_game_pictures import GAMES, positions

FOLDER = Path(spinney.__file__).parent / "arena"
PIG = "examples/pig.py"
HOSTILE = "</script><script>hacked = 1</script><img src=x onerror='hacked = 1'> <!-- & \u2028"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


def decoded(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The frames of a film, put together again."""
    lists: dict[str, list[Any]] = {name: [] for name in ("cells", "text", "head", "facts", "said")}
    marks: dict[int, list[Any]] = {}
    for frame in data["frames"]:
        for name, (length, *changes) in ((name, frame[name]) for name in lists if name in frame):
            lists[name] = (lists[name] + [None] * length)[:length]
            for i, value in zip(changes[::2], changes[1::2], strict=True):
                lists[name][i] = value
        for key in frame.get("gone", ()):
            del marks[key]
        flat = frame.get("marks", [])
        marks |= {flat[i]: flat[i + 1 : i + 4] for i in range(0, len(flat), 4)}
        yield {name: list(found) for name, found in lists.items()} | {"marks": dict(marks)}


def look(data: dict[str, Any], number: int) -> Look:
    shape, colour, size, edge, *rest = data["looks"][number]
    return Look(SHAPES[shape], data["colours"][colour], size, data["colours"][edge] if edge >= 0 else "", *rest)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("name", [*GAMES, PIG])
def test_frames_put_together_are_the_pictures(name):
    card = spinney.game(GAMES.get(name, name)).card
    film, shown = ReplayPage(card, "abcdef"), []
    for number, s in enumerate(positions(GAMES.get(name, name), 5)):
        if not card.has_turns or not card.rules.under_way(s):
            film.add(s, ["said"] * (number % 3))
            shown.append(
                (card.board.draw(s) if card.board.picture is None else card.board.picture(s), ["said"] * (number % 3))
            )
    data = json.loads(json.dumps(film.data()))
    for frame, (picture, said) in zip(decoded(data), shown, strict=True):
        assert frame["said"] == said
        if isinstance(picture, str):
            assert frame["text"] == picture.splitlines()
            continue
        assert [data["colours"][colour] for colour in frame["cells"]] == picture.cells
        assert (frame["head"], frame["facts"]) == ([picture.head], list(picture.facts))
        found = [Mark(x, y, look(data, number)) for number, x, y in frame["marks"].values()]
        assert sorted(found) == sorted(picture.marks.values())


def play(spec: str, *agents: str, seed: int = 1) -> Any:
    return play_game(Job(Pairing(0, seed, tuple(range(len(agents)))), spec, agents, seed))


@pytest.mark.parametrize(
    ("spec", "agents", "frames"),
    [
        ("tictactoe", ["random"] * 2, lambda s, steps: len(steps) + 1),
        (GAMES["battlesnake"], ["flood"] * 3, lambda s, steps: s.turn + 1),
        (GAMES["halite"], ["random"] * 4, lambda s, steps: s.turn + 1),
        ("saboteur", ["greedy"] * 2, lambda s, steps: sum(mover >= 0 for mover, _ in steps) + 1),
    ],
)
def test_a_frame_is_what_takes_effect_at_once_and_the_chance_after_it(spec, agents, frames):
    game, played = spinney.game(spec), play(spec, *agents)
    film = page_of_game(game, played.seed, played.steps, agents, "")
    state = game.start(played.seed, manual_chance=True)
    said: dict[str, list[str]] = {}
    for mover, action in played.steps:
        said.setdefault(f"player {mover + 1}" if mover >= 0 else "chance", []).append(state.name(action))
        state.apply(action, mover if mover >= 0 else None)
    shown = list(decoded(film.data()))
    assert len(shown) == frames(state.record, played.steps)
    assert shown[-1]["facts"] == list(game.card.board.picture(state.record).facts)
    told: dict[str, list[str]] = {}
    for who, words in (line.split(": ", 1) for frame in shown for line in frame["said"]):
        for word in words.split(", "):
            times, name = re.fullmatch(r"(?:(\d+)× )?(.*)", word).groups()  # noqa: RUF001
            told.setdefault(who, []).extend([name] * int(times or 1))
    assert {who: counted(sorted(words)) for who, words in told.items()} == {
        who: counted(sorted(", ".join(words).split(", "))) for who, words in said.items()
    }
    assert shown[0]["said"] == [] or shown[0]["said"][0].startswith("chance: the nugget")


def test_pictures_of_a_game_have_one_size():
    tictactoe = spinney.game("tictactoe")
    card = replace(tictactoe.card, picture=lambda s: Picture(s.turn + 1, 1, ["ink"] * (s.turn + 1), {}))
    with pytest.raises(BadGame, match="different sizes"):
        page_of_game(spinney.game(card), 1, [(0, 0)], "ab", "")


def test_the_page_needs_nothing_else_and_names_stay_text():
    played = play("connect_four", "random", "random")

    def page_with(word: str) -> str:
        film = page_of_game(spinney.game("connect_four"), played.seed, played.steps, [word, "b"], word)
        film.result = word
        return film.page()

    text = page_with(HOSTILE)
    page, tame = Page(text), Page(page_with("tame"))
    assert (page.tags, page.attributes) == (tame.tags, tame.attributes)
    assert page.words.count(HOSTILE) == 3  # title, names, and what it is about
    assert data_of(text)["result"] == HOSTILE
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert not re.search(r"https:|@import|url\(|src=(?!x onerror)", unescape(text))
    assert "prefers-color-scheme: dark" in text
    assert text == page_with(HOSTILE)
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    unread = set(re.findall(r"\bthe\.(\w+)", (FOLDER / "film.js").read_text())) - {*ids, "text"}
    assert not unread


def test_every_colour_has_a_value_on_light_and_on_dark_ground():
    light, dark = "", ""
    for name in ("report.css", "film.css"):
        before, _, after = (FOLDER / name).read_text().partition("prefers-color-scheme: dark")
        light, dark = light + before, dark + after
    for colour in COLOURS:
        assert re.search(rf"--{colour}: #[0-9a-f]{{3,6}};", light), colour
        assert re.search(rf"--{colour}: #[0-9a-f]{{6}};", dark), colour


# ---- commands


def test_watch_makes_a_page_of_each_game(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("watch", "tictactoe", "heuristic", "random", "--seed", 1, "--html", "game.html")
    code, out, errors = run(capsys, *words, "--games", 2, "-q", "--json", "-")
    assert code == 0
    assert [game["agents"] for game in json.loads(out)] == [["heuristic(seed=1)", "random(seed=2)"]] * 2
    assert re.search(r"^\d frames in game-2.html$", errors, re.MULTILINE)
    assert {file.name for file in tmp_path.iterdir()} == {"game-1.html", "game-2.html"}
    data = data_of(Path("game-1.html").read_text())
    assert data["result"] == "heuristic(seed=1) (player 1) wins (rewards 1, 0)"
    assert "heuristic(seed=1)" in Page(Path("game-1.html").read_text()).words
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert " 1 | 2 | 3" in out
    assert data_of(Path("game.html").read_text()) == data


def test_replay_makes_a_page(capsys, tmp_path):
    html = tmp_path / "game.html"
    games = [
        play(PIG, "heuristic", "random"),
        replace(finished(1, [0, 1], [0, 0]), steps=[], forfeit=(0, "was <late>")),
    ]
    file = fill(tmp_path / "r.sqlite", games, game=PIG, agents=[HOSTILE, "random"])
    code, out, _ = run(capsys, "replay", file, 0, "--game", PIG, "--html", html)
    assert (code, " ".join(out.split())) == (0, f"{len(data_of(html.read_text())['frames'])} frames in {html}")
    page = Page(html.read_text())
    assert HOSTILE in page.words
    assert f"game 0 of r.sqlite: {PIG}, seed 1" in page.words
    assert data_of(html.read_text())["result"].startswith("game 0: shares player 1 ")
    assert run(capsys, "replay", file, 1, "--game", PIG, "--html", html)[0] == 0
    data = data_of(html.read_text())
    assert data["result"] == "game 1: shares player 1 0, player 2 1; player 1 was <late>"
    assert len(data["frames"]) == 1
    for words, problem in (
        (["replay", file, 0, "--html", "no/such/folder/x.html"], "there is no folder no/such/folder"),
        (["replay", file, 0, "--html", tmp_path], "it is a folder; name a file"),
        (["replay", file, 0, "--html", file], "needs that file for something else; name another"),
        (["replay", file, 7, "--html", html], "number 7 is not there"),
        (["watch", "tictactoe", "random", "random", "--html", "no/such/folder/x.html"], "there is no folder"),
    ):
        code, out, errors = run(capsys, *words)
        assert (code, out, errors.count("\n")) == (2, "", 1)
        assert problem in errors


def test_replay_makes_a_page_of_a_hlt_file(capsys, tmp_path):
    game, played = spinney.game(GAMES["halite"]), play(GAMES["halite"], *["random"] * 4)
    state = game.start(played.seed)
    for mover, action in played.steps:
        state.apply(action, mover)
    names = ["ann", HOSTILE, "cem", "dee"]
    hlt.write(tmp_path / "game.hlt", state, names)
    assert run(capsys, "replay", tmp_path / "game.hlt", "--html", tmp_path / "game.html")[0] == 0
    page = (tmp_path / "game.html").read_text()
    data, ours = data_of(page), page_of_game(game, played.seed, played.steps, names, "").data()
    assert HOSTILE in Page(page).words
    winner = played.shares.index(1)
    rewards = ", ".join(str(int(player == winner)) for player in range(4))
    assert data["result"] == f"{names[winner]} (player {winner + 1}) wins (rewards {rewards})"
    for frame, known in zip(decoded(data), decoded(json.loads(json.dumps(ours))), strict=True):
        assert frame | {"said": 0} == known | {"said": 0}
    said = [line for frame in decoded(data) for line in frame["said"]]
    assert {"player 1: spawn", "player 2: spawn"} <= {*said}
    assert any(re.fullmatch("player 1: .*[2-9]× (north|south|east|west).*", line) for line in said)  # noqa: RUF001


# ---- a real browser


def opened(page: str, folder: Path, script: str, seconds: int = 1) -> str:
    """The page as a browser has it after a script has run in it, and so many seconds."""
    assert BROWSER is not None
    file = folder / "page.html"
    clock = "requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 16);"  # no screen, no frames
    page = page.replace("<body>", f"<body><script>{clock}</script>")
    file.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = [BROWSER, *flags, f"--virtual-time-budget={1000 * seconds}", "--dump-dom", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def probed(dom: str) -> Any:
    return json.loads(unescape(re.search(r'<i id="probe">(.*?)</i>', dom, re.DOTALL)[1]))


@needs_browser
def test_a_browser_puts_the_frames_together_and_paints_them(tmp_path):
    """Forwards, backwards, and by leaps; the middle of every cell but those with numbers; nothing hostile runs."""
    game, played = spinney.game(GAMES["halite"]), play(GAMES["halite"], *["random"] * 4)
    film = page_of_game(game, played.seed, played.steps, [HOSTILE] * 4, HOSTILE)
    film.result = HOSTILE
    data = json.loads(json.dumps(film.data()))
    frames, order = list(decoded(data)), [*range(31), *range(30, -1, -1), 30, 4, 17, 0]
    script = f"""
      const seen = [];
      for (const i of {order}) {{
        go(i);
        seen.push([shown.cells.slice(), Object.fromEntries(shown.marks), shown.said.slice(), the.head.textContent]);
      }}
      go({len(frames) - 1}); draw(1);
      const pen = the.picture.getContext("2d");
      const pixels = shown.cells.map((_, i) => [...pen.getImageData(
        (i % film.width + 0.5) * cell, (Math.floor(i / film.width) + 0.5) * cell, 1, 1).data.slice(0, 3)]);
      const out = document.createElement("i");
      out.id = "probe";
      out.textContent = JSON.stringify({{seen, pixels, colours, hacked: typeof hacked,
        images: document.images.length, result: the.result.textContent}});
      document.body.append(out);"""
    found = probed(opened(film.page(), tmp_path, script))
    assert (found["hacked"], found["images"], found["result"]) == ("undefined", 0, HOSTILE)
    for i, (cells, marks, said, head) in zip(order, found["seen"], strict=True):
        known = {str(key): mark for key, mark in frames[i]["marks"].items()}
        assert (cells, marks, said, [head]) == (frames[i]["cells"], known, frames[i]["said"], frames[i]["head"])
    marks = [(x, y, look(data, number)) for number, x, y in frames[-1]["marks"].values()]
    covered = {(x, y): mark.colour for x, y, mark in sorted(marks, key=lambda it: SHAPES.index(it[2].shape))}
    numbers = {(x, y) for x, y, mark in marks if mark.shape == "letter"}
    assert len(covered) > len(numbers) + 5
    for i, colour in enumerate(frames[-1]["cells"]):
        place = (i % 12, i // 12)
        value = found["colours"][COLOURS.index(covered[place]) if place in covered else colour]
        assert place in numbers or found["pixels"][i] == [int(value[j : j + 2], 16) for j in (1, 3, 5)]


@needs_browser
def test_a_browser_plays_the_film_and_knows_the_keys(tmp_path):
    played = play(PIG, "heuristic", "random")
    film = page_of_game(spinney.game(PIG), played.seed, played.steps, ["a", "b"], "")
    film.result = "the end"
    last = len(film.frames) - 1
    script = """
      const counts = [], press = key => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        counts.push([at, playing]);
      };
      ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft", "x", " "].forEach(press);
      const out = document.createElement("i");
      out.id = "probe";
      out.textContent = JSON.stringify(counts);
      document.body.append(out);"""
    dom = opened(film.page(), tmp_path, script, seconds=2 * last)
    steps = [1, 2, 1, last, last, 0, 0, 0]
    assert probed(dom) == [*([step, False] for step in steps), [0, True]]
    assert f'<output id="count">{last} / {last}</output>' in dom  # played to its end
    assert '<p id="result">the end</p>' in dom
    assert next(reversed(list(decoded(film.data()))))["text"][0] in dom
