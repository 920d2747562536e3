"""Draws a dependency tree as arcs over the words of a sentence; all coordinates are in pixels."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

LETTER = 8.0  # the width of a letter of a word
SMALL_LETTER = 6.6  # and of a label
LEVEL = 27  # the height of a level of arcs
_GAP = 18
_EDGE = 10
_ROUND = 8
_LONGEST = 24  # characters of a word or label
_BELOW = 48  # words and tags


@dataclass(frozen=True)
class Arc:
    """An arc from head to dependent, places in the sentence; a root is its own head. `kind` and `sign` say what is
    wrong."""

    head: int
    dependent: int
    label: str
    kind: str = "right"
    sign: str = ""


@dataclass(frozen=True)
class Side:
    """The tree of one side; a tag for each word, which may be empty."""

    words: Sequence[str]
    tags: Sequence[str]
    arcs: Sequence[Arc]


@dataclass(frozen=True)
class Word:
    x: float
    text: str
    tag: str


@dataclass(frozen=True)
class Edge:
    """An arc as a path, its arrow head, and where its label stands."""

    path: str
    arrow: str
    x: float
    y: float
    label: str
    kind: str


@dataclass(frozen=True)
class Tree:
    width: int
    height: int
    baseline: int
    words: list[Word]
    edges: list[Edge]


def trees(sides: Sequence[Side]) -> list[Tree]:
    """Return each side's tree over the same words, which stand at the same places: short arcs below long ones.

    From left to right, or as most of the words are written.
    """
    labels = {arc: f"{arc.sign}{_cut(arc.label)}" for side in sides for arc in side.arcs}
    places = _places(sides, labels)
    last = max((_half(side, -1) for side in sides), default=0) if places else 0
    width = round(places[-1] + last + _EDGE) if places else 0
    if sides and _is_from_the_right(sides[0].words):
        return [_tree(side, labels, width, [width - place for place in places], -1) for side in sides]
    return [_tree(side, labels, width, places, 1) for side in sides]


def _tree(side: Side, labels: dict[Arc, str], width: int, xs: Sequence[float], direction: int) -> Tree:
    levels = _levels(side.arcs)
    highest = max(levels.values(), default=0)
    ground = (highest + 1) * LEVEL
    ends = {end: direction * offset for end, offset in _ends(side.arcs).items()}
    edges = [_edge(arc, xs, ends, ground, ground - (levels[arc] or highest) * LEVEL, labels[arc]) for arc in side.arcs]
    words = [Word(round(x, 1), _cut(word), tag) for x, word, tag in zip(xs, side.words, side.tags, strict=True)]
    return Tree(width, ground + _BELOW, ground, words, edges)


def _is_from_the_right(words: Sequence[str]) -> bool:
    directions = [unicodedata.bidirectional(letter) for word in words for letter in word]
    return sum(direction in ("R", "AL") for direction in directions) > directions.count("L")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _width(text: str, letter: float) -> float:
    return letter * sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _half(side: Side, place: int) -> float:
    return max(_width(_cut(side.words[place]), LETTER), _width(side.tags[place], SMALL_LETTER)) / 2


def _places(sides: Sequence[Side], labels: dict[Arc, str]) -> list[float]:
    """Return the middle of each word, with room for it and for the label of an arc between neighbours."""
    if not sides or not sides[0].words:
        return []
    halves = [max(_half(side, place) for side in sides) for place in range(len(sides[0].words))]
    between = [_GAP + left + right for left, right in pairwise(halves)]
    first = halves[0]
    for arc, label in labels.items():
        low, high = sorted((arc.head, arc.dependent))
        if high - low == 1:
            between[low] = max(between[low], _width(label, SMALL_LETTER) + 2 * _GAP)
        elif high == low == 0:
            first = max(first, _width(label, SMALL_LETTER) / 2)
    return [round(place, 1) for place in accumulate([first + _EDGE, *between])]


def _levels(arcs: Sequence[Arc]) -> dict[Arc, int]:
    """Return the lowest level at which an arc meets no shorter one; 0 for roots."""
    levels: dict[Arc, int] = {}
    over: dict[int, int] = {}  # the highest level in the gap after each word
    for arc in sorted(arcs, key=lambda arc: abs(arc.head - arc.dependent)):
        gaps = range(min(arc.head, arc.dependent), max(arc.head, arc.dependent))
        levels[arc] = max((over.get(gap, 0) for gap in gaps), default=-1) + 1
        over |= dict.fromkeys(gaps, levels[arc])
    return levels


def _ends(arcs: Sequence[Arc]) -> dict[tuple[Arc, bool], float]:
    """Return how far from a word's middle each of its arcs stands, so that they do not run into each other."""
    touching: dict[int, list[tuple[float, float, Arc, bool]]] = {}
    for arc in arcs:
        for place, other, is_head in ((arc.head, arc.dependent, True), (arc.dependent, arc.head, False)):
            if arc.head != arc.dependent or not is_head:
                side = (other > place) - (other < place)
                # Long arcs stand nearer to the middle, so that they do not cross short ones.
                touching.setdefault(place, []).append((side, -abs(place - other) * side, arc, is_head))
    places: dict[tuple[Arc, bool], float] = {}
    for ends in touching.values():
        ends.sort(key=lambda end: end[:2])
        step = min(6.0, 20 / len(ends))
        for number, (_, _, arc, is_head) in enumerate(ends):
            places[arc, is_head] = round((number - (len(ends) - 1) / 2) * step, 1)
    return places


def _edge(
    arc: Arc, xs: Sequence[float], ends: dict[tuple[Arc, bool], float], ground: int, top: float, label: str
) -> Edge:
    end = xs[arc.dependent] + ends[arc, False]
    arrow = f"M{end - 3.5:.1f},{ground - 7} h7 l-3.5,7 z"
    if arc.head == arc.dependent:
        return Edge(f"M{end:.1f},{top - 10:.1f} V{ground - 5}", arrow, end, top - 12, label, arc.kind)
    start = xs[arc.head] + ends[arc, True]
    turn = min(_ROUND, abs(end - start) / 2) * (1 if end > start else -1)
    path = (
        f"M{start:.1f},{ground} V{top + _ROUND:.1f} Q{start:.1f},{top:.1f} {start + turn:.1f},{top:.1f}"
        f" H{end - turn:.1f} Q{end:.1f},{top:.1f} {end:.1f},{top + _ROUND:.1f} V{ground - 5}"
    )
    return Edge(path, arrow, round((start + end) / 2, 1), top, label, arc.kind)
