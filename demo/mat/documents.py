"""Annotated bulletins, dealt from the sentences by a fixed seed: always the same, none twice."""

import random
import re
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cache

from demo.chance import shuffled
from demo.mat.facts import Facts
from demo.mat.incidents import KINDS
from demo.mat.stages import STAGES

TAGS = {
    "N": "PERSON",
    "O": "ORGANISATION",
    "P": "PLACE",
    "V": "VESSEL",
    "D": "DATE",
    "E": "EVENT",
    "C": "CAUSE",
}
# The training bulletins are what the word-list baseline has read.
SIZES = {"test": 64, "development": 32, "training": 26}
LONGEST = 8  # sentences
SEED = 20340412

MARK = re.compile(r"<(/?)([NOPVDEC])>")
TOKEN = re.compile(r"\w+(?:[-.]\w+)*|[^\w\s]")

# How often a stage has a sentence.
STAGE_SHARES = {
    "weather": 0.45,
    "response": 0.75,
    "consequence": 0.55,
    "inquiry": 0.65,
    "background": 0.4,
    "closing": 0.45,
}


@dataclass(frozen=True, order=True)
class Span:
    """Half-open, in code points of the document's text."""

    start: int
    end: int
    tag: str


@dataclass(frozen=True)
class Document:
    name: str
    text: str
    spans: tuple[Span, ...]

    @property
    def tokens(self) -> list[tuple[int, int]]:
        return [token.span() for token in TOKEN.finditer(self.text)]


@cache
def documents_of(part: str) -> tuple[Document, ...]:
    start = 0
    for name, size in SIZES.items():
        if name == part:
            return _all_documents()[start : start + size]
        start += size
    raise KeyError(part)


def annotate(name: str, marked: str) -> Document:
    """Take the marks out of a text; an end closes what was opened last with its letter, so spans may cross."""
    text, position = "", 0
    spans: list[Span] = []
    opened: dict[str, list[int]] = defaultdict(list)
    for mark in MARK.finditer(marked):
        text += marked[position : mark.start()]
        position = mark.end()
        if mark[1]:
            spans.append(Span(opened[mark[2]].pop(), len(text), TAGS[mark[2]]))
        else:
            opened[mark[2]].append(len(text))
    return Document(name, text + marked[position:], tuple(sorted(spans)))


@cache
def _all_documents() -> tuple[Document, ...]:
    rng = random.Random(SEED)
    decks = _Decks(rng)
    return tuple(
        annotate(f"bulletin-{number:03}", _bulletin(number, decks, rng)) for number in range(1, sum(SIZES.values()) + 1)
    )


class _Decks:
    """Deals the sentences of each pool in turn, so that none comes again before all the others have."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decks: dict[str, deque[str]] = {}

    def deal(self, pool: str, sentences: tuple[str, ...], has_ship: bool = True) -> str:
        deck = self.decks.setdefault(pool, deque(shuffled(sentences, self.rng)))
        sentence = next(each for each in deck if has_ship or "{vessel}" not in each)
        deck.remove(sentence)
        deck.append(sentence)
        return sentence


def _bulletin(number: int, decks: _Decks, rng: random.Random) -> str:
    name = decks.deal("kinds", tuple(KINDS))
    kind = KINDS[name]
    opening = decks.deal(f"{name} openings", kind.openings)
    has_ship = "{vessel}" in opening
    facts = Facts(kind, "{ferry}" in opening, number, rng)
    developments = [
        decks.deal(f"{name} developments", kind.developments) for _ in range(2 if rng.random() < 0.6 else 1)
    ]
    later = [
        decks.deal(stage, STAGES[stage], has_ship)
        for stage in STAGES
        if stage in kind.stages and rng.random() < STAGE_SHARES[stage]
    ]
    while len(developments) + len(later) < 2:
        developments.append(decks.deal(f"{name} developments", kind.developments))
    written = [facts.fill(sentence) for sentence in [opening, *developments, *later][:LONGEST]]
    if len(written) > 4:
        written[2] = f"\n\n{written[2]}"
    body = re.sub(" \n", "\n", " ".join(written))
    return f"Bulletin {number:03}\n\n{body}\n"
