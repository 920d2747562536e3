"""Precision, recall and F1 of labels with all their ancestors: a label near the right one is right in part.

    hierarchy     Ethos > Ad Hominem, Ad Hominem > Doubt, Ad Hominem > Smears
    gold Doubt    Doubt, Ad Hominem, Ethos      system Smears    Smears, Ad Hominem, Ethos
    both          Ad Hominem, Ethos: precision, recall and F1 are 2/3

Kiritchenko et al. 2006, *Learning and evaluation in the presence of class hierarchies*; SemEval-2024 task 4.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scoring.columns import Integers, owners, ranges, starts_from_sizes
from scoring.families.labels.entries import Entries
from scoring.families.table_options import names
from scoring.family import Options
from scoring.messages import Message
from scoring.readers.labels import LabelList, Sets, of_hierarchy
from scoring.score import Score

HIERARCHY_KINDS = ("with_ancestors_gold", "with_ancestors_system", "with_ancestors_both")
_SIGN = ">"
_MAX_PAIRS = 2_000  # pairs, which keeps all ancestors of all labels few
HIERARCHY_SCORES = (
    Score("h_precision", "Hierarchical precision"),
    Score("h_recall", "Hierarchical recall"),
    Score("h_f1", "Hierarchical F1"),
)


def parsed_hierarchy(given: Any) -> tuple[str, ...] | None:
    """Return pairs "parent > child"; ValueError for anything else, and for labels that go round in a circle."""
    if given in (None, "", [], ()):
        return None
    pairs = tuple(f"{above} {_SIGN} {below}" for above, below in map(_pair, names(given)))
    if len(pairs) > _MAX_PAIRS:
        raise ValueError(Message("too-many-pairs", "expected at most {most} pairs", most=_MAX_PAIRS))
    if circle := _circle(parents_of(pairs)):
        raise ValueError(
            Message("labels-in-circle", "the labels go round in a circle: {circle}", circle=f" {_SIGN} ".join(circle))
        )
    return tuple(dict.fromkeys(pairs))


def _pair(text: str) -> tuple[str, str]:
    parts = tuple(part.strip() for part in text.split(_SIGN))
    if len(parts) != 2 or not all(parts):
        raise ValueError(
            Message("expected-pairs", "expected pairs of labels such as Ethos > Ad Hominem, found {text!r}", text=text)
        )
    return parts[0], parts[1]


def parents_of(pairs: Iterable[str]) -> dict[str, list[str]]:
    """Return {label: its parents}."""
    parents: dict[str, list[str]] = {}
    for above, below in of_hierarchy(pairs):
        parents.setdefault(below, []).append(above)
    return parents


def _circle(parents: Mapping[str, list[str]]) -> list[str]:
    """Return the labels of one circle from parent to child, the first one again at the end; none without a circle.

    >>> _circle({"b": ["a"], "a": ["b"], "c": ["a"]})
    ['b', 'a', 'b']
    >>> _circle({"c": ["a", "b"]})
    []
    """
    done: set[str] = set()
    for start in parents:
        path: dict[str, Any] = {start: iter(parents[start])}
        while path and start not in done:
            label = next(reversed(path))
            above = next((parent for parent in path[label] if parent not in done), None)
            if above is None:
                done.add(label)
                del path[label]
            elif above in path:
                line = [*path]
                return [above, *reversed(line[line.index(above) :])]
            else:
                path[above] = iter(parents.get(above, ()))
    return []


def hierarchy_keys(options: Mapping[str, Any]) -> list[str]:
    """Return the keys of the scores."""
    return [score.key for score in HIERARCHY_SCORES] if options.get("hierarchy") else []


def hierarchy_kinds(options: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns."""
    return [*HIERARCHY_KINDS] if options.get("hierarchy") else []


def count_ancestors(
    entries: Entries, columns: list[str], gold: Sets, system: Sets, labels: LabelList, options: Options
) -> None:
    """Add how many labels each item has with all their ancestors, each once, on either side and on both."""
    if not options.get("hierarchy"):
        return
    closure, place = closure_of(labels, options["hierarchy"])
    n_nodes = len(place)
    of_gold, of_system = (with_ancestors(sets, closure, n_nodes) for sets in (gold, system))
    everything, n_items = np.arange(len(gold.sizes)), len(gold.sizes)
    for name, keys in zip(HIERARCHY_KINDS, (of_gold, of_system, np.intersect1d(of_gold, of_system, True)), strict=True):
        entries.add(columns.index(name), everything, np.bincount(keys // n_nodes, minlength=n_items))


def closure_of(labels: LabelList, pairs: Iterable[str]) -> tuple[Sets, dict[str, int]]:
    """Return of each label of the list itself and all its ancestors as codes, and {folded label: its code}."""
    parents = {labels.fold(label): [*map(labels.fold, above)] for label, above in parents_of(pairs).items()}
    place = {labels.fold(name): code for code, name in enumerate(labels.names)}
    sizes, codes = [], []
    for name in labels.names:
        folded = {labels.fold(name): None}
        waiting = [*folded]
        while waiting:
            new = [above for above in parents.get(waiting.pop(), ()) if above not in folded]
            folded |= dict.fromkeys(new)
            waiting += new
        sizes.append(len(folded))
        codes += [place.setdefault(ancestor, len(place)) for ancestor in folded]
    return Sets(starts_from_sizes(np.array(sizes, np.int64)), np.array(codes, np.int64)), place


def with_ancestors(sets: Sets, closure: Sets, n_nodes: int) -> Integers:
    """Return item times nodes plus node of all labels and ancestors of the items, each once, ascending."""
    sizes = closure.sizes[sets.codes]
    nodes = closure.codes[ranges(closure.starts[:-1][sets.codes], sizes)]
    return np.unique(np.repeat(owners(sets.sizes), sizes) * n_nodes + nodes)
