"""Court reports with their entities, dealt from the sentences by a fixed seed: always the same, none twice."""

import random
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from demo.chance import shuffled
from demo.coreference.cast import Cast
from demo.coreference.more_plots import MORE_PLOTS
from demo.coreference.plots import PLOTS
from demo.coreference.stages import STAGES

SIZES = {"test": 44, "development": 22}
SEED = 18890517
LONGEST = 10  # sentences
# How often a stage has a sentence.
STAGE_SHARES = {"witness": 0.65, "hearing": 0.75, "verdict": 0.9, "aftermath": 0.55}

TOKEN = re.compile(
    r"<(?P<name>\w+@?):(?P<kind>\w+):(?P<gender>\w)\||(?P<end>>)|(?P<word>~|'s\b|\w+(?:-\w+|'(?!s\b)\w+)*|[^\w\s])"
)


@dataclass(frozen=True, order=True)
class Mention:
    """First and last token, counted through the document from 0."""

    first: int
    last: int
    entity: str
    kind: str
    gender: str


@dataclass(frozen=True)
class Document:
    name: str
    sentences: tuple[tuple[str, ...], ...]
    mentions: tuple[Mention, ...]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]


@cache
def documents_of(phase: str) -> tuple[Document, ...]:
    start = 0
    for name, size in SIZES.items():
        if name == phase:
            return _all_documents()[start : start + size]
        start += size
    raise KeyError(phase)


@cache
def _all_documents() -> tuple[Document, ...]:
    rng = random.Random(SEED)
    decks = _Decks(rng)
    return tuple(_report(f"report-{number:03}", decks, rng) for number in range(1, sum(SIZES.values()) + 1))


class _Decks:
    """Deals the sentences of each pool in turn, so that none comes again before all the others have."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decks: dict[str, deque[str]] = {}

    def deal(self, pool: str, sentences: Iterable[str]) -> str:
        deck = self.decks.setdefault(pool, deque(shuffled(tuple(sentences), self.rng)))
        deck.rotate(-1)
        return deck[-1]


def _report(name: str, decks: _Decks, rng: random.Random) -> Document:
    plots = PLOTS | MORE_PLOTS
    kind = decks.deal("plots", plots)
    plot = plots[kind]
    cast = Cast(plot, rng)
    sentences = [decks.deal(f"{kind} openings", plot.openings)]
    for _ in range(2 + (rng.random() < 0.6) + (rng.random() < 0.3)):
        sentences.append(decks.deal(f"{kind} developments", plot.developments))
    for stage, pool in STAGES.items():
        if rng.random() < STAGE_SHARES[stage]:
            # Whoever has not spoken as a witness can't come up later on.
            sentence = decks.deal(stage, pool)
            if stage != "aftermath" or "{w}" not in sentence or any("{w}" in each for each in sentences):
                sentences.append(sentence)
    while len(sentences) < 4:
        sentences.append(decks.deal("verdict", STAGES["verdict"]))
    return annotate(name, [cast.fill(sentence) for sentence in sentences[:LONGEST]])


def annotate(name: str, marked: Iterable[str]) -> Document:
    """Words and mentions of sentences in which each mention is <ENTITY:KIND:GENDER|words>.

    `~` is the comma after a name with its apposition, if no other sign follows.
    """
    written: list[tuple[str, ...]] = []
    mentions: list[Mention] = []
    for number, sentence in enumerate(marked):
        words, found = _read(sentence, sum(len(words) for words in written))
        written.append(tuple(words))
        mentions += [
            # An id that holds within its sentence only.
            Mention(each.first, each.last, each.entity.replace("@", str(number)), each.kind, each.gender)
            for each in found
        ]
    return Document(name, tuple(written), tuple(sorted(mentions)))


def _read(sentence: str, start: int) -> tuple[list[str], list[Mention]]:
    words: list[str] = []
    found: list[Mention] = []
    waiting: list[tuple[str, str, str]] = []
    opened: list[tuple[int, tuple[str, str, str]]] = []
    owes_comma = False
    for token in TOKEN.finditer(sentence):
        if token["name"]:
            waiting.append((token["name"], token["kind"], token["gender"]))
        elif token["end"]:
            first, mention = opened.pop()
            found.append(Mention(first, start + len(words) - 1, *mention))
        elif token["word"] == "~":
            owes_comma = True
        else:
            word = token["word"]
            if owes_comma and word[0].isalnum():
                words.append(",")
            owes_comma = False
            opened += [(start + len(words), mention) for mention in waiting]
            waiting = []
            words.append(word)
    words[0] = words[0][0].upper() + words[0][1:]
    for i, word in enumerate(words[:-1]):
        if word in ("a", "A") and re.match("[aeiou](?!ne-)", words[i + 1]):
            words[i] += "n"
    return words, found
