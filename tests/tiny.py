"""Tiny games with known answers, for the tests of searches, and a way to positions worth searching."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from spinney import CHANCE, OVER, SIMULTANEOUS, Card, State
from spinney.games.parts import Board
from spinney.kernel import Record, below, i8, i16, i32, rule


def to_a_choice(state: State) -> State:
    """Make the forced steps: an agent does not search where only one action is legal."""
    while len(state.movers) == 1 and len(state.legal()) == 1:
        state.apply(state.legal()[0])
    return state


SHORT = {
    "breakthrough": "breakthrough(rows=6, columns=4)",
    "goofspiel": "goofspiel(players=3, num_cards=5)",
    "halite": "halite(size=10, turns=30, players=4)",
    "hex": "hex(board_size=4)",
    "pig": "pig(players=3, winscore=20)",
}


def soon_over(name: str) -> str:
    """A game for tests that play every game to its end in plain Python."""
    return SHORT.get(name, name)


def card(name: str, **rules: Any) -> Card:
    return Card(name, name, name, SimpleNamespace(**rules), Board(repr, lambda s, a: str(a)))  # type: ignore[arg-type]


# Dare: two players, three turns each, in turn. A turn is `safe` for 3 points, or `dare`: a die, whose face
# counts if it is at least 3. The higher total wins, equal totals share.

SAFE, DARE, TURNS = 0, 1, 6


class DareState(Record):
    turn = i8
    in_air = i8
    score = i8[2]


@rule
def dare_start(s, config, rng):
    pass


@rule
def dare_mover(s):
    if s.turn == TURNS:
        return OVER
    return CHANCE if s.in_air else s.turn % 2


@rule
def dare_legal(s, player, out):
    out.action[0] = SAFE
    out.action[1] = DARE
    return 2


@rule
def dare_chance(s, rng):
    return 1 + below(rng, 6)


@rule
def dare_outcomes(s, out):
    for face in range(1, 7):
        out.action[face - 1] = face
        out.weight[face - 1] = 1 / 6
    return 6


@rule
def dare_apply(s, action):
    if not s.in_air and action == DARE:
        s.in_air = 1
        return
    points = 3 if not s.in_air else action if action >= 3 else 0
    s.score[s.turn % 2] += points
    s.in_air = 0
    s.turn += 1


@rule
def dare_reward(s, out):
    lead = s.score[0] - s.score[1]
    out.reward[0] = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out.reward[1] = 1.0 - out.reward[0]


DARE_GAME = card(
    "dare", State=DareState, MAX_ACTIONS=6, MAX_PLAYERS=2, start=dare_start, mover=dare_mover, legal=dare_legal,
    chance=dare_chance, outcomes=dare_outcomes, apply=dare_apply, reward=dare_reward,
)  # fmt: skip
UNLISTED_DARE = card(
    "unlisted_dare", State=DareState, MAX_ACTIONS=6, MAX_PLAYERS=2, start=dare_start, mover=dare_mover,
    legal=dare_legal, chance=dare_chance, apply=dare_apply, reward=dare_reward,
)  # fmt: skip


def dare_value(turn: int = 0, scores: tuple[int, int] = (0, 0)) -> float:
    """The exact expectimax value for player 0, by plain recursion over the rules above."""
    if turn == TURNS:
        return 0.5 if scores[0] == scores[1] else float(scores[0] > scores[1])
    player = turn % 2

    def after(points: int) -> float:
        added = (scores[0] + points, scores[1]) if player == 0 else (scores[0], scores[1] + points)
        return dare_value(turn + 1, added)

    safe, dare = after(3), sum(after(face if face >= 3 else 0) for face in range(1, 7)) / 6
    return max(safe, dare) if player == 0 else min(safe, dare)


# Trio: three players choose 0 or 1, once each in turn; the table gives the rewards. If everybody maximises his own
# reward (max^n), player 0 takes 0 and gets 0.9; against two who only want to harm him (paranoid), 1 is best.

TRIO_REWARDS = (
    0.9, 0.6, 0.3,   0.2, 0.9, 0.1,   # 0 0 .  -> player 2 prefers the first: 0.9 for player 0
    0.1, 0.5, 0.9,   0.0, 0.7, 0.8,   # 0 1 .  -> player 2 prefers the first, which gives player 1 less than 0 0
    0.5, 0.2, 0.3,   0.6, 0.1, 0.2,   # 1 0 .
    0.5, 0.3, 0.4,   0.7, 0.2, 0.1,   # 1 1 .
)  # fmt: skip


class TrioState(Record):
    turn = i8
    choices = i8  # as bits, the first choice highest


@rule
def trio_start(s, config, rng):
    pass


@rule
def trio_mover(s):
    return OVER if s.turn == 3 else s.turn


@rule
def trio_legal(s, player, out):
    out.action[0] = 0
    out.action[1] = 1
    return 2


@rule
def trio_apply(s, action):
    s.choices = 2 * s.choices + action
    s.turn += 1


@rule
def trio_reward(s, out):
    for player in range(3):
        out.reward[player] = TRIO_REWARDS[3 * s.choices + player]


TRIO_GAME = card(
    "trio", State=TrioState, MAX_ACTIONS=2, MAX_PLAYERS=3, start=trio_start, mover=trio_mover, legal=trio_legal,
    apply=trio_apply, reward=trio_reward,
)  # fmt: skip


# Matrix games: everybody chooses, all together, once or in several stages, perhaps with a chance outcome after each;
# the rewards stand in a table.


class MatrixState(Record):
    stage = i8
    in_air = i8
    cell = i32


@rule
def matrix_start(s, config, rng):
    pass


def matrix_game(
    name: str, moves: int, rewards: list[tuple[float, ...]], stages: int = 1, weights: tuple[float, ...] = (1.0,)
) -> Card:
    """Rewards are listed by the first stage's joint action, the first player's action first, then its chance outcome,
    then by those of the next stage. Of more than one outcome, the probabilities are given."""
    players, sides = len(rewards[0]), len(weights)
    table = tuple(float(number) for cell in rewards for number in cell)

    @rule
    def mover(s):
        return OVER if s.stage == stages else CHANCE if s.in_air else SIMULTANEOUS

    @rule
    def is_active(s, player):
        return s.stage < stages and not s.in_air

    @rule
    def legal(s, player, out):
        for action in range(moves):
            out.action[action] = action
        return moves

    @rule
    def apply_joint(s, out):
        for player in range(players):
            s.cell = s.cell * moves + out.joint[player]
        if sides > 1:
            s.in_air = 1
        else:
            s.stage += 1

    @rule
    def chance(s, rng):
        left = below(rng, 1 << 20) / (1 << 20)
        for side in range(sides - 1):
            left -= weights[side]
            if left < 0:
                return side
        return sides - 1

    @rule
    def outcomes(s, out):
        for side in range(sides):
            out.action[side] = side
            out.weight[side] = weights[side]
        return sides

    @rule
    def apply(s, action):
        s.cell = s.cell * sides + action
        s.in_air = 0
        s.stage += 1

    @rule
    def reward(s, out):
        for player in range(players):
            out.reward[player] = table[players * s.cell + player]

    drawn = {"chance": chance, "outcomes": outcomes} if sides > 1 else {}
    return card(
        name, State=MatrixState, MAX_ACTIONS=max(moves, sides), MAX_PLAYERS=players, MOVES=moves, start=matrix_start,
        mover=mover, is_active=is_active, legal=legal, apply=apply, apply_joint=apply_joint, reward=reward, **drawn,
    )  # fmt: skip


def zero_sum(*rows: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The rewards of two players from the first one's."""
    return [(value, 1 - value) for row in rows for value in row]


PENNIES = matrix_game("pennies", 2, zero_sum((1, 0), (0, 1)))
BIASED_PENNIES = matrix_game("biased_pennies", 2, zero_sum((1, 0), (0, 0.5)))
"""In equilibrium both play the first action with 1/3: then (1, 0) and (0, 0.5) are worth the same."""
ROCK_PAPER_SCISSORS = matrix_game("rock_paper_scissors", 3, zero_sum((0.5, 0, 1), (1, 0.5, 0), (0, 1, 0.5)))
WITH_AN_ONLOOKER = matrix_game(
    "with_an_onlooker", 2,
    [(one, two, third) for one, two in zero_sum((1, 0), (0, 0.5)) for third in (1, 0)],
)  # fmt: skip
"""Biased pennies, and a third player who is best off with the first action, whatever the others do."""
LOADED_PENNIES = matrix_game(
    "loaded_pennies", 2,
    zero_sum((1, 0.5), (0, 0.5), (0, 0.5), (0.75, 1)), weights=(0.25, 0.75),
)  # fmt: skip
"""After both have chosen, a coin falls. It has no default outcome."""


# Bandit: one player chooses once; the rewards stand in a table.


class BanditState(Record):
    chosen = i8


@rule
def bandit_start(s, config, rng):
    s.chosen = -1


@rule
def bandit_mover(s):
    return 0 if s.chosen < 0 else OVER


@rule
def bandit_apply(s, action):
    s.chosen = action


def bandit(name: str, rewards: tuple[float, ...]) -> Card:
    """A game of one decision of the first player."""
    actions = len(rewards)

    @rule
    def legal(s, player, out):
        for action in range(actions):
            out.action[action] = action
        return actions

    @rule
    def reward(s, out):
        out.reward[0] = rewards[s.chosen]
        out.reward[1] = 1.0 - rewards[s.chosen]

    return card(
        name, State=BanditState, MAX_ACTIONS=actions, MAX_PLAYERS=2, start=bandit_start, mover=bandit_mover,
        legal=legal, apply=bandit_apply, reward=reward,
    )  # fmt: skip


# Schur: one player puts 1, 2, 3, ... into boxes, none of which may hold two numbers and their sum. The largest number
# that can be reached is a weak Schur number: 2, 8, 23 and 66 for one to four boxes.

WEAK_SCHUR = (0, 2, 8, 23, 66)


class SchurState(Record):
    n = i8
    box = i8[WEAK_SCHUR[-1] + 2]  # of each number, from 1


@rule
def schur_start(s, config, rng):
    pass


@rule
def schur_fits(s, box):
    """Whether the next number is no sum of two in a box."""
    new = s.n + 1
    for one in range(1, (new + 1) // 2):
        if s.box[one] == box and s.box[new - one] == box:
            return False
    return True


@rule
def schur_apply(s, box):
    s.n += 1
    s.box[s.n] = box


def schur(boxes: int) -> Card:
    @rule
    def mover(s):
        for box in range(1, boxes + 1):
            if schur_fits(s, box):
                return 0
        return OVER

    @rule
    def legal(s, player, out):
        n = 0
        for box in range(1, boxes + 1):
            if schur_fits(s, box):
                out.action[n] = box
                n += 1
        return n

    @rule
    def action_code(s, action):
        return s.n * (boxes + 1) + action

    @rule
    def reward(s, out):
        out.reward[0] = s.n / WEAK_SCHUR[boxes]

    return card(
        f"schur{boxes}", State=SchurState, MAX_ACTIONS=boxes, MAX_PLAYERS=1, start=schur_start, mover=mover,
        legal=legal, apply=schur_apply, reward=reward, action_code=action_code, ACTIONS=boxes + 1,
    )  # fmt: skip


SCHUR_GAME = schur(3)


# Left: one player goes left or right many times; the reward is the part of steps to the left (Cazenave's "Left Move").

LEFT_STEPS = 1100


class LeftState(Record):
    step = i16
    left = i16


@rule
def left_mover(s):
    return OVER if s.step == LEFT_STEPS else 0


@rule
def left_legal(s, player, out):
    out.action[0] = 0
    out.action[1] = 1
    return 2


@rule
def left_apply(s, action):
    s.step += 1
    s.left += action


@rule
def left_reward(s, out):
    out.reward[0] = s.left / LEFT_STEPS


LEFT_GAME = card(
    "left", State=LeftState, MAX_ACTIONS=2, MAX_PLAYERS=1, start=schur_start, mover=left_mover, legal=left_legal,
    apply=left_apply, reward=left_reward,
)  # fmt: skip
