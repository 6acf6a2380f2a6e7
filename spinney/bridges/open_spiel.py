"""OpenSpiel's games as games of Spinney, which run as ordinary Python, and Spinney's agents as OpenSpiel's bots.

The record of a position is its history, in OpenSpiel's form, so that it can be copied, compared and stored like the
record of any game. The OpenSpiel states of up to 10,000 positions are cached; others are replayed from the first step
when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import spinney
from spinney.agents import Agent
from spinney.errors import BadGame, BadOption, BadPosition, MissingPackage, UnknownName
from spinney.games import CHANCE, OVER, SIMULTANEOUS, Card, State
from spinney.games.notation import number
from spinney.games.parts import Board
from spinney.games.spec import suggest
from spinney.games.state import LISTED
from spinney.kernel import Record, i32, i64, rule, uniform
from spinney.play import Session

try:
    import pyspiel
except ImportError:
    raise MissingPackage.of("spinney.bridges.open_spiel", "OpenSpiel", "open-spiel") from None

LONGEST = 20_000
"""Steps of the longest game that is wrapped: a record has room for all of them."""
CACHED = 10_000
"""Positions whose states are cached."""
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
"""Cards by the game with all its parameters: states and agents of a game must have the same card."""


def _load(spec: str) -> Any:
    name, known = spec.partition("(")[0].strip(), pyspiel.registered_names()
    if name not in known:
        raise UnknownName(f"OpenSpiel has no game '{name}'; {suggest(name, known)}")
    try:
        return pyspiel.load_game(spec.replace(" ", ""))
    except (pyspiel.SpielError, IndexError) as error:  # IndexError: a parameter is missing
        raise BadOption(f"OpenSpiel cannot load '{spec}': {' '.join(str(error).split())}") from None


def refuses(theirs: Any) -> str | None:
    """Why a game of OpenSpiel cannot be wrapped; none if it can."""
    kind = theirs.get_type()
    if kind.dynamics not in (kind.Dynamics.SEQUENTIAL, kind.Dynamics.SIMULTANEOUS):
        return "it is a mean-field game, of infinitely many players"
    if kind.information == kind.Information.IMPERFECT_INFORMATION:
        return "it has imperfect information, and its history would reveal it"
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "it samples chance itself, so that its steps cannot be replayed"
    if theirs.max_history_length() > LONGEST:
        return f"it may take {theirs.max_history_length():,} steps; {LONGEST:,} are allowed"
    return None


def _card(theirs: Any) -> Card:
    kind = theirs.get_type()
    why = refuses(theirs)
    if why is not None:
        raise BadGame(f"OpenSpiel's {kind.short_name} cannot be wrapped: {why}")
    positions = Positions(theirs)
    rules = _rules(theirs, positions)
    return Card(
        name=f"open_spiel_{kind.short_name}",
        title=kind.long_name,
        summary=f"{kind.long_name}, by OpenSpiel's rules: {theirs}.",
        rules=rules,
        board=Board(
            lambda s: str(positions.of(s)).rstrip(),
            lambda s, action: _name(positions.of(s), action),
            write=lambda s: ",".join(map(str, s.history[: s.length])) or "-",
            read=lambda text, options: _read(rules.State(), positions, text),
        ),
    )


def _read(s: Any, positions: Positions, text: str) -> Any:
    """The record of a history, which is all actions and outcomes so far. OpenSpiel itself checks none of them."""
    words = () if text == "-" else text.split(",")
    given = [number(word, f"step {n}", -1, 2**31 - 1) for n, word in enumerate(words, 1)]
    while s.length < len(given):
        state = positions.of(s)
        together = state.is_simultaneous_node()
        actions = given[s.length : s.length + (positions.theirs.num_players() if together else 1)]
        for player in range(positions.theirs.num_players()) if together else (state.current_player(),):
            n = player if together else 0
            allowed = [] if state.is_terminal() else state.legal_actions(player) or [pyspiel.INVALID_ACTION] * together
            if n >= len(actions) or actions[n] not in allowed:
                found = actions[n] if n < len(actions) else "missing"
                some = ", ".join(map(str, allowed[:LISTED])) or "none, the game is over"
                more = " ..." if len(allowed) > LISTED else ""
                raise BadPosition(f"step {s.length + n + 1} is {found}; allowed: {some}{more}")
        positions.step(s, actions)
    return s


def _name(state: Any, action: int) -> str:
    """An action in OpenSpiel's words, which are the same for all players of a simultaneous move."""
    return str(state.action_to_string(0 if state.is_simultaneous_node() else state.current_player(), action))


class Positions:
    """A cache of OpenSpiel's states by the histories in records. They are shared and must not be changed."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        self._cached: dict[tuple[int, ...], Any] = {}

    def of(self, s: Any) -> Any:
        """The state of a record."""
        history = tuple(s.history[: s.length])
        found = self._cached.get(history)
        return self._cache(history, self._replay(history)) if found is None else found

    def step(self, s: Any, actions: list[int]) -> None:
        """Apply one action, or the joint action of a simultaneous move, to a record."""
        state = self.of(s).clone()
        if len(actions) > 1:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
        for action in actions:
            s.history[s.length] = action
            s.length += 1
        self._cache(tuple(s.history[: s.length]), state)

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

    def _cache(self, history: tuple[int, ...], state: Any) -> Any:
        if len(self._cached) >= CACHED:
            self._cached.clear()
        self._cached[history] = state
        return state


def _rules(theirs: Any, positions: Positions) -> ModuleType:
    """Rules that ask a game of OpenSpiel."""
    players, actions, lowest = theirs.num_players(), theirs.num_distinct_actions(), theirs.min_utility()
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
        """OpenSpiel's returns, rescaled by the least and the greatest utility of the game."""
        for player, utility in enumerate(positions.of(s).returns()):
            out.reward[player] = min(1.0, max(0.0, (utility - lowest) / span))

    @rule
    def chance(s, rng):
        left = uniform(rng)
        outcome = 0
        for outcome, probability in positions.of(s).chance_outcomes():  # noqa: B007  # the last one if the sum is inexact
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

    @rule
    def is_active(s, player):
        state = positions.of(s)
        return state.is_simultaneous_node() and len(state.legal_actions(player)) > 0

    @rule
    def apply_joint(s, out):
        positions.step(s, [int(out.joint[p]) if is_active(s, p) else pyspiel.INVALID_ACTION for p in range(players)])

    kind = theirs.get_type()
    found = {
        "PLAIN": True, "State": Steps, "MAX_PLAYERS": players, "ACTIONS": actions,
        "MAX_ACTIONS": max(actions, theirs.max_chance_outcomes()),
        "start": start, "mover": mover, "legal": legal, "apply": apply, "reward": reward,
    }  # fmt: skip
    if kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC:
        found |= {"chance": chance, "outcomes": outcomes}
    if kind.dynamics == kind.Dynamics.SIMULTANEOUS:
        found |= {"is_active": is_active, "apply_joint": apply_joint, "MOVES": actions}
    rules = ModuleType(f"open_spiel_{kind.short_name}")
    rules.__dict__.update(found)
    return rules


def tabular_policy(theirs: Any, game: spinney.Game, choose: Callable[[State], dict[int, float]]) -> Any:
    """A policy of OpenSpiel for the same game with hidden information, for its measures such as the exploitability.
    `choose` is asked once for every information state, in one of its positions: the probability of each action."""
    policy: dict[str, list[tuple[int, float]]] = {}
    todo = [(theirs.new_initial_state(), game.start(0, manual_chance=True))]
    while todo:
        state, ours = todo.pop()
        if state.is_player_node() and (told := state.information_state_string()) not in policy:
            policy[told] = list(choose(ours).items())
        for action in state.legal_actions():
            after = ours.copy(manual_chance=True)
            after.apply(action)
            todo.append((state.child(action), after))
    return pyspiel.TabularPolicy(policy)


class Bot(pyspiel.Bot):
    """An agent of Spinney as a bot of OpenSpiel.

    A game that Spinney has, too, is played by Spinney's compiled rules; others are wrapped.
    """

    def __init__(self, theirs: Any, agent: str = "uct", player: int = 0, seed: int | None = None) -> None:
        super().__init__()
        cards = (spinney.games.card(name) for name in spinney.game_names())
        same = (card for card in cards if getattr(card.rules, "OPEN_SPIEL", "") == str(theirs))
        self.game = spinney.game(next(same, None) or card(theirs))
        self.agent: Agent = self.game.agent(agent, seed)
        self._player = player
        self._session: Session | None = None

    def player_id(self) -> int:
        return self._player

    def restart_at(self, state: Any) -> None:
        """Nothing to do: `step` is given the whole history."""

    def step(self, state: Any) -> int:
        """The action of the agent for this bot's player."""
        ours = self._follow(state)
        legal = ours.legal(self._player)
        if sorted(legal) != sorted(state.legal_actions(self._player)):
            what = f"{self.game!r} for player {self._player}"
            raise BadGame(f"this bot plays {what}; the position is not one of that game")
        return legal[0] if len(legal) == 1 else self.agent.decide(ours, player=self._player).action

    def _follow(self, state: Any) -> State:
        """Spinney's state for a state of OpenSpiel. If it goes on from the last one, that is moved on, so that a search
        can reuse its tree."""
        steps = [(step.player, step.action) for step in state.full_history() if step.action != pyspiel.INVALID_ACTION]
        session = self._session
        if session is None or session.state.history != steps[: len(session.state.history)]:
            session = self._session = Session(self.game.start(0, manual_chance=True), events=False)
        for player, action in steps[len(session.state.history) :]:
            session.tell(action, None if player == pyspiel.PlayerId.CHANCE else player)
        return session.state
