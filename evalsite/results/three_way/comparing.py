"""Compares two runs beside the gold: what differs between them, over the text and as a list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.text import slugify

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome
from evalsite.results.units.passages import Mark as AnyMark
from evalsite.results.units.passages import Piece, cut_all, in_lanes

MOST_ROWS = 300
MOST_PASSAGES = 200


@dataclass(frozen=True)
class Mark(AnyMark):
    """A thing over the text of one side; `row` is the number of its row, 0 where both runs agree on it."""

    label: str
    kind: str
    word: str  # what is wrong, "" where nothing is
    row: int
    side: str
    content: str = ""  # what stands in the place of the text, where a side has words of its own


@dataclass(frozen=True)
class Row:
    """A thing in which the runs differ; an outcome is None where the run does not have what the other has invented."""

    number: int
    gold: Annotation | None
    first: Outcome | None
    second: Outcome | None

    @property
    def ahead(self) -> str:
        """Return which run is right where the other is wrong: "first", "second", or "" where neither is."""
        of_first, of_second = (outcome is None or outcome.kind == RIGHT for outcome in (self.first, self.second))
        return "" if of_first == of_second else "first" if of_first else "second"


@dataclass(frozen=True)
class Passage:
    """A passage of the text under the marks of gold, first and second run."""

    sides: list[tuple[str, list[Piece[Mark]]]]
    depth: int


@dataclass(frozen=True)
class Section:
    """A layer of both runs. `passages` are those with a difference."""

    title: str
    facts: Sequence[tuple[str, str]]
    passages: list[Passage]
    n_passages_left_out: int
    rows: list[Row]
    n_rows_left_out: int
    n_same: int
    n_first: int  # things in which the first run is right and the second wrong
    n_second: int

    @property
    def anchor(self) -> str:
        """Return the beginning of its rows' anchors; a blank would end an address."""
        return slugify(self.title) or "things"

    @property
    def n_different(self) -> int:
        return len(self.rows) + self.n_rows_left_out


def three_way(first: Sequence[Layer], second: Sequence[Layer]) -> list[Section]:
    """Return the layers of both, by title; those of the first come first."""
    by_title = {layer.title: layer for layer in second}
    pairs = [(layer, by_title.pop(layer.title, Layer(layer.title, layer.text, []))) for layer in first]
    pairs += [(Layer(layer.title, layer.text, []), layer) for layer in by_title.values()]
    return [_section(*pair) for pair in pairs]


def _section(first: Layer, second: Layer) -> Section:
    ones = {outcome.key: outcome for outcome in first.outcomes}
    others = {outcome.key: outcome for outcome in second.outcomes}
    keys = list(dict.fromkeys([*ones, *others]))
    pairs = [(ones.get(key), others.get(key)) for key in keys]
    different = [pair for pair in pairs if _state(pair[0]) != _state(pair[1])]
    # In the order of the text, whichever run they come from.
    different.sort(key=lambda pair: _start(pair[0] or pair[1]))
    rows = [Row(number, _gold(*pair), *pair) for number, pair in enumerate(different, start=1)]
    passages = _passages(first.text, pairs, rows)
    return Section(
        first.title,
        first.facts or second.facts,
        passages[:MOST_PASSAGES],
        max(0, len(passages) - MOST_PASSAGES),
        rows[:MOST_ROWS],
        max(0, len(rows) - MOST_ROWS),
        n_same=len(pairs) - len(rows),
        n_first=sum(row.ahead == "first" for row in rows),
        n_second=sum(row.ahead == "second" for row in rows),
    )


def _state(outcome: Outcome | None) -> object:
    return outcome and outcome.state


def _gold(first: Outcome | None, second: Outcome | None) -> Annotation | None:
    side = first or second
    return side.gold if side else None


def _start(outcome: Outcome | None) -> int:
    annotation = outcome and (outcome.gold or outcome.system)
    return min((start for start, _ in annotation.spans), default=0) if annotation else 0


def _passages(text: str, pairs: Sequence[tuple[Outcome | None, Outcome | None]], rows: Sequence[Row]) -> list[Passage]:
    """Return the passages of a text in which something differs."""
    if not text:
        return []
    numbers = {id(outcome): row.number for row in rows for outcome in (row.first, row.second) if outcome}
    sides = {
        "gold": in_lanes([mark for pair in pairs for mark in _gold_marks(pair, numbers)]),
        "first": in_lanes([mark for pair in pairs for mark in _marks(pair[0], "first", numbers)]),
        "second": in_lanes([mark for pair in pairs for mark in _marks(pair[1], "second", numbers)]),
    }
    passages = []
    for pieces, depth in cut_all(text, list(sides.values())):
        if any(mark.row for side in pieces for piece in side for mark in piece.marks):
            passages.append(Passage(list(zip_longest(sides, pieces)), depth))
    return passages


def _gold_marks(pair: tuple[Outcome | None, Outcome | None], numbers: dict[int, int]) -> Iterator[Mark]:
    outcome = pair[0] or pair[1]
    if outcome and outcome.gold:
        for start, end in outcome.gold.spans:
            yield Mark(start, end, outcome.gold.label, "gold", "", numbers.get(id(outcome), 0), "gold")


def _marks(outcome: Outcome | None, side: str, numbers: dict[int, int]) -> Iterator[Mark]:
    if outcome and outcome.system:
        word = "" if outcome.kind == RIGHT else outcome.title
        for start, end in outcome.system.spans:
            content = outcome.system.content if outcome.system.is_own else ""
            yield Mark(start, end, outcome.system.label, outcome.kind, word, numbers.get(id(outcome), 0), side, content)
