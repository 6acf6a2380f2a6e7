"""Tiny games that hide something, with known answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from spinney import CHANCE, OVER, Card
from spinney.games.parts import Board
from spinney.kernel import Record, below, i8, rule, uniform


def hidden_card(name: str, **rules: Any) -> Card:
    board = Board(repr, lambda s, a: str(a), name_seen=lambda s, a, player: "")
    return Card(name, name, name, SimpleNamespace(**rules), board)  # type: ignore[arg-type]


# Coin: a coin is tossed and covered. Player 0 takes 0.7 and goes, or guesses heads or tails for 1 or nothing, or pays
# 0.1 to look before the guess. In each world by itself a guess is worth 1; for who does not see the coin, 0.5.

SAFE, GUESS, LOOK = 0, 1, 2
TOSS, CHOOSING, GUESSING, DONE = 0, 1, 2, 3
COVERED = 2


class CoinState(Record):
    phase = i8
    coin = i8
    choice = i8
    guess = i8


@rule
def coin_start(s, config, rng):
    s.coin = COVERED


@rule
def coin_mover(s):
    return CHANCE if s.phase == TOSS else OVER if s.phase == DONE else 0


@rule
def coin_legal(s, player, out):
    n = 3 if s.phase == CHOOSING else 2
    for action in range(n):
        out.action[action] = action
    return n


@rule
def coin_chance(s, rng):
    return below(rng, 2)


@rule
def coin_apply(s, action):
    if s.phase == TOSS:
        s.coin = action
        s.phase = CHOOSING
    elif s.phase == CHOOSING:
        s.choice = action
        s.phase = DONE if action == SAFE else GUESSING
    else:
        s.guess = action
        s.phase = DONE


@rule
def coin_reward(s, out):
    right = 1.0 if s.guess == s.coin else 0.0
    out.reward[0] = 0.7 if s.choice == SAFE else right if s.choice == GUESS else 0.9 * right
    out.reward[1] = 1.0 - out.reward[0]


@rule
def coin_is_seen(s, player):
    return s.phase == DONE or (player == 0 and s.choice == LOOK)


@rule
def coin_observe(s, player):
    if not coin_is_seen(s, player):
        s.coin = COVERED


@rule
def coin_hide(s, player, rng):
    if not coin_is_seen(s, player):
        s.coin = below(rng, 2)


@rule
def coin_sight(s, player):
    return int(s.coin) if coin_is_seen(s, player) else COVERED


_COIN = {
    "State": CoinState, "MAX_ACTIONS": 3, "MAX_PLAYERS": 2, "start": coin_start, "mover": coin_mover,
    "legal": coin_legal, "chance": coin_chance, "apply": coin_apply, "reward": coin_reward, "determinize": coin_hide,
    "observe": coin_observe,
}  # fmt: skip
COIN_GAME = hidden_card("coin", **_COIN, observation_key=coin_sight)
COIN_WITHOUT_SIGHT = hidden_card("coin_without_sight", **_COIN)


# Secret: player 0 takes 0.7 and goes, or stays. Then player 1 puts a coin under one of two cups, and player 0, who has
# not seen which, names a cup, for 1 or nothing. Nobody can do better than 0.5.

SECRET_START, HIDING_IT, NAMING, SECRET_DONE = 0, 1, 2, 3


class SecretState(Record):
    phase = i8
    coin = i8
    left = i8
    named = i8


@rule
def secret_start(s, config, rng):
    s.coin = COVERED


@rule
def secret_mover(s):
    return OVER if s.phase == SECRET_DONE else int(s.phase == HIDING_IT)


@rule
def secret_legal(s, player, out):
    out.action[0], out.action[1] = 0, 1
    return 2


@rule
def secret_apply(s, action):
    if s.phase == SECRET_START:
        s.left = action
        s.phase = HIDING_IT if action == 0 else SECRET_DONE
    elif s.phase == HIDING_IT:
        s.coin = action
        s.phase = NAMING
    else:
        s.named = action
        s.phase = SECRET_DONE


@rule
def secret_reward(s, out):
    out.reward[0] = 0.7 if s.left else 1.0 if s.named == s.coin else 0.0
    out.reward[1] = 1.0 - out.reward[0]


@rule
def secret_observe(s, player):
    if player == 0 and s.phase == NAMING:
        s.coin = COVERED


@rule
def secret_hide(s, player, rng):
    if player == 0 and s.phase == NAMING:
        s.coin = below(rng, 2)


@rule
def secret_guise(s, action, player):
    return COVERED if s.phase == HIDING_IT and player == 0 else action


_SECRET = {
    "State": SecretState, "MAX_ACTIONS": 2, "MAX_PLAYERS": 2, "start": secret_start, "mover": secret_mover,
    "legal": secret_legal, "apply": secret_apply, "reward": secret_reward, "determinize": secret_hide,
    "observe": secret_observe,
}  # fmt: skip
SECRET_GAME = hidden_card("secret", **_SECRET, public_action=secret_guise)
SECRET_WITHOUT_GUISE = hidden_card("secret_without_guise", **_SECRET)
"""The same, but a search is not told what a player sees."""


# Poker: Kuhn's, of three cards. Player 0 has one, checks or bets, and after a check and a bet folds or calls. The other
# is no player but chance, with fixed habits, so that player 0 has a best response.

JACK, QUEEN, KING = 0, 1, 2
BETS, CALLS = (0.6, 0.0, 1.0), (0.0, 0.2, 1.0)
"""How often the other bets after a check, and calls a bet, with each card."""
DEAL, DEAL_OTHER, FIRST, REPLY, SECOND, ENDED = 0, 1, 2, 3, 4, 5
NOBODYS = 3


class PokerState(Record):
    phase = i8
    mine = i8
    other = i8
    bet = i8  # whether player 0 began with a bet
    reply = i8
    call = i8


@rule
def poker_start(s, config, rng):
    s.mine = NOBODYS
    s.other = NOBODYS


@rule
def poker_mover(s):
    if s.phase == ENDED:
        return OVER
    return 0 if s.phase in (FIRST, SECOND) else CHANCE


@rule
def poker_legal(s, player, out):
    out.action[0] = 0
    out.action[1] = 1
    return 2


@rule
def another_card(s, rng):
    card = below(rng, 2)
    return card + 1 if card >= s.mine else card


@rule
def poker_chance(s, rng):
    if s.phase == DEAL:
        return below(rng, 3)
    if s.phase == DEAL_OTHER:
        return another_card(s, rng)
    often = CALLS[s.other] if s.bet else BETS[s.other]
    return 1 if uniform(rng) < often else 0


@rule
def poker_apply(s, action):
    if s.phase == DEAL:
        s.mine = action
    elif s.phase == DEAL_OTHER:
        s.other = action
    elif s.phase == FIRST:
        s.bet = action
    elif s.phase == REPLY:
        s.reply = action
        if s.bet or not action:
            s.phase = SECOND
    else:
        s.call = action
    s.phase += 1


@rule
def poker_reward(s, out):
    out.reward[0] = (chips(s.mine > s.other, s.bet, s.reply, s.call) + 2) / 4
    out.reward[1] = 1.0 - out.reward[0]


@rule
def chips(better, bet, reply, call):
    """What player 0 wins or loses."""
    if bet and not reply:
        return 1
    if reply and not bet and not call:
        return -1
    stake = 2 if reply else 1
    return stake if better else -stake


@rule
def poker_observe(s, player):
    if player == 0:
        s.other = NOBODYS
    else:
        s.mine = NOBODYS


@rule
def poker_hide(s, player, rng):
    if player == 0:
        s.other = another_card(s, rng)
        while s.phase == SECOND and uniform(rng) >= BETS[s.other]:  # it has bet, which says something of its card
            s.other = another_card(s, rng)


@rule
def poker_sight(s, player):
    return 2 * int(s.phase) + int(s.reply)


POKER_GAME = hidden_card(
    "poker", State=PokerState, MAX_ACTIONS=3, MAX_PLAYERS=2, start=poker_start, mover=poker_mover, legal=poker_legal,
    chance=poker_chance, apply=poker_apply, reward=poker_reward, determinize=poker_hide, observe=poker_observe,
    observation_key=poker_sight,
)  # fmt: skip


def poker_values(mine: int) -> dict[str, float]:
    """What player 0's plans are worth with a card, in rewards, by adding up over the other's cards and habits."""
    values = {"bet": 0.0, "check, fold": 0.0, "check, call": 0.0}
    for other in {JACK, QUEEN, KING} - {mine}:
        better = mine > other
        for reply, often in ((1, CALLS[other]), (0, 1 - CALLS[other])):
            values["bet"] += often * (chips(better, 1, reply, 0) + 2) / 8
        for reply, often in ((1, BETS[other]), (0, 1 - BETS[other])):
            for call, plan in enumerate(("check, fold", "check, call")):
                values[plan] += often * (chips(better, 0, reply, call) + 2) / 8
    return values


# Lock: player 1 is dealt one of two keys. Player 0, who does not see it, takes 0.45 and goes, or stays. Then player 1
# uses one of the keys in secret, and the lock is open if it is its own. Player 0 takes 0.4, or bets that the lock is
# still closed, for 1 or nothing. Player 1 knows its key, so the bet is worth nothing; if it guessed, it would be 0.5.

KEYS, LEAVING, TRYING, BETTING, LOCK_DONE = 0, 1, 2, 3, 4


class LockState(Record):
    phase = i8
    key = i8
    tried = i8
    left = i8
    bet = i8


@rule
def lock_start(s, config, rng):
    s.key = COVERED
    s.tried = COVERED


@rule
def lock_mover(s):
    return CHANCE if s.phase == KEYS else OVER if s.phase == LOCK_DONE else int(s.phase == TRYING)


@rule
def lock_apply(s, action):
    if s.phase == KEYS:
        s.key = action
    elif s.phase == LEAVING:
        s.left = action
    elif s.phase == TRYING:
        s.tried = action
    else:
        s.bet = action
    s.phase = LOCK_DONE if s.left else s.phase + 1


@rule
def lock_reward(s, out):
    closed = 1.0 if s.tried != s.key else 0.0
    out.reward[0] = 0.45 if s.left else closed if s.bet else 0.4
    out.reward[1] = 1.0 - out.reward[0]


@rule
def lock_observe(s, player):
    if player == 0:
        s.key = COVERED
        s.tried = COVERED


@rule
def lock_hide(s, player, rng):
    if player == 0:
        s.key = below(rng, 2)
        if s.phase == BETTING:
            s.tried = below(rng, 2)


@rule
def lock_sight(s, player):
    return int(s.key) if player == 1 else COVERED


@rule
def lock_guise(s, action, player):
    return COVERED if s.phase == TRYING and player == 0 else action


LOCK_GAME = hidden_card(
    "lock", State=LockState, MAX_ACTIONS=2, MAX_PLAYERS=2, start=lock_start, mover=lock_mover, legal=secret_legal,
    chance=coin_chance, apply=lock_apply, reward=lock_reward, determinize=lock_hide, observe=lock_observe,
    observation_key=lock_sight, public_action=lock_guise,
)  # fmt: skip
