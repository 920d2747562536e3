"""Announcements with tags, trees, entities and categories, dealt by a fixed seed: always the same, none twice."""

import random
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from demo.chance import choice, shuffled
from demo.spacy import more_notices, notices, vocabulary
from demo.spacy.trees import Tree, read, sentences_of

# The training announcements are what the baseline has seen.
SIZES = {"test": 76, "development": 38, "training": 24}
SEED = 20410303
TOPICS = {
    "delay": notices.DELAY,
    "works": notices.WORKS,
    "lift": notices.LIFT,
    "event": notices.EVENT,
    "weather": more_notices.WEATHER,
    "fares": more_notices.FARES,
    "conduct": more_notices.CONDUCT,
}
UNSPACED = {".", ",", ";", "?"}

SLOT = re.compile(r"\{([a-z]+)2?\}")
CHOICE = re.compile(r"\(([^()|\s]+(?:\|[^()|\s]+)+)\)")


@dataclass(frozen=True)
class Document:
    """Heads and entities count tokens through the document from 0; a root is its own head."""

    name: str
    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]
    ents: tuple[tuple[int, int, str], ...]
    cats: frozenset[str]


@cache
def documents_of(part: str) -> tuple[Document, ...]:
    start = 0
    for name, size in SIZES.items():
        if name == part:
            return _all_documents()[start : start + size]
        start += size
    raise KeyError(part)


@cache
def _all_documents() -> tuple[Document, ...]:
    rng = random.Random(SEED)
    decks = _Decks(rng)
    return tuple(_document(f"notice-{number:03}", decks, rng) for number in range(1, sum(SIZES.values()) + 1))


class _Decks:
    """Deals the sentences of each pool in turn, so that none comes again before all the others have."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decks: dict[str, deque[str]] = {}

    def deal(self, pool: str, items: Iterable[str]) -> str:
        deck = self.decks.setdefault(pool, deque(shuffled(tuple(items), self.rng)))
        deck.rotate(-1)
        return deck[-1]


def _document(name: str, decks: _Decks, rng: random.Random) -> Document:
    """An opening, one or two sentences that follow it, and perhaps a remark."""
    topic = decks.deal("topics", TOPICS)
    openings, _, details = TOPICS[topic].partition("\n--\n")
    pools = [("openings", openings), ("details", details)]
    if rng.random() < 0.55:
        pools.append(("details", details))
    dealt = [decks.deal(f"{topic} {pool}", map(":".join, sentences_of(text))) for pool, text in pools]
    if rng.random() < 0.6:
        dealt.append(decks.deal("remarks", map(":".join, sentences_of(more_notices.REMARKS))))
    facts = _Facts(rng)
    said = [sentence.partition(":") for sentence in dealt]
    trees = [read(facts.fill(notation), vocabulary.TAGS) for _, _, notation in said]
    return _joined(name, trees, frozenset(label for labels, _, _ in said for label in labels.split()))


def _joined(name: str, trees: Iterable[Tree], cats: frozenset[str]) -> Document:
    words: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    deps: list[str] = []
    ents: list[tuple[int, int, str]] = []
    for tree in trees:
        start = len(words)
        words += [tree.words[0][0].upper() + tree.words[0][1:], *tree.words[1:]]
        tags += tree.tags
        heads += [start + head for head in tree.heads]
        deps += tree.deps
        ents += [(start + first, start + end, label) for first, end, label in tree.ents]
    for i, word in enumerate(words[:-1]):
        if word in ("a", "A") and words[i + 1][0] in "aeiou":
            words[i] += "n"
    spaces = [following not in UNSPACED for following in words[1:]] + [False]
    return Document(name, tuple(words), tuple(spaces), tuple(tags), tuple(heads), tuple(deps), tuple(ents), cats)


class _Facts:
    """Stops, lines and times of one announcement: drawn when a sentence asks for them, the same from then on."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.values: dict[str, str] = {}
        self.stops = shuffled(vocabulary.STOPS, rng)
        self.streets = [name for name in shuffled(vocabulary.STREETS, rng) if name not in self.stops[:4]]
        self.lines = shuffled(vocabulary.LINES, rng)

    def fill(self, notation: str) -> str:
        worded = CHOICE.sub(lambda found: choice(found[1].split("|"), self.rng), notation)
        return SLOT.sub(lambda slot: self._value(slot[0][1:-1], slot[1]), worded)

    def _value(self, slot: str, kind: str) -> str:
        if slot not in self.values or kind in ("n", "vehicle"):
            drawn = getattr(self, f"_{kind}")()
            while drawn in self.values.values():
                drawn = getattr(self, f"_{kind}")()
            self.values[slot] = drawn
        return self.values[slot]

    def _stop(self) -> str:
        return f"<STOP {_name(self.stops.pop(0))}>"

    def _street(self) -> str:
        return f"<STREET {_name(self.streets.pop(0))}>"

    def _event(self) -> str:
        return f"det:the <EVENT {_name(choice(vocabulary.EVENTS, self.rng))}>"

    def _line(self) -> str:
        if self.rng.random() < 0.12:
            return f"<LINE compound:night bus nummod:{choice(vocabulary.NIGHT_LINES, self.rng)}/CD>"
        number = self.lines.pop()
        vehicle = choice(("tram", "line") if int(number) < 20 else ("bus", "line"), self.rng)
        return f"<LINE {vehicle}/NN nummod:{number}/CD>"

    def _way(self) -> str:
        return f"<LINE line/NN nummod:{self.lines.pop()}/CD>"

    def _date(self) -> str:
        if self.rng.random() < 0.5:
            return f"<DATE {choice(vocabulary.WEEKDAYS, self.rng)}/NNP>"
        return f"<DATE nummod:{self._between(1, 30)}/CD {choice(vocabulary.MONTHS, self.rng)}/NNP>"

    def _time(self) -> str:
        if self.rng.random() < 0.12:
            return choice(("<TIME noon/NN>", "<TIME midnight/NN>"), self.rng)
        return f"<TIME {self._between(6, 22)}:{5 * self._between(0, 11):02}/CD>"

    def _late(self) -> str:
        return f"<TIME {self._between(21, 23)}:{5 * self._between(0, 11):02}/CD>"

    def _n(self) -> str:
        return f"{choice(('ten', 'fifteen', '8', '12', '20', '25', '40', 'thirty'), self.rng)}/CD"

    def _fault(self) -> str:
        return choice(vocabulary.FAULTS, self.rng)

    def _works(self) -> str:
        return choice(vocabulary.WORKS, self.rng)

    def _weather(self) -> str:
        return choice(vocabulary.WEATHER, self.rng)

    def _snow(self) -> str:
        return choice(vocabulary.SNOW, self.rng)

    def _storm(self) -> str:
        return choice(vocabulary.STORMS, self.rng)

    def _vehicle(self) -> str:
        return choice(vocabulary.VEHICLES, self.rng)

    def _between(self, low: int, high: int) -> int:
        return low + int(self.rng.random() * (high - low + 1))


def _name(name: str) -> str:
    """A name as a group: the last word before `of` is its head."""
    if " of " in name:
        head, _, rest = name.partition(" of ")
        return f"{_name(head)} [prep:of {_name(rest)}]"
    *before, head = [f"{word}/NNP" for word in name.split()]
    return " ".join([*(f"compound:{word}" for word in before), head])
