"""The BattleSnake server over real sockets: whole games, bad requests, too many games, too little time."""

from __future__ import annotations

import copy
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import mean, median
from typing import Any
from urllib.parse import urlsplit

import pytest

import spinney
from spinney import connections
from spinney.bridges.battlesnake import read_log, sessions
from spinney.bridges.battlesnake.engine import Match, Snake
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.battlesnake.server import Appearance, Server
from spinney.bridges.battlesnake.web import LARGEST
from spinney.errors import BadOption, SpinneyError
from tests.bridges.battlesnake_server import GAME, message, post, served


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served("hungry", 1, 2, 3, 4, 5, 6, 7, 8) as (url, _, _):
        yield url


# ---- whole games


def test_four_served_snakes_play_to_the_end_and_none_is_late(tmp_path):
    with served("champion(iterations=500)", 4, log=tmp_path) as (url, server, told):
        match = Match(spinney.game("battlesnake"), [url] * 4, "final", timeout=5.0, seed=3)
        match.play(turns=2000)
        assert len(server.sessions) == 0
    assert match.state.is_over
    assert [(snake.late, snake.wrong) for snake in match.snakes] == [(0, 0)] * 4
    record, winners = match.state.record, match.state.winners()
    for player, snake in enumerate(match.snakes):
        assert len(snake.latencies) == (record.turn + 1 if player in winners else record.fell[player])
    ends = [line for line in told if "after" in line]
    assert sum(": won after" in line for line in ends) == len(winners)
    assert len(ends) == 4

    files = sorted(tmp_path.glob("*-final-final-?.jsonl"))
    assert len(files) == 4
    result = "won" if 0 in winners else "lost" if winners else "nobody won"
    lines = [json.loads(line) for line in files[0].read_text().splitlines()]
    replay = read_log(files[0])
    frames = list(replay.frames)
    assert replay.about == "game final, snake final-0, player 1: champion(iterations=500)"
    assert replay.result == f"game final, snake final-0: {result}"
    assert [frame.record.turn for frame in frames] == sorted({line["turn"] for line in lines})
    own = [event for frame in frames for event in frame.events if event.mover == 0]
    assert [event.words for event in own] == [line["move"] for line in lines[1:-1]]
    moves = lines[1:-1]
    assert median(move["iterations"] for move in moves) == 500


def test_a_server_that_is_started_again_plays_on(tmp_path):
    with served("hungry", 2, 3, log=tmp_path) as (url, server, told):
        late = message("late", players=4)
        late["turn"], late["board"]["snakes"] = 40, late["board"]["snakes"][:3]
        bad = copy.deepcopy(late)
        bad["board"]["snakes"][1]["health"] = 1000
        assert post(url, "/move", bad)[0] == 422
        assert (len(server.sessions), list(tmp_path.iterdir())) == (0, [])
        assert post(url, "/move", late)[0] == 200
        assert told[-1] == "game late, snake late-0: standard, 3 snakes, 11x11, from turn 40"
        late["turn"], late["board"]["snakes"] = 41, late["board"]["snakes"][:1]
        assert post(url, "/move", late)[0] == 200
        assert post(url, "/end", late)[0] == 200
        assert told[-1].startswith("game late, snake late-0: won after 2 moves")
    (file,) = tmp_path.iterdir()
    assert [frame.record.turn for frame in read_log(file).frames] == [40, 41, 41], "the last one is for the last answer"


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (1, {}),
        (8, {}),
        (2, {"mode": "royale", "shrink_every": 3}),
        (3, {"mode": "wrapped"}),
        (5, {"mode": "constrictor"}),
        (6, {"mode": "wrapped_constrictor", "width": 19, "height": 19}),
        (7, {"width": 7, "height": 9}),
        (4, {"width": 25, "height": 25}),
    ],
    ids=str,
)
def test_every_kind_of_game_is_understood(url, players, options):
    game = spinney.game("battlesnake", players=players, **options)
    match = Match(game, [url] * players, f"{players}{options}", timeout=5.0, seed=2)
    match.play(turns=12)
    assert all((snake.late, snake.wrong) == (0, 0) for snake in match.snakes)
    assert match.state.record.turn > 1


def test_a_game_whose_agent_is_not_ready_is_played_by_another():
    with served("champion", log=None) as (url, _, _):
        match = Match(spinney.game("battlesnake", players=3), [url] * 3, "early", timeout=5.0, seed=1)
        match.play(turns=10)
        assert all((snake.late, snake.wrong) == (0, 0) for snake in match.snakes)
        assert max(max(snake.latencies) for snake in match.snakes) < 3.0  # a search would take nearly all of the 5 s


def test_a_fault_of_the_agent_does_not_cost_the_move(monkeypatch):
    with served("hungry", 2) as (url, server, _):
        monkeypatch.setattr(type(server.agents._free[2][0]), "decide", lambda *_, **__: 1 / 0)
        request = message("faulty")
        assert post(url, "/start", request)[0] == 200
        status, answer = post(url, "/move", request)
        assert (status, answer["move"] in ("up", "down", "left", "right")) == (200, True)


def test_more_moves_than_cores_are_all_thought_about_and_in_time(tmp_path):
    """Two threads share out the second that 24 snakes have at once: who came first does not take all of it. The margin
    is for a busy machine; bench/battlesnake_load.py has the figures of the official limit."""
    with served("champion(seconds=10)", 4, margin=1500, log=tmp_path) as (url, _, _):
        game = spinney.game("battlesnake")
        matches = [Match(game, [url] * 4, f"busy{number}", timeout=2.5, seed=number) for number in range(6)]
        threads = [threading.Thread(target=match.play, args=(3,)) for match in matches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    all_snakes = [snake for match in matches for snake in match.snakes]
    assert [(snake.late, snake.wrong) for snake in all_snakes] == [(0, 0)] * 24
    lines = [json.loads(line) for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    searched = [line["iterations"] > 0 for line in lines if line["event"] == "move"]
    assert len(searched) == 24 * 4
    assert mean(searched) > 0.8


# ---- what is refused


def change(*path: str | int, to: Any) -> Callable[[dict[str, Any]], Any]:
    """A request with one thing in it changed; `...` takes it out."""

    def changed(request: dict[str, Any]) -> Any:
        at: Any = request
        for step in path[:-1]:
            at = at[step]
        if to is ...:
            del at[path[-1]]
        else:
            at[path[-1]] = to
        return request

    return changed


BODY = ("board", "snakes", 0, "body")
BAD = {
    "nothing": (lambda _: b"", 400, "Invalid JSON"),
    "not json": (lambda _: b"{", 400, "Invalid JSON"),
    "not utf-8": (lambda _: b'{"game": "\xff"}', 400, "Invalid JSON"),
    "too deep": (lambda _: b"[" * 100_000, 400, "Invalid JSON"),
    "a list": (lambda _: [], 422, "should be an object"),
    "no game": (change("game", to=...), 422, "game: Field required"),
    "no game id": (change("game", "id", to=None), 422, "game.id: Field required"),
    "a huge id": (change("game", "id", to="x" * 1000), 422, "at most 200 characters"),
    "no turn": (change("turn", to=...), 422, "turn: Field required"),
    "turn before the first": (change("turn", to=-1), 422, "the turn is -1"),
    "turn beyond counting": (change("turn", to=10**30), 422, "the turn is"),
    "turn not a number": (change("turn", to="3"), 422, "turn: Input should be a valid integer"),
    "timeout not a number": (change("game", "timeout", to="soon"), 422, "game.timeout"),
    "a huge board": (change("board", "width", to=1000), 422, "1000"),
    "no snakes": (change("board", "snakes", to=[]), 422, "not on the board"),
    "you elsewhere": (change("board", "snakes", 0, "id", to="other"), 422, "not on the board"),
    "the same twice": (change("board", "snakes", 1, "id", to="bad-0"), 422, "the same id"),
    "health beyond": (change("board", "snakes", 0, "health", to=10**9), 422, "the health of snake 0 is 1000000000"),
    "no health": (change("board", "snakes", 0, "health", to=0), 422, "the health of snake 0 is 0"),
    "NaN": (lambda request: json.dumps(change("turn", to=float("nan"))(request)).encode(), 422, "turn"),
    "off the board": (change(*BODY, 0, to={"x": 11, "y": 0}), 422, "off the board"),
    "a gap": (change(*BODY, to=[{"x": 1, "y": 1}, {"x": 5, "y": 5}]), 422, "gap"),
    "no body": (change(*BODY, to=[]), 422, "has no body"),
    "square without y": (change(*BODY, 0, to={"x": 1}), 422, "y: Field required"),
    "half a square": (change(*BODY, 0, to={"x": 1.5, "y": 1}), 422, "valid integer"),
    "food off the board": (change("board", "food", to=[{"x": -1, "y": 0}]), 422, "off the board"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_request_is_refused_in_a_line_and_the_game_goes_on(url, bad):
    make, status, words = BAD[bad]
    good = message("bad")
    assert post(url, "/start", good)[0] == 200
    found, answer = post(url, "/move", make(copy.deepcopy(good)))
    assert (found, list(answer)) == (status, ["error"])
    assert words in answer["error"]
    assert len(answer["error"].splitlines()) == 1
    assert post(url, "/move", good)[0] == 200
    assert post(url, "/end", good) == (200, {})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (change("board", "width", to=1000), "width"),
        (change("board", "height", to=2), "height"),
        (change("board", "snakes", to=[message("many")["board"]["snakes"][0]] * 50), "50 snakes"),
        (change("game", "ruleset", "settings", "foodSpawnChance", to=101), "food_chance"),
    ],
)
def test_a_game_that_cannot_be_is_refused_at_its_start(url, make, words):
    status, answer = post(url, "/start", make(message("many")))
    assert status == 422
    assert words in answer["error"]


def test_what_may_be_missing_may_be_missing(url):
    full = message("lean")
    lean = {
        "game": {"id": "lean", "ruleset": {"name": "duels", "settings": None}},
        "turn": 0,
        "board": {**full["board"], "hazards": None},
        "you": {"id": "lean-0", "health": 100, "body": full["you"]["body"]},
        "unknown": [1, 2, 3],
    }
    assert post(url, "/start", lean)[0] == 200
    assert post(url, "/move", lean)[0] == 200
    assert post(url, "/end", lean)[0] == 200


def test_unknown_games_paths_and_methods(url):
    request = message("unknown")
    status, answer = post(url, "/end", request)
    assert status == 404
    assert "there is no such game" in answer["error"]
    assert post(url, "/moves", request) == (404, {"error": "Not Found"})
    assert post(url, "/", request) == (405, {"error": "Method Not Allowed"})


def test_a_request_that_is_too_large_is_not_read(url):
    large = b" " * (LARGEST + 1)
    assert post(url, "/move", large)[0] == 413
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=5) as connection:
        connection.sendall(b"POST /move HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(5):
            connection.sendall(piece)
        assert connection.recv(100).startswith(b"HTTP/1.1 413")
    assert post(url, "/start", message("small"))[0] == 200


def test_a_request_that_is_cut_off_is_no_fault(capfd, caplog):
    with served() as (url, _, _):
        with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=5) as connection:
            connection.sendall(b"POST /move HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n{")
        with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=5) as connection:
            connection.sendall(b"\x00\xff\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
        assert post(url, "/start", message("whole"))[0] == 200
    assert caplog.records == []
    assert capfd.readouterr().err == ""


def test_only_so_many_games_at_once(monkeypatch):
    with served(most=2) as (url, server, told):
        assert [post(url, "/start", message(name))[0] for name in ("one", "two")] == [200, 200]
        assert post(url, "/start", message("one"))[0] == 200, "a game that begins again takes no more room"
        status, answer = post(url, "/start", message("three"))
        assert (status, answer) == (503, {"error": "2 games are going on; try again later"})
        status, answer = post(url, "/move", message("three"))
        assert (status, list(answer)) == (200, ["move"]), "a snake needs a move all the same"
        assert len(server.sessions) == 2
        monkeypatch.setattr(sessions, "QUIET", 0.0)
        assert post(url, "/start", message("three"))[0] == 200
        assert "game two, snake two-0: dropped after 0 moves" in told
        assert post(url, "/end", message("two"))[0] == 404
        assert post(url, "/move", message("one"))[0] == 200


@pytest.mark.parametrize(
    "contradiction",
    [change("board", "width", to=13), change("board", "snakes", 1, "id", to="other"), change("turn", to=77)],
    ids=["another board", "another snake", "another turn"],
)
@pytest.mark.parametrize("path", ["/start", "/move"])
def test_a_request_that_contradicts_the_game_does_not_end_it(url, contradiction, path):
    good = message("contradicted")
    assert post(url, "/start", good)[0] == 200
    assert post(url, path, contradiction(copy.deepcopy(good)))[0] == 200
    assert post(url, "/move", good)[0] == 200, "the latest well-formed request counts"
    assert post(url, "/end", good) == (200, {})


def test_requests_that_are_too_slow_or_have_too_large_headers_are_cut_off(monkeypatch):
    monkeypatch.setattr(connections, "SECONDS", 0.5)
    monkeypatch.setattr(connections.BoundedProtocol, "most", 20)
    with served("hungry", 2) as (url, _, _):
        port = urlsplit(url).port or 0
        slow = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(60)]
        for connection in slow[::2]:
            with suppress(OSError):  # some were closed to make room
                connection.sendall(b"POST /move HTTP/1.1\r\nHost: he")
        assert post(url, "/start", message("meanwhile"))[0] == 200
        assert post(url, "/move", message("meanwhile"))[0] == 200
        for connection in slow:
            with connection, suppress(ConnectionResetError):
                assert connection.recv(100) == b""
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            with suppress(ConnectionError):
                for number in range(2000):
                    connection.sendall(
                        b"POST /move HTTP/1.1\r\n" * (number == 0) + b"X-%d: %s\r\n" % (number, b"a" * 1000)
                    )
            with suppress(ConnectionResetError):
                assert connection.recv(100).startswith(b"HTTP/1.1 400")
        assert post(url, "/end", message("meanwhile"))[0] == 200


def test_a_server_that_is_asked_to_end_answers_first(monkeypatch):
    with served("joint(seconds=30)", 2) as (url, server, _):
        request = message("ending")
        request["game"]["timeout"] = 9000
        assert post(url, "/start", request)[0] == 200
        with ThreadPoolExecutor(1) as threads:
            began = time.monotonic()
            answer = threads.submit(post, url, "/move", request)
            while not server.scheduler.is_busy:
                time.sleep(0.01)
            server.scheduler.hurry()
            status, found = answer.result()
        assert (status, list(found)) == (200, ["move"])
        assert time.monotonic() - began < 8


def test_a_game_that_is_silent_is_dropped(tmp_path):
    with served(idle=0.2, log=tmp_path) as (url, server, _):
        assert post(url, "/start", message("../idle"))[0] == 200
        assert len(server.sessions) == 1
        time.sleep(0.5)
        assert len(server.sessions) == 0
        assert post(url, "/end", message("../idle"))[0] == 404
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text().splitlines()[-1]) == {"event": "end", "result": "dropped"}


# ---- time


def test_the_time_for_a_move_is_what_the_network_leaves():
    first = message("slow")
    session = sessions.SnakeSession(GAME, Message.model_validate(first))

    def allowed(latency: Any, timeout: int = 500) -> float:
        first["you"]["latency"], first["game"]["timeout"] = latency, timeout
        return session.allowance(Message.model_validate(first), margin=80)

    assert allowed("0") == 420
    session.answered(400)
    assert allowed("") == allowed("soon") == allowed("nan") == allowed(None) == 420
    assert allowed("430") == 390, "the engine saw 30 ms more than we took"
    assert allowed(410) == 390, "the longest of the last ten counts"
    assert allowed("410", timeout=100) == 25, "whatever the network takes, some time is left"
    assert allowed("410", timeout=0) == 390
    assert allowed("410", timeout=10**9) == sessions.LONGEST - 110


# ---- the engine's side


class Rude(BaseHTTPRequestHandler):
    """A server whose answers are no moves; the path says how."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        how = self.path.split("/")[1]
        time.sleep(0.3 if how == "late" else 0)
        body = {"list": b"[]", "text": b"up!", "shout": b'{"move": "LEFT"}'}.get(how, b'{"move": "left"}')
        self.send_response(500 if how == "status" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


def test_the_engine_repeats_the_last_move_of_a_snake_without_a_good_answer():
    with ThreadingHTTPServer(("127.0.0.1", 0), Rude) as rude:
        threading.Thread(target=rude.serve_forever, daemon=True).start()
        try:
            for how in ("list", "text", "shout", "status", "late"):
                snake = Snake("rude", f"http://127.0.0.1:{rude.server_port}/{how}")
                assert snake.move(b"{}", 0.2) == 0
                snake.last = "down"
                assert snake.move(b"{}", 0.2) == 1
                assert (snake.late, snake.wrong) == ((2, 0) if how == "late" else (0, 2))
                snake.close()
        finally:
            rude.shutdown()
    silent = Snake("silent", "http://127.0.0.1:1")
    assert silent.move(b"{}", 0.2) == 0
    with pytest.raises(SpinneyError, match="no snake answers at"):
        Match(spinney.game("battlesnake", players=1), ["http://127.0.0.1:1"], "nobody").play()


@pytest.mark.parametrize(
    "url",
    ["https://host", "host:8000", "//host", "http://", "http://:80", "http://host:x", "http://host:99999", "http://[1"],
)
def test_what_is_no_address_of_a_snake_is_told_before_the_game(url):
    with pytest.raises(BadOption, match=r"^'.*' is no address of a snake[;:] .*$"):
        Match(spinney.game("battlesnake", players=1), [url], "nowhere")


@pytest.mark.parametrize("url", ["http://a b", f"http://{'x' * 70}.y", "http://127.0.0.1:1/ä"])
def test_nobody_answers_at_a_strange_address(url):
    with pytest.raises(SpinneyError, match="no snake answers at"):
        Match(spinney.game("battlesnake", players=1), [url], "nowhere").play()


# ---- the command


def test_agents_that_cannot_be_compiled_are_told_in_a_line():
    told: list[str] = []
    server = Server(GAME, "hungry", tell=told.append)
    server.agents.spec = "nobody"
    server._prepare_others()
    (line,) = told
    assert line.startswith("not prepared for all numbers of snakes, voronoi plays the others: ")
    assert "battlesnake has no agent 'nobody'" in line
    assert "\n" not in line
    server.close()


def test_a_server_that_is_closed_says_nothing_of_agents_that_it_did_not_make():
    told: list[str] = []
    server = Server(GAME, "hungry", tell=told.append)
    preparing = threading.Thread(target=server._prepare_others)
    preparing.start()
    while server.agents._compiling is None:
        time.sleep(0.001)
    server.close()
    preparing.join()
    assert told == []


def test_the_look_of_a_snake(url):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    connection.request("GET", "/")
    answer = json.loads(connection.getresponse().read())
    connection.close()
    assert answer["apiversion"] == "1"
    assert answer.keys() == {"apiversion", "author", "color", "head", "tail", "version"}
    for wrong in ({"color": "green"}, {"head": "../x"}, {"tail": ""}, {"author": "x" * 51}):
        with pytest.raises(BadOption):
            Appearance.read("serve", wrong)


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    command = [sys.executable, "-u", "-m", "spinney", "serve", "battlesnake", "--agent", "hungry", "--port", "0"]
    with subprocess.Popen(
        [*command, "--log", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = next(line.split()[2].rstrip(";") for line in process.stdout if line.startswith("listening on"))
        request = message("cut short")
        assert post(url, "/start", request)[0] == 200
        assert post(url, "/move", request)[0] == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert err == ""
    assert "game cut short, snake cut short-0: stopped after 1 moves, the slowest in" in out
    (file,) = tmp_path.iterdir()
    assert [json.loads(line)["event"] for line in file.read_text().splitlines()] == ["start", "move", "end"]
