"""Texts and names: the composed form of Unicode (NFC), where two texts part, and which known name was meant.

All in time that grows with the text, whatever the text is. `unicodedata.normalize` puts combining marks in order by
moving each past those before it. That is quick where a letter has two or three, as in every language, and takes minutes
where somebody writes a hundred thousand behind each other.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import groupby
from typing import Literal

# Up to so many characters the library's own way is the quickest, however they are chosen.
_SHORT = 200
_WORD = re.compile(r"\S+")

Form = Literal["NFC", "NFKC"]


def composed(text: str, form: Form = "NFC") -> str:
    r"""Return what `unicodedata.normalize("NFC", text)` gives, or the same of NFKC.

    >>> composed("nin\u0303o")
    'niño'
    """
    if len(text) <= _SHORT or text.isascii():
        return unicodedata.normalize(form, text)
    # What the library does, in its three steps, but with a sort that takes n log n: every character is taken apart,
    # marks between two letters are ordered by their class, and what comes of that needs no more moving.
    take_apart = _apart if form == "NFC" else _apart_in_meaning
    parts = "".join(map(take_apart, text))
    if parts.isascii():
        return parts
    runs = groupby(parts, key=lambda character: unicodedata.combining(character) > 0)
    ordered = ("".join(sorted(run, key=unicodedata.combining) if are_marks else run) for are_marks, run in runs)
    return unicodedata.normalize(form, "".join(ordered))


def composed_words(text: str, form: Form) -> str:
    """Do as `composed` does, of a long text with blanks: quick where none of its words is long.

    No mark moves past a blank, and no blank is composed with what follows it: each word can be worked on by itself.
    """
    if text.isascii() or max(map(len, text.split()), default=0) <= _SHORT:
        return unicodedata.normalize(form, text)
    return _WORD.sub(lambda match: composed(match[0], form), text)


def first_difference(one: str, two: str) -> int:
    """Return the length of the common beginning, by halving what is left: a loop over characters would take long.

    >>> first_difference("Mirelle left", "Mirelle lost"), first_difference("Mirelle", "Mirelle left")
    (9, 7)
    """
    same, most = 0, min(len(one), len(two))
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == two[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


@lru_cache(maxsize=2**12)
def _apart(character: str) -> str:
    """Return a single character as the letters and marks that it is made of."""
    return unicodedata.normalize("NFD", character)


@lru_cache(maxsize=2**12)
def _apart_in_meaning(character: str) -> str:
    """Return the same by NFKD, which also takes apart signs that stand for others, such as ligatures."""
    return unicodedata.normalize("NFKD", character)


_LONGEST_NAME = 100  # characters of a name that others are likened to
_MOST_NAMES = 100  # names that one is likened to


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the known name that differs in case alone, else the most similar one; None if none is near.

    >>> nearest("acuracy", ["f1", "accuracy"]), nearest("F1", ["f1", "accuracy"]), nearest("zzz", ["f1"])
    ('accuracy', 'f1', None)
    """
    if len(name) > _LONGEST_NAME:
        return None
    short = [candidate for candidate in candidates if len(candidate) <= _LONGEST_NAME][:_MOST_NAMES]
    same = [candidate for candidate in short if candidate.casefold() == name.casefold()]
    return next(iter(same or get_close_matches(name, short, n=1)), None)


def meant_by(name: str, names: Collection[str], given: Collection[str]) -> str | None:
    """Return which of the given names was meant by a wanted one: one that is near, or the only one left over.

    >>> meant_by("intent", ["id", "intent"], ["id", "label"]), meant_by("intent", ["id", "intent"], ["id", "a", "b"])
    ('label', None)
    """
    spare = [other for other in given if other not in names]
    is_alone = len(spare) == 1 and all(other in given for other in names if other != name)
    return nearest(name, spare) or (spare[0] if is_alone else None)
