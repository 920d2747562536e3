"""Annotated Spanish sentences, drawn from the templates by a fixed seed: always the same, none twice."""

import random
import re
from dataclasses import dataclass
from functools import cache

from demo.chance import choice, shuffled
from demo.ehealthkd.templates import TEMPLATES
from demo.ehealthkd.vocabulary import COMMON, RECORDS

LABELS = {"C": "Concept", "A": "Action", "P": "Predicate", "R": "Reference"}

# Sentences by (phase, scenario). The training sentences are what the dictionary baseline has read.
SIZES = {
    ("development", 1): 40,
    ("development", 2): 30,
    ("development", 3): 30,
    ("test", 1): 120,
    ("test", 2): 100,
    ("test", 3): 100,
    ("training", 0): 40,
}
SEED = 20190613

# article: (definite, indefinite, gender, number); el/la: feminine nouns that begin with a stressed a.
ARTICLES = {
    "el": ("el", "un", 0, 0),
    "la": ("la", "una", 1, 0),
    "el/la": ("el", "un", 1, 0),
    "los": ("los", "unos", 0, 1),
    "las": ("las", "unas", 1, 1),
}
SLOT = re.compile(r"\{(?:(el|El|un) )?([a-z]+)(2?)(?::([^}]*))?\}")
CHOICE = re.compile(r"<([^>]+)>")
MARK = re.compile(r"\[([CAPR0-9,]+) ([^];]+)((?:; [^];]+)*)\]")


@dataclass(frozen=True)
class Phrase:
    """A key phrase: half-open spans inside its sentence, one per word."""

    spans: tuple[tuple[int, int], ...]
    label: str


@dataclass(frozen=True)
class Relation:
    """A relation between two phrases, given by their places in the sentence's list."""

    label: str
    source: int
    target: int


@dataclass(frozen=True)
class Sentence:
    text: str
    phrases: tuple[Phrase, ...]
    relations: tuple[Relation, ...]


def phrase_text(text: str, phrase: Phrase) -> str:
    return " ".join(text[start:end] for start, end in phrase.spans)


@cache
def sentences_of(phase: str, scenario: int) -> tuple[Sentence, ...]:
    start = 0
    for part, size in SIZES.items():
        if part == (phase, scenario):
            return _all_sentences()[start : start + size]
        start += size
    raise KeyError((phase, scenario))


def annotate(marked: str) -> Sentence:
    """Take the marks out of a sentence and turn them into phrases and relations."""
    text, position = "", 0
    spans: dict[str, list[tuple[int, int]]] = {}
    labels: dict[str, str] = {}
    arrows: list[tuple[str, str, str]] = []
    for mark in MARK.finditer(marked):
        text += marked[position : mark.start()]
        words = [(len(text) + word.start(), len(text) + word.end()) for word in re.finditer(r"\S+", mark[2])]
        text += mark[2]
        position = mark.end()
        for name in mark[1].split(","):
            labels[name[1:]] = LABELS[name[0]]
            spans.setdefault(name[1:], []).extend(words)
            arrows += [_arrow(clause, name[1:]) for clause in mark[3].split("; ")[1:]]
    order = sorted(spans, key=lambda number: spans[number])
    place = {number: i for i, number in enumerate(order)}
    return Sentence(
        text + marked[position:],
        tuple(Phrase(tuple(spans[number]), labels[number]) for number in order),
        tuple(sorted((Relation(label, place[a], place[b]) for label, a, b in arrows), key=_reading_order)),
    )


def _arrow(clause: str, here: str) -> tuple[str, str, str]:
    first, second = clause.split(" ")
    return (second, first, here) if first.isdigit() else (first, here, second)


def _reading_order(relation: Relation) -> tuple[int, int, str]:
    return relation.source, relation.target, relation.label


@cache
def _all_sentences() -> tuple[Sentence, ...]:
    rng = random.Random(SEED)
    templates = [(topic, template) for topic, group in TEMPLATES.items() for template in group]
    found: dict[str, Sentence] = {}
    used: set[tuple[str, int]] = set()
    while len(found) < sum(SIZES.values()):
        for topic, template in shuffled(templates, rng):
            row = _unused_row(topic, template, used, rng)
            used.add((template, row))
            sentence = annotate(_fill(template, RECORDS[topic][row], rng))
            found.setdefault(sentence.text, sentence)
    return tuple(found.values())


def _unused_row(topic: str, template: str, used: set[tuple[str, int]], rng: random.Random) -> int:
    needed = {(name, bool(second)) for _, name, second, _ in SLOT.findall(template) if name not in COMMON}
    rows = [
        i
        for i, record in enumerate(RECORDS[topic])
        if all(len(record.get(name, ())) > second for name, second in needed)
    ]
    return choice([i for i in rows if (template, i) not in used] or rows, rng)


def _fill(template: str, record: dict[str, tuple[str, ...]], rng: random.Random) -> str:
    """Put nouns and agreeing forms into the slots, then contract: de el, a el, y before i, o before o."""
    values = {name: shuffled(alternatives, rng) for name, alternatives in {**COMMON, **record}.items()}

    def form(slot: re.Match[str]) -> str:
        article, name, second, endings = slot.groups()
        return _form(values[name][1 if second else 0], article, endings)

    marked = CHOICE.sub(lambda words: choice(words[1].split("/"), rng), template)
    marked = SLOT.sub(form, marked)
    marked = re.sub(r"\b(de|[Aa]) el (?=\[)", lambda found: found[1] + "l ", marked)
    marked = re.sub(r" y (?=(?:\[\S+ )?h?i(?![aeo]))", " e ", marked)
    return re.sub(r" o (?=(?:\[\S+ )?h?o)", " u ", marked)


def _form(value: str, article: str | None, endings: str | None) -> str:
    first, _, noun = value.partition(" ")
    if first not in ARTICLES:
        return value
    definite, indefinite, gender, number = ARTICLES[first]
    if endings == "o":
        return ("o", "a", "os", "as")[2 * number + gender]
    if endings is not None:
        forms = endings.split("|")
        return forms[2 * number + gender] if len(forms) == 4 else forms[number]
    return {None: noun, "el": definite, "El": definite.capitalize(), "un": indefinite}[article]
