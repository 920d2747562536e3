"""The fictional teams of the task of plain words: their methods, and what they do to a notice."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from demo import plan
from demo.chance import Happens, chances
from demo.text.notices import Notice, another, picked

# What a system writes that has not learned the easy word.
_HARD = {
    "closed": "inaccessible",
    "use": "utilise",
    "repaired": "refurbished",
    "leave": "depart",
    "leaves": "departs",
    "write": "submit a request",
    "park": "parking area",
    "rain": "precipitation",
    "water": "drinking water",
    "tested": "analysed",
    "dog": "animal",
    "help": "assistance",
    "costs": "is charged at",
    "call": "contact",
    "children": "minors",
    "tell": "notify",
    "buses": "vehicles",
    "ticket": "travel document",
    "open": "accessible",
    "opens": "reopens",
    "until": "prior to",
    "because": "owing to the fact that",
    "around": "approximately",
    "about": "approximately",
    "again": "once more",
    "places": "vacancies",
    "people": "persons",
    "changes": "alterations",
}
_PREFACES = ("Important:", "Dear residents,", "Please note:", "In short:")
_WORD = re.compile(r"\w+|\W+")


@dataclass(frozen=True)
class Rates:
    """How often a system does what."""

    copied: float  # takes over the whole official text
    half: float  # begins with the official text and goes on in plain words
    hard: float  # writes a hard word for an easy one
    dropped: float  # leaves out a word
    wrong: float  # gets a day, a place or a number wrong
    reworded: float  # begins with one plain wording and goes on with the other
    prefaced: float = 0.0  # puts something in front
    clipped: float = 0.0  # breaks off
    first: float = 0.5  # has the first wording in mind, and not the second


# A middling system; every run below multiplies or replaces its rates.
MIDDLING = Rates(copied=0.08, half=0.22, hard=0.85, dropped=0.11, wrong=0.14, reworded=0.5)

Profile = plan.Profile[Rates]
_run = partial(Profile, scenarios=(1,))


def _rates(factor: float, **traits: float) -> Rates:
    """MIDDLING with all its rates multiplied, and some traits as they are given."""
    names = ("copied", "half", "hard", "dropped", "wrong", "reworded")
    return replace(MIDDLING, **({name: getattr(MIDDLING, name) * factor for name in names} | traits))


PROFILES = (
    _run(
        "Organisers",
        "copy",
        "The notices as they are",
        "Copies the official text, so that one sees what leaving everything alone is worth.",
        Rates(copied=1, half=0, hard=0, dropped=0, wrong=0, reworded=0),
        reference="baseline",
    ),
    _run(
        "Organisers",
        "third-writer",
        "A third writer",
        "A person who has not seen the two references.",
        _rates(0.3, half=0.0, copied=0.0, wrong=0.0, reworded=0.6, prefaced=0.15),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "Phrase table",
        "Replaces hard words and phrases by a list; leaves sentences as they are built.",
        _rates(1.2, half=0.45, copied=0.1),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Sequence to sequence",
        "A small encoder-decoder, trained on twenty years of newsletters.",
        _rates(0.9, dropped=0.13),
    ),
    _run(
        "Marginalia",
        "run1",
        "Encoder-decoder with control words",
        "Told how long the sentence may be and how hard its words.",
        _rates(0.62, clipped=0.04),
    ),
    _run(
        "Clear Speech",
        "run1",
        "Language model with ten examples",
        "Fluent; adds words of its own, and sometimes a day that nobody named.",
        _rates(0.5, wrong=0.2, prefaced=0.3, dropped=0.05),
    ),
    _run(
        "Clear Speech",
        "run2",
        "Language model with ten examples and a check",
        "As run 1; names and numbers are checked against the notice.",
        _rates(0.5, wrong=0.01, prefaced=0.08, dropped=0.05),
    ),
    _run(
        "Quill",
        "run1",
        "Rules for sentences",
        "Splits, turns passives round and drops what is in brackets; breaks off where no rule fits.",
        _rates(1.1, clipped=0.25, half=0.2),
    ),
    _run(
        "Second Volume",
        "run1",
        "Edits word by word",
        "Tags each word to keep, to drop or to replace.",
        _rates(0.85, dropped=0.16, half=0.25, first=0.8),
        phases=("test",),
    ),
)


def written(notice: Notice, rates: Rates, name: str) -> str:
    """What a system of this name writes for a notice."""
    happens = chances(name, notice.id)
    if happens(rates.copied, "copied"):
        return notice.official
    first, second = notice.plain if happens(rates.first, "first") else notice.plain[::-1]
    text = _halves(first, second) if happens(rates.reworded, "reworded") else first
    for slot, value in notice.filled:
        if happens(rates.wrong / 2, "wrong", slot):
            text = text.replace(value, another(slot, value, notice.id, slot))
    text = " ".join("".join(_changed(text, rates, happens)).split())
    if happens(rates.half, "half"):
        text = _halves(notice.official, text)
    if happens(rates.clipped, "clipped"):
        words = text.split()
        text = " ".join(words[: len(words) * 2 // 3])
    if happens(rates.prefaced, "prefaced"):
        text = f"{picked(_PREFACES, name, notice.id)} {text}"
    return text


def _changed(text: str, rates: Rates, happens: Happens) -> Iterator[str]:
    """The words and what is between them, some made hard, some left out."""
    for place, part in enumerate(_WORD.findall(text)):
        hard = _HARD.get(part.lower())
        if hard and happens(rates.hard, "hard", place):
            yield hard.capitalize() if part[0].isupper() else hard
        elif not (part.isalpha() and happens(rates.dropped, "dropped", place)):
            yield part


def _halves(text: str, other: str) -> str:
    """The beginning of one and the end of the other."""
    first, second = text.split(), other.split()
    return " ".join(first[: len(first) // 2] + second[len(second) // 2 :])
