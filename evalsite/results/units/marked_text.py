"""A text with the spans of gold and system as its page shows them: passages of pieces, each under its spans."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.results.units.passages import Mark as AnyMark
from evalsite.results.units.passages import Passage, cut, in_lanes

Record = dict[str, Any]

# What a pair of spans can be, the nearest first, and the word that stands beside the label in the text.
KINDS: dict[str, str | Promise] = {
    "match": "",
    "spanclash": pgettext_lazy("what differs", "extent"),
    "tagclash": pgettext_lazy("what differs", "label"),
    "bothclash": pgettext_lazy("what differs", "both"),
    "missing": pgettext_lazy("span", "missing"),
    "spurious": pgettext_lazy("span", "spurious"),
}
TITLES: dict[str, Promise] = {
    "match": gettext_lazy("Match"),
    "spanclash": gettext_lazy("Other extent"),
    "tagclash": gettext_lazy("Other label"),
    "bothclash": gettext_lazy("Both differ"),
    "missing": pgettext_lazy("span", "Missing"),
    "spurious": pgettext_lazy("span", "Spurious"),
}
MOST_PASSAGES = 500
MOST_PAIRS = 500


@dataclass(frozen=True)
class Mark(AnyMark):
    """A span on one side: `anchor` is its place on the page, `pair` that of the row that tells what it met."""

    label: str
    kind: str
    anchor: str
    pair: str

    @property
    def word(self) -> str:
        return str(KINDS[self.kind])


@dataclass(frozen=True)
class Row:
    """The relation of one span of the gold and one of the system; None where a side has none."""

    number: int
    kind: str
    gold: Record | None
    system: Record | None

    @property
    def title(self) -> str:
        """Return the kind, for people."""
        return str(TITLES[self.kind])


@dataclass(frozen=True)
class MarkedText:
    """`counts` is the number of pairs of each kind, whatever is shown of them.

    `prefix` tells the anchors of several texts on a page apart.
    """

    passages: list[Passage[Mark]]
    rows: list[Row]
    counts: dict[str, int]
    show: str
    prefix: str
    n_passages_left_out: int
    n_rows_left_out: int


def marked_text(record: Record, show: str = "", *, prefix: str = "") -> MarkedText:
    """Return passages with such spans; `show` is one of KINDS, "errors", or "" for all."""
    rows = [_row(number, pair) for number, pair in enumerate(record["pairs"], start=1)]
    counted = Counter(row.kind for row in rows)
    counts = {kind: counted[kind] for kind in KINDS}
    show = show if show in ("errors", *KINDS) else ""
    kinds = _shown_kinds(show)
    shown = [row for row in rows if row.kind in kinds]
    gold = _marks(record["gold"], rows, "gold", kinds, prefix)
    system = _marks(record["system"], rows, "system", kinds, prefix)
    passages = list(cut(record["text"], gold, system))
    if show:
        passages = [passage for passage in passages if any(piece.marks for piece in passage.gold + passage.system)]
    return MarkedText(
        passages[:MOST_PASSAGES],
        shown[:MOST_PAIRS],
        counts,
        show,
        prefix,
        max(0, len(passages) - MOST_PASSAGES),
        max(0, len(shown) - MOST_PAIRS),
    )


def _row(number: int, pair: Record) -> Row:
    return Row(number, pair["type"], _side(pair, "ref"), _side(pair, "hyp"))


def _side(pair: Record, prefix: str) -> Record | None:
    if pair[f"{prefix}label"] is None:
        return None
    return {name: pair[prefix + name] for name in ("label", "start", "end", "content")}


def _shown_kinds(show: str) -> list[str]:
    if show == "errors":
        return [kind for kind in KINDS if kind != "match"]
    return [show] if show else list(KINDS)


def _marks(spans: Sequence[Record], rows: Sequence[Row], side: str, kinds: Sequence[str], prefix: str) -> list[Mark]:
    """Return a mark for each span that has a row of these kinds; its own kind is the first of KINDS among them.

    Equal spans share their rows out among themselves as long as there are enough.
    """
    waiting: dict[tuple[Any, ...], deque[Row]] = defaultdict(deque)
    for row in rows:
        if part := getattr(row, side):
            waiting[_key(part)].append(row)
    alike = Counter(_key(span) for span in spans)
    marks = []
    for number, span in enumerate(spans, start=1):
        matching: Collection[Row] = waiting[_key(span)]
        if alike[_key(span)] > 1 and len(matching) > 1:
            matching = [waiting[_key(span)].popleft()]
        shown = [row for row in matching if row.kind in kinds]
        if shown:
            best = min(shown, key=lambda row: list(KINDS).index(row.kind))
            place = (f"{prefix}{side}-{number}", f"{prefix}pair-{best.number}")
            marks.append(Mark(span["start"], span["end"], span["label"], best.kind, *place))
    return in_lanes(marks)


def _key(span: Record) -> tuple[Any, ...]:
    return span["start"], span["end"], span["label"]
