"""OpenSpiel: its games as games of ours, which run plain, and our agents as its bots.

A position is the record of all steps that led to it, in the form of OpenSpiel's own histories, so it is a value like
that of any game: it can be copied, compared and stored. The states of OpenSpiel that belong to up to
10,000 positions are kept beside it; others are replayed from the first step when they are needed.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import spinney
from spinney.agents import Agent
from spinney.errors import BadGame, BadOption, MissingPackage, UnknownName
from spinney.games import CHANCE, OVER, SIMULTANEOUS, Card, State
from spinney.games.parts import Board
from spinney.games.spec import suggest
from spinney.kernel import Record, i32, i64, rule, uniform

try:
    import pyspiel
except ImportError:
    raise MissingPackage.of("spinney.bridges.open_spiel", "OpenSpiel", "open_spiel") from None

TWINS = {"connect_four()": "connect_four", "tic_tac_toe()": "tictactoe"}
"""Games of OpenSpiel, with the options they have if none are given, that are games of ours with the same actions."""
LONGEST = 20_000
"""Steps of the longest game that is wrapped: a position is copied with room for all of them."""
KEPT = 10_000
"""Positions whose states are kept."""
MOVERS = {pyspiel.PlayerId.TERMINAL: OVER, pyspiel.PlayerId.SIMULTANEOUS: SIMULTANEOUS, pyspiel.PlayerId.CHANCE: CHANCE}


def game(spec: str | Any) -> spinney.Game:
    """A game of OpenSpiel, by its name with parameters, as in "pig(players=3)", or as `pyspiel.load_game` gives it."""
    return spinney.game(card(spec))


def card(spec: str | Any) -> Card:
    """The card of a game of OpenSpiel: a file that says `GAME = card("pig")` is a game for the command line."""
    theirs = _load(spec) if isinstance(spec, str) else spec
    if str(theirs) not in _cards:
        _cards[str(theirs)] = _card(theirs)
    return _cards[str(theirs)]


_cards: dict[str, Card] = {}
"""By the game with all its parameters: states and agents of one game must have one card."""


def _load(spec: str) -> Any:
    name, known = spec.partition("(")[0].strip(), pyspiel.registered_names()
    if name not in known:
        raise UnknownName(f"OpenSpiel has no game '{name}'; {suggest(name, known)}")
    try:
        return pyspiel.load_game(spec.replace(" ", ""))
    except (pyspiel.SpielError, IndexError) as error:  # the latter where a parameter is missing
        raise BadOption(f"OpenSpiel cannot load '{spec}': {' '.join(str(error).split())}") from None


def refuses(theirs: Any) -> str | None:
    """Why a game of OpenSpiel cannot be wrapped, or nothing if it can."""
    kind = theirs.get_type()
    if kind.dynamics not in (kind.Dynamics.SEQUENTIAL, kind.Dynamics.SIMULTANEOUS):
        return "it is a game of infinitely many players"
    if kind.information == kind.Information.IMPERFECT_INFORMATION:
        return "it hides things from its players, and its history would tell them"
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "it throws dice by itself, so that its steps cannot be replayed"
    if theirs.max_history_length() > LONGEST:
        return f"it may take {theirs.max_history_length():,} steps; {LONGEST:,} are allowed"
    return None


def _card(theirs: Any) -> Card:
    kind = theirs.get_type()
    why = refuses(theirs)
    if why is not None:
        raise BadGame(f"OpenSpiel's {kind.short_name} cannot be wrapped: {why}")
    positions = Positions(theirs)
    return Card(
        name=f"open_spiel_{kind.short_name}",
        title=kind.long_name,
        summary=f"{kind.long_name}, as OpenSpiel plays it: {theirs}.",
        rules=_rules(theirs, positions),
        board=Board(lambda s: str(positions.of(s)).rstrip(), lambda s, action: _name(positions.of(s), action)),
    )


def _name(state: Any, action: int) -> str:
    """An action in OpenSpiel's words; they do not depend on the player where several move at once."""
    return str(state.action_to_string(0 if state.is_simultaneous_node() else state.current_player(), action))


class Positions:
    """The states of OpenSpiel that records stand for. Nobody may change them: they are shared."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        self._kept: dict[tuple[int, ...], Any] = {}

    def of(self, s: Any) -> Any:
        """The state of a record."""
        history = tuple(s.history[: s.length])
        found = self._kept.get(history)
        return self._keep(history, self._replay(history)) if found is None else found

    def step(self, s: Any, actions: list[int]) -> None:
        """Move a record on: by one step, or by what everybody does at once."""
        state = self.of(s).clone()
        if len(actions) > 1:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
        for action in actions:
            s.history[s.length] = action
            s.length += 1
        self._keep(tuple(s.history[: s.length]), state)

    def _replay(self, history: tuple[int, ...]) -> Any:
        state, at = self.theirs.new_initial_state(), 0
        while at < len(history):
            if state.is_simultaneous_node():
                state.apply_actions(list(history[at : at + self.theirs.num_players()]))
                at += self.theirs.num_players()
            else:
                state.apply_action(history[at])
                at += 1
        return state

    def _keep(self, history: tuple[int, ...], state: Any) -> Any:
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[history] = state
        return state


def _rules(theirs: Any, positions: Positions) -> ModuleType:
    """The rules of a game of ours that ask a game of theirs."""
    players, lowest = theirs.num_players(), theirs.min_utility()
    span = (theirs.max_utility() - lowest) or 1.0

    class Steps(Record):
        length = i32
        history = i64[max(1, theirs.max_history_length())]

    @rule
    def start(s, config, rng):
        s.length = 0

    @rule
    def mover(s):
        player = positions.of(s).current_player()
        return MOVERS.get(player, player)

    @rule
    def legal(s, player, out):
        actions = positions.of(s).legal_actions(player)
        out.action[: len(actions)] = actions
        return len(actions)

    @rule
    def apply(s, action):
        positions.step(s, [int(action)])

    @rule
    def reward(s, out):
        """Their returns, from the least to the most that the game can give."""
        for player, utility in enumerate(positions.of(s).returns()):
            out.reward[player] = min(1.0, max(0.0, (utility - lowest) / span))

    rules = ModuleType(f"open_spiel_{theirs.get_type().short_name}")
    rules.__dict__.update(
        PLAIN=True, State=Steps, MAX_PLAYERS=players, MAX_ACTIONS=max(theirs.num_distinct_actions(), theirs.max_chance_outcomes()),
        ACTIONS=theirs.num_distinct_actions(), start=start, mover=mover, legal=legal, apply=apply, reward=reward,
    )  # fmt: skip
    kind = theirs.get_type()
    if kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC:
        rules.__dict__.update(_chance(positions))
    if kind.dynamics == kind.Dynamics.SIMULTANEOUS:
        rules.__dict__.update(_together(positions, players), MOVES=theirs.num_distinct_actions())
    return rules


def _chance(positions: Positions) -> dict[str, Any]:
    """The rules of games with dice."""

    @rule
    def chance(s, rng):
        left = uniform(rng)
        outcome = 0
        for outcome, probability in positions.of(s).chance_outcomes():  # noqa: B007  # the last one, if sums are inexact
            left -= probability
            if left < 0:
                break
        return outcome

    @rule
    def outcomes(s, out):
        listed = positions.of(s).chance_outcomes()
        for i, (outcome, probability) in enumerate(listed):
            out.action[i] = outcome
            out.weight[i] = probability
        return len(listed)

    return {"chance": chance, "outcomes": outcomes}


def _together(positions: Positions, players: int) -> dict[str, Any]:
    """The rules of games whose players move at once."""

    @rule
    def is_active(s, player):
        state = positions.of(s)
        return state.is_simultaneous_node() and len(state.legal_actions(player)) > 0

    @rule
    def apply_joint(s, out):
        positions.step(s, [int(out.joint[p]) if is_active(s, p) else pyspiel.INVALID_ACTION for p in range(players)])

    return {"is_active": is_active, "apply_joint": apply_joint}


class Bot(pyspiel.Bot):
    """One of our agents as a bot of OpenSpiel.

    Where we have the game ourselves (see `TWINS`), the agent plays ours, compiled; others are wrapped.
    """

    def __init__(self, theirs: Any, agent: str = "uct", player: int = 0, seed: int | None = None) -> None:
        super().__init__()
        twin = TWINS.get(str(theirs))
        self.game = game(theirs) if twin is None else spinney.game(twin)
        self.agent: Agent = self.game.agent(agent, seed)
        self._player = player
        self._state: State | None = None

    def player_id(self) -> int:
        return self._player

    def restart(self) -> None:
        self._state = None

    def restart_at(self, state: Any) -> None:  # noqa: ARG002  # the next step tells all
        self._state = None

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """What others do is in the history that the next step is given."""

    def step(self, state: Any) -> int:
        """The agent's action, for the player that this bot is."""
        ours = self._follow(state)
        if sorted(ours.legal(self._player)) != sorted(state.legal_actions(self._player)):
            raise BadGame(
                f"this bot plays {self.game!r} for player {self._player}; the position is not one of that game"
            )
        return self.agent.move(ours, self._player).action

    def _follow(self, state: Any) -> State:
        """Our state of their position; the one of the last step is moved on if it can be, for trees that are kept."""
        steps = [(step.player, step.action) for step in state.full_history() if step.action != pyspiel.INVALID_ACTION]
        if self._state is None or self._state.history != steps[: len(self._state.history)]:
            self._state = self.game.start(0, manual_chance=True)
        for player, action in steps[len(self._state.history) :]:
            self._state.apply(action, None if player == pyspiel.PlayerId.CHANCE else player)
        return self._state
