"""What people tap: on random games every action can be chosen, and what happens is where the taps were."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence

import pytest

import spinney
from spinney import CHANCE, State
from spinney.errors import WrongPlayer
from spinney.games.picture import Mark, Picture, Tap
from spinney.kernel import seeded

GAMES = [
    "tictactoe",
    "connect_four",
    *(f"hex(board_size={size})" for size in (2, 5, 6)),
    "breakthrough",
    "breakthrough(rows=4, columns=3)",
    "pig(winscore=30)",
    "pig(players=3, winscore=30, diceoutcomes=20)",
    "pig(piglet=true, winscore=5)",
    "goofspiel",
    "goofspiel(players=4, num_cards=5, points_order=descending)",
    "kuhn_poker",
    "kuhn_poker(players=10)",
    "leduc_poker",
    "leduc_poker(players=5)",
    *(f"deepsea(players={2 + 2 * i}, ruleset={it})" for i, it in enumerate(("paper", "official", "paper_code"))),
    "colosseum(size=3)",
    "colosseum(size=7)",
    "battlesnake(players=4, width=7, height=9, food_chance=80)",
    "battlesnake(players=3, width=6, height=5, mode=royale, shrink_every=2)",
    "battlesnake(players=2, width=3, height=5, mode=wrapped)",
    "battlesnake(players=2, width=7, height=7, mode=constrictor)",
    "battlesnake(players=3, width=7, height=7, mode=wrapped_constrictor)",
    "halite(players=2, size=10, turns=25, energy=30000)",
    "halite(players=4, size=10, turns=15, energy=12000)",
    "saboteur",
]
SEEDS = 2
MOST_STEPS = 700


def game_of(spec: str, seed: int, most: int = MOST_STEPS) -> Iterator[State]:
    """The positions of a game played at random with manual chance."""
    game, choose, rng = spinney.game(spec), random.Random(seed), seeded(seed)
    state = game.start(seed, manual_chance=True)
    for _ in range(most):
        yield state
        if state.is_over:
            return
        if state.mover == CHANCE:
            state.apply(int(game.card.rules.chance(state.record, rng)))
        for player in state.movers:
            state.apply(choose.choice(state.legal(player)), player)


def choices(state: State) -> Iterator[list[tuple[Tap, ...]]]:
    """The taps of all actions of each player to move, or of all chance outcomes."""
    if state.mover == CHANCE:
        yield [state.taps(outcome) for outcome, _ in state.outcomes()]
    for player in state.movers:
        yield [state.taps(action, player) for action in state.legal(player)]


def picture_of(state: State) -> Picture:
    picture = state.game.card.board.picture
    assert picture is not None
    return picture(state.record)


def sides(tap: Tap) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a place."""
    assert tap.x is not None
    assert tap.y is not None
    return tap.x - tap.width / 2, tap.x + tap.width / 2, tap.y - tap.height / 2, tap.y + tap.height / 2


def overlap(one: Tap, other: Tap) -> bool:
    left, right, top, bottom = sides(one)
    left2, right2, top2, bottom2 = sides(other)
    near = 1e-9
    return left + near < right2 and left2 + near < right and top + near < bottom2 and top2 + near < bottom


def check_offered(offered: Sequence[Tap], width: int, height: int) -> None:
    """Taps among which a person chooses: they have unique keys, labels and places, on the picture."""
    assert all(tap.label.strip() for tap in offered)
    keys = [tap.key for tap in offered if tap.key]
    assert len({*keys}) == len(keys), offered
    buttons = [tap.label for tap in offered if tap.x is None]
    assert len({*buttons}) == len(buttons), offered
    places = [tap for tap in offered if tap.x is not None]
    for left, right, top, bottom in map(sides, places):
        assert -0.5 <= left < right <= width - 0.5
        assert -0.5 <= top < bottom <= height - 0.5
    assert not any(overlap(*pair) for pair in itertools.combinations(places, 2)), offered


@pytest.mark.parametrize("spec", GAMES)
def test_every_action_can_be_tapped(spec):
    for seed in range(SEEDS):
        seen: set[tuple[tuple[Tap, ...], ...]] = set()
        for state in game_of(spec, seed):
            for taps in choices(state):
                if tuple(taps) in seen:
                    continue
                seen.add(tuple(taps))
                shown = picture_of(state)
                assert len({*taps}) == len(taps)
                begun: dict[tuple[Tap, ...], dict[Tap, None]] = {}
                for each in taps:
                    assert each
                    for i, tap in enumerate(each):
                        begun.setdefault(each[:i], {})[tap] = None
                assert not begun.keys() & {*taps}, "the taps of an action begin with those of another"
                for offered in begun.values():
                    check_offered([*offered], shown.width, shown.height)
                json.dumps(taps)


def marks_at(picture: Picture, tap: Tap, shape: str) -> list[Mark]:
    """The marks of a shape in the middle of a place."""
    return [mark for mark in picture.marks.values() if mark.style.shape == shape and mark[:2] == (tap.x, tap.y)]


def steps(spec: str, seed: int = 1) -> Iterator[tuple[Picture, tuple[Tap, ...], int, State]]:
    """For every action of a game: the picture before it, its taps, its player, and the state after it."""
    for state in game_of(spec, seed):
        if len(state.movers) == 1:
            [player] = state.movers
            for action in state.legal()[::3]:
                after = state.copy()
                after.apply(action)
                yield picture_of(state), state.taps(action), player, after


def test_marks_and_stones_come_where_they_were_tapped():
    for before, [tap], player, after in steps("tictactoe"):
        assert [mark.style.text for mark in marks_at(before, tap, "letter")] == [tap.key]
        assert [mark.style.text for mark in marks_at(picture_of(after), tap, "letter")] == ["XO"[player]]
    for before, [tap], player, after in steps("hex(board_size=4)"):
        stones = [
            mark.style.colour for picture in (before, picture_of(after)) for mark in marks_at(picture, tap, "disc")
        ]
        assert stones == ["paper", f"agent-{player}"]
    for before, [tap], _, after in steps("connect_four"):
        changed = [mark for key, mark in picture_of(after).marks.items() if before.marks[key] != mark]
        assert [mark.x for mark in changed] == [tap.x]
        assert sides(tap)[2:] == (-0.5, 5.5)
        assert tap.key == str(changed[0].x + 1)


def test_pawns_go_where_they_were_tapped():
    for before, (start, end), player, after in steps("breakthrough(rows=5, columns=5)"):
        assert [mark.style.colour for mark in marks_at(before, start, "disc")] == [f"agent-{player}"]
        captured = [mark.style.colour for mark in marks_at(before, end, "disc")]
        assert captured == [f"agent-{1 - player}"] * ("take" in end.label)
        assert [mark.style.colour for mark in marks_at(picture_of(after), end, "disc")] == [f"agent-{player}"]


def test_cards_are_bid_and_prizes_turned_over_where_they_were_tapped():
    state = spinney.game("goofspiel(num_cards=5)").start(manual_chance=True)
    [prize] = state.taps(3)
    state.apply(3)
    assert [mark.style.colour for mark in marks_at(picture_of(state), prize, "square")] == ["gold"]
    bids = [state.taps(action, player)[0] for player, action in enumerate((1, 4))]
    assert [(tap.x, tap.y, tap.key) for tap in bids] == [(1, 1, "2"), (4, 2, "5")]
    for player, action in enumerate((1, 4)):
        state.apply(action, player)
    assert not any(marks_at(picture_of(state), tap, "square") for tap in bids)


def test_a_walk_ends_on_the_cell_and_the_wall_is_on_the_side_that_was_tapped():
    key = {(0, -0.5): "ArrowUp", (0.5, 0): "ArrowRight", (0, 0.5): "ArrowDown", (-0.5, 0): "ArrowLeft"}
    for before, (cell, side), player, after in steps("colosseum(size=5)"):
        assert key[side.x - cell.x, side.y - cell.y] == side.key
        now = picture_of(after)
        assert now.marks[player][:2] == (cell.x, cell.y)
        assert (cell.label == "stay") == (before.marks[player] == now.marks[player])
        walls = {mark for mark in now.marks.values() if mark.style.size == 0.15} - {*before.marks.values()}
        assert [(x + style.dx / 2, y + style.dy / 2) for x, y, style in walls] == [(side.x, side.y)]


@pytest.mark.parametrize("mode", ["standard", "wrapped"])
def test_a_head_goes_where_it_was_tapped(mode):
    arrows = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
    game = spinney.game(f"battlesnake(players=1, width=5, height=4, mode={mode}, food_chance=0)")
    moved = against_walls = 0
    for seed in range(10):
        state = game.start(seed)
        while not state.is_over:
            head = picture_of(state).marks[0, "head"]
            for action in state.legal():
                [tap] = state.taps(action)
                x, y = (at + step for at, step in zip(head[:2], arrows[tap.key], strict=True))
                if tap.x is None:
                    against_walls += 1
                    assert mode == "standard"
                    assert not (0 <= x < 5 and 0 <= y < 4)
                    continue
                assert (tap.x, tap.y) == (x % 5, y % 4)
                after = state.copy()
                after.apply(action)
                if not after.is_over:
                    moved += 1
                    assert picture_of(after).marks[0, "head"][:2] == (tap.x, tap.y)
            state.apply(random.Random(seed).choice(state.legal()))
    assert moved > 20
    assert (against_walls > 0) == (mode == "standard")


def test_several_who_move_at_once_have_their_own_taps():
    state = spinney.game("battlesnake(players=2)").start(1)
    heads = [picture_of(state).marks[player, "head"] for player in (0, 1)]
    up = [state.taps(0, player)[0] for player in (0, 1)]
    assert [(tap.x, tap.y, tap.key) for tap in up] == [(head.x, head.y - 1, "ArrowUp") for head in heads]
    with pytest.raises(WrongPlayer, match="players 0 and 1 move simultaneously; say whose actions you mean"):
        state.taps(0)
    state.apply(0, 0)
    assert state.taps(0) == (up[1],)


def test_food_and_hazards_appear_where_they_were_tapped():
    game = spinney.game("battlesnake(players=2, width=7, height=7, mode=royale, shrink_every=1, food_chance=100)")
    state = game.start(2, manual_chance=True)
    for player in (0, 1):
        state.apply(0, player)
    none, *food = [(outcome, state.taps(outcome)[0]) for outcome, _ in state.outcomes()]
    assert none[1] == Tap("no food", key="n")
    for outcome, tap in food:
        after = state.copy()
        after.apply(outcome)
        assert [mark.style.size for mark in marks_at(picture_of(after), tap, "disc")] == [0.45]
    state.apply(none[0])
    middle = {"ArrowLeft": 21, "ArrowRight": 27, "ArrowDown": 45, "ArrowUp": 3}
    assert len(state.outcomes()) == len(middle)
    for outcome, _ in state.outcomes():
        after = state.copy()
        after.apply(outcome)
        assert picture_of(after).cells[middle[state.taps(outcome)[0].key]] == "hazard"


def test_ships_go_where_they_were_tapped():
    """The only ship of a player, on its way across the edge of the map."""
    arrows = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "s": (0, 0)}
    state = spinney.game("halite(players=1, size=10, turns=30, map_seed=1)").start(1)
    assert [state.taps(action)[0] for action in state.legal()] == [
        Tap("wait", key="w"),
        Tap("spawn a ship for 1000 halite", key="g"),
    ]
    state.apply("spawn")
    keys: set[str] = set()
    order = itertools.cycle(["north", "north", "north", "stay", "stay", "stay", "west", "stay", "stay"])
    while not state.is_over and len(state.history) < 45:
        ship = picture_of(state).marks["ship", 0]
        for action in state.legal():
            [tap] = state.taps(action)
            keys.add(tap.key)
            if tap.x is None:
                assert re.fullmatch(r"ship 0: become a dropoff for [1-4]\d{3} halite", tap.label)
                continue
            x, y = (at + step for at, step in zip(ship[:2], arrows[tap.key], strict=True))
            assert (tap.x, tap.y) == (x % 10, y % 10)
            after = state.copy()
            after.apply(action)
            after.apply("wait")
            assert picture_of(after).marks["ship", 0][:2] == (tap.x, tap.y)
        wanted = next(order)
        state.apply(wanted if wanted in state.names() else "stay")
        if not state.is_over and state.names()[0] == "wait":
            state.apply("wait")
    assert keys == {*arrows, "c"}


def test_divers_have_buttons_that_say_what_they_do():
    state = spinney.game("deepsea").start(manual_chance=True)

    def offered() -> list[tuple[str, str]]:
        numbers = [outcome for outcome, _ in state.outcomes()] or state.legal()
        taps = [tap for number in numbers for tap in state.taps(number)]
        assert all(tap.x is None for tap in taps)
        return [(tap.label, tap.key) for tap in taps]

    assert offered() == [("dive", "ArrowDown")]
    state.apply("down")
    throws = ("1+1", "1+2", "1+3 or 2+2", "2+3", "3+3")
    assert offered() == [(f"dice {total}: {throws[total - 2]}", str(total)) for total in range(2, 7)]
    state.apply(6)
    assert offered() == [("leave the chip of level 1", "l"), ("take the chip of level 1", "t")]
    for step in ("take", "down", 5, "leave"):
        state.apply(step)
    assert offered() == [("dive on", "ArrowDown"), ("turn back", "ArrowUp")]
    state.apply("up")
    state.apply(2)
    for step in ("leave", "down", 3, "leave"):
        state.apply(step)
    assert offered() == [("go on up", "ArrowUp")]
    state.record.phase, state.record.path[state.record.position[0] - 1] = 2, 0
    assert offered() == [("drop nothing", "l"), ("drop 1: the chip of level 1", "1")]
    state.record.held[0, 0] = 1 + 5 * 2 + 25 * 2
    assert offered()[1] == ("drop 1: the stack of levels 1, 2, 2", "1")


def test_dice_and_bets_are_buttons_with_the_keys_of_their_words():
    def buttons(state: State) -> dict[str, str]:
        numbers = [outcome for outcome, _ in state.outcomes()] or state.legal()
        return {tap.key: tap.label for number in numbers for tap in state.taps(number) if tap.x is None}

    pig = spinney.game("pig").start(manual_chance=True)
    assert buttons(pig) == {"r": "roll", "s": "stop"}
    pig.apply("roll")
    assert buttons(pig) == {str(face): f"a {face}" for face in range(1, 7)}
    kuhn = spinney.game("kuhn_poker").start(manual_chance=True)
    assert {key: label[-1] for key, label in buttons(kuhn).items()} == {"j": "J", "q": "Q", "k": "K"}
    kuhn = spinney.game("kuhn_poker").start(1)
    assert buttons(kuhn) == {"p": "pass", "b": "bet"}
    kuhn.apply("bet")
    assert buttons(kuhn) == {"p": "pass (fold)", "b": "bet (call)"}
    leduc = spinney.game("leduc_poker").start(1)
    assert buttons(leduc) == {"c": "call (check)", "r": "raise"}
    leduc.apply("raise")
    assert buttons(leduc) == {"f": "fold", "c": "call", "r": "raise"}


def parts(picture: Picture, tap: Tap) -> list[str]:
    """The colours of the nine squares of a place."""
    left, _, top, _ = sides(tap)
    x, y = round(left + 0.5), round(top + 0.5)
    return [picture.cells[picture.width * (y + i) + x + j] for i in range(3) for j in range(3)]


@pytest.mark.parametrize("observed", [False, True])
def test_cards_are_in_the_hand_and_tiles_come_where_they_were_tapped(observed):
    """Also in the player's own view of the game."""
    turned = used = 0
    for state in itertools.chain.from_iterable(game_of("saboteur", seed) for seed in range(4)):
        for player in state.movers:
            view = state.observe(player) if observed else state
            before = picture_of(view)
            for action in state.legal(player):
                card, place, *more = view.taps(action)
                word, _, shape = state.name(action).replace("Tile:", "Tile ").partition(" ")
                number = before.marks.get(("card", player, int(card.key) - 1))
                after = state.copy(manual_chance=True)
                after.apply(action)
                if word == "Drop":
                    assert place == Tap("drop it", key="d")
                elif word == "Tile":
                    hand, laid = parts(before, card), parts(picture_of(after), place)
                    laid = laid[::-1] if "_flip" in shape else laid
                    assert [it == "rock" for it in hand] == [it == "rock" for it in laid]
                    assert all(tap.key == ("t" if "_flip" in shape else "n") for tap in more)
                    turned += len(more)
                else:
                    assert number is not None
                    assert number.style.text == card.label == word
                if word == "Destroy":
                    assert {*parts(picture_of(after), place)} == {"soft"} != {*parts(before, place)}
                used += 1
    assert turned > 0
    assert used > 500


def test_a_game_without_taps_has_a_button_for_every_action():
    state = spinney.game("examples/pig.py").start(manual_chance=True)
    assert [state.taps(action) for action in state.legal()] == [(Tap("throw"),)]
    state.apply("throw")
    assert state.taps(6) == (Tap("a 6"),)


@pytest.mark.parametrize("name", spinney.game_names())
def test_every_game_has_taps_and_a_guide(name):
    card = spinney.game(name).card
    assert card.board.taps is not None
    paragraphs = card.guide.strip().split("\n\n")
    assert 3 <= len(paragraphs) <= 6
    assert all(text.endswith(".") for text in paragraphs)
    assert 300 <= len(card.guide) <= 2500
    assert {*re.findall(r"option (\w+)", card.guide)} <= {*card.options.model_fields}
