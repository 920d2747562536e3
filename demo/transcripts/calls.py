"""Who calls whom on the line of the mountain railway, and what is said: utterances put together from templates."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from demo.chance import choice
from demo.word_lists import read_phrases

LISTS = read_phrases(Path(__file__).with_name("phrases.txt"))
_SLOT = re.compile(r"\{(\w+)\}")
_SEEDS = {"development": 20410211, "test": 20410212}
_CALLS = {"development": 18, "test": 30}  # of each speaker
_KINDS = ("report", "report", "report", "request", "request", "warning", "answer", "answer", "chat")
_SILENT = 0.02  # calls in which nobody is heard
_SLOTS = {
    "place": "places",
    "train": "trains",
    "person": "people",
    "digit": "digits",
    "minutes": "minutes",
    "hazard": "hazards",
    "part": "parts",
    "thing": "things",
    "weather": "weather",
    "hour": "hours",
}
_TIMES = ("{minutes} past {hour}", "half past {hour}", "quarter to {hour}", "{hour} o'clock", "{hour} {minutes}")


@dataclass(frozen=True)
class Speaker:
    """Somebody on the line; `noise` multiplies the mistakes of systems, `hesitates` is the share with a filler."""

    name: str
    noise: float
    hesitates: float
    phases: tuple[str, ...] = ("development", "test")


# Those of the test are more, and two of them are hard to understand: a bad line, and another accent.
SPEAKERS = (
    Speaker("anneke", 0.55, 0.02),
    Speaker("bram", 0.8, 0.15),
    Speaker("corin", 1.0, 0.05),
    Speaker("dagny", 0.7, 0.08),
    Speaker("elio", 1.3, 0.2),
    Speaker("freya", 0.9, 0.1),
    Speaker("goran", 1.5, 0.12),
    Speaker("hilde", 0.75, 0.03),
    Speaker("ismet", 1.9, 0.1, ("test",)),
    Speaker("joost", 1.1, 0.25, ("test",)),
    Speaker("kaya", 0.6, 0.05, ("test",)),
    Speaker("lorne", 2.3, 0.18, ("test",)),
)


@dataclass(frozen=True)
class Call:
    """One utterance; `text` is empty where nobody is heard."""

    id: str
    speaker: Speaker
    text: str


@cache
def calls_of(phase: str) -> tuple[Call, ...]:
    rng = random.Random(_SEEDS[phase])
    return tuple(
        Call(f"{speaker.name}-{number:03d}", speaker, _said(speaker, rng))
        for speaker in SPEAKERS
        if phase in speaker.phases
        for number in range(1, _CALLS[phase] + 1)
    )


def words_of(text: str) -> list[str]:
    """The words as a system hears them: small letters, without punctuation but apostrophes."""
    return re.sub(r"[^\w\s']", " ", text.lower()).split()


@cache
def vocabulary() -> tuple[str, ...]:
    """All words of both phases, each once, in code-point order."""
    return tuple(sorted({word for phase in _SEEDS for call in calls_of(phase) for word in words_of(call.text)}))


def _said(speaker: Speaker, rng: random.Random) -> str:
    if rng.random() < _SILENT:
        return ""
    text = _filled(choice(LISTS[choice(_KINDS, rng)], rng), rng)
    if rng.random() < speaker.hesitates:
        text = _with_filler(text, choice(LISTS["fillers"], rng), rng)
    return text


def _filled(template: str, rng: random.Random) -> str:
    """With all slots filled; a slot with a capital begins the sentence."""
    return "".join(_pieces(template, rng))


def _pieces(template: str, rng: random.Random) -> Iterator[str]:
    for part in re.split(r"(\{\w+\})", template):
        slot = _SLOT.fullmatch(part)
        if slot is None:
            yield part
            continue
        name = slot[1].lower()
        filled = _filled(choice(_TIMES if name == "time" else LISTS[_SLOTS[name]], rng), rng)
        yield filled[0].upper() + filled[1:] if slot[1][0].isupper() else filled


def _with_filler(text: str, filler: str, rng: random.Random) -> str:
    """At the beginning, or before some word."""
    words = text.split()
    place = int(rng.random() * len(words))
    if not place:
        return f"{filler.capitalize()}, {text if text.startswith('I') else text[0].lower() + text[1:]}"
    return " ".join([*words[:place], filler, *words[place:]])
