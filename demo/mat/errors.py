"""Imitates how systems err on the bulletins: mistakes have reasons in the text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from demo.chance import Happens, chances
from demo.mat.documents import Document, Span, documents_of

NAMES = ("PERSON", "ORGANISATION", "PLACE", "VESSEL", "DATE")
CLAUSES = ("EVENT", "CAUSE")

# With two names, the first one is the likelier mistake.
CONFUSIONS = {
    "PERSON": ("ORGANISATION", "VESSEL"),
    "ORGANISATION": ("PLACE", "VESSEL"),
    "PLACE": ("ORGANISATION", "VESSEL"),
    "VESSEL": ("PERSON", "PLACE"),
    "EVENT": ("CAUSE", "CAUSE"),
    "CAUSE": ("EVENT", "EVENT"),
}
DIFFICULTY = {"PERSON": 0.6, "ORGANISATION": 1.2, "PLACE": 0.9, "VESSEL": 1.3, "DATE": 0.5, "EVENT": 1.7, "CAUSE": 2.2}
# Words that a careless system takes into the name behind them.
LEADING = {"the", "Captain", "Pilot", "Inspector", "Coxswain", "ferry", "tug", "lifeboat", "trawler", "coaster", "on"}
TIME_OR_TITLE = re.compile(r"\b(?:\d\d:\d\d|Chief Engineer|Harbour Master|Inspector|Coxswain|noon)\b")


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong where a spot is of middling difficulty."""

    missing: float
    boundary: float
    label: float
    spurious: float
    inner: float  # names inside other names that are not found
    by_tag: dict[str, float] = field(default_factory=dict)  # multiplies missing, boundary and label


def run(document: Document, rates: Rates, name: str, tags: tuple[str, ...]) -> tuple[Span, ...]:
    """What a system that knows `tags` makes of one document."""
    happens = chances(name, document.name)
    found = {
        span
        for gold in document.spans
        if gold.tag in tags and (span := _answer(document, gold, rates, happens)) and span.tag in tags
    }
    return tuple(sorted(found | set(_spurious(document, rates, tags, happens))))


def look_up(document: Document) -> tuple[Span, ...]:
    """The baseline: the longest name of the training bulletins at each word, from left to right."""
    words = document.tokens
    found, i = [], 0
    while i < len(words):
        for j in range(min(i + 6, len(words)), i, -1):
            tag = _word_list().get(document.text[words[i][0] : words[j - 1][1]])
            if tag:
                found.append(Span(words[i][0], words[j - 1][1], tag))
                i = j - 1
                break
        i += 1
    return tuple(found)


@cache
def _word_list() -> dict[str, str]:
    """Names of the training bulletins with their most frequent tag."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents_of("training"):
        for span in document.spans:
            if span.tag in NAMES:
                seen[document.text[span.start : span.end]][span.tag] += 1
    return {name: tags.most_common(1)[0][0] for name, tags in seen.items()}


def _answer(document: Document, gold: Span, rates: Rates, happens: Happens) -> Span | None:
    """The span that the system has in place of this one, if it has any."""
    spot = (gold.start, gold.end, gold.tag)
    factor = DIFFICULTY[gold.tag] * rates.by_tag.get(gold.tag, 1) * _novelty(document, gold)
    if _is_inner(document, gold) and happens(rates.inner, "inner", *spot):
        return None
    if happens(rates.missing * factor, "missing", *spot):
        return None
    tag = gold.tag
    if tag in CONFUSIONS and happens(rates.label * factor, "label", *spot):
        tag = CONFUSIONS[tag][happens(0.35, "confusion", *spot)]
    if happens(rates.boundary * factor, "boundary", *spot):
        return _moved(document, gold, tag, happens)
    return Span(gold.start, gold.end, tag)


def _novelty(document: Document, span: Span) -> float:
    """Names that nobody has read before are harder; clauses are always new."""
    if span.tag in CLAUSES:
        return 1.0
    return 0.6 if document.text[span.start : span.end] in _word_list() else 1.2


def _is_inner(document: Document, span: Span) -> bool:
    return any(
        other != span and other.tag in NAMES and other.start <= span.start and span.end <= other.end
        for other in document.spans
    )


def _moved(document: Document, gold: Span, tag: str, happens: Happens) -> Span:
    """A clause begins or ends a few words off; a name takes the word before it along or loses one."""
    words = document.tokens
    first = next(i for i, (start, _) in enumerate(words) if start == gold.start)
    last = next(i for i, (_, end) in enumerate(words) if end == gold.end)
    spot = (gold.start, gold.end)
    if gold.tag in CLAUSES:
        by = 1 + sum(happens(0.5, "by", k, *spot) for k in range(3))
        if happens(0.35, "start", *spot):
            first = min(first + by, last) if happens(0.5, "later", *spot) else max(first - 1, 0)
        else:
            last = max(last - by, first)
    elif first and document.text[slice(*words[first - 1])] in LEADING and happens(0.6, "leading", *spot):
        first -= 1
    elif first < last:
        first, last = (first + 1, last) if happens(0.4, "start", *spot) else (first, last - 1)
    return Span(words[first][0], words[last][1], tag)


def _spurious(document: Document, rates: Rates, tags: tuple[str, ...], happens: Happens) -> Iterator[Span]:
    """Times taken for dates, titles for people, the first word of a sentence for a name, a reaction for an event."""
    for found in TIME_OR_TITLE.finditer(document.text):
        tag = "DATE" if found[0][0] in "0123456789n" else "PERSON"
        if tag in tags and happens(rates.spurious, "title", found.start()):
            yield Span(*found.span(), tag)
    for found in re.finditer(r"(?<=[.\n][ \n])([A-Z][a-z]{3,})(?: [a-z]\w+)+", document.text):
        tag = ("ORGANISATION", "PLACE", "VESSEL")[sum(happens(0.4, "kind", k, found.start()) for k in range(2))]
        if tag in tags and happens(rates.spurious / 2, "capital", found.start()):
            yield Span(*found.span(1), tag)
    for found in re.finditer(r" (?:was|were|had|left|closed|took) ((?:\w+ ){2,6}\w+)(?=[.,;])", document.text):
        tag = "CAUSE" if happens(0.4, "cause", found.start()) else "EVENT"
        if tag in tags and happens(rates.spurious, "clause", found.start()):
            yield Span(*found.span(1), tag)
