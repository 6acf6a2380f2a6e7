"""The search space of a tuning: options of an agent with a range, `c=0.1..2`, or choices, `rollout=random|greedy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import isfinite
from typing import Any, get_args

from spinney.agents import Agent, agent_options, build, variant
from spinney.errors import BadOption, BadSpec, SpinneyError, UnknownName
from spinney.games import Game
from spinney.games.spec import parse_spec, suggest, write_spec

DIGITS = 4
"""Significant digits of a number that is tried; a few hundred games cannot distinguish more."""
DECADES = 100
"""A range whose ends have at least this ratio has a logarithmic scale by default."""
MOST_CORNERS = 10_000
"""At most this many combinations of the ends of ranges are checked before the first game."""
SCALES = ("log", "linear")


@dataclass(frozen=True)
class Range:
    """An option and the values to try: numbers between two ends, or choices."""

    name: str
    text: str
    """The range as the user wrote it."""
    ends: tuple[Any, ...]
    """The lowest and the highest number, or all choices."""
    numeric: bool = False
    whole: bool = False
    log: bool = False

    def fit(self, value: Any) -> Any:
        """A value of this range as it is written in a spec: numbers are rounded."""
        if not self.numeric:
            return value
        value = int(value) if self.whole else float(f"{value:.{DIGITS}g}")
        return min(max(value, self.ends[0]), self.ends[1])

    def has(self, value: Any) -> bool:
        """Whether a value is in this range."""
        if not self.numeric:
            return any(value == choice and type(value) is type(choice) for choice in self.ends)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and bool(self.ends[0] <= value <= self.ends[1])


class Tunable:
    """An agent with free options; it makes the specs to try."""

    def __init__(self, game: Game, spec: str, ranges: Sequence[str]) -> None:
        self.game, self.spec = game, spec
        self.name, self.given = variant(game, *parse_spec(spec))
        known = agent_options(game)
        if self.name not in known:
            raise UnknownName(f"{game.name} has no agent '{self.name}'; {suggest(self.name, known)}")
        self.options = known[self.name]
        preset = game.card.presets.get(self.name)
        self._preset = {} if preset is None else parse_spec(preset)[1]
        self.ranges = [self._read(text) for text in ranges]
        if not self.ranges:
            raise BadOption(f"nothing to tune; give a range such as c=0.1..2 for one of: {self._names()}")
        for option in self.ranges:
            if sum(other.name == option.name for other in self.ranges) > 1:
                raise BadOption(f"option '{option.name}' has two ranges; one is allowed")
        self._check()

    def with_values(self, values: Mapping[str, Any]) -> str:
        """The spec of the agent with values of the free options; the original spec if they are its own values."""
        if values == self.own_values():
            return self.spec
        return write_spec(self.name, {**self.given, **values})

    def own_values(self) -> dict[str, Any] | None:
        """The values of the untuned agent, if all of them are in the ranges."""
        defaults = {name: field.default for name, field in self.options.model_fields.items()}
        now = {**defaults, **self._preset, **self.given}
        own = {option.name: now[option.name] for option in self.ranges}
        return own if all(option.has(own[option.name]) for option in self.ranges) else None

    def _names(self) -> str:
        return ", ".join(name for name in self.options.model_fields if name != "seed")

    def _read(self, text: str) -> Range:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals:
            raise BadSpec(f"cannot read the range '{text}'; write option=low..high or option=one|other")
        if name not in self.options.model_fields or name == "seed":
            raise BadOption(f"{self.name} has no option '{name}' to tune; {suggest(name, self._names().split(', '))}")
        if ".." in values:
            return self._numbers(name, text, values)
        if "|" not in values:
            raise BadSpec(f"cannot read the range '{text}'; write {name}=low..high or {name}=one|other")
        chosen = tuple(self._value(name, part, text) for part in values.split("|"))
        if len(set(map(repr, chosen))) < len(chosen):
            raise BadOption(f"the range '{text}' has a choice twice; once is allowed")
        return Range(name, text, chosen)

    def _numbers(self, name: str, text: str, values: str) -> Range:
        annotation = self.options.model_fields[name].annotation
        kinds = get_args(annotation) or (annotation,)
        whole = int in kinds and float not in kinds
        if int not in kinds and float not in kinds:
            raise BadOption(f"option '{name}' of {self.name} is not a number; write {name}=one|other")
        values, colon, scale = values.partition(":")
        low, _, high = values.partition("..")
        try:
            ends = tuple((int if whole else float)(end) for end in (low, high))
        except ValueError:
            kind = "whole numbers" if whole else "numbers"
            raise BadSpec(f"cannot read the range '{text}'; option '{name}' takes {kind}: {name}=low..high") from None
        if not (all(map(isfinite, ends)) and ends[0] < ends[1]):
            raise BadOption(f"the range '{text}' must go from a finite number to a larger one")
        if colon and scale.strip() not in SCALES:
            raise BadSpec(f"cannot read the scale in '{text}'; it may end in :log or :linear")
        log = scale.strip() == "log" if colon else ends[0] > 0 and ends[1] >= DECADES * ends[0]
        if log and ends[0] <= 0:
            raise BadOption(f"the range '{text}' cannot have a logarithmic scale: it must begin above 0")
        return Range(name, text, ends, numeric=True, whole=whole, log=log)

    def _value(self, name: str, part: str, text: str) -> Any:
        try:
            return parse_spec(f"x({name}={part})")[1][name]
        except (BadSpec, KeyError):
            raise BadSpec(f"cannot read '{part.strip()}' in '{text}'; write {name}=one|other") from None

    def _check(self) -> None:
        """Refuse values that the agent does not allow, and compile for the cache of the workers."""
        first = {option.name: option.ends[0] for option in self.ranges}
        corners = product(*(option.ends for option in self.ranges))
        for corner in islice(corners, MOST_CORNERS):
            values = dict(zip(first, corner, strict=True))
            self.options.read(self.name, {**self._preset, **self.given, **values})
        self.agent(first)
        for option in self.ranges:
            for end in option.ends[1:]:
                self.agent({**first, option.name: end})

    def agent(self, values: Mapping[str, Any]) -> Agent:
        """The agent with values of the free options."""
        spec = self.with_values(values)
        try:
            return build(self.game, spec)
        except SpinneyError as error:
            raise type(error)(f"the ranges allow {spec}: {error}") from None
