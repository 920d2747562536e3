"""Imitates how systems mishear: sounds that are alike, small words lost, fillers and invented thanks added."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from demo.chance import Happens, chances, uniform
from demo.transcripts.calls import LISTS, Call, vocabulary, words_of

# What a system writes into silence.
_INVENTED = ("thank you", "okay", "the", "thanks for watching")
_ADDED = ("the", "a", "uh", "and", "it", "to", "so")
_SMALL = frozenset(("a", "an", "the", "of", "to", "in", "on", "at", "is", "it", "and", "has", "have", "for", "be"))
_FILLERS = frozenset(LISTS["fillers"])
_DIGITS = {word: str(number % 10) for number, word in enumerate(LISTS["digits"], start=1)}
_NUMBERS = frozenset((*_DIGITS, *LISTS["minutes"], *LISTS["hours"]))
_NAMES = frozenset(word for place in (*LISTS["places"], *LISTS["people"]) for word in words_of(place))
_HEARD = dict(entry.split(": ") for entry in LISTS["heard"])


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong with a word, spoken by somebody whom one understands."""

    substituted: float
    deleted: float
    inserted: float
    names: float = 1.8  # multiplies `substituted` for names of places and people
    numbers: float = 1.2  # … and for numbers
    noise: float = 1.0  # power of the speaker's noise: 0 for a system that does not mind
    silent: float = 0.0  # share of hard calls that it gives up
    invents: float = 0.2  # share of silent calls into which it writes something
    fillers: float = 0.5  # share of fillers that it writes down
    writes_digits: bool = False
    writes_sentences: bool = False  # with capitals and punctuation


def transcript(call: Call, rates: Rates, name: str) -> str:
    """What a system writes for one call."""
    happens = chances(name, call.id)
    if not call.text:
        return _picked(_INVENTED, name, call.id) if happens(rates.invents, "silence") else ""
    noise = call.speaker.noise**rates.noise
    if noise > 1 and happens(rates.silent * noise, "gives up"):
        return ""
    words = [
        word for place, word in enumerate(words_of(call.text)) for word in _heard(word, place, rates, noise, happens)
    ]
    if rates.writes_digits:
        words = [_DIGITS.get(word, word) for word in words]
    return _as_sentence(call.text, words) if rates.writes_sentences else " ".join(words)


def _heard(word: str, place: int, rates: Rates, noise: float, happens: Happens) -> Iterator[str]:
    """The words in place of one word, and what is added behind it."""
    if word in _FILLERS:
        if happens(rates.fillers, place, "filler"):
            yield word
        return
    hard = rates.names if word in _NAMES else rates.numbers if word in _NUMBERS else 1.0
    if happens(rates.deleted * noise * (2.5 if word in _SMALL else 0.6), place, "deleted"):
        return
    if happens(rates.substituted * noise * hard, place, "substituted"):
        yield from _alike(word, place)
    else:
        yield word
    if happens(rates.inserted * noise, place, "inserted"):
        yield _picked(_ADDED, word, place)


def _alike(word: str, place: int) -> list[str]:
    """One or two words that sound like it."""
    if word in _HEARD and uniform("heard", word, place) < 0.8:
        return _HEARD[word].split("+")
    near = _near(word, 2) or _near(word, 1)
    return [_picked(near, word, place)] if near else [f"{word}s"]


@cache
def _near(word: str, n_alike: int) -> tuple[str, ...]:
    """Words that begin with the same letters and are about as long."""
    begin = word[:n_alike]
    return tuple(
        other for other in vocabulary() if other != word and other.startswith(begin) and abs(len(other) - len(word)) < 3
    )


def _picked(items: tuple[str, ...], *key: object) -> str:
    return items[int(uniform("picked", *key) * len(items))]


def _as_sentence(original: str, words: list[str]) -> str:
    """With a capital and the punctuation of the end, and capitals where the call has them."""
    capitals = {word.strip(".,!?").lower(): word.strip(".,!?") for word in original.split()[1:]}
    written = [capitals.get(word, word) for word in words]
    if not written:
        return ""
    return f"{written[0][:1].upper()}{' '.join(written)[1:]}{original[-1] if original[-1] in '.?!' else '.'}"
