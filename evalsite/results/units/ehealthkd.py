"""A sentence with the phrases of both sides marked, and their relations as arcs above and below its words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.results.units.arcs import LEVEL, Arc, Edge, Side, Word, trees
from evalsite.results.units.marked_text import KINDS, Mark, MarkedText, Row
from evalsite.results.units.passages import cut, in_lanes

Record = dict[str, Any]

TITLES: dict[str, Promise] = {
    "match": pgettext_lazy("phrase or relation", "Correct"),
    "tagclash": gettext_lazy("Incorrect: other label"),
    "spanclash": pgettext_lazy("phrase or relation", "Partial"),
    "bothclash": gettext_lazy("Partial, other label"),
    "missing": pgettext_lazy("phrase or relation", "Missing"),
    "spurious": pgettext_lazy("phrase or relation", "Spurious"),
}
KIND_OF_PHRASE = {"correct": "match", "incorrect": "tagclash", "partial": "spanclash"}
KIND_OF_RELATION = {"correct": "match", "missing": "missing", "spurious": "spurious"}
_SIGNS = {"match": "", "missing": "− ", "spurious": "× "}
_LOOKS = {"match": "right"}  # of an arc, where it is not called like its kind
MOST_DRAWN = 120  # words of a sentence whose relations are drawn
_ROOM = 14  # between the words and the arcs below them


@dataclass(frozen=True)
class PhraseRow(Row):
    """A row in the words of the challenge."""

    @property
    def title(self) -> str:
        return str(TITLES[self.kind])


@dataclass(frozen=True)
class Relation:
    """A relation of either side, or of both: the texts of its ends, None where a side has no such relation."""

    number: int
    kind: str  # of TITLES
    label: str
    gold: tuple[str, str] | None
    system: tuple[str, str] | None

    @property
    def title(self) -> str:
        return str(TITLES[self.kind])


@dataclass(frozen=True)
class Drawing:
    """The gold's relations above the words, the system's below: `below` is drawn downwards from `floor`."""

    width: int
    height: int
    baseline: int  # of the words
    words: list[Word]
    above: list[Edge]
    below: list[Edge]
    floor: int  # where a point of `below` at height y is drawn at floor - y


@dataclass(frozen=True)
class Sentence:
    """The content of a sentence's page, once it is filtered; `kinds` and `labels` count everything."""

    text: MarkedText
    relations: list[Relation]
    drawing: Drawing | None  # None where there is no relation, or where the sentence is too long
    kinds: list[tuple[str, str, int]]  # (kind, title, how many phrases and relations)
    labels: list[tuple[str, int]]
    n_all: int
    n_errors: int
    label: str  # the one that is shown alone; "" for all


def sentence(record: Record, show: str = "", label: str = "") -> Sentence:
    """Return what the page shows: `show` is one of TITLES, "errors", or "" for all; `label` one of them, or ""."""
    rows = [_row(number, pair, record) for number, pair in enumerate(record["phrases"], start=1)]
    relations = [_relation(number, pair, record) for number, pair in enumerate(record["relations"], start=1)]
    kinds = Counter([row.kind for row in rows] + [relation.kind for relation in relations])
    labels = Counter(name for row in rows for name in _labels(row))
    labels.update(relation.label for relation in relations)
    n_errors = kinds.total() - kinds["match"]
    if show not in TITLES and not (show == "errors" and n_errors < kinds.total()):
        show = ""
    label = label if label in labels else ""

    def is_shown(kind: str, names: set[str]) -> bool:
        return (not label or label in names) and (show in ("", kind) or (show == "errors" and kind != "match"))

    shown_rows = [row for row in rows if is_shown(row.kind, _labels(row))]
    shown = [is_shown(relation.kind, {relation.label}) for relation in relations]
    return Sentence(
        text=_marked(record, shown_rows, kinds, show),
        relations=[relation for relation, is_in in zip(relations, shown, strict=True) if is_in],
        drawing=_drawing(record, [pair for pair, is_in in zip(record["relations"], shown, strict=True) if is_in]),
        kinds=[(kind, str(title), kinds[kind]) for kind, title in TITLES.items() if kinds[kind]],
        labels=sorted(labels.items(), key=lambda pair: (-pair[1], pair[0])),
        n_all=kinds.total(),
        n_errors=n_errors,
        label=label,
    )


def _labels(row: Row) -> set[str]:
    return {side["label"] for side in (row.gold, row.system) if side}


def _row(number: int, pair: Record, record: Record) -> PhraseRow:
    gold, system = (_phrase(record, side, pair[side]) for side in ("gold", "system"))
    kind = KIND_OF_PHRASE.get(pair["kind"], str(pair["kind"]))
    if kind == "spanclash" and gold and system and gold["label"] != system["label"]:
        kind = "bothclash"
    return PhraseRow(number, kind, gold, system)


def _phrase(record: Record, side: str, place: int | None) -> Record | None:
    """Return the phrase as the list below the text shows it; the pieces of a broken one are joined by dots."""
    if place is None:
        return None
    phrase = record[side][place]
    spans = phrase["spans"]
    return {
        "label": phrase["label"],
        "content": text_of(record, side, place),
        "start": min(start for start, _ in spans),
        "end": max(end for _, end in spans),
        "spans": spans,
        "place": place,
    }


def text_of(record: Record, side: str, place: int) -> str:
    """Return the text of spans, of which those that touch or are parted by a blank are one piece."""
    pieces: list[list[int]] = []
    for start, end in sorted(record[side][place]["spans"]):
        if pieces and not record["text"][pieces[-1][1] : start].strip():
            pieces[-1][1] = max(end, pieces[-1][1])
        else:
            pieces.append([start, end])
    return " … ".join(record["text"][start:end] for start, end in pieces)


def _relation(number: int, pair: Record, record: Record) -> Relation:
    gold, system = (
        pair[side] and (text_of(record, side, pair[side][0]), text_of(record, side, pair[side][1]))
        for side in ("gold", "system")
    )
    return Relation(number, KIND_OF_RELATION[pair["kind"]], pair["label"], gold, system)


def _marked(record: Record, rows: Sequence[Row], kinds: Counter[str], show: str) -> MarkedText:
    gold, system = (_marks(rows, side) for side in ("gold", "system"))
    counts = {kind: kinds[kind] for kind in KINDS}
    return MarkedText(list(cut(record["text"], gold, system)), list(rows), counts, show, "", 0, 0)


def _marks(rows: Sequence[Row], side: str) -> list[Mark]:
    """Return a mark for each span of each phrase: the pieces of a broken phrase look alike and lead to one row."""
    return in_lanes(
        [
            Mark(start, end, phrase["label"], row.kind, f"{side}-{row.number}-{piece}", f"pair-{row.number}")
            for row in rows
            if (phrase := getattr(row, side))
            for piece, (start, end) in enumerate(_pieces(phrase["spans"]), start=1)
        ]
    )


def _pieces(spans: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the spans with those that a single character parts, as words that were listed one by one, made one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(map(tuple, spans)):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _drawing(record: Record, pairs: Sequence[Record]) -> Drawing | None:
    words = [(match.start(), match.group()) for match in re.finditer(r"\S+", record["text"])]
    if not pairs or not words or len(words) > MOST_DRAWN:
        return None
    names, tags = [word for _, word in words], [""] * len(words)
    sides = [
        Side(names, tags, [_arc(pair, pair[side], record[side], words) for pair in pairs if pair[side]])
        for side in ("gold", "system")
    ]
    above, below = trees(sides)
    floor = above.baseline + _WORDS + below.baseline
    flipped = [Edge(e.path, e.arrow, e.x, round(floor - e.y, 1), e.label, e.kind) for e in below.edges]
    return Drawing(
        width=above.width,
        height=floor + LEVEL // 2,
        baseline=above.baseline,
        words=above.words,
        above=above.edges,
        below=flipped,
        floor=floor,
    )


_WORDS = 20 + _ROOM  # the height of the words and the room below them


def _arc(pair: Record, ends: Sequence[int], phrases: Sequence[Record], words: Sequence[tuple[int, str]]) -> Arc:
    kind = KIND_OF_RELATION[pair["kind"]]
    source, target = (_word(phrases[end], words) for end in ends)
    return Arc(source, target, pair["label"], _LOOKS.get(kind, kind), _SIGNS[kind])


def _word(phrase: Record, words: Sequence[tuple[int, str]]) -> int:
    """Return the place of the word in which a phrase begins."""
    begins = min(start for start, _ in phrase["spans"])
    return max((place for place, (start, _) in enumerate(words) if start <= begins), default=0)
