"""Search with hidden information, on games whose answers are known."""

from __future__ import annotations

import pyspiel
import pytest

import spinney
from spinney.bridges.open_spiel import tabular_policy
from spinney.errors import BadGame, BadOption
from spinney.games.saboteur import rules
from spinney.search import Node
from spinney.search.infoset import INFOSET, InfosetOptions
from tests.tiny_hidden import (
    COIN_GAME,
    COIN_WITHOUT_SIGHT,
    GUESS,
    JACK,
    KING,
    LOCK_GAME,
    LOOK,
    POKER_GAME,
    QUEEN,
    SAFE,
    SECRET_GAME,
    SECRET_WITHOUT_GUISE,
    poker_values,
)  # fmt: skip


def worth(decision):
    return {choice.action: choice.value for choice in decision.choices}


def decide(card, options, seed=1, start=3):
    game = spinney.game(card)
    return game.agent(f"infoset({options})", seed=seed).decide(game.start(seed=start))


def test_strategy_fusion():
    """Who knows the coin in each guessed world thinks that a guess is sure. One tree for all worlds knows better."""
    fused = decide(COIN_GAME, "method=determinized, determinizations=50, iterations=50000, c=0.3")
    assert fused.action == GUESS
    assert worth(fused)[GUESS] > 0.97  # it is 0.5
    honest = decide(COIN_GAME, "iterations=50000, c=0.3")
    assert honest.action == LOOK
    assert worth(honest) == pytest.approx({SAFE: 0.7, GUESS: 0.5, LOOK: 0.9}, abs=0.06)


def test_a_look_is_worth_something_only_to_who_sees():
    """Without the rule that says what a player sees, all that comes after a look is one node."""
    assert decide(COIN_WITHOUT_SIGHT, "iterations=50000, c=0.3").action == SAFE


@pytest.mark.parametrize("others", ["none", "random"])
def test_what_others_do_in_secret_is_one_thing(others):
    """The searcher cannot act on what it does not see of the other's action; if it could, to stay would be worth 1."""
    honest = decide(SECRET_GAME, f"iterations=50000, c=1.4, opponents={others}")
    assert honest.action == 1
    assert worth(honest) == pytest.approx({0: 0.5, 1: 0.7}, abs=0.05)
    assert [len(node.children) for node in honest.tree.children if node.action == 0] == [1]


def test_who_is_not_told_what_looks_alike_acts_on_it():
    """Without the rule that says what others see of an action, the searcher sees through the cups."""
    assert worth(decide(SECRET_WITHOUT_GUISE, "iterations=50000, c=1.4, opponents=random"))[0] > 0.95


@pytest.mark.parametrize("mine", [JACK, QUEEN, KING])
def test_the_best_response_in_kuhn_poker(mine):
    """Against fixed habits the value of each action is that of the best plan that begins with it."""
    state = spinney.game(POKER_GAME).start(manual_chance=True)
    state.apply(mine)
    state.apply((mine + 1) % 3)
    decision = spinney.game(POKER_GAME).agent("infoset(iterations=200000, c=0.5)", seed=2).decide(state)
    plans = poker_values(mine)
    check, bet = max(plans["check, fold"], plans["check, call"]), plans["bet"]
    assert decision.action == int(bet > check)
    assert decision.choices[0].value == pytest.approx(max(check, bet), abs=0.01)
    assert decision.choices[1].value == pytest.approx(min(check, bet), abs=0.04)


def test_only_multiple_observers_see_that_the_other_acts_on_its_card_and_in_secret():
    """One observer takes the other's secret choice for random, and stays for the bet that is worth 0.5 then."""
    options = "iterations=50000, c=0.3"
    alone, together = (decide(LOCK_GAME, f"method={method}, {options}") for method in ("ismcts", "mo_ismcts"))
    assert (alone.action, together.action) == (0, 1)
    assert worth(alone) == pytest.approx({0: 0.5, 1: 0.45}, abs=0.02)
    assert worth(together) == pytest.approx({0: 0.4, 1: 0.45}, abs=0.02)


def test_multiple_observers_know_what_one_knows():
    """No strategy fusion, information has a value, and nobody acts on what was done in secret."""
    look = decide(COIN_GAME, "method=mo_ismcts, iterations=50000, c=1.4")
    assert look.action == LOOK
    assert worth(look)[LOOK] == pytest.approx(0.9, abs=0.01)
    assert worth(look)[GUESS] < 0.65
    stay = decide(SECRET_GAME, "method=mo_ismcts, iterations=50000, c=1.4")
    assert worth(stay) == pytest.approx({0: 0.5, 1: 0.7}, abs=0.05)


def test_the_opponents_tree_has_its_information_sets():
    """Kuhn poker, player 0 with a queen: after a bet, player 1 calls with the king and folds the jack."""
    state = spinney.game("kuhn_poker").start(manual_chance=True)
    for step in (QUEEN, KING):
        state.apply(step)
    search = spinney.game("kuhn_poker").agent("infoset(method=mo_ismcts, iterations=20000)", seed=1).search
    search.run(state)
    root = Node(search.workers[0].nodes, 1)
    assert sorted(node.action for node in root.children) == [JACK + 1, KING + 1]
    for card, reply in ((JACK, 0), (KING, 1)):
        (after_bet,) = root.child(card + 1).child(1).children
        assert after_bet.children[0].action == reply
        assert after_bet.children[0].visits > 0.9 * after_bet.visits


def test_multiple_observers_search_as_open_spiel_does():
    """OpenSpiel's ISMCTS has a node for each player's information states, too: the same shares at all of them. With one
    observer they differ where the others know more than the searcher."""
    theirs, game, c = pyspiel.load_game("kuhn_poker"), spinney.game("kuhn_poker"), 1.0
    span = theirs.max_utility() - theirs.min_utility()
    many, one = (
        game.agent(f"infoset(method={method}, iterations=20000, c={c}, nodes=10000)", seed=1)
        for method in ("mo_ismcts", "ismcts")
    )
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), c * span, 20000)
    far = []

    def choose(ours):
        state = theirs.new_initial_state()
        for _, action in ours.history:
            state.apply_action(action)
        wanted = pytest.approx(dict(bot.get_policy(state)), abs=0.1)
        shares, others = (
            {choice.action: choice.share for choice in agent.decide(ours).choices} for agent in (many, one)
        )
        assert shares == wanted
        far.append(others != wanted)
        return shares

    tabular_policy(theirs, game, choose)
    assert (sum(far), len(far)) == (2, 12)


LATE = (7, 12, 15)
"""Actions after which Saboteur's players have looked, dropped and broken things."""


@pytest.mark.parametrize(
    "spec",
    ["infoset(determinizations=4, method=determinized", "infoset(method=mo_ismcts", "champion(c=0.7", "paper(c=0.7"],
)
@pytest.mark.parametrize("length", [0, *LATE])
def test_what_is_hidden_changes_nothing(spec, length):
    """Positions that look the same to a player are searched to the same figures."""
    game = spinney.game("saboteur")
    state = game.start(seed=5)
    for seed in range(length):
        state.apply(game.agent("official_random", seed=seed).decide(state).action)
    player, figures = state.mover, set()
    for seed in range(3):
        world = state if seed == 0 else state.guess(player, seed)
        search = game.agent(f"{spec}, iterations=100, seconds=none)", seed=9).search
        found = search.run(world, player=player)  # the search itself is given all, and must not use it
        figures.add(tuple((choice.action, choice.visits, choice.values) for choice in found.choices))
    assert len(figures) == 1


def test_cards_dropped_by_the_other_are_one_action():
    game = spinney.game("saboteur")
    tree = game.agent("infoset(iterations=4000, c=0.1, rollout=greedy)", seed=1).decide(game.start(seed=1)).tree
    after = max(tree.children, key=lambda node: node.visits)
    dropped = [node.action for node in after.children[0].children if node.action >= rules.DROP]
    assert dropped == [rules.DROPPED]
    assert len([node for node in tree.children if node.action >= rules.DROP]) > 1  # its own it can tell apart


def test_each_world_gets_its_share():
    game = spinney.game(COIN_GAME)
    for threads, iterations in ((1, 1003), (2, 1003), (2, 5)):
        spec = f"infoset(method=determinized, determinizations=5, threads={threads}, iterations={iterations})"
        found = game.agent(spec, seed=1).search.run(game.start(seed=1))
        visits = [tree.visits for tree in found.trees]
        assert len(visits) == 5 * threads
        assert sum(visits) == found.iterations == iterations
        assert max(visits) - min(visits) <= 1


def test_a_timed_search_visits_all_worlds():
    game = spinney.game("saboteur")
    decision = game.agent("infoset(method=determinized, determinizations=8, seconds=0.3)", seed=1).decide(
        game.start(seed=1)
    )
    assert decision.seconds < 0.3 + 0.5  # a busy machine; bench/ has the figures
    visits = [tree.visits for tree in decision.trees]
    assert min(visits) > 0
    assert max(visits) - min(visits) <= 1


def test_actions_count_how_often_they_were_legal():
    """The other's actions are legal in some worlds only: an action is available at least as often as it is tried, and
    not always."""
    game = spinney.game("saboteur")
    decision = game.agent("infoset(iterations=4000, c=0.1)", seed=1).decide(game.start(seed=1))
    after = max(decision.tree.children, key=lambda node: node.visits)
    seen = after.children[0]
    assert seen.mover == 1
    assert all(node.visits <= node.weight <= seen.visits for node in seen.children)
    assert min(node.weight for node in seen.children) < seen.visits / 2
    assert all(node.weight == decision.tree.visits for node in decision.tree.children)


def test_games_that_hide_nothing_and_too_little_room_are_refused():
    with pytest.raises(BadGame, match="it has no hidden information"):
        INFOSET(spinney.game("connect_four"), InfosetOptions())
    with pytest.raises(BadGame, match="many steps"):
        INFOSET(spinney.game("halite"), InfosetOptions())
    with pytest.raises(BadOption, match="at least"):
        spinney.game("saboteur").agent("infoset(method=determinized, determinizations=50, nodes=2000)")
