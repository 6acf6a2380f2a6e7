"""The client of the course's Saboteur server: whole games in time, against all kinds of opponents and errors."""

from __future__ import annotations

import itertools
import random
import re
import socket
import threading
import time

import pytest

import spinney
from spinney.agents.decision import Decision
from spinney.bridges.saboteur.client import Client
from spinney.bridges.saboteur.view import PlayerView
from spinney.cli import main
from spinney.errors import BadOption, SpinneyError
from spinney.games.saboteur import rules
from spinney.games.saboteur.tiles import CARD_NAMES, COPIES, MAP
from tests.bridges.saboteur_server import Connection, Opponent, Server, random_move, replayed

GAME = spinney.game("saboteur")


@pytest.fixture
def served():
    made = []

    def serve(**options):
        made.append(Server(**options))
        return made[-1]

    yield serve
    for server in made:
        server.close()
        assert server.faults == []


def client(server, agent="greedy", **options):
    return Client(GAME.agent(agent, seed=1), "127.0.0.1", server.port, **{"margin": 0.1, "silence": 20.0, **options})


@pytest.mark.parametrize("number", [0, 1])
def test_whole_games_on_either_seat(served, number):
    """Every move is legal by the server. The first client to connect is number 0."""
    server = served()
    if number:
        Opponent(server.port, random_move, games=3)
        assert server.first_is_seated.wait(60)
    else:
        Opponent(server.port, random_move, games=3, wait=server.first_is_seated.wait)
    results = client(server).play(3)
    assert results.total() == 3
    assert results["broken off"] == 0
    assert not any("ILLEGAL" in line or "TIMEOUT" in line for game in server.games for line in game)
    assert results["won"] >= 1
    assert f"START Player-{number} spinney" in server.games[0]


def test_a_search_answers_in_time(served):
    server = served(limit=1.5)
    times = []

    def answer(lines):
        times.append(time.monotonic())
        return random_move(lines)

    searcher = client(server, "infoset(rollout=greedy, prune_with=planner)", limit=1.5, margin=1.2)  # it compiles first
    Opponent(server.port, answer)
    results = searcher.play(1)
    assert results["broken off"] == 0
    game = server.games[0]
    assert not any("TIMEOUT" in line or "ILLEGAL" in line for line in game)
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert max(gaps, default=0.0) < 1.5
    assert sorted(gaps)[len(gaps) // 2] > 0.2  # it does use its time


def setup_line(seed):
    picks = random.Random(seed)
    kinds = [kind for kind, copies in enumerate(COPIES) for _ in range(int(copies))]
    picks.shuffle(kinds)
    words = [f"Tile:{CARD_NAMES[kind]}" if kind < 16 else CARD_NAMES[kind] for kind in kinds]
    hidden = ["Tile:nugget", "Tile:hidden1", "Tile:hidden2"]
    picks.shuffle(hidden)
    return "BoardInit:" + "-".join(",".join(part) for part in (words[14:], words[:7], words[7:14], hidden))


@pytest.mark.parametrize("seed", range(8))
def test_the_view_is_what_a_player_may_know(seed):
    """After every move the view holds exactly what `observe` leaves of the real position."""
    picks, line = random.Random(seed), setup_line(seed)
    views = [PlayerView(GAME, number, line) for number in (1, 0)]
    lines = ["START Player-1 x", line]
    while True:
        s, _, _ = replayed(lines)
        if rules.mover(s) < 0:
            break
        for player, view in enumerate(views):
            seen = s.copy()
            rules.observe(seen, player)
            assert held(view.record) == held(seen), lines[-1]
        mover = rules.mover(s)
        assert view.record.turn == s.turn
        assert views[mover].state.decided == ({mover} if len(lines) > 3 else set())
        action = picks.choice(views[mover].state.legal())
        lines.append(views[mover].text(action))
        if rules.mover(_after(s, action)) < -1:
            break
        for view in views:
            view.follow(lines[-1])


def held(record):
    return rules.State.native(record).tobytes()


def _after(s, action):
    then = s.copy()
    rules.apply(then, action)
    return then


def test_first_positions_that_look_the_same_get_the_same_moves():
    """The agent is asked with a state that does not depend on what is hidden."""
    line = setup_line(3)
    deck, mine, other, hidden = line.removeprefix("BoardInit:").split("-")
    cards = deck.split(",")
    theirs = other.split(",")
    cards[1], theirs[0] = theirs[0], cards[1]  # player 1 draws the cards 0, 2, 4, ...
    turned = ",".join(reversed(hidden.split(",")))
    same = f"BoardInit:{','.join(cards)}-{mine}-{','.join(theirs)}-{turned}"
    one, two = (PlayerView(GAME, 1, text).state for text in (line, same))
    assert str(one) == str(two)
    spec = "infoset(iterations=200, rollout=greedy)"
    decisions = [GAME.agent(spec, seed=4).decide(state) for state in (one, two)]
    assert decisions[0].choices == decisions[1].choices


# Errors.


def test_an_opponent_who_loses_by_an_illegal_move_or_silence(served):
    server = served(limit=0.3)
    Opponent(server.port, lambda lines: "Tile:8 0 0 1")
    assert client(server, limit=0.3).play(1) == {"won": 1}
    Opponent(server.port, lambda lines: None if time.sleep(2.0) is None else "")
    assert client(server, limit=0.3).play(1) == {"won": 1}
    assert [next(word for word in ("ILLEGAL", "TIMEOUT") if word in game[-1]) for game in server.games] == [
        "ILLEGAL", "TIMEOUT",
    ]  # fmt: skip


def test_moves_that_the_server_puts_in_place_of_late_ones_are_followed(served):
    """An opponent who is late, and sends other lines: the server plays for it, and the game goes on."""
    server = served(limit=0.15)
    slow = iter([True, True])

    def answer(lines):
        if next(slow, False):
            time.sleep(0.4)
        return f"what?\n{random_move(lines)}"

    Opponent(server.port, answer)
    results = client(server, limit=0.15, margin=0.05).play(1)
    assert results["broken off"] == 0
    assert "TIMEOUT" not in server.games[0][-1]


def test_a_late_client_follows_the_move_that_was_made_for_it(served):
    server = served(limit=0.2)
    Opponent(server.port, random_move)
    late = client(server, limit=0.2)
    decide, slow = late.agent.decide, iter([True])

    def think(*given, **named):
        if next(slow, False):
            time.sleep(0.4)
        return decide(*given, **named)

    late.agent.decide = think
    assert late.play(1)["broken off"] == 0
    assert not any("ILLEGAL" in line for line in server.games[0])


def test_an_agent_that_fails_still_moves(served, caplog):
    server = served()
    Opponent(server.port, random_move)
    broken = client(server)

    def fail(*given, **named):
        raise RuntimeError("no idea")

    broken.agent.decide = fail
    assert broken.play(1)["broken off"] == 0
    assert "greedy(seed=1) failed" in caplog.text
    assert not any("ILLEGAL" in line for line in server.games[0])


def test_a_server_that_goes_away_in_a_game_and_comes_back(served):
    server = served(leave_after=4)
    printed = []
    Opponent(server.port, random_move, games=2)
    results = client(server, tell=printed.append).play(2)
    assert results["broken off"] == 1
    assert printed[1] == "game 1: broken off (the server closed the connection before the end of the game)"
    assert len(printed) == 4


def test_no_server():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(SpinneyError, match=rf"no server answers at 127\.0\.0\.1:{port}: .*; tried for 0\.3 s"):
        Client(GAME.agent("greedy"), "127.0.0.1", port, patience=0.3).play(1)


def test_a_server_that_is_gone_after_a_game(served, capsys):
    """The games that were played are summed up."""
    server = served(most=1)
    Opponent(server.port, random_move)
    with pytest.raises(SystemExit) as ended:
        main(f"client saboteur --port {server.port} --agent greedy --games 3 --patience 0.3".split())
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("spinney: no server answers")
    assert re.fullmatch(r"1 game: \d won, \d lost, \d drawn, 0 broken off", printed.out.splitlines()[-1])


def test_an_opponent_who_connects_late_is_waited_for(served):
    server = served()
    Opponent(server.port, random_move, wait=lambda: time.sleep(0.8))
    assert client(server, silence=0.4).play(1)["broken off"] == 0


def test_an_opponent_who_hangs_up_is_played_for(served):
    server = served(limit=0.1)
    Opponent(server.port, lambda lines: None)
    results = client(server, limit=0.1, margin=0.05).play(1)
    assert results["broken off"] == 0
    assert "TIMEOUT" not in server.games[0][-1]


def test_an_opponent_who_brings_the_game_down(served):
    """It drops a card that it does not have; the server sends nothing any more."""
    server, printed = served(), []
    Opponent(server.port, lambda lines: f"Drop {len(replayed(lines)[2])} 0 {lines[0].split('-')[1][0]}")
    assert client(server, silence=0.5, tell=printed.append).play(1) == {"broken off": 1}
    assert printed[-1] == "game 1: broken off (the server has sent nothing for 0.5 s)"


def test_an_opponent_who_sends_lines_out_of_turn_and_looks_where_nothing_is(served, caplog):
    server, looks = served(), []

    def answer(lines):
        s, _, hand = replayed(lines)
        number = lines[0].split("-")[1][0]
        if MAP in hand and not s.revealed & 1:
            looks.append(f"Map 0 0 {number}")
            return looks[-1]
        return f"{random_move(lines)}\nDrop 0 0 {number}"

    Opponent(server.port, answer, games=4)
    assert client(server).play(4)["broken off"] == 0
    assert looks
    assert not any("ILLEGAL" in line or "TIMEOUT" in line for game in server.games for line in game)
    assert caplog.text == ""


def test_a_game_that_nobody_wins(served):
    server = served()
    Opponent(server.port, lambda lines: f"Drop 0 0 {lines[0].split('-')[1][0]}")
    idle = client(server)
    idle.agent.decide = lambda state, clock, player: Decision(player, state.legal()[-1], "", 0.0)
    assert idle.play(1) == {"drawn": 1}


@pytest.mark.parametrize(
    ("said", "result"),
    [
        (["BoardInit:Tile:1-Map-Map-Tile:nugget"], "broken off (the server's first position cannot be read: "),
        (["BoardInit:", "START Player-0 spinney"], "broken off (the server's first position cannot be read: "),
        (["START Player-1 spinney"], "broken off (the server closed the connection"),
    ],
)
def test_a_first_position_that_cannot_be_read(said, result):
    """It ends this game, and not those that follow."""
    printed = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        playing = Client(GAME.agent("greedy"), "127.0.0.1", listening.getsockname()[1], tell=printed.append)

        def serve():
            for _ in range(2):
                connection = listening.accept()[0]
                lines = ["START Player-0 spinney", *said] if said[0].startswith("BoardInit:T") else said
                connection.sendall("".join(f"{line}\n" for line in lines).encode())
                connection.recv(4096)
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        assert playing.play(2) == {"broken off": 2}
    assert printed[1].startswith(f"game 1: {result}")


def test_a_first_position_before_the_start_line():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        playing = Client(GAME.agent("greedy"), "127.0.0.1", listening.getsockname()[1])
        answers = []

        def serve():
            with listening.accept()[0] as connection:
                seat = Connection(connection)
                for line in (setup_line(2), "START Player-1 spinney", "PLAY Player-1"):
                    seat.send(line)
                answers.extend(seat.read(5.0) for _ in range(2))
                seat.send("GAMEOVER DRAW")

        threading.Thread(target=serve, daemon=True).start()
        assert playing.play(1) == {"drawn": 1}
    assert answers[0] == "START spinney"
    assert answers[1].endswith(" 1")


def test_an_impossible_move_of_the_opponent_counts_as_a_drop():
    """The turn, the deck and the hands stay right."""
    view, usual = PlayerView(GAME, 0, setup_line(1)), PlayerView(GAME, 0, setup_line(1))
    with pytest.raises(SpinneyError, match="rules do not allow"):
        view.follow("Tile:8 0 0 1")
    usual.follow("Drop 3 0 1")
    assert held(view.record) == held(usual.record)
    assert not view.out_of_step


@pytest.mark.parametrize("line", ["Tile:8 0 0 1", "Drop 9 0 1", setup_line(2)])
def test_a_view_that_is_out_of_step_is_played_on_with_drops(served, line):
    """Its own move was another one, or a second first position came."""
    view = PlayerView(GAME, 1, setup_line(1))
    with pytest.raises(SpinneyError):
        view.follow(line)
    assert view.out_of_step
    assert client(served())._move(view, time.perf_counter()) == "Drop 0 0 1"


def test_wrong_options_and_wrong_lines():
    with pytest.raises(BadOption, match="margin"):
        Client(GAME.agent("greedy"), "127.0.0.1", 1, limit=1.0, margin=1.0)
    with pytest.raises(BadOption, match="one word"):
        Client(GAME.agent("greedy"), "127.0.0.1", 1, name="two words")
    with pytest.raises(SpinneyError, match="first position cannot be read"):
        PlayerView(GAME, 1, "BoardInit:Tile:1-Map-Map-Tile:nugget")
    view = PlayerView(GAME, 1, setup_line(1))
    for line in ("nonsense", "one more thing here", "Tile:8 0 0 1", "Drop 9 0 1", "Drop 0 0 0"):
        before = view.record.copy()
        with pytest.raises(SpinneyError):
            view.follow(line)
        assert held(before) == held(view.record)


MINE = """
import spinney

card = spinney.game("saboteur").card
GAME = card.extend(mine=card.player("greedy"))
"""


@pytest.mark.parametrize("own", [False, True])
def test_the_command_plays(served, capsys, tmp_path, own):
    server = served()
    Opponent(server.port, random_move, games=2)
    game, agent = "saboteur", "greedy"
    if own:
        (tmp_path / "mine.py").write_text(MINE)
        game, agent = str(tmp_path / "mine.py"), "mine"
    with pytest.raises(SystemExit) as ended:
        main(["client", game, "--port", str(server.port), "--agent", agent, "--games", "2", "--name", "me"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"game 1: connected to 127.0.0.1:\d+, waiting for an opponent", printed[0])
    assert re.fullmatch(r"2 games: \d won, \d lost, \d drawn, 0 broken off", printed[-1])
