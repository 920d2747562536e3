"""Keeps what is said again and again, by language: looking up words and writing numbers takes longer than anything."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.utils.translation import get_language

Given = ParamSpec("Given")
Said = TypeVar("Said")


def kept_by_language(most: int) -> Callable[[Callable[Given, Said]], Callable[Given, Said]]:
    """For a function whose answer hangs on nothing but its arguments and the visitor's language.

    The last `most` answers are kept. 1 and 1.0 are different arguments, since they are said differently.
    """

    def keep(say: Callable[Given, Said]) -> Callable[Given, Said]:
        @lru_cache(maxsize=most, typed=True)
        def said(_language: str | None, *given: Any) -> Said:
            return say(*given)  # type: ignore[call-arg]

        @wraps(say)
        def said_to_visitor(*given: Given.args, **_none: Given.kwargs) -> Said:
            return said(get_language(), *given)

        return said_to_visitor

    return keep
