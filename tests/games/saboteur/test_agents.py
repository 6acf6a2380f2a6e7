"""Saboteur's agents that search, what they look at, and the authors' program."""

from __future__ import annotations

import spinney
from spinney.kernel import seeded
from tests.games.saboteur.positions import position

GAME = spinney.game("saboteur")
CARD = GAME.card
DOWN = [("0", row, 5) for row in range(6, 10)]


def choose(name, s, seed=1):
    return CARD.board.name_action(s, CARD.player(name)(s, s.player, CARD.out(), seeded(seed)))


def test_the_authors_program():
    assert choose("authors", position((), (["Map", "8"], []))) == "Map 12 3"
    assert choose("authors", position((), (["8", "0", "Malus"], []), turn=12)) == "Tile:8 6 5"
    late = position([("8", 6, 5), ("8", 7, 5)], (["8", "13", "Malus"], []), turn=13)
    assert choose("authors", late) == "Malus"
    late = position([("8", 6, 5), ("8", 7, 5)], (["10", "9", "13"], []), turn=13)
    assert choose("authors", late) == "Tile:9_flip 8 5"
    blocked = position((), (["8", "Bonus"], []))
    blocked.malus[0] = 1
    blocked.turn = 20
    assert choose("authors", blocked) == "Bonus"


def test_the_papers_agent_searches_after_its_opening_only():
    agent = GAME.agent("paper", seed=1)
    early = spinney.State(GAME, position((), (["8", "0", "13"], []), turn=7))
    assert (agent.decide(early).name, agent.decide(early).iterations) == ("Tile:8 6 5", 0)
    decision = agent.decide(spinney.State(GAME, position((), (["8", "0", "13"], []), turn=8)))
    assert decision.iterations == 355
    assert max(depth for depth, _ in decision.tree.walk()) == 1
    assert decision.values[0] == max(choice.value for choice in decision.choices)
    assert GAME.agent("paper(code=true)").name == "authors"


def test_the_champion_beats_greedy():
    """At a small part of its time: of the decided games it wins about 3 of 4."""
    won = lost = 0
    agents = [GAME.agent("champion(iterations=200, seconds=none)", seed=1), GAME.agent("greedy", seed=2)]
    for game in range(30):
        state, seat = GAME.start(game // 2), game % 2
        while not state.is_over:
            state.apply(agents[state.mover ^ seat].decide(state).action)
        won += state.rewards()[seat] == 1
        lost += state.rewards()[seat] == 0
    assert won >= 2 * lost, (won, lost)  # an equal would seldom do that


def test_each_builder_plays_by_its_spec():
    models, out, state = CARD.opponents("builders"), CARD.out(), GAME.start(3)
    differ = 0
    while not state.is_over:
        chosen = []
        for role, spec in enumerate(models.specs):
            out.role[state.mover] = role
            chosen.append(models.policy(state.record, state.mover, out, seeded(len(state.history))))
            assert chosen[-1] == CARD.player(spec)(state.record, state.mover, out, seeded(len(state.history)))
        differ += chosen[0] != chosen[1]
        state.apply(chosen[1])
    assert differ > 0


def test_the_study_can_be_played():
    for one in CARD.study.comparisons:
        for spec in one.agents:
            GAME.agent(spec)
