"""The spans of an annotated document, group by group, in the form that a marked text has."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext

from evalsite.results.units.marked_text import MarkedText, marked_text

Record = dict[str, Any]
Span = tuple[int, int, str]

_OF_ENTITIES = {"ner", "links", "seqeval", "nervaluate", "confusion"}
MOST_COMPARED = 1_000_000  # pairs of spans that are tried for an overlap


@dataclass(frozen=True)
class Layer:
    title: str
    text: MarkedText


class Places:
    """The places of the system's characters in the gold's text, which differs by no more than blanks and capitals."""

    def __init__(self, gold: str, system: str) -> None:
        self._gold, self._system = gold, system

    @cached_property
    def _solid(self) -> tuple[list[int], list[int]]:
        return _solid(self._gold), _solid(self._system)

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Return the same text, from its first to its last character that is no blank."""
        if self._gold == self._system:
            return start, end
        gold, system = self._solid
        first, last = bisect_left(system, start), bisect_left(system, end) - 1
        if first >= len(gold):
            return len(self._gold), len(self._gold)
        return gold[first], gold[min(max(first, last), len(gold) - 1)] + 1


def _solid(text: str) -> list[int]:
    """Return the places of all characters but blanks; twice where a small letter takes two characters."""
    return [place for place, character in enumerate(text) if not character.isspace() for _ in character.lower()]


def layers(record: Record, show: str = "") -> Iterator[Layer]:
    """Return entities, then each group of spans, if they are scored and a side has any; `show` as in marked_text."""
    for number, title, golds, spans in _groups(record):
        text = marked_text(_marked(record["gold"]["text"], golds, spans), show, prefix=f"layer{number}-")
        yield Layer(title, text)


def pairs_of_groups(record: Record) -> Iterator[tuple[str, list[Record]]]:
    """Return the title and the pairs of spans of the same groups."""
    for _, title, golds, spans in _groups(record):
        yield title, [_pair(record["gold"]["text"], *pair) for pair in _pairs(golds, spans)]


def _groups(record: Record) -> Iterator[tuple[int, str, list[Span], list[Span]]]:
    """Number, title, and the spans of gold and system in characters of the gold's text."""
    scored = set(record["scores"])
    gold, system = record["gold"], record["system"]
    places = Places(gold["text"], system["text"])
    keys = dict.fromkeys([*gold["spans"], *system["spans"]] if "spans" in scored else [])
    groups = [(gettext("Entities"), gold["ents"], system["ents"], "")] if scored & _OF_ENTITIES else []
    of_key = gettext("Spans: %(key)s")
    groups += [(of_key % {"key": key}, gold["spans"].get(key, []), system["spans"].get(key, []), key) for key in keys]
    for number, (title, of_gold, of_system, key) in enumerate(groups):
        spans = [(*places.of(span["start_char"], span["end_char"]), span["label"]) for span in of_system]
        # Those off the tokens have no group of their own among the spans.
        spans += [
            (span["start_char"], span["end_char"], span["label"])
            for span in system["off_boundary"]
            if span["key"] == key
        ]
        golds = [(span["start_char"], span["end_char"], span["label"]) for span in of_gold]
        if golds or spans:
            yield number, title, golds, spans


def _marked(text: str, gold: Sequence[Span], system: Sequence[Span]) -> Record:
    return {
        "text": text,
        "gold": [_span(span) for span in gold],
        "system": [_span(span) for span in system],
        "pairs": [_pair(text, *pair) for pair in _pairs(gold, system)],
    }


def _span(span: Span) -> Record:
    return dict(zip(("start", "end", "label"), span, strict=True))


def _pairs(gold: Sequence[Span], system: Sequence[Span]) -> list[tuple[str, Span | None, Span | None]]:
    """Return each span once: with its equal, with one of the same extent, with one that overlaps it, or alone."""
    pairs: list[tuple[str, Span | None, Span | None]] = []
    golds, systems = list(gold), list(system)
    ways: list[tuple[str, Callable[[Span], Any]]] = [("match", lambda span: span), ("tagclash", lambda span: span[:2])]
    for kind, key in ways:
        pairs += [(kind, *pair) for pair in _equal(golds, systems, key)]
    for kind, same_label in (("spanclash", True), ("bothclash", False)):
        pairs += [(kind, *pair) for pair in _overlapping(golds, systems, same_label=same_label)]
    pairs += [("missing", span, None) for span in golds]
    pairs += [("spurious", None, span) for span in systems]
    return sorted(pairs, key=lambda pair: (pair[1] or pair[2] or (0, 0, ""))[:2])


def _equal(golds: list[Span], systems: list[Span], key: Callable[[Span], Any]) -> Iterator[tuple[Span, Span]]:
    """Pair equal spans, and take them out of both lists."""
    waiting: dict[Any, list[Span]] = defaultdict(list)
    for span in reversed(systems):
        waiting[key(span)].append(span)
    left = []
    for span in golds:
        if waiting[key(span)]:
            yield span, waiting[key(span)].pop()
        else:
            left.append(span)
    golds[:] = left
    systems[:] = [span for spans in waiting.values() for span in reversed(spans)]


def _overlapping(golds: list[Span], systems: list[Span], *, same_label: bool) -> list[tuple[Span, Span]]:
    """Pair the largest overlaps first, and take what is paired out of both lists."""
    if len(golds) * len(systems) > MOST_COMPARED:
        return []
    overlaps = [
        (common, place, other)
        for place, one in enumerate(golds)
        for other, two in enumerate(systems)
        if (common := min(one[1], two[1]) - max(one[0], two[0])) > 0 and (one[2] == two[2] or not same_label)
    ]
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, place, other in sorted(overlaps, key=lambda overlap: (-overlap[0], *overlap[1:])):
        if place not in taken[0] and other not in taken[1]:
            pairs.append((golds[place], systems[other]))
            taken[0].add(place)
            taken[1].add(other)
    golds[:] = [span for place, span in enumerate(golds) if place not in taken[0]]
    systems[:] = [span for place, span in enumerate(systems) if place not in taken[1]]
    return pairs


def _pair(text: str, kind: str, gold: Span | None, system: Span | None) -> Record:
    record: Record = {"type": kind}
    for prefix, span in (("ref", gold), ("hyp", system)):
        start, end, label = span or (None, None, None)
        content = None if span is None else text[start:end]
        record |= {prefix + "label": label, prefix + "start": start, prefix + "end": end, prefix + "content": content}
    return record
