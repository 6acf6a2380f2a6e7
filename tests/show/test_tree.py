"""Search trees as data and as pictures: they equal the tree, and names stay text."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import spinney
from spinney.games import CHANCE
from spinney.search import Node
from spinney.show.diagram import DARK
from spinney.show.tree_page import tree_data
from tests.show.pages import HOSTILE, Page

PIG = "examples/pig.py(goal=10)"
SPACE = "{http://www.w3.org/2000/svg}"


def decided(game: str, agent: str, steps: str = "", seed: int = 1):
    """A decision after some actions, and the game."""
    loaded = spinney.game(game)
    state = loaded.start(seed)
    for step in steps.split():
        state.apply(step)
    return loaded.agent(agent, seed=1).decide(state, player=state.movers[0])


def hostile_game() -> spinney.Game:
    """Tic-tac-toe, whose actions have names that are code."""
    card = spinney.game("tictactoe").card
    board = replace(card.board, name_action=lambda s, action: f"{HOSTILE} {action}")
    return spinney.game(replace(card, board=board))


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        (PIG, "uct(iterations=300, plain=true)"),
        ("tictactoe", "uct(iterations=300, transpositions=true, plain=true)"),
        ("deepsea(players=3)", "uct(iterations=150, plain=true)"),
    ],
)
def test_data_equals_the_tree(game, agent):
    """All of it, node by node, against a walk through the tree; of less, the most visited with what is left out."""
    root = decided(game, agent).tree

    def check(data: dict, node: Node) -> None:
        held = (data["visits"], tuple(data["values"]), data["mover"], data["proven"], data["name"], data["weight"])
        assert held == (node.visits, node.values, node.mover, node.proven, node.name, node.weight)
        visited = [child for child in node.children if child.visits]
        assert [child["action"] for child in data["children"]] == [child.action for child in visited]
        assert data["left_out"] == len(node.children) - len(visited)
        for below, child in zip(data["children"], visited, strict=True):
            check(below, child)

    check(json.loads(root.to_json(500, 500)), root)
    small = root.to_dict(depth=1, width=1)
    assert small["children"][0]["children"] == []
    assert small["children"][0]["action"] == root.children[0].action
    assert small["left_out"] == len(root.children) - 1
    assert small["children"][0]["left_out"] == len(root.children[0].children)


def test_outcomes_have_the_probabilities_of_the_rules():
    decision = decided(PIG, "uct(iterations=600, plain=true)")
    throw = decision.tree.child(0)
    assert throw.mover == CHANCE
    known = dict(throw.state.outcomes())
    assert {child.action: pytest.approx(child.probability) for child in throw.children} == known
    assert throw.probability is decision.tree.probability is None


def test_the_most_visited_nodes_come_after_their_parents():
    root = decided(PIG, "uct(iterations=400, plain=true)").tree
    every = sorted((node.visits for _, node in root.walk() if node.visits), reverse=True)
    found = root.most_visited(50)
    assert [node.visits for node in found] == every[:50]
    assert found[0] is root
    assert all(node.parent in found[:i] for i, node in enumerate(found) if i)
    assert len(root.most_visited(10**6)) == len(every)


def test_the_picture_has_every_node_its_name_and_its_mark():
    root = decided("tictactoe", "uct(iterations=400, plain=true)", "5 1 9 2 8").tree
    svg = root._repr_svg_()
    assert svg == root.svg(depth=3, width=4)
    picture = ElementTree.fromstring(svg)
    texts = [element.text for element in picture.iter(f"{SPACE}text")]
    boxes = []

    def shown(node: Node, depth: int) -> None:
        boxes.append(node)
        for child in [child for child in node.children[:4] if child.visits] if depth else ():
            shown(child, depth - 1)

    shown(root, 3)
    values = [" : ".join(f"{value:.2f}" for value in node.values) for node in boxes]
    labels = [f"{node.visits:,} visit{'s' * (node.visits != 1)}, {of}" for node, of in zip(boxes, values, strict=True)]
    assert sorted(text for text in texts if " : " in text) == sorted(labels)
    assert sorted(text for text in texts if text.isdigit()) == sorted(node.name for node in boxes[1:])
    assert any(node.proven for node in boxes)
    rectangles = [box for box in picture.iter(f"{SPACE}rect") if box.get("rx") == "6" and box.get("height") == "36"]
    assert len(rectangles) == sum(node.proven for node in boxes)


def test_the_picture_is_for_a_light_or_a_dark_background():
    root = decided(PIG, "uct(iterations=50, plain=true)").tree
    light, dark, auto = root.svg(dark=False), root.svg(dark=True), root.svg()
    assert "<style>" not in light
    for one in DARK.values():
        assert one in dark
        assert one in auto.partition("prefers-color-scheme:dark")[2]
    used = {it.get(name) for it in ElementTree.fromstring(light).iter() for name in ("fill", "stroke", "stop-color")}
    assert used - {None, "none", "url(#both)"} <= DARK.keys()


def test_names_in_pictures_stay_text():
    game = hostile_game()
    decision = game.agent("uct(iterations=50, plain=true)", seed=1).decide(game.start())
    picture = ElementTree.fromstring(decision.tree.svg())
    assert any(it.text.startswith("</script><script>hacked") for it in picture.iter(f"{SPACE}text"))
    assert not any("script" in it.tag or "img" in it.tag for it in picture.iter())


def test_nothing_hidden_is_shown():
    """Two deals that the player cannot tell apart give the same page, and below the root no position is known."""
    game = spinney.game("kuhn_poker(players=2)")
    found = []
    for seed in range(60):
        state = game.start(seed)
        cards = [int(card) for card in state.record.card]
        if cards[0] == 1:
            decision = game.agent("infoset(iterations=60, plain=true)", seed=1).decide(state)
            found.append((cards[1], json.dumps(tree_data(decision))))
    assert {card for card, _ in found} == {0, 2}
    assert len({data for _, data in found}) == 1
    data = json.loads(found[0][1])
    assert data["board"][0] == 0
    assert {*data["board"][1:]} == {-1}
    below = [data["names"][data["name"][i]] for i, parent in enumerate(data["parent"]) if parent > 0]
    assert below
    assert all(name.startswith("action ") for name in below)


def test_pages_have_the_same_words_as_the_tree():
    """The positions in the page are worked out from records; names are those of the nodes, where both know them."""
    for game, agent in (
        (PIG, "uct(iterations=300, plain=true)"),
        ("battlesnake(players=2)", "joint(iterations=60, rollout_depth=0, chance=sample, plain=true)"),
        ("battlesnake(players=2)", "decoupled(iterations=60, rollout_depth=0, plain=true)"),
        (PIG, "uct(iterations=300, open_loop=true, plain=true)"),
    ):
        decision = decided(game, agent)
        data = tree_data(decision, 200)
        nodes = decision.tree.most_visited(200)
        assert [data["names"][name] for name in data["name"]] == [node.name for node in nodes]
        assert [board >= 0 for board in data["board"]] == [node.state is not None for node in nodes]
        assert data["line"]
        assert nodes[data["line"][0]].parent is decision.tree
        left = [sum(child.visits > 0 for child in node.children) for node in nodes]
        for parent in data["parent"][1:]:
            left[parent] -= 1
        assert data["left"] == left


def test_hostile_names_stay_text_in_pages():
    from spinney.show.tree_page import tree_page

    game = hostile_game()
    decision = game.agent("uct(iterations=50, plain=true)", seed=1).decide(game.start())
    page, tame = tree_page(decision, HOSTILE), tree_page(decided("tictactoe", "uct(iterations=50, plain=true)"), "tame")
    assert Page(page).tags == Page(tame).tags
    assert HOSTILE in Page(page).words
