"""The card: everything that Spinney knows about a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import ModuleType
from typing import Any, NamedTuple

from spinney.errors import BadGame, BadOption, UnknownName
from spinney.games.encoding import Encoder
from spinney.games.options import Options
from spinney.games.parts import Board, Format, Networks, OpponentModels, Pieces, Planner, Player, Rule, Searching
from spinney.games.spec import parse_spec, suggest
from spinney.games.study import Study
from spinney.kernel import Nested, Record, below, f64, i32, i64, rule
from spinney.kernel.rule import RULES

CHANCE, OVER, SIMULTANEOUS = -1, -2, -3
"""Values of `mover(s)` other than a player: chance moves, the game is over, or several players move simultaneously."""


@rule
def no_chance(s, rng):
    """A game without chance."""
    return 0


@rule
def no_default_outcome(s):
    """Never called: searches use default outcomes only in games that have this rule."""
    return 0


@rule
def no_outcomes(s, out):
    """The rules do not list the chance outcomes."""
    return 0


@rule
def never_active(s, player):
    """A game without simultaneous moves."""
    return False


@rule
def no_joint_action(s, out):
    """Never called: the game has no simultaneous moves."""


@rule
def nothing_hidden(s, player, rng):
    """Never called: the game has perfect information."""


@rule
def no_observation_key(s, player):
    """A player observes no more of a step than its public action."""
    return 0


@rule
def same_action(s, action, player):
    """All players see the actions of the others."""
    return action


@rule
def no_information_key(s, player):
    """Never called: strategies are learnt by information sets only in games that have this rule."""
    return 0


@rule
def no_position_hash(s):
    """Never called: positions are hashed only in games that have this rule."""
    return 0


@rule
def never_out(s, player):
    """A player's reward may change as long as the game goes on."""
    return False


@rule
def own_code(s, action):
    """A policy has a weight for each action number, whatever the position."""
    return action


class Rules(NamedTuple):
    """The rules of a game as searches use them. Rules that the game does not have are replaced by defaults."""

    mover: Rule
    legal: Rule
    apply: Rule
    reward: Rule
    chance: Rule = no_chance
    outcomes: Rule = no_outcomes
    default_outcome: Rule = no_default_outcome
    is_active: Rule = never_active
    plausible: Any = None  # the card sets it: `legal` by default
    apply_joint: Rule = no_joint_action
    determinize: Rule = nothing_hidden
    observation_key: Rule = no_observation_key
    public_action: Rule = same_action
    information_key: Rule = no_information_key
    position_hash: Rule = no_position_hash
    action_code: Rule = own_code
    is_out: Rule = never_out
    moves: int = 1
    """Actions of a player in a joint action are less than this."""

    @property
    def has_chance(self) -> bool:
        return self.chance is not no_chance

    @property
    def is_simultaneous(self) -> bool:
        return self.apply_joint is not no_joint_action


class PieceRules(NamedTuple):
    """The rules of turns in which all pieces get an order at once, for `forest`.

    Pieces are numbered from 0 in the order of their ids; an id belongs to a piece for the whole game. `k` is the number
    that a piece had at the start of the simulation, or NO_PIECE if it did not exist then. `g` is the game's `Guide`, a
    record in which these rules store data from turn to turn.
    """

    pieces: Rule
    """`(s)`: the number of pieces."""
    piece_id: Rule
    """`(s, i)`: the id of a piece."""
    piece_owner: Rule
    """`(s, i)`: its player."""
    asked: Rule
    """`(s)`: the piece that the mover is to give an order, or NO_PIECE if the next action is not an order."""
    begin_search: Rule
    """`(s, g)`: update the guide at the start of a search."""
    begin_simulation: Rule
    """`(s, g)`: update the guide at the start of a simulation."""
    give_order: Rule
    """`(s, g, i, k, order)`: give an order; returns False if the piece has to wait, and then tries again."""
    default_order: Rule
    """`(s, g, i, k, rng)`: give the order of the default policy."""
    play_turn: Rule
    """`(s, g)`: carry out all orders."""
    piece_score: Rule
    """`(s, g, i, k)`: the score of a piece at the end of a simulation; i is NO_PIECE if it is lost."""
    resets_baseline: Rule
    """`(s, i)`: whether the piece's score of the last turn is no valid baseline for this one."""


NO_PIECE = -1

REQUIRED = ("start", "mover", "legal", "apply", "reward", "State", "MAX_ACTIONS", "MAX_PLAYERS")
RULE_NAMES = ("start", "observe", *(name for name in Rules._fields if name != "moves"))


@cache
def out_record(actions: int, players: int, memory: type[Record] | None = None) -> type[Record]:
    """The record class of the rules' results.

    `legal` writes `action`; `outcomes` writes `action` and `weight` (probabilities); a bias writes `weight` for the
    actions already there; `reward` and evaluations write `reward`, one number in 0..1 per player; `apply_joint` reads
    `joint`, the action of every active player. `searcher` is the player that a search or hand-written player decides
    for. `role` is the opponent model of each player, or SELF_INTERESTED. `scratch` is the working memory that the rules
    declare.
    """

    class Out(Record):
        action = i32[actions + 1]  # a search may add one
        weight = f64[actions + 1]
        reward = f64[players]
        joint = i32[players]
        searcher = i64
        role = i64[players]

    if memory is None:
        return Out

    class ScratchOut(Out):
        scratch = Nested(memory)  # type: ignore[arg-type]  # mypy does not see that it is not None

    return ScratchOut


def uniform_player(legal: Rule) -> Rule:
    """The player `random`, which every game has."""

    @rule
    def random(s, player, out, rng):
        """A uniformly random legal action."""
        return out.action[below(rng, legal(s, player, out))]

    return random


ROLES = 32
"""The maximum size of a set of opponent models."""
SELF_INTERESTED = -1
"""In `out.role`: a player who is not modelled and maximises its own reward."""


@dataclass(frozen=True, eq=False, repr=False)
class Card:
    """A game in parts. It is the only registration: the command line, the arena, the docs and the bridges use nothing
    else. Parts that a game does not have are absent."""

    name: str
    title: str
    summary: str
    rules: ModuleType
    """A module with `State`, `MAX_ACTIONS`, `MAX_PLAYERS` and the rules. It may also have:

    - `MOVES`, with `apply_joint` and `is_active`: players move simultaneously, their actions are less than MOVES;
    - `is_out(s, player)`: whether a player can win no more, though the game goes on;
    - `ACTIONS`: a bound of the action numbers, if it is larger than MAX_ACTIONS;
    - `Scratch`: a record with the working memory of the rules, available as `out.scratch`;
    - `winners(s)`: the winners of a finished game, if ties are broken by more than the reward;
    - `scores(s)`: the points of all players;
    - `under_way(s)`: whether some of the orders of a turn are given, and take effect when all are;
    - `PLAIN = True`: the rules cannot be compiled, so that searches run as ordinary Python;
    - `OPEN_SPIEL`: the same game with the same actions in OpenSpiel, such as "connect_four()".
    """
    board: Board
    players: Mapping[str, Rule | Player | Planner | str] = field(default_factory=dict)
    """Agents of the game by name: a rule `(s, player, out, rng) -> action`; a Player or Planner, which have options; or
    a preset, the spec of another agent with new defaults of its options. Every game also has `random`."""
    options: type[Options] = Options
    searching: Searching = field(default_factory=Searching)
    pieces: Pieces | None = None
    networks: Networks | None = None
    formats: Mapping[str, Format] = field(default_factory=dict)
    """Files of the official engine, by their suffix."""
    guide: str = ""
    """How the game is played, in half a page: paragraphs with an empty line between them."""
    bridge: str = ""
    """The package that connects the game to its official program, such as "spinney.bridges.mygame"."""
    study: Study | None = None
    """The paper's comparisons, for `spinney reproduce`."""

    def __post_init__(self) -> None:
        self._check_rules()
        self._check_simultaneous()
        self._check_hidden()
        self._check_parts()

    def _check_rules(self) -> None:
        missing = [name for name in REQUIRED if not hasattr(self.rules, name)]
        if missing:
            raise BadGame(f"the rules of {self.name} lack {', '.join(missing)}")
        unmarked = [name for name in RULE_NAMES if hasattr(self.rules, name) and getattr(self.rules, name) not in RULES]
        if unmarked:
            raise BadGame(f"of the rules of {self.name}, {', '.join(unmarked)} must be marked with @rule")
        for name in ("State", "Scratch"):
            record = getattr(self.rules, name, Record)
            if not (isinstance(record, type) and issubclass(record, Record)):
                raise BadGame(f"the {name} of {self.name} must be a Record")

    def _check_simultaneous(self) -> None:
        apply_joint, is_active, limit = (hasattr(self.rules, name) for name in ("apply_joint", "is_active", "MOVES"))
        if (apply_joint or is_active) and not (apply_joint and is_active and limit):
            raise BadGame(f"the rules of {self.name} need all of apply_joint, is_active and MOVES, or none of them")
        moves, players = getattr(self.rules, "MOVES", 1), self.rules.MAX_PLAYERS
        if not (1 <= moves <= 31 and moves**players < 2**31):  # actions are bits, joint actions fit a node's field
            raise BadGame(
                f"the rules of {self.name} have {moves} MOVES for {players} players; at most 31 are allowed, and MOVES "
                "to the power of the players must be less than 2 ** 31"
            )

    def _check_hidden(self) -> None:
        if hasattr(self.rules, "determinize") != hasattr(self.rules, "observe"):
            raise BadGame(f"the rules of {self.name} need both determinize and observe, or neither")
        if self.has_hidden and self.board.name_seen is None:
            raise BadGame(f"{self.name} has hidden information: its board needs name_seen, what players see of a step")

    def _check_parts(self) -> None:
        if (self.board.write is None) != (self.board.read is None):
            raise BadGame(f"the board of {self.name} needs both write and read, or neither")
        encoders = self.encoders
        if not all(part in RULES for it in encoders for part in (it.prepare, it.encode, it.output)):
            raise BadGame(
                f"the encoder of {self.name} must be made of rules: prepare, encode and output, marked with @rule"
            )
        outputs, versions = ({getattr(it, key) for it in encoders} for key in ("outputs", "version"))
        if len(outputs) > 1 or len(versions) < len(encoders):
            raise BadGame(f"the encoders of {self.name} must have the same outputs, and a version each")
        for name, models in self.searching.opponent_models.items():
            if name in self.players or models.policy not in RULES or not 1 <= len(models.specs) <= ROLES:
                raise BadGame(
                    f"the opponent models {name} of {self.name} need a unique name, a rule, and 1 to {ROLES} specs"
                )
        if self.pieces is not None:
            module = self.pieces.rules
            lacking = [name for name in PieceRules._fields if getattr(module, name, None) not in RULES]
            lacking += [name for name in ("Guide", "MAX_PIECES", "ORDERS") if not hasattr(module, name)]
            if lacking:
                raise BadGame(f"the pieces of {self.name} lack {', '.join(lacking)}; all are needed, rules as @rule")

    @cached_property
    def bound_rules(self) -> Rules:
        given = {name: getattr(self.rules, name) for name in Rules._fields if hasattr(self.rules, name)}
        return Rules(**{"plausible": self.rules.legal, **given, "moves": getattr(self.rules, "MOVES", 1)})

    @cached_property
    def piece_rules(self) -> PieceRules:
        assert self.pieces is not None
        return PieceRules(*(getattr(self.pieces.rules, name) for name in PieceRules._fields))

    @cached_property
    def all_players(self) -> dict[str, Player]:
        """The hand-written players that are rules, including `random`."""
        given = {"random": uniform_player(self.rules.legal), **self.players}
        rules = {name: it for name, it in given.items() if not isinstance(it, str | Planner)}
        return {name: it if isinstance(it, Player) else Player(lambda it=it: it) for name, it in rules.items()}

    @cached_property
    def planners(self) -> dict[str, Planner]:
        """The hand-written players that give all orders of a turn at once."""
        return {name: it for name, it in self.players.items() if isinstance(it, Planner)}

    @cached_property
    def presets(self) -> dict[str, str]:
        """Agents that are specs of other agents, with new defaults of their options."""
        return {name: it for name, it in self.players.items() if isinstance(it, str)}

    @cached_property
    def all_rewards(self) -> dict[str, Rule]:
        return {"win": self.rules.reward, **self.searching.rewards}

    @property
    def encoders(self) -> tuple[Encoder, ...]:
        return () if self.networks is None else self.networks.encoders

    def player(self, spec: str) -> Rule:
        """The rule of a hand-written player, from a spec such as "random" or "diver(depth=20)"."""
        name, given = parse_spec(spec)
        if name not in self.all_players:
            raise UnknownName(f"{self.name} has no player '{name}'; {suggest(name, self.all_players)}")
        player = self.all_players[name]
        made: Rule = player.make(**player.options.read(name, given).model_dump())
        return made

    def opponents(self, spec: str) -> OpponentModels:
        """A set of opponent models by its name, or a hand-written player by its spec as the only model."""
        known = self.searching.opponent_models
        if spec in known:
            return known[spec]
        try:
            return OpponentModels(self.player(spec), (spec,))
        except UnknownName:
            name, names = parse_spec(spec)[0], [*self.all_players, *known]
            if name in known:
                raise BadOption(f"the opponent models {name} of {self.name} have no options") from None
            raise UnknownName(f"{self.name} has no player '{name}'; {suggest(name, names)}") from None

    def extend(self, name: str | None = None, **players: Rule | Player | Planner | str) -> Card:
        """The same game with more players, for a file of your own: `GAME = card.extend(mine=my_rule)`."""
        return replace(self, name=self.name if name is None else name, players={**self.players, **players})

    def __repr__(self) -> str:
        return f"<card of {self.name}>"

    @property
    def plain(self) -> bool:
        """Whether the rules cannot be compiled."""
        return bool(getattr(self.rules, "PLAIN", False))

    @property
    def has_chance(self) -> bool:
        return hasattr(self.rules, "chance")

    @property
    def has_hidden(self) -> bool:
        return hasattr(self.rules, "determinize")

    @property
    def has_cards(self) -> bool:
        """Whether information stays hidden over turns, as cards do; orders are public when their turn is over."""
        return self.has_hidden and not self.has_turns

    @property
    def is_simultaneous(self) -> bool:
        return hasattr(self.rules, "apply_joint")

    @property
    def has_turns(self) -> bool:
        """Whether a turn consists of many orders that take effect together."""
        return hasattr(self.rules, "under_way")

    @property
    def actions(self) -> int:
        """Players' actions are numbers less than this."""
        rules = self.rules
        return int(getattr(rules, "ACTIONS", getattr(rules, "MOVES", rules.MAX_ACTIONS)))

    @property
    def out(self) -> type[Record]:
        """The record class of the rules' results."""
        return out_record(self.rules.MAX_ACTIONS, self.rules.MAX_PLAYERS, self.scratch)

    @property
    def scratch(self) -> type[Record] | None:
        """The record class of the rules' working memory."""
        return getattr(self.rules, "Scratch", None)
