"""Texts and names: the composed form of Unicode (NFC), where two texts part, and which known name was meant.

All in time that grows with the text, whatever the text is. `unicodedata.normalize` puts combining marks in order by
moving each past those before it. That is quick where a letter has two or three, as in every language, and takes minutes
where somebody writes a hundred thousand behind each other.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher, get_close_matches
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
_NAME_WORD = re.compile(r"[^\W_A-Z]+|[A-Z]+[^\W_A-Z]*")  # of a name such as pair_id or pairId


def nearest(name: str, candidates: Iterable[str], least: float = 0.6) -> str | None:
    """Return the known name that differs in case alone, else the most similar one; None if none is near.

    `least` is how alike two names have to be, as a share.

    >>> nearest("acuracy", ["f1", "accuracy"]), nearest("F1", ["f1", "accuracy"]), nearest("zzz", ["f1"])
    ('accuracy', 'f1', None)
    """
    if len(name) > _LONGEST_NAME:
        return None
    short = [candidate for candidate in candidates if len(candidate) <= _LONGEST_NAME][:_MOST_NAMES]
    same = [candidate for candidate in short if candidate.casefold() == name.casefold()]
    return next(iter(same or get_close_matches(name, short, n=1, cutoff=least)), None)


def meant_by(name: str, names: Collection[str], given: Collection[str]) -> str | None:
    """Return which of the given names was meant by a wanted one: one that it is a part of or near to, or the last.

    Of two that are equally near neither is.

    >>> meant_by("intent", ["id", "intent"], ["id", "label"]), meant_by("intent", ["id", "intent"], ["id", "a", "b"])
    ('label', None)
    >>> meant_by("id", ["id", "label"], ["pair_id", "text"]), meant_by("label", ["id", "label"], ["pair_id", "a"])
    ('pair_id', 'a')
    >>> meant_by("value", ["id", "value"], ["id", "value_x", "value_y"])
    """
    spare = [other for other in given if other not in names]
    if len(given) < len(names) or len(all_meant_by(name, names, given)) > 1:
        return None
    if wholes := _wholes(name, names, spare):
        return wholes[0] if len(wholes) == 1 else None
    missing = [other for other in names if other not in given and other != name]
    of_others = [wholes for other in missing if len(wholes := _wholes(other, names, spare)) == 1]
    left = [other for other in spare if [other] not in of_others]
    is_alone = len(left) == 1 and len(of_others) == len(missing)
    return nearest(name, left) or (left[0] if is_alone else None)


def is_like(name: str, other: str) -> bool:
    """Return whether another name is near to a wanted one, or has it for a word.

    >>> is_like("id", "pair_id"), is_like("label", "labels"), is_like("text", "n")
    (True, True, False)
    """
    return bool(nearest(name, [other]) or _wholes(name, [name], [other]))


def all_meant_by(name: str, names: Collection[str], given: Collection[str]) -> list[str]:
    """Return the given names that are as near to a wanted one as the nearest, the names of others left aside.

    >>> all_meant_by("value", ["id", "value"], ["id", "value_x", "value_y"])
    ['value_x', 'value_y']
    """
    spare = [other for other in given if other not in names][:_MOST_NAMES]
    near = nearest(name, spare)
    return [other for other in spare if near and _likeness(name, other) == _likeness(name, near)]


def _wholes(name: str, names: Collection[str], spare: Collection[str]) -> list[str]:
    """Return the names of which a wanted one is a word, and no other wanted one is.

    >>> _wholes("id", ["id", "text"], ["message_id", "text_id", "gridId"])
    ['message_id', 'gridId']
    """
    others = {other.casefold() for other in names if other != name}
    words_of = {other: {word.casefold() for word in _NAME_WORD.findall(other[:_LONGEST_NAME])} for other in spare}
    return [other for other, words in words_of.items() if name.casefold() in words and not words & others]


def _likeness(name: str, other: str) -> float:
    """Return how alike two names are, as `nearest` compares them: those that differ in case alone are the most so."""
    if len(other) > _LONGEST_NAME:
        return 0.0
    return 2.0 if name.casefold() == other.casefold() else SequenceMatcher(a=other, b=name).ratio()
