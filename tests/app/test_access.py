"""Who may ask the app for something, and requests that are meant to do harm."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

import pytest

from tests.app.browser import Server


@pytest.fixture(scope="module")
def open_server(tmp_path_factory):
    """A server for other devices, with a token."""
    server = Server(tmp_path_factory.mktemp("open"), host="0.0.0.0")
    yield server
    server.stop()


def ask(server: Server, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], str]:
    """A request just as it is given."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host="host" in given, skip_accept_encoding=True)
        for name, value in {"content-length": str(len(body)), **given}.items():
            connection.putheader(name, value)
        connection.endheaders(body or None)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()


ROOM = json.dumps({"game": "tictactoe", "seats": [{}, {}]}).encode()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"origin": "http://["},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example"},
        {"host": "["},
        {"host": ""},
    ],
    ids=str,
)
def test_other_sites_and_other_hosts_begin_nothing(headers, server):
    before = len(list((server.folder / "rooms").glob("*")))
    status, _, words = ask(server, "POST", "/api/rooms", ROOM, content_type="application/json", **headers)
    assert status in (400, 403)
    assert len(list((server.folder / "rooms").glob("*"))) == before
    if "host" in headers:
        assert ask(server, "GET", "/", **headers)[0] in (400, 403)
    assert "Traceback" not in words


def test_pages_may_load_nothing_from_elsewhere_and_be_framed_by_nobody(server):
    for path in ("/", "/watch", "/new/hex", "/static/link.js", "/nothing"):
        _, headers, _ = ask(server, "GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'self'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert ask(server, "GET", "/", host="evil.example")[1]["content-security-policy"] == policy


GUARDED = [
    ("GET", "/"), ("GET", "/watch"), ("GET", "/results"), ("GET", "/new/hex"), ("GET", "/picture/hex"),
    ("GET", "/stored/x/0"), ("GET", "/results/x"), ("POST", "/api/rooms"), ("POST", "/api/rooms/"),
    ("POST", "/api/upload?name=a.hlt"), ("POST", "/api/games/look"), ("GET", "/api/games?game=hex"), ("GET", "/docs"),
    ("GET", "//room/x"), ("GET", "/room/"), ("GET", "/static/"), ("GET", "/ROOM/x"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), GUARDED, ids=str)
def test_without_the_token_there_is_nothing_but_rooms(method, path, open_server):
    for cookie in ("", "spinney_token=", f"spinney_token={open_server.token[:-1]}", "spinney_token=é; =;", "x" * 4000):
        status, headers, words = ask(open_server, method, path, ROOM, content_type="application/json", cookie=cookie)
        assert status in (403, 404)
        assert status == 403 or "room" in path or "static" in path
        assert "set-cookie" not in headers
        assert open_server.token not in words
    joined = "&" if "?" in path else "?"
    assert ask(open_server, method, f"{path}{joined}token={open_server.token[:-1]}")[0] in (403, 404)


def test_the_address_with_the_token_opens_the_app_and_stays_on_it(open_server):
    token = open_server.token
    status, headers, _ = ask(open_server, "GET", f"/new/hex?watch=1&token={token}")
    assert (status, headers["location"]) == (303, "/new/hex?watch=1")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert ask(open_server, "GET", "/", cookie=cookie.partition(";")[0])[0] == 200
    for path in ("//evil.example/", "/%0d%0aset-cookie:%20x=1", "/%5cevil.example"):
        _, headers, _ = ask(open_server, "GET", f"{path}?token={token}")
        assert headers["location"].startswith("/")
        assert not headers["location"].startswith(("//", "/\\"))
        assert headers["set-cookie"] == cookie


def test_the_token_stays_the_same_after_a_restart(tmp_path):
    server = Server(tmp_path, host="0.0.0.0")
    try:
        token = server.token
        server.stop()
        assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
        server.restart()
        assert server.token == token
        assert ask(server, "GET", "/", cookie=f"spinney_token={token}")[0] == 200
        assert ask(server, "GET", "/")[0] == 403
    finally:
        server.stop()


def test_a_room_needs_its_key_only_and_a_guest_can_begin_nothing_else(open_server):
    owner = {"cookie": f"spinney_token={open_server.token}"}
    status, begun = open_server.ask("/api/rooms", {"game": "tictactoe", "seats": [{}, {"own_device": True}]}, owner)
    assert status == 200
    room, guest = begun["room"], begun["invited"]["1"]
    assert open_server.ask(f"/room/{room}?key={guest}")[0] == 200
    assert open_server.ask("/static/room.js")[0] == 200
    assert open_server.ask(f"/api/rooms/{room}/undo", {"key": guest})[0] == 422
    assert open_server.ask(f"/api/rooms/{room}/rematch", {"key": guest})[0] == 422
    assert open_server.ask("/api/rooms", {"game": "tictactoe", "seats": [{}, {}], "key": guest})[0] == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"{", 422), (b"[]", 422), (b"\xff\xfe", 422), (b"[" * 100_000, 400),
        (json.dumps({"game": "tictactoe" * 100, "seats": []}).encode(), 422),
        (json.dumps({"game": "/etc/passwd", "seats": []}).encode(), 404),
        (json.dumps({"game": "examples/pig.py", "seats": [{}, {}]}).encode(), 404),
        (json.dumps({"game": "tictactoe", "seats": [{}] * 1000}).encode(), 422),
        (json.dumps({"game": "tictactoe", "seats": [{"agent": "uct(seconds=1e9)"}, {}]}).encode(), 422),
        (json.dumps({"game": "tictactoe", "seats": [{"agent": "uct(nodes=1000000000)"}, {}]}).encode(), 422),
        (json.dumps({"game": "connect_four", "seats": [{"agent": "net(weights='/etc/passwd')"}, {}]}).encode(), 422),
        (json.dumps({"game": "tictactoe", "seats": [{}, {}], "seed": 2**70}).encode(), 422),
        (json.dumps({"game": "tictactoe", "seats": [{}, {}], "pause": 1e308}).encode(), 422),
        (b'{"game": "tictactoe", "seats": [{}, {}], "pause": NaN}', 422),
        (json.dumps({"game": "tictactoe", "seats": [{}, {}], "position": "x" * 60_000}).encode(), 422),
        (b" " * 600_000, 413),
    ],
)  # fmt: skip
def test_wrong_messages_are_refused_in_one_line(body, status, server):
    for path in ("/api/rooms", "/api/games/look") if status != 404 else ("/api/rooms",):
        answered, _, words = ask(server, "POST", path, body, content_type="application/json")
        assert answered == status, words
        assert list(json.loads(words)) == ["error"]
        assert "\n" not in json.loads(words)["error"]
        assert len(words) < 1200
    assert server.ask("/")[0] == 200


def test_a_page_of_another_site_hears_nothing(server):
    handshake = {"connection": "Upgrade", "upgrade": "websocket", "sec_websocket_version": "13",
                 "sec_websocket_key": "c3Bpbm5leSBzcGlubmV5IQ=="}  # fmt: skip
    path, here = "/api/rooms/x/live", f"http://127.0.0.1:{server.port}"
    assert ask(server, "GET", path, origin="https://evil.example", **handshake)[0] == 403
    assert ask(server, "GET", path, host="evil.example", **handshake)[0] == 403
    assert ask(server, "GET", path, origin=here, **handshake)[0] == 101
