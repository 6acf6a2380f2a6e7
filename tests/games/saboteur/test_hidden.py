"""What a player of Saboteur may know: nothing else reaches an agent, and guesses agree with it."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import spinney
from spinney import CHANCE
from spinney.errors import BadGame, WrongPlayer
from spinney.games.card import Card
from spinney.games.parts import Board
from spinney.games.saboteur import hidden, recording, rules, tiles
from spinney.games.saboteur.state import UNKNOWN, cell_at
from spinney.games.saboteur.tiles import CARD_NAMES
from spinney.kernel import Rng, bind, seeded
from tests.games.saboteur.positions import position
from tests.games.saboteur.test_players import DOWN

GAME = spinney.game("saboteur")
CARD = GAME.card


def some_state(seed, moves):
    """A position after some moves of players who do all sorts of things."""
    choose = random.Random(seed)
    state = GAME.start(seed)
    for _ in range(moves):
        before = state.copy()
        state.apply(choose.choice(state.legal()))
        if state.is_over:
            return before
    return state


states = st.builds(some_state, st.integers(0, 2**32), st.integers(0, 54))


def as_bytes(record):
    return rules.State.native(record).tobytes()


def multiset(*counts):
    return [sum(column) for column in zip(*counts, strict=True)]


def cards_of(grid, player):
    return [grid[player, kind] for kind in range(tiles.KINDS)]


@given(state=states, player=st.integers(0, 1), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_guesses_agree_with_all_that_is_known_and_look_the_same(state, player, seed):
    other = 1 - player
    s, world = state.record, state.guess(player, seed)
    g = world.record
    known = ["phase", "player", "turn", "winner", "revealed", "deck_size", "last", "last_tile", "hand_size", "malus"]
    known += ["seen", "tile", "need", "room", "laid", "reached", "pending"]
    assert all(getattr(g, name) == getattr(s, name) for name in known)
    assert cards_of(g.hand, player) == cards_of(s.hand, player)
    assert cards_of(g.dropped, player) == cards_of(s.dropped, player)
    assert g.shapes[player] == s.shapes[player]
    unseen = [multiset(r.deck, cards_of(r.hand, other), cards_of(r.dropped, other)) for r in (s, g)]
    assert unseen[0] == unseen[1]
    assert min(*g.deck, *g.hand.cells, *g.dropped.cells) >= 0
    assert sum(g.deck) == s.deck_size
    assert sum(cards_of(g.hand, other)) == s.hand_size[other]
    held = sum(int(tiles.KIND_SHAPES[kind]) for kind in set(recording.cards(g, other)))
    assert g.shapes[other] == held
    seen = s.seen[player]
    if seen >> s.nugget & 1 or seen.bit_count() >= 2:
        assert g.nugget == s.nugget
    else:
        assert not seen >> g.nugget & 1
    # what a player sees of the real position and of the guess is the same, byte for byte
    view = state.observe(player)
    assert as_bytes(view.record) == as_bytes(world.observe(player).record)
    assert as_bytes(view.record) == as_bytes(view.observe(player).record)
    assert str(view) == str(world.observe(player))
    assert (view.history, view.seed, view._rng) == ([], None, None)


@given(state=states, seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_equal_views_give_equal_decisions(state, seed):
    player, out = state.mover, CARD.out()
    worlds = [state, *(state.guess(player, seed + i) for i in range(3))]
    assert len({tuple(world.legal()) for world in worlds}) == 1
    for name in CARD.all_players:
        assert len({GAME.agent(name, seed=seed).decide(world).action for world in worlds}) == 1
        policy = CARD.player(name)  # as a rollout it sees the whole state, and must not look
        assert len({policy(world.record, player, out, seeded(seed)) for world in worlds}) == 1


def test_a_view_has_nothing_of_the_others_cards():
    state = some_state(3, 20)
    for player in range(2):
        view = state.observe(player).record
        assert cards_of(view.hand, 1 - player) == cards_of(view.dropped, 1 - player) == [0] * tiles.KINDS
        assert view.shapes[1 - player] == 0
    with pytest.raises(WrongPlayer, match="no player 2"):
        state.observe(2)


def test_every_field_that_differs_between_worlds_is_hidden():
    """Positions reached by the same public moves, with other hands, drops and draws."""
    one = position((), (["Map", "8"], ["5", "Map"]), nugget=0)
    two = position((), (["Map", "8"], ["Malus", "9"]), nugget=2)
    for s, drop, drawn in ((one, "5", "0"), (two, "Malus", "15")):
        rules.apply(s, rules.LOOK + 1)
        rules.apply(s, CARD_NAMES.index("6"))
        rules.apply(s, rules.DROP + CARD_NAMES.index(drop))
        rules.apply(s, CARD_NAMES.index(drawn))
        rules.observe(s, 0)
    assert as_bytes(one) == as_bytes(two)
    assert one.nugget == UNKNOWN


def test_the_nugget_is_known_by_sight_and_by_elimination():
    for nugget, seen in itertools.product(range(3), range(8)):
        s = position((), (["8"], ["8"]), nugget=nugget)
        s.seen[0] = seen
        rules.observe(s, 0)
        known = seen >> nugget & 1 or seen.bit_count() >= 2
        assert s.nugget == (nugget if known else UNKNOWN)


def small_case():
    """The other has two cards and has dropped one; with the deck of two these are five cards, two of them equal."""
    s = position((), (["8"], ["5", "Map"]), nugget=0, deck=["0", "5"])
    s.dropped[1, CARD_NAMES.index("9")] = 1
    s.seen[0] = 0b100
    return s


def chances_of_drops(had):
    """The probability that each of these cards was dropped: mostly the least useful one."""
    worst = min(set(had), key=lambda kind: (tiles.USE[kind] - had.count(kind), kind))
    return {
        kind: (1 - hidden.ANY_DROP) * (kind == worst) + hidden.ANY_DROP * had.count(kind) / len(had)
        for kind in set(had)
    }  # fmt: skip


def test_guesses_have_any_cards_and_the_least_useful_one_dropped():
    s = small_case()
    pool = [CARD_NAMES.index(name) for name in ("5", "Map", "0", "5", "9")]
    expected: dict = {}
    orders = list(itertools.permutations(pool, 3))
    for nugget, had in itertools.product((0, 1), orders):
        for drop, chance in chances_of_drops(had).items():
            rest = list(had)
            rest.remove(drop)
            world = (nugget, tuple(sorted(rest)), drop)
            expected[world] = expected.get(world, 0) + chance / 2 / len(orders)
    draws, rng = 8_000, seeded(1)
    found: Counter = Counter()
    for _ in range(draws):
        world = s.copy()
        rules.determinize(world, 0, rng)
        dropped = next(kind for kind in range(tiles.KINDS) if world.dropped[1, kind])
        found[world.nugget, tuple(recording.cards(world, 1)), dropped] += 1
    assert found.keys() == expected.keys()
    worlds = sorted(expected)
    assert chisquare([found[w] for w in worlds], [expected[w] * draws for w in worlds]).pvalue > 0.001


@pytest.mark.parametrize(
    ("knows", "moved", "most"), [(2, "Drop", 1), (2, "Tile:10,5,4", 1), (2, "Map,12,5", 3), (0, "Drop", 3)]
)
def test_who_did_not_win_could_not(knows, moved, most):
    """One tile from the nugget a player drops a card, or lays another: only the card that it drew since can win. If it
    has only now seen where the nugget is, it says nothing."""
    tile = moved.startswith("Tile")
    s = position(
        [*[("0", row, 5) for row in range(6, 10)], ("8", 10, 5), *([("10", 5, 4)] if tile else [])],
        (["Map", "3", "Destroy", "2", "1", "4", "12"], ["5", "7", "7", "5", "5", "9", "9"]),
        nugget=1,
        turn=9,
    )
    s.seen[0], s.seen[1] = 0b010, knows | (0b010 if moved.startswith("Map") else 0)
    s.dropped[1, CARD_NAMES.index("13")], s.deck[CARD_NAMES.index("13")] = 1, 0
    s.deck_size -= 1
    s.last = {"Drop": rules.DROPPED, "Map,12,5": rules.LOOK + 1}.get(moved, 0)
    if tile:
        s.last = tiles.SHAPE_NAMES.index("10") * 256 + int(cell_at(5, 4))
    before = s.copy()
    held = [int(spinney.State(GAME, s).guess(0, seed).record.hand[1, 6]) for seed in range(300)]
    assert s == before
    assert max(held) >= most if most > 1 else max(held) == 1


def test_who_stays_blocked_has_no_bonus_but_the_one_it_drew():
    s = position(DOWN, (["Map"] * 3, ["8"] * 5 + ["9"] * 2), nugget=1, turn=9)
    s.malus[1], s.last = 1, rules.DROPPED
    held = [int(spinney.State(GAME, s).guess(0, seed).record.hand[1, tiles.BONUS]) for seed in range(300)]
    assert max(held) == 1
    s.last = rules.LOOK
    held = [int(spinney.State(GAME, s).guess(0, seed).record.hand[1, tiles.BONUS]) for seed in range(300)]
    assert max(held) >= 2


def test_draws_in_a_view_come_from_all_unseen_cards():
    view = small_case()
    rules.observe(view, 0)
    view.phase = rules.DRAWING
    out = CARD.out()
    n = rules.outcomes(view, out)
    chances = {CARD_NAMES[out.action[i]]: out.weight[i] for i in range(n)}
    assert chances == pytest.approx({"0": 0.2, "5": 0.4, "9": 0.2, "Map": 0.2})
    found = Counter(CARD_NAMES[rules.chance(view, rng)] for rng in [seeded(2)] for _ in range(2000))
    assert found.keys() == chances.keys()


def test_plain_and_compiled_guess_the_same():
    def make(determinize, observe):
        def run(s, player, rng, seen):
            determinize(s, player, rng)
            if seen:
                observe(s, player)

        return run

    compiled = bind(make, "saboteur/hide", determinize=rules.determinize, observe=rules.observe)
    for seed in range(20):
        s = some_state(seed, 2 * seed + 1).record
        native, rng = rules.State.native(s), seeded(seed)
        native_rng = Rng.native(rng)
        for seen in (0, 1):
            rules.determinize(s, seed % 2, rng)
            if seen:
                rules.observe(s, seed % 2)
            compiled(native, seed % 2, native_rng, seen)
            assert as_bytes(s) == native.tobytes()


# ---- what is told of a step


def test_what_a_player_sees_of_a_step():
    state = GAME.start(4, manual_chance=True)
    assert [state.name(0, seen_by=player) for player in (0, 1)] == ["", ""]
    state.apply(1)
    assert [state.name(tiles.MAP, seen_by=player) for player in (0, 1)] == ["player 1 draws Map", ""]
    while state.mover == CHANCE:
        state.apply(state.outcomes()[0][0])
    drop = next(action for action in state.legal() if action >= rules.DROP)
    assert state.name(drop, seen_by=0) == state.name(drop) == "Drop 0"
    assert state.name(drop, seen_by=1) == "Drop"
    tile = state.legal()[0]
    assert state.name(tile, seen_by=1) == state.name(tile)
    assert state.name(rules.LOOK + 2, seen_by=1) == "Map 12 7"


def test_a_card_that_hides_things_says_what_is_seen():
    with pytest.raises(BadGame, match="needs name_seen"):
        Card("secret", "", "", rules, Board(repr, lambda s, a: ""))


def test_games_that_hide_nothing():
    state = spinney.game("tictactoe").start()
    state.apply("5")
    assert state.guess(0).record == state.observe(1).record == state.record
    assert state.observe(0).history == state.history
    assert state.name(0, seen_by=1) == state.name(0)


def test_no_search_that_sees_all_plays_it():
    with pytest.raises(spinney.SpinneyError, match="uct cannot play saboteur"):
        GAME.agent("uct")
