"""Tells what values of options may be, and options made of it: a choice, a switch, the name of a column, of a score."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scoring.family import Option, Takes


@dataclass(frozen=True)
class Values:
    """Holds what an option may be: one of some choices, or whatever is parsed."""

    choices: tuple[Any, ...] = ()
    parse: Callable[[Any], Any] | None = None  # as of `Option`
    said: str = ""  # what `parse` takes, for people
    takes: Takes = "text"

    def option(self, key: str, help: str, title: str, default: Any = ..., **more: Any) -> Option:
        """Return an option with this default; without one, the first of the choices, or None."""
        if default is ...:
            default = self.choices[0] if self.choices else None
        return Option(
            key, default, self.choices, help, parse=self.parse, values=self.said, title=title, takes=self.takes, **more
        )

    def advanced(self, key: str, help: str, title: str, default: Any = ..., **more: Any) -> Option:
        """Return an option that few tasks change."""
        return self.option(key, help, title, default, is_advanced=True, **more)

    def unscored(self, key: str, help: str, title: str, default: Any = ..., **more: Any) -> Option:
        """Return an option that changes no scores, but how files are read or what tables show."""
        return self.option(key, help, title, default, changes_scores=False, **more)

    def minor(self, key: str, help: str, title: str, default: Any = ..., **more: Any) -> Option:
        """Return an option that changes no scores, and that few tasks change."""
        return self.unscored(key, help, title, default, is_advanced=True, **more)


def one_of(*choices: Any) -> Values:
    """Return what is one of these, the usual first."""
    return Values(choices)


def parsed(parse: Callable[[Any], Any], values: str, takes: Takes = "text") -> Values:
    """Return what a function makes of a value; what it takes is said for people."""
    return Values((), parse, values, takes)


def float_or_nan(given: Any) -> float:
    """Return the number that a value or a text is, NaN where it is none.

    >>> float_or_nan("0.5"), float_or_nan(True), float_or_nan("x")
    (0.5, nan, nan)
    """
    try:
        return math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan


SWITCH = one_of(False, True)
