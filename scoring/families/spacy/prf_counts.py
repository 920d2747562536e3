"""True positives, false positives and what was missed, by document and type, and the scores made of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.family import Array, Record, Table
from scoring.prf import harmonic_mean, ratio
from scoring.readers.spacy.documents.columns import Flags, Integers

Scores = dict[str, NDArray[np.float64]]

KINDS = ("tp", "fp", "fn")
# Counts of a table for all documents at once; a table with more of them goes without intervals.
_MOST_COUNTS = 2**24
# Weighted sums that are held at a time.
_MOST_SUMS = 2**21


@dataclass(frozen=True)
class Outcomes:
    """The document and the type of each true positive, false positive and false negative.

    Types are places in `names`. `known` are types that have a row of the table even without any outcome.
    """

    documents: tuple[Integers, Integers, Integers]
    types: tuple[Integers, Integers, Integers]
    names: Sequence[str]
    known: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def rows(self, n_documents: int) -> Integers:
        """(documents, 3)"""
        return np.stack([np.bincount(own, minlength=n_documents) for own in self.documents], axis=1)

    def codes(self) -> list[int]:
        """The types of all outcomes, in the order of their names."""
        found = np.unique(np.concatenate([*self.types, self.known])).tolist()
        return sorted(found, key=self.names.__getitem__)

    def typed_rows(self, n_documents: int) -> Integers:
        """(documents, types, 3), types in the order of `codes`."""
        codes = self.codes()
        place = np.zeros(max(codes, default=-1) + 1, dtype=np.int64)
        place[codes] = np.arange(len(codes))
        size = n_documents * len(codes)
        counts = [
            np.bincount(own.astype(np.int64) * len(codes) + place[types], minlength=size)
            for own, types in zip(self.documents, self.types, strict=True)
        ]
        return np.stack(counts, axis=1).reshape(n_documents, len(codes), 3)

    def by_type(self) -> Integers:
        """(types, 3), types in the order of `codes`."""
        codes = self.codes()
        size = max(codes, default=-1) + 1
        return np.stack([np.bincount(types, minlength=size)[codes] for types in self.types], axis=1)

    def weighted_sums(self, weights: NDArray[np.int64]) -> Iterator[tuple[slice, Array]]:
        """Some rows of the weights (m, documents) at a time, and the sums (m, types, 3) for these."""
        codes = self.codes()
        size = max(codes, default=-1) + 1
        if weights.shape[1] * len(codes) * len(KINDS) <= _MOST_COUNTS:
            dense = self.typed_rows(weights.shape[1]).astype(np.float64)
        else:
            dense = None
        step = max(1, _MOST_SUMS // max(1, len(codes) * len(KINDS)))
        for start in range(0, len(weights), step):
            part = slice(start, min(start + step, len(weights)))
            if dense is not None:
                yield part, np.tensordot(weights[part].astype(np.float64), dense, 1)
                continue
            sums = [
                [np.bincount(types, weights=row[own], minlength=size)[codes] for row in weights[part]]
                for own, types in zip(self.documents, self.types, strict=True)
            ]
            yield part, np.stack([np.array(kind) for kind in sums], axis=-1)

    def table(self, n_documents: int) -> Table:
        """A row for each type."""
        counts = self.by_type()
        names = [self.names[code] for code in self.codes()]
        if n_documents * counts.size > _MOST_COUNTS:
            return Table(type_records(names, counts))
        return Table(
            type_records(names, counts),
            self.typed_rows(n_documents),
            metrics=type_metrics,
            gold_items=counts[:, 0] + counts[:, 2],
        )


def type_records(names: Sequence[str], counts: Array) -> list[Record]:
    scores = type_metrics(counts)
    columns = [scores["p"], scores["r"], scores["f"]]
    return [
        {"type": name, "p": float(p), "r": float(r), "f": float(f), "tp": int(tp), "fp": int(fp), "fn": int(fn)}
        for name, p, r, f, (tp, fp, fn) in zip(names, *columns, counts.tolist(), strict=True)
    ]


def type_metrics(counts: Array) -> Scores:
    """Counts (..., 3) -> precision, recall and F, 0 where there is nothing to divide by."""
    tp, fp, fn = np.moveaxis(np.asarray(counts), -1, 0)
    p, r = ratio(tp, tp + fp), ratio(tp, tp + fn)
    return {"p": p, "r": r, "f": harmonic_mean(p, r)}


def prf(prefix: str, counts: Array, *, none_if_empty: bool = True) -> Scores:
    """As `type_metrics`, with a prefix; NaN where nothing at all was counted, unless that is 0 here."""
    scores = type_metrics(counts)
    if none_if_empty:
        empty = np.asarray(counts).sum(axis=-1) == 0
        scores = {name: np.where(empty, np.nan, values) for name, values in scores.items()}
    return {f"{prefix}_{name}": values for name, values in scores.items()}


def totals_of(prefix: str, rows: Array) -> dict[str, int]:
    """Rows (documents, 3) -> tp, fp and fn of all documents."""
    return {f"{prefix}_{kind}": int(n) for kind, n in zip(KINDS, rows.sum(axis=0), strict=True)}


def per_document(marked: Flags, first: Integers) -> Integers:
    """How many tokens of each document are marked."""
    before = np.concatenate([[0], np.cumsum(marked)])
    return np.asarray(before[first[1:]] - before[first[:-1]])


def codes_alike(gold: Sequence[NDArray[Any]], system: Sequence[NDArray[Any]]) -> tuple[Integers, Integers]:
    """One integer for each row of some columns of both sides, equal where all columns are."""
    n = len(gold[0])
    key = np.zeros(n + len(system[0]), dtype=np.int64)
    size = 1
    for own, other in zip(gold, system, strict=True):
        column = np.concatenate([own, other]).astype(np.int64)
        width = int(column.max(initial=0)) + 1
        if size * width >= 2**62:
            key = np.unique(key, return_inverse=True)[1]
            size = int(key.max(initial=0)) + 1
        key = key * width + column
        size *= width
    return key[:n], key[n:]


def compare_sets(gold: Integers, system: Integers) -> tuple[Integers, Integers, Integers]:
    """Rows of the system that are right, rows of it that are wrong, rows of the gold that are missed.

    Equal rows of one side count once.
    """
    gold_keys, gold_rows = np.unique(gold, return_index=True)
    system_keys, system_rows = np.unique(system, return_index=True)
    right = np.isin(system_keys, gold_keys, assume_unique=True)
    found = np.isin(gold_keys, system_keys, assume_unique=True)
    return system_rows[right], system_rows[~right], gold_rows[~found]
