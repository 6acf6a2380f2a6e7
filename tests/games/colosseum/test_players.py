"""Players, evaluations and drawing of Colosseum Survival!"""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

import spinney
from spinney import OVER
from spinney.errors import BadOption, IllegalAction
from spinney.games.colosseum import players, rollouts, rules, values
from spinney.games.colosseum.recording import position
from spinney.kernel import seeded
from tests.games.colosseum.reference import OFFSETS, Reference

CARD = spinney.game("colosseum").card
SCRATCH = rules.Scratch()
UP, RIGHT, DOWN, LEFT = range(4)


def positions(sizes=(3, 5, 6, 8, 9, 12, 14, 16), games=4):
    """Positions from random games, some of them without much room."""
    for size in sizes:
        for seed in range(games):
            state = spinney.game("colosseum", size=size).start(seed)
            choose = random.Random(seed)
            for _ in range(choose.randrange(3 * size)):
                after = state.copy()
                after.apply(choose.choice(state.legal()))
                if after.is_over:
                    break
                state = after
            yield state.record


def moves(s):
    out = CARD.out()
    return list(out.action[: rules.legal(s, s.mover, out)])


# ---- players


@pytest.mark.parametrize("name", list(CARD.all_players))
def test_players_play_by_the_rules(name):
    player, out, rng = CARD.player(name), CARD.out(), seeded(3)
    for s in positions(sizes=(3, 6, 10)):
        before = s.copy()
        for _ in range(3):
            assert player(s, s.mover, out, rng) in moves(s)
        assert s == before  # only a move changes a state


def test_uniform_is_random_draw_for_draw():
    for s in positions():
        one, other, out = seeded(8), seeded(8), CARD.out()
        uniform, drawn = CARD.player("uniform"), CARD.player("random")
        assert [uniform(s, s.mover, out, one) for _ in range(5)] == [drawn(s, s.mover, out, other) for _ in range(5)]


def test_the_walk_goes_as_the_official_one():
    """On an open board, two steps at most: the share of every cell is known."""
    s = position(4, [], [(0, 0), (3, 3)])
    rng, n = seeded(1), 30_000
    found = Counter(players.walk(s, 0, CARD.out(), rng) // 4 for _ in range(n))
    stay = 1 / 3 + 1 / 3 * 1 / 3  # no step, or two steps there and back
    beside = 1 / 3 * 1 / 2
    expected = {0: stay, 1: beside, 4: beside, 2: 1 / 18, 8: 1 / 18, 5: 1 / 9}
    assert set(found) == set(expected)
    for cell, share in expected.items():
        assert found[cell] / n == pytest.approx(share, abs=0.01)
    sides = Counter(players.walk(s, 0, CARD.out(), rng) % 4 for _ in range(3000))
    assert set(sides) == {UP, RIGHT, DOWN, LEFT}


def test_a_walk_without_a_way_stays():
    s = position(5, [[0, 0, DOWN]], [(0, 0), (0, 1)])
    assert {players.walk(s, 0, CARD.out(), seeded(seed)) for seed in range(20)} == {RIGHT}


def test_greedy_takes_a_win_and_avoids_a_loss():
    s = position(5, [[0, 0, DOWN]], [(0, 2), (0, 0)])
    assert players.greedy(s, 0, CARD.out(), seeded(1)) == 1 * 4 + LEFT
    for s in positions(sizes=(5, 6, 8)):
        player, results = s.mover, {}
        for action in moves(s):
            after = s.copy()
            rules.apply(after, action)
            results[action] = after.score[player] - after.score[1 - player] if after.mover == OVER else None
        chosen = results[players.greedy(s, player, CARD.out(), seeded(1))]
        wins = [margin for margin in results.values() if margin is not None and margin > 0]
        losses = [margin for margin in results.values() if margin is not None and margin < 0]
        assert (chosen is not None and chosen > 0) == bool(wins)
        assert chosen is None or chosen >= 0 or len(losses) == len(results)


def test_greedy_beats_the_walk():
    game = spinney.game("colosseum", size=6)
    points = 0.0
    for seed in range(10):
        state, rng, out = game.start(seed), seeded(seed), CARD.out()
        while not state.is_over:
            player = CARD.player("greedy" if state.mover == seed % 2 else "walk")
            state.apply(player(state.record, state.mover, out, rng))
        points += state.rewards()[seed % 2]
    assert points >= 9


# ---- the paper's rollouts


@pytest.mark.parametrize(("name", "wary"), [("paper_rollout", False), ("code_rollout", True)])
def test_rollouts_weigh_every_move(name, wary, monkeypatch):
    """All draws in turn: each move is drawn as often as its class weighs."""
    weights = {"toward": 35, "neutral": 45, "away": 20} if wary else {"toward": 45, "neutral": 35, "away": 20}
    player, out, kinds = CARD.player(name), CARD.out(), set()
    for s in positions(sizes=(3, 6, 8, 11), games=3):
        if rollouts.cage(s, s.mover, SCRATCH) >= 0:
            continue
        reference = Reference(s)
        expected = {action: weights[reference.kind(s.mover, action, wary)] for action in moves(s)}
        kinds |= {reference.kind(s.mover, action, wary) for action in moves(s)}
        totals, found = set(), Counter()
        out.searcher = s.mover
        for draw in range(sum(expected.values())):
            monkeypatch.setattr(rollouts, "below", lambda rng, n, draw=draw, seen=totals: (seen.add(n), draw)[1])
            found[player(s, s.mover, out, None)] += 1
        assert totals == {sum(expected.values())}
        assert found == expected
    assert kinds == set(weights)


def test_rollouts_of_the_one_who_searches():
    """The other player moves as `uniform` does."""
    player, uniform, out = CARD.player("paper_rollout"), CARD.player("uniform"), CARD.out()
    out.searcher = 1
    for s in positions(sizes=(8,), games=6):
        if rollouts.cage(s, 0, SCRATCH) < 0:
            assert player(s, 0, out, seeded(4)) == uniform(s, 0, out, seeded(4))


def test_rollouts_close_a_cage():
    walls = [[0, 0, DOWN]]
    s = position(5, walls, [(0, 2), (0, 0)])
    caging = 1 * 4 + LEFT
    assert rollouts.cage(s, 0, SCRATCH) == caging
    assert {CARD.player("code_rollout")(s, 0, CARD.out(), seeded(seed)) for seed in range(9)} == {caging}
    far = position(8, walls, [(7, 7), (0, 0)])
    assert rollouts.cage(far, 0, SCRATCH) == -1
    beside = position(5, walls, [(0, 1), (0, 0)])
    assert rollouts.cage(beside, 0, SCRATCH) == caging
    assert rollouts.cage(beside, 1, SCRATCH) == -1
    for front, wall in (((1, 0), [0, 0, RIGHT]), ((3, 4), [4, 3, RIGHT])):
        other = (0, 0) if front == (1, 0) else (4, 4)
        s = position(5, [wall], [front, other])
        rules.apply(s, rollouts.cage(s, 0, SCRATCH))
        assert s.score == [24, 1]


# ---- the paper's agent

UNTIMED = "seconds=none, first_seconds=none"


def test_the_authors_program_is_a_variant_of_the_paper():
    game = spinney.game("colosseum")
    code = game.agent("paper(code=true)").options
    assert code == game.agent("paper_code").options != game.agent("paper(code=false)").options
    with pytest.raises(BadOption, match=r"paper has no option 'cod'; did you mean 'code'\? its options: .*, code$"):
        game.agent("paper(cod=true)")


@pytest.mark.parametrize(("agent", "log"), [("paper", math.log10), ("paper_code", math.log)])
def test_the_papers_search_goes_where_its_formula_says(agent, log):
    """A search with one more simulation than another has one more visit: it is where the value was highest, by the
    paper's formula and with its wins and losses of 1 and -1."""
    game, chosen = spinney.game("colosseum", size=5), set()
    start = game.start(6)
    reference = Reference(start.record)

    def worth(action):
        row, column = divmod(action // 4, 5)
        cell = (row, row if agent == "paper_code" else column)
        closed = {frozenset([(row, column), (row + dy, column + dx)]) for dy, dx in [OFFSETS[action % 4]]}
        edges = [frozenset([cell, (cell[0] + dy, cell[1] + dx)]) for dy, dx in OFFSETS]
        return -sum(edge in closed or reference.beyond(cell, side) is None for side, edge in enumerate(edges))

    def value(child, parent):
        if child.visits == 0:
            return 1
        wins = 2 * child.values[0] - 1
        explore = 2 * math.sqrt(log(parent.visits) / child.visits)
        return wins + explore + 0.05 * worth(child.action) / child.visits

    def search(simulations):
        return game.agent(f"{agent}(iterations={simulations}, {UNTIMED})", seed=3).decide(start).tree

    before = search(2)
    for simulations in range(3, 200):
        after = search(simulations)
        (action,) = [child.action for child in after.children if child.visits > before.child(child.action).visits]
        values = {child.action: value(child, before) for child in before.children}
        assert values[action] == pytest.approx(max(values.values()))
        chosen.add(action)
        before = after
    assert len(chosen) > 5  # most are never tried


def test_the_papers_search_begins_with_the_move_of_a_rollout():
    """The first child of a node is drawn by the weights of the rollout; without `rollout_first`, any is as likely."""
    start = spinney.game("colosseum", size=8).start(2)
    kinds = {action: Reference(start.record).kind(0, action, False) for action in start.legal()}
    weights = {"toward": 45, "neutral": 35, "away": 20}
    for first, weight in ((True, weights), (False, dict.fromkeys(weights, 1))):
        agent = start.game.agent(f"paper(rollout_first={str(first).lower()}, iterations=1, {UNTIMED})", seed=1)
        drawn = Counter(
            kinds[child.action] for _ in range(4000) for child in agent.decide(start).tree.children if child.visits
        )
        total = sum(weight[kind] for kind in kinds.values())
        for kind in weights:
            expected = sum(weight[kind] for one in kinds.values() if one == kind) / total
            assert drawn[kind] / 4000 == pytest.approx(expected, abs=0.03)


# ---- values


def test_territory_is_that_of_the_reference():
    out = CARD.out()
    for s in positions():
        values.territory(s, out)
        assert out.reward[0] == pytest.approx(Reference(s).territory(0))
        assert out.reward[1] == pytest.approx(Reference(s).territory(1))
    s = position(4, [[0, 0, DOWN], [0, 0, RIGHT]], [(0, 0), (2, 2)])
    values.territory(s, out)
    assert out.reward == [0.0, 1.0]  # at the end: the reward


def test_passages_are_those_of_the_reference():
    out = CARD.out()
    for s in positions():
        before, reference = s.copy(), Reference(s)
        values.passages(s, out)
        ahead = reference.passages(0) - reference.passages(1)
        assert out.reward[0] == pytest.approx(0.5 + ahead / (4 * s.size**2))
        assert sum(out.reward) == 1
        assert s == before
    s = position(4, [[0, 0, DOWN], [0, 0, RIGHT]], [(0, 0), (2, 2)])
    values.passages(s, out)
    assert out.reward == [0.0, 1.0]


def test_looking_ahead_is_moving():
    for s in positions(sizes=(3, 5, 8, 12)):
        before = s.copy()
        for action in moves(before):
            result, share = values.look_ahead(s, s.mover, action, SCRATCH)
            after = before.copy()
            rules.apply(after, action)
            mine, theirs = after.score[s.mover], after.score[1 - s.mover]
            if after.mover != OVER:
                assert result == values.GOES_ON
                assert share == pytest.approx(Reference(after).territory(s.mover))
            else:
                assert result == (values.WIN if mine > theirs else values.TIE if mine == theirs else values.LOSS)
                assert share == result / 2
        assert s == before


def test_decisive_finds_what_wins_at_once():
    out, won = CARD.out(), 0
    for s in positions(games=12):
        before = s.copy()
        for player in range(2):
            s.mover = before.mover = player
            n = rules.legal(s, player, out)
            actions = list(out.action[:n])
            wins = [action for action in actions if values.look_ahead(s, player, action, SCRATCH)[0] == values.WIN]
            n = values.decisive(s, player, out)
            assert list(out.action[:n]) == (wins[:1] or actions)
            assert s == before
            won += bool(wins)
    assert won > 10


def test_bias_counts_walls():
    out = CARD.out()
    for s in positions(sizes=(3, 8)):
        n = rules.legal(s, s.mover, out)
        for bias in (values.near_walls, values.near_walls_code):
            bias(s, s.mover, out, n)
            for i in range(n):
                after = s.copy()
                rules.apply(after, out.action[i])
                reference = Reference(after)
                row, column = reference.players[s.mover]
                cell = (row, row if bias is values.near_walls_code else column)
                assert out.weight[i] == -sum(reference.beyond(cell, side) is None for side in range(4))


def test_ways_out_are_found_around_walls():
    out = CARD.out()
    for s in positions():
        before = s.copy()
        n = rules.legal(s, s.mover, out)
        values.ways_out(s, s.mover, out, n)
        assert s == before
        for i in range(0, n, 7):
            after = s.copy()
            rules.apply(after, out.action[i])
            reference = Reference(after)
            steps = reference.distances(reference.players[s.mover], reference.players[1 - s.mover])
            near = sum(far <= s.steps for far in steps.values())
            assert out.weight[i] == pytest.approx(4 * (near / s.size**2 - 1))


# ---- the board


def test_the_board_is_drawn():
    s = position(4, [[0, 0, RIGHT], [1, 1, DOWN], [1, 2, DOWN], [2, 2, RIGHT]], [(1, 0), (2, 3)])
    assert CARD.board.draw(s).splitlines() == [
        "4x4, up to 2 steps",
        "",
        "     a   b   c   d",
        "   ┌───┬───────────┐",
        " 1 │ · │ ·         │",
        "   │   ╵   +   +   │",
        " 2 │ A   ·   ·     │",
        "   │   ╶───────┐   │",
        " 3 │ ·   ·     │ B │",
        "   │   +   +   ╵   │",
        " 4 │ ·             │",
        "   └───────────────┘",
        "",
        'A (player 1) moves: a cell and a side of it, as in "a2 up"',
    ]


def test_the_example_of_a_move_is_legal():
    for seed in range(30):
        state, choose = spinney.game("colosseum", size=5).start(seed), random.Random(seed)
        while not state.is_over:
            example = CARD.board.draw(state.record).rsplit('"', 2)[1]
            assert example in state.names()
            state.apply(choose.choice(state.legal()))


def test_the_end_is_drawn():
    s = position(4, [[0, 0, DOWN], [0, 0, RIGHT]], [(0, 0), (2, 2)])
    assert CARD.board.draw(s).endswith("the end: B wins, 15 cells to 1")
    s = position(4, [[1, column, DOWN] for column in range(4)], [(0, 0), (2, 2)])
    assert CARD.board.draw(s).endswith("the end: a tie, 8 cells each")


def test_the_largest_board_fits():
    state = spinney.game("colosseum", size=16).start(1)
    assert max(map(len, str(state).splitlines())) <= 80


def test_moves_have_names():
    state = spinney.game("colosseum", size=12).start(1)
    assert len(set(state.names())) == len(state.legal())
    for action in state.legal():
        assert state.parse(state.name(action)) == action
        assert state.parse(state.name(action)[:-1].upper()) == action
    with pytest.raises(IllegalAction):
        state.parse("z9 up")
    s = position(8, [], [(3, 1), (7, 7)])
    assert CARD.board.name_action(s, (3 * 8 + 1) * 4 + UP) == "b4 up"
