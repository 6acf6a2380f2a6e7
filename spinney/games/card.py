"""What a game provides: its rules by name, and the card that says what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from spinney.errors import BadGame, BadOption, UnknownName
from spinney.games.encoding import UNIFORM, Encoder
from spinney.games.options import Options
from spinney.games.picture import Picture
from spinney.games.plan import Planner, Wishes
from spinney.games.spec import parse_spec, suggest
from spinney.games.study import Study
from spinney.kernel import Record, below, f64, i32, i64, rule
from spinney.kernel.rule import RULES

CHANCE, OVER, TOGETHER = -1, -2, -3
"""What `mover(s)` returns when it is not a player's turn: dice are to be thrown, the game has ended, or several
players move at once."""

Rule = Callable[..., Any]


class Rules(NamedTuple):
    """The functions of a rule book, as a search uses them."""

    mover: Rule
    legal: Rule
    apply: Rule
    reward: Rule
    chance: Rule
    outcomes: Rule
    quiet: Rule
    acts: Rule
    sensible: Rule
    apply_together: Rule
    hide: Rule
    sight: Rule
    guise: Rule
    key: Rule
    moves: int
    """Actions of a player in a joint action are less than this."""


class PieceRules(NamedTuple):
    """How a game plays whole turns, in which all pieces are given their orders at once: for `forest`.

    Pieces have numbers from 0, which rise with their ids; an id stays with a piece for the whole game. `k` is the
    number that a piece had when the simulation began, or NO_PIECE for one that was not there. `g` is the game's
    `Guide`, a record in which its rules keep whatever they need, from turn to turn; it has a field `quick`, which
    is 1 if simulations are to leave out what costs them much time.
    """

    pieces: Rule
    """`(s)`: how many pieces there are."""
    piece_id: Rule
    """`(s, i)`: the id of a piece."""
    piece_owner: Rule
    """`(s, i)`: its player."""
    asked: Rule
    """`(s)`: the piece for which the mover is to give an order, or NO_PIECE if something else is asked."""
    look: Rule
    """`(s, g)`: a search begins here: bring the guide up to date."""
    set_out: Rule
    """`(s, g)`: a simulation begins here."""
    give: Rule
    """`(s, g, i, k, order)`: give an order; False: the piece has to wait, and will try again."""
    usual: Rule
    """`(s, g, i, k, rng)`: give the order of the default policy."""
    play_turn: Rule
    """`(s, g)`: carry out all orders."""
    worth: Rule
    """`(s, g, i, k)`: the score of a piece at the end of a simulation; i is NO_PIECE if it is lost."""
    fresh: Rule
    """`(s, i)`: whether what a piece's score was in the last turn tells nothing about this one."""


NO_PIECE = -1

REQUIRED = ("start", "mover", "legal", "apply", "reward")
TOGETHER_RULES = ("apply_together", "acts")
HIDING_RULES = ("hide", "observe", "sight", "guise")
RULE_NAMES = (*REQUIRED, "chance", "outcomes", "quiet", *TOGETHER_RULES, "sensible", "key", *HIDING_RULES)


@rule
def no_chance(s, rng):
    """A game without chance."""
    return 0


@rule
def no_quiet(s):
    """Never called: chance can be left out only in a game that says how."""
    return 0


@rule
def no_outcomes(s, out):
    """Chance outcomes that cannot be listed: none are."""
    return 0


@rule
def never_acts(s, player):
    """A game in which nobody moves at the same time as others."""
    return False


@rule
def nothing_together(s, out):
    """Never called: in this game nobody moves at the same time as others."""


@rule
def nothing_hidden(s, player, rng):
    """Never called: in this game everybody sees everything."""


@rule
def nothing_seen(s, player):
    """Actions tell all that a player sees of a step, or all that a search has to tell apart."""
    return 0


@rule
def no_guise(s, action, player):
    """A player sees what others do."""
    return action


@rule
def no_key(s):
    """Never called: positions are told apart only in a game that says how."""
    return 0


@cache
def out_record(actions: int, players: int) -> type[Record]:
    """The record that rules write their answers to.

    `legal` fills `action`; `outcomes` fills `action` and `weight` (probabilities); a bias fills `weight` for the
    actions already there; `reward` and evaluations fill `reward`, one number in 0..1 per player; `apply_together`
    reads `joint`, the action of every player who acts. `searcher` is the player for whom a search, or a player by
    itself, thinks. `role` is whom of a cast each player is taken for, or EQUAL.
    """

    class Out(Record):
        action = i32[actions]
        weight = f64[actions]
        reward = f64[players]
        joint = i32[players]
        searcher = i64
        role = i64[players]

    return Out


def uniform_player(legal: Rule) -> Rule:
    """The player that every game has: any legal action, all equally likely."""

    @rule
    def random(s, player, out, rng):
        """Any legal action, all equally likely."""
        return out.action[below(rng, legal(s, player, out))]

    return random


@dataclass(frozen=True)
class Player:
    """A hand-written player with options: `make(**options)` returns its rule."""

    make: Callable[..., Rule]
    options: type[Options] = Options


ROLES = 32
"""The most players in a cast."""
EQUAL = -1
"""The role of nobody in a cast: of a player who does what is best for itself."""


@dataclass(frozen=True)
class Cast:
    """Hand-written players whom the others may turn out to be, in one rule: which of them it plays is `out.role` of the
    player."""

    play: Rule
    roles: tuple[str, ...]
    """Their specs; at most ROLES."""


@dataclass(frozen=True, eq=False, repr=False)
class Card:
    """All that the command line, the arena and the docs know about a game. A new game is a new card."""

    name: str
    title: str
    summary: str
    rules: ModuleType
    """A module with `State`, `MAX_ACTIONS`, `MAX_PLAYERS` and the rules."""
    draw: Callable[[Any], str]
    """The position as text."""
    name_action: Callable[[Any, int], str]
    """An action, or a chance outcome, in the words that a person would type."""
    players: Mapping[str, Rule | Player] = field(default_factory=dict)
    """Hand-written players: rules `(s, player, out, rng) -> action`, or players with options that make such rules.
    `random` is there without being named."""
    casts: Mapping[str, Cast] = field(default_factory=dict)
    """Several players whom a search may take the others for, and find out who they are."""
    name_seen: Callable[[Any, int, int], str] | None = None
    """In games that hide things: an action, or an outcome, as a player sees it, `(s, action, player)`; empty if the
    player sees nothing of it."""
    rollout: str = "random"
    """The player that plays rollouts unless another is named."""
    evaluations: Mapping[str, Rule] = field(default_factory=dict)
    """Rules `(s, out)` that guess the rewards of an unfinished game; the first is the usual one."""
    biases: Mapping[str, Rule] = field(default_factory=dict)
    """Rules `(s, player, out, n)` that write to `out.weight` how good the n actions of `out.action` look; the first is
    the usual one."""
    openings: Mapping[str, Rule] = field(default_factory=dict)
    """Rules like players that a search may ask first: they answer -1 where it has to think for itself."""
    checks: Mapping[str, Rule] = field(default_factory=dict)
    """Static checks: rules like `legal` that leave out actions when others are sure to be better."""
    variants: tuple[str, ...] = ()
    """Specs of the game in the sizes that its speed depends on, for `spinney bench`."""
    rewards: Mapping[str, Rule] = field(default_factory=dict)
    """Other rewards than `win` that a search may play for: rules like `reward`."""
    pieces: ModuleType | None = None
    """For games of many pieces that move at once: a module with the rules of PieceRules, `Guide`, `MAX_PIECES`, and
    `ORDERS`, the number of orders of a piece; these are the actions from 0."""
    command: Callable[[Any, int, Wishes], list[int]] | None = None
    """In such games: a player's actions for a whole turn, from what a search found; without it, each piece's best."""
    planners: Mapping[str, Planner] = field(default_factory=dict)
    """Hand-written players that are no rules: they give all orders of a turn at once."""
    presets: Mapping[str, str] = field(default_factory=dict)
    """Agents by another name: a spec whose options are the defaults of the new one."""
    winners: Callable[[Any], list[int]] | None = None
    """Who has won a finished game, where that is more than having the highest reward: ties broken by the rule book."""
    scores: Callable[[Any], list[float]] | None = None
    """The points of the players, in games that have points."""
    study: Study | None = None
    """The paper's comparisons, for `spinney reproduce`."""
    options: type[Options] = Options
    plain: bool = False
    """Whether its rules are Python that cannot be compiled, as those that ask another library: searches run plain."""
    replay: Callable[[Card, dict[str, Any]], tuple[int, list[str]]] | None = None
    """Replays one game of the official engine's recordings: the number of steps, and the differences in words."""
    under_way: Callable[[Any], bool] | None = None
    """In games whose turns have many steps that take effect together: whether such a turn has begun. There is nothing
    new to be seen until it is over."""
    files: Mapping[str, Callable[[Path, Any, Sequence[str]], None]] = field(default_factory=dict)
    """Files of the official engine, by their suffix: functions that write a finished state and its agents' names."""
    encoders: tuple[Encoder, ...] = ()
    """How positions become numbers for a network, in games that networks play: the newest last. All have the same
    outputs."""
    weights: Path | None = None
    """A folder with networks that come with the game."""
    network: str = UNIFORM
    """The one of them that plays unless another is named."""
    picture: Callable[[Any], Picture] | None = None
    """The position as a picture, for pages that play a game; without it, they show the text."""

    def __post_init__(self) -> None:
        missing = [name for name in (*REQUIRED, "State", "MAX_ACTIONS", "MAX_PLAYERS") if not hasattr(self.rules, name)]
        if missing:
            raise BadGame(f"the rules of {self.name} lack {', '.join(missing)}")
        unmarked = [name for name in RULE_NAMES if hasattr(self.rules, name) and getattr(self.rules, name) not in RULES]
        if unmarked:
            raise BadGame(f"of the rules of {self.name}, {', '.join(unmarked)} must be marked with @rule")
        if any(hasattr(self.rules, name) for name in TOGETHER_RULES) and not all(
            hasattr(self.rules, name) for name in (*TOGETHER_RULES, "MOVES")
        ):
            raise BadGame(f"the rules of {self.name} need all of apply_together, acts and MOVES, or none of them")
        moves, players = getattr(self.rules, "MOVES", 1), self.rules.MAX_PLAYERS
        if not (1 <= moves <= 31 and moves**players < 2**31):  # actions are bits, joint actions fit a node's field
            raise BadGame(
                f"the rules of {self.name} have {moves} MOVES for {players} players; at most 31 are allowed, and MOVES "
                "to the power of the players must be less than 2 ** 31"
            )
        if hasattr(self.rules, "hide") != hasattr(self.rules, "observe"):
            raise BadGame(f"the rules of {self.name} need both hide and observe, or neither")
        if self.has_hidden and self.name_seen is None:
            raise BadGame(f"{self.name} hides things: its card needs name_seen, what a player sees of a step")
        if not all(it.encode in RULES and it.output in RULES for it in self.encoders):
            raise BadGame(f"the encoder of {self.name} must be made of rules: encode and output, marked with @rule")
        outputs, versions = ({getattr(it, key) for it in self.encoders} for key in ("outputs", "version"))
        if len(outputs) > 1 or len(versions) < len(self.encoders):
            raise BadGame(f"the encoders of {self.name} must have the same outputs, and a version each")
        for name, cast in self.casts.items():
            if name in self.players or cast.play not in RULES or not 1 <= len(cast.roles) <= ROLES:
                raise BadGame(f"the cast {name} of {self.name} needs a name of its own, a rule, and 1 to {ROLES} roles")
        if self.pieces is not None:
            lacking = [name for name in PieceRules._fields if getattr(self.pieces, name, None) not in RULES]
            lacking += [name for name in ("Guide", "MAX_PIECES", "ORDERS") if not hasattr(self.pieces, name)]
            if lacking:
                raise BadGame(f"the pieces of {self.name} lack {', '.join(lacking)}; all are needed, rules as @rule")
        if not (isinstance(self.rules.State, type) and issubclass(self.rules.State, Record)):
            raise BadGame(f"the State of {self.name} must be a Record")

    @cached_property
    def bound_rules(self) -> Rules:
        given = self.rules
        return Rules(
            given.mover, given.legal, given.apply, given.reward,
            getattr(given, "chance", no_chance), getattr(given, "outcomes", no_outcomes),
            getattr(given, "quiet", no_quiet), getattr(given, "acts", never_acts),
            getattr(given, "sensible", given.legal), getattr(given, "apply_together", nothing_together),
            getattr(given, "hide", nothing_hidden), getattr(given, "sight", nothing_seen),
            getattr(given, "guise", no_guise), getattr(given, "key", no_key), getattr(given, "MOVES", 1),
        )  # fmt: skip

    @cached_property
    def piece_rules(self) -> PieceRules:
        return PieceRules(*(getattr(self.pieces, name) for name in PieceRules._fields))

    @cached_property
    def all_players(self) -> dict[str, Player]:
        given = {"random": uniform_player(self.rules.legal), **self.players}
        return {name: it if isinstance(it, Player) else Player(lambda it=it: it) for name, it in given.items()}

    @cached_property
    def all_rewards(self) -> dict[str, Rule]:
        return {"win": self.rules.reward, **self.rewards}

    def player(self, spec: str) -> Rule:
        """The rule of a hand-written player, from a spec such as "random" or "diver(depth=20)"."""
        name, given = parse_spec(spec)
        if name not in self.all_players:
            raise UnknownName(f"{self.name} has no player '{name}'; {suggest(name, self.all_players)}")
        player = self.all_players[name]
        made: Rule = player.make(**player.options.read(name, given).model_dump())
        return made

    def cast(self, spec: str) -> Cast:
        """A cast by its name, or a hand-written player by its spec as the only one."""
        if spec in self.casts:
            return self.casts[spec]
        try:
            return Cast(self.player(spec), (spec,))
        except UnknownName:
            name = parse_spec(spec)[0]
            if name in self.casts:
                raise BadOption(f"the cast {name} of {self.name} has no options") from None
            known = [*self.all_players, *self.casts]
            raise UnknownName(f"{self.name} has no player '{name}'; {suggest(name, known)}") from None

    def __repr__(self) -> str:
        return f"<card of {self.name}>"

    @property
    def has_chance(self) -> bool:
        return hasattr(self.rules, "chance")

    @property
    def has_hidden(self) -> bool:
        return hasattr(self.rules, "hide")

    @property
    def moves_together(self) -> bool:
        return hasattr(self.rules, "apply_together")

    @property
    def actions(self) -> int:
        """Players' actions are numbers less than this: `ACTIONS` of the rules, where actions are not numbered from 0
        without gaps."""
        rules = self.rules
        return int(getattr(rules, "ACTIONS", getattr(rules, "MOVES", rules.MAX_ACTIONS)))

    @property
    def out(self) -> type[Record]:
        """The record class that this game's rules write their answers to."""
        return out_record(self.rules.MAX_ACTIONS, self.rules.MAX_PLAYERS)
