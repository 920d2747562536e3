"""Records the outcome of each thing in a unit in the words of all families, so that two runs can be compared."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise

RIGHT = "match"
OFF = "off"  # beside the gold, where nothing says from which distance on that is wrong
Record = dict[str, Any]


@dataclass(frozen=True)
class Annotation:
    """The annotation of one side: a label and the text that it is about; `spans` are characters of the layer's text.

    `is_own` says that the content is not the text under the spans, but stands in its place; `exact` is a number with
    all its digits.
    """

    label: str
    content: str
    spans: tuple[tuple[int, int], ...] = ()
    is_own: bool = False
    exact: str = ""


@dataclass(frozen=True)
class Outcome:
    """One thing of the gold and what the run made of it, or something that the run alone has."""

    key: Hashable  # the same in every run for the same thing of the gold, or the same invention
    kind: str  # RIGHT, or a class of what is wrong
    title: str  # the kind, for people
    gold: Annotation | None
    system: Annotation | None
    detail: Annotation | None = None  # of what is wrong, where it matters in which way

    @property
    def state(self) -> Hashable:
        """Return the state of a thing; two runs whose states are equal do not differ in it."""
        return self.kind, self.title, None if self.kind == RIGHT else self.detail


@dataclass(frozen=True)
class Layer:
    """The outcomes that belong together on a page: `text` is empty where it is a list alone.

    `facts` are what the gold's files tell beside them, with a name each.
    """

    title: str
    text: str
    outcomes: list[Outcome]
    facts: Sequence[tuple[str, str]] = ()


def with_distinct_keys(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Number things that look alike in their order, so that each has a key of its own."""
    seen: Counter[Hashable] = Counter()
    for outcome in outcomes:
        seen[outcome.key] += 1
        yield replace(outcome, key=(outcome.key, seen[outcome.key]))


def of_pairs(pairs: Sequence[Record], kinds: Sequence[str], titles: Mapping[str, Promise]) -> list[Outcome]:
    """Convert the rows that `marked_text` takes; of a span with several rows the one whose kind stands first in
    `kinds`."""
    ordered = sorted(range(len(pairs)), key=lambda place: (kinds.index(pairs[place]["type"]), place))
    taken: set[Hashable] = set()
    outcomes: dict[int, Outcome] = {}
    for place in ordered:
        kind = pairs[place]["type"]
        gold, system = (_annotation(pairs[place], prefix) for prefix in ("ref", "hyp"))
        # A span that another row has already been marked for is not marked twice.
        drawn = replace(system, spans=()) if system and ("system", system) in taken else system
        sides = [(name, annotation) for name, annotation in (("gold", gold), ("system", system)) if annotation]
        # Equal spans of one side have a row each, and these are no repetition.
        new = [side for side in sides if side not in taken]
        if new or kind in ("match", "missing", "spurious"):
            # A clash of a gold span that has a better row tells of the system's span alone.
            outcomes[place] = Outcome((new or sides)[0], kind, str(titles[kind]), gold, drawn, system)
        taken.update(sides)
    return list(with_distinct_keys(outcomes[place] for place in sorted(outcomes)))


def _annotation(pair: Record, prefix: str) -> Annotation | None:
    if pair[f"{prefix}label"] is None:
        return None
    span = (pair[f"{prefix}start"], pair[f"{prefix}end"])
    return Annotation(pair[f"{prefix}label"], pair[f"{prefix}content"] or "", (span,))
