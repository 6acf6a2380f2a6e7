"""The base class of options: typed, checked, with help texts for the command line and the docs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import pydantic

from spinney.errors import BadOption
from spinney.games.spec import suggest


class Options(pydantic.BaseModel):
    """Base class of options. Unknown names and values of another type are errors."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, strict=True)
    renamed: ClassVar[Mapping[str, str]] = {}
    """Former names of options, for the error message."""

    @classmethod
    def read(cls, owner: str, given: Mapping[str, Any], also: Iterable[str] = ()) -> Self:
        """The options of `owner` from names and values. A wrong one is a BadOption whose message lists what is allowed:
        the options of this class, and those in `also`, which the caller handles itself."""
        try:
            return cls.model_validate(dict(given))
        except pydantic.ValidationError as error:
            raise BadOption("; ".join(cls._explain(owner, problem, also) for problem in error.errors())) from None

    @classmethod
    def _explain(cls, owner: str, problem: Any, also: Iterable[str]) -> str:
        if not problem["loc"]:  # a validator of several options
            return f"{owner}: {problem['msg'].removeprefix('Value error, ')}"
        name = str(problem["loc"][0])
        if problem["type"] == "extra_forbidden" and cls.renamed.get(name) in cls.model_fields:
            return f"{owner} has no option '{name}'; it is called '{cls.renamed[name]}' now"
        if problem["type"] == "extra_forbidden":
            return f"{owner} has no option '{name}'; {suggest(name, [*cls.model_fields, *also], 'its options')}"
        if problem["type"] == "missing":
            return f"{owner} needs the option '{name}'"
        message = problem["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        return f"{owner}: option '{name}' = {problem['input']!r} {message}{cls._range(name)}"

    @classmethod
    def _range(cls, name: str) -> str:
        """The range of an option, for an error message."""
        bounds = cls.model_fields[name].metadata
        least, most = (next((getattr(it, key) for it in bounds if hasattr(it, key)), None) for key in ("ge", "le"))
        return "" if least is None or most is None else f"; {least} to {most} is allowed"
