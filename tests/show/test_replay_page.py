"""Replay pages: frames hold only what has changed, names stay text, and a browser shows what was encoded."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import pytest

import spinney
from spinney.agents import Decision, build
from spinney.errors import BadGame
from spinney.games import State
from spinney.games.frame import Event, Frame, Replay
from spinney.games.picture import COLOURS, SHAPES, Mark, Picture, counted
from spinney.play import Session, replay_of
from spinney.show.html import TEMPLATES
from spinney.show.replay_page import replay_data, replay_page
from tests.games.test_game_pictures import GAMES, positions
from tests.show.pages import HOSTILE, Page, data_of, decoded, needs_browser, opened, probed, style

PIG = "examples/pig.py"
GRAPH = {"graph", "now", "under"}
"""What pages of reviews have besides."""


def play(spec: str, *agents: str, seed: int = 1) -> State:
    game = spinney.game(spec)
    return Session(game.start(seed), [build(game, agent, seed + seat) for seat, agent in enumerate(agents)]).play()


def named(state: State, names: Sequence[str], about: str = "", result: str = "") -> Replay:
    """A played game with other names, and another result."""
    frames = list(replay_of(state, names).frames)
    return Replay(state.game.card, names, about, frames, result, state.game)


@pytest.mark.parametrize("name", [*GAMES, PIG])
def test_reconstructed_frames_are_the_pictures(name):
    card = spinney.game(GAMES.get(name, name)).card
    frames, shown = [], []
    for number, s in enumerate(positions(GAMES.get(name, name), 5)):
        if not card.has_turns or not card.rules.under_way(s):
            frames.append(Frame(s.copy(), tuple(Event(player, "waits") for player in range(number % 3))))
            shown.append(
                (
                    card.board.draw(s) if card.board.picture is None else card.board.picture(s),
                    [f"player {player + 1}: waits" for player in range(number % 3)],
                )
            )
    data = json.loads(json.dumps(replay_data(Replay(card, "abcdef", "", frames))))
    for frame, (picture, events) in zip(decoded(data), shown, strict=True):
        assert frame["events"] == events
        if isinstance(picture, str):
            assert frame["text"] == picture.splitlines()
            continue
        assert [data["colours"][colour] for colour in frame["cells"]] == picture.cells
        assert (frame["head"], frame["facts"]) == ([picture.head], list(picture.facts))
        found = [Mark(x, y, style(data, number)) for number, x, y in frame["marks"].values()]
        assert sorted(found) == sorted(picture.marks.values())


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
    played = play(spec, *agents)
    game, steps = played.game, played.history
    state = game.start(played.seed, manual_chance=True)
    known: dict[str, list[str]] = {}
    for mover, action in steps:
        known.setdefault(f"player {mover + 1}" if mover >= 0 else "chance", []).append(state.name(action))
        state.apply(action, mover if mover >= 0 else None)
    shown = list(decoded(replay_data(replay_of(played, agents))))
    assert len(shown) == frames(state.record, steps)
    assert shown[-1]["facts"] == list(game.card.board.picture(state.record).facts)
    found: dict[str, list[str]] = {}
    for who, words in (line.split(": ", 1) for frame in shown for line in frame["events"]):
        for word in words.split(", "):
            times, name = re.fullmatch(r"(?:(\d+)× )?(.*)", word).groups()  # noqa: RUF001
            found.setdefault(who, []).extend([name] * int(times or 1))
    assert {who: counted(sorted(words)) for who, words in found.items()} == {
        who: counted(sorted(", ".join(words).split(", "))) for who, words in known.items()
    }
    assert shown[0]["events"] == [] or shown[0]["events"][0].startswith("chance: the nugget")


@pytest.mark.parametrize("spec", ["tictactoe", "saboteur", "kuhn_poker"])
def test_each_step_has_its_position_as_text_as_far_as_the_viewer_knows(spec):
    game = spinney.game(spec)
    for viewer in (None, 1):
        session = Session(game.start(1), [build(game, "random", seat) for seat in range(2)])
        frames = [frame if viewer is None else frame.seen_by(game, viewer) for frame in session.frames()]
        shown = decoded(json.loads(json.dumps(replay_data(Replay(game.card, "ab", "", frames, game=game)))))
        for number, (frame, found) in enumerate(zip(frames, shown, strict=True)):
            text = "".join(found["position"])
            assert game.from_text(text).record == frame.record
            if game.card.has_hidden and number < len(frames) - 1:
                assert ("?,?" in text or ",?" in text or "?," in text) == (viewer is not None)


def test_decisions_have_their_figures_beside_them():
    game = spinney.game("tictactoe")
    seats = [build(game, "uct(iterations=200)", 1), build(game, "random", 1)]
    frames = list(Session(game.start(1), seats).frames())
    shown = list(decoded(replay_data(Replay(game.card, "ab", "", frames))))
    assert [len(frame["figures"]) for frame in shown[:3]] == [0, 1, 0]
    (event,), (figures,) = frames[1].events, shown[1]["figures"]
    chosen = next(choice for choice in event.decision.choices if choice.action == event.decision.action)
    assert figures == f"value {event.decision.values[0]:.3f}, {chosen.visits:,} of 200 visits"
    (search,) = shown[1]["searches"]
    names = [choice.name for choice in event.decision.choices]
    assert [row[0] for row in search["rows"]] == names[:5] + names[5:][: chosen.name in names[5:]]
    assert search["others"] + sum(visits for _, visits, _, _ in search["rows"]) == 200
    assert (search["chosen"], search["line"][0], search["iterations"]) == (chosen.name, chosen.name, 200)
    assert shown[2]["searches"] == []


@needs_browser
def test_the_page_shows_what_each_search_found(tmp_path):
    """Bars for the best actions, the values of all players, the line and the speed; for hostile names, too."""
    game = spinney.game("tictactoe")
    decision = build(game, "uct(iterations=200)", 1).decide(game.start())
    first, *rest = decision.choices
    renamed = replace(first, name=HOSTILE, values=(0.75, 0.25), value=0.75, proven=True)
    result = replace(decision.result, choices=(renamed, *rest), line=(HOSTILE, "b2"), iterations=3000)
    made = Decision(0, first.action, HOSTILE, 0.5, result)
    state = game.start()
    frames = [Frame(state.record), Frame(state.record, (Event(0, "a1", made, first.action),))]
    page = replay_page(Replay(game.card, "ab", "", frames))
    dom = opened(page, tmp_path, "go(1)")
    found = re.search(r'<div id="searches".*?</section>', dom, re.DOTALL)[0]
    words = unescape(re.sub(r"<[^>]*>", "|", found))
    assert "<img" not in found
    assert f"{HOSTILE}|" in words
    effort, values = "3,000 simulations in 500 ms, 6,000/s", ("0.750 proven", "1| 0.750", "2| 0.250")
    for shown in (effort, *values, "visits of other actions", f"line {HOSTILE} → b2"):
        assert shown in words
    assert found.count("<li") == 5
    assert 'style="width: 100%;"' in found


def test_pictures_of_a_game_have_one_size():
    card = spinney.game("tictactoe").card
    board = replace(card.board, picture=lambda s: Picture(s.turn + 1, 1, ["ink"] * (s.turn + 1), {}))
    state = spinney.game(replace(card, board=board)).start(1)
    state.apply(0)
    with pytest.raises(BadGame, match="different sizes"):
        replay_page(replay_of(state, "ab"))


def test_the_page_needs_nothing_else_and_names_stay_text():
    played = play("connect_four", "random", "random")

    def page_with(word: str) -> str:
        return replay_page(named(played, [word, "b"], word, word))

    text = page_with(HOSTILE)
    page, tame = Page(text), Page(page_with("tame"))
    assert (page.tags, page.attributes) == (tame.tags, tame.attributes)
    assert page.words.count(HOSTILE) == 3  # title, names, and what it is about
    assert data_of(text)["result"] == HOSTILE
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert not re.search(r"https:|@import|url\(|src=(?!x onerror)", unescape(text))
    assert "prefers-color-scheme: dark" in text
    assert "Content-Security-Policy" in text
    assert text == page_with(HOSTILE)
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    unread = set(re.findall(r"\bthe\.(\w+)", (TEMPLATES / "replay.js").read_text())) - {*ids, "text", *GRAPH}
    assert not unread


# ---- a real browser


@needs_browser
def test_a_browser_reconstructs_the_frames_and_paints_them(tmp_path):
    """Forwards, backwards, and with jumps; the middle of every cell but those with numbers; nothing hostile runs."""
    replay = named(play(GAMES["halite"], *["random"] * 4), [HOSTILE] * 4, HOSTILE, HOSTILE)
    data = json.loads(json.dumps(replay_data(replay)))
    frames, order = list(decoded(data)), [*range(31), *range(30, -1, -1), 30, 4, 17, 0]
    script = f"""
      const seen = [];
      for (const i of {order}) {{
        go(i);
        const shown = board.shown;
        seen.push([shown.cells.slice(), Object.fromEntries(shown.marks), shown.events.slice(), the.head.textContent]);
      }}
      go({len(frames) - 1}); board.draw(1);
      const pen = the.picture.getContext("2d");
      const cell = board.cell, pixels = board.shown.cells.map((_, i) => [...pen.getImageData(
        (i % data.width + 0.5) * cell, (Math.floor(i / data.width) + 0.5) * cell, 1, 1).data.slice(0, 3)]);
      const out = document.createElement("i");
      out.id = "probe";
      out.textContent = JSON.stringify({{seen, pixels, colours: board.colours, hacked: typeof hacked,
        images: document.images.length, result: the.result.textContent}});
      document.body.append(out);"""
    found = probed(opened(replay_page(replay), tmp_path, script))
    assert (found["hacked"], found["images"], found["result"]) == ("undefined", 0, HOSTILE)
    for i, (cells, marks, events, head) in zip(order, found["seen"], strict=True):
        known = {str(key): mark for key, mark in frames[i]["marks"].items()}
        assert (cells, marks, events, [head]) == (frames[i]["cells"], known, frames[i]["events"], frames[i]["head"])
    marks = [(x, y, style(data, number)) for number, x, y in frames[-1]["marks"].values()]
    covered = {(x, y): mark.colour for x, y, mark in sorted(marks, key=lambda it: SHAPES.index(it[2].shape))}
    numbers = {(x, y) for x, y, mark in marks if mark.shape == "letter"}
    assert len(covered) > len(numbers) + 5
    for i, colour in enumerate(frames[-1]["cells"]):
        place = (i % 12, i // 12)
        value = found["colours"][COLOURS.index(covered[place]) if place in covered else colour]
        assert place in numbers or found["pixels"][i] == [int(value[j : j + 2], 16) for j in (1, 3, 5)]


@needs_browser
def test_a_browser_plays_the_replay_and_knows_the_keys(tmp_path):
    replay = named(play(PIG, "heuristic", "random"), ["a", "b"], "", "the end")
    frames = list(decoded(replay_data(replay)))
    last = len(frames) - 1
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
    dom = opened(replay_page(replay), tmp_path, script, seconds=2 * last)
    steps = [1, 2, 1, last, last, 0, 0, 0]
    assert probed(dom) == [*([step, False] for step in steps), [0, True]]
    assert f'<output id="count">{last} / {last}</output>' in dom  # played to its end
    assert '<p id="result">the end</p>' in dom
    assert frames[-1]["text"][0] in dom


@needs_browser
def test_a_browser_shows_figures_as_text(tmp_path):
    game = spinney.game("tictactoe")
    frames = list(Session(game.start(1), [build(game, "uct(iterations=50)", seat) for seat in range(2)]).frames())
    dom = opened(replay_page(Replay(game.card, "ab", "", frames)), tmp_path, "go(1)")
    assert re.search(r"<li>player 1: \d<small>value 0\.\d+, \d+ of 50 visits</small></li>", dom)


@needs_browser
def test_a_browser_shows_the_position_and_copies_it(tmp_path):
    played = play("kuhn_poker", "random", "random")
    copied = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => { document.title = text; }}});"
    dom = opened(replay_page(replay_of(played, "ab")), tmp_path, f"{copied} go(last); the.copy.click();")
    assert f"<title>{played.to_text()}</title>" in dom
