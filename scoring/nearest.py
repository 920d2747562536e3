"""Which of the known names somebody may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 100  # characters of a name that others are likened to
_MOST = 100  # names that one is likened to


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that differs in case alone, else the most similar one; None if none is near.

    >>> nearest("acuracy", ["f1", "accuracy"]), nearest("F1", ["f1", "accuracy"]), nearest("zzz", ["f1"])
    ('accuracy', 'f1', None)
    """
    if len(name) > _LONGEST:
        return None
    short = [each for each in known if len(each) <= _LONGEST][:_MOST]
    same = [each for each in short if each.casefold() == name.casefold()]
    return next(iter(same or get_close_matches(name, short, n=1)), None)
