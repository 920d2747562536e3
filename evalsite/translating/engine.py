"""What the engine says, in the visitor's language: `from_engine("id 'a' is missing")`.

The engine speaks English and knows no catalogue. Its sentences are known as patterns with holes, "id {0} is missing",
which `.ci/engine_messages.py` gathers from its source and whose translations stand in the catalogue with the context
"engine". A message is told by the literal parts of its pattern; so one that was stored years ago is translated too.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.translation import get_language, pgettext

from evalsite.translating.messages import translated
from evalsite.wording import enumerated, in_digits
from scoring.messages import Message

CONTEXT = "engine"
FILE = Path(__file__).with_name("engine_patterns.json")
_LONGEST = 20_000  # characters of a message; what is longer holds somebody's file, and stays as it is
_MOST_PLACES = 3  # that stand before a message, as a file and its document do
_LONGEST_LIST = 50
_FEWEST_LETTERS = 8  # of a pattern that fits a message by itself
_DEEPEST = 3  # pieces within pieces
_HOLE = re.compile(r"\{([0-9]+)(:said)?\}")
_SAID = re.compile(r"\{([0-9]+):said\}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")


def from_engine(message: object) -> str:
    """A message, title or word of the engine as the visitor reads it; as it is where no pattern fits.

    It takes time linear in the message's length, whatever stands in it.
    """
    text = str(message)
    if not isinstance(message, str) or isinstance(message, Message):
        said = translated(message)
        if said != text or isinstance(message, Mapping):
            return said
    if get_language() in (None, "en") or len(text) > _LONGEST:
        return text
    return _said(text, _DEEPEST) or _behind_a_place(text) or text


def _behind_a_place(text: str) -> str | None:
    """A message behind the name of a file, a document or a side, as in "run.txt:12: empty answer"."""
    at = 0
    for _ in range(_MOST_PLACES):
        at = text.find(": ", at) + 2
        if at == 1:
            return None
        said = _said(text[at:], _DEEPEST)
        if said is not None:
            return ": ".join([*(_said(place, 1) or place for place in text[: at - 2].split(": ")), said])
    return None


def _said(text: str, depth: int) -> str | None:
    """The translation of a text that is a pattern as a whole.

    Pages begin a message with a capital letter that the engine begins with a small one; but the capital of a value,
    which may be a name, is its own.
    """
    exact, with_holes = _patterns()
    small = text[:1].lower() + text[1:]
    # A template of a message without values is in the catalogue too, as the nouns of units are that boards have stored.
    if (translation := pgettext(CONTEXT, text)) != text:
        return translation
    if text in exact or small in exact:
        return pgettext(CONTEXT, text) if text in exact else _capital(pgettext(CONTEXT, small))
    for pattern in with_holes:
        if (said := _said_by(pattern, text, depth)) is not None:
            return said
        if small != text and pattern.literals[0] and (said := _said_by(pattern, small, depth)) is not None:
            return _capital(said)
    return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _said_by(pattern: "_Pattern", text: str, depth: int) -> str | None:
    values = pattern.values(text)
    return _filled(pattern, values, depth) if values is not None else None


def _filled(pattern: "_Pattern", values: list[str], depth: int) -> str | None:
    """The translation with these values; None for a pattern of few letters whose pieces the engine does not say."""
    translation = pgettext(CONTEXT, pattern.text)
    pieces = {number: _piece(values[number], depth - 1) for number in map(int, _SAID.findall(translation))}
    if pattern.is_weak and not _is_meant(values, pieces):
        return None
    return _HOLE.sub(lambda hole: pieces.get(int(hole[1])) or _number(values[int(hole[1])]), translation)


def _is_meant(values: list[str], pieces: dict[int, str | None]) -> bool:
    """Whether a pattern of few letters is what was said: its pieces the engine's, or its values words."""
    if pieces:
        return None not in pieces.values()
    return not any(" " in value for value in values)


def _number(text: str) -> str:
    return in_digits(text) if _GROUPED.fullmatch(text) else text


def _piece(text: str, depth: int) -> str | None:
    """A part of a sentence that the engine says too: a word, a clause, a list of them, or a name and a clause."""
    if depth < 0:
        return None
    if not text:
        return ""
    said = _said(text, depth) or _counted(text, depth) or _listed(text, depth)
    return said or _with_clause(text, depth)


def _counted(text: str, depth: int) -> str | None:
    """A number and its noun: 1,200 relations."""
    number, _, noun = text.partition(" ")
    said = _said(noun, 0) if number.replace(",", "").isdigit() else None
    return f"{_number(number)} {said}" if said is not None else None


def _listed(text: str, depth: int) -> str | None:
    """A list with "and" before its last part."""
    others, found, last = text.rpartition(" and ")
    if not found or depth < 1:
        return None
    parts = [*others.split(", "), last]
    said = [_counted(part, 0) or _said(part, 0) for part in parts[:_LONGEST_LIST]]
    return enumerated([each for each in said if each]) if len(said) == len(parts) and all(said) else None


def _with_clause(text: str, depth: int) -> str | None:
    """Names or numbers, and behind them a clause such as " and 3 more" or " (first on line 7)"."""
    for pattern in _clauses():
        at = text.rfind(pattern.literals[0])
        values = pattern.values(text[at:]) if at >= 0 else None
        clause = _filled(pattern, values, depth) if values is not None else None
        if clause is not None:
            return (_counted(text[:at], 0) or _said(text[:at], 0) or _number(text[:at])) + clause
    return None


@dataclass(frozen=True)
class _Pattern:
    text: str
    literals: list[str]  # around the holes

    @property
    def is_weak(self) -> bool:
        """Whether it says so little that other texts fit it too."""
        return sum(map(str.isalpha, "".join(self.literals))) < _FEWEST_LETTERS

    def values(self, text: str) -> list[str] | None:
        """What stands in the holes, each as short as can be; None if this is another message. It never goes back."""
        first, *middle, last = self.literals
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        values = []
        for literal in middle:
            found = text.find(literal, at, end) if literal else at
            if found < 0:
                return None
            values.append(text[at:found])
            at = found + len(literal)
        return [*values, text[at:end]]


@cache
def _patterns() -> tuple[frozenset[str], list[_Pattern]]:
    """Messages without holes, and patterns with holes: those that say most come first."""
    texts: list[str] = json.loads(FILE.read_text(encoding="utf-8"))
    exact = frozenset(text for text in texts if not _HOLE.search(text))
    patterns = [_Pattern(text, re.split(r"\{[0-9]+\}", text)) for text in texts if text not in exact]
    return exact, sorted(patterns, key=lambda pattern: -sum(map(len, pattern.literals)))


@cache
def _clauses() -> list[_Pattern]:
    """Patterns that begin as no sentence does: with a blank or a sign, so that they follow something."""
    return [pattern for pattern in _patterns()[1] if pattern.literals[0][:1] in {" ", ";", ":", ","}]
