"""True positives, false positives and false negatives by document and type, and the scores made of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Array, Flags, Integers, starts_from_sizes, sums_by_cell
from scoring.family import Averages, Record, Table
from scoring.labels import NOT_IN_GOLD
from scoring.prf import f_beta, harmonic_mean, ratio
from scoring.readers.spacy.documents import Codes
from scoring.rows import rows_of_entries
from scoring.significance.averages import Mean
from scoring.significance.proportions import Proportion, prf_proportions

# {name: (...)}
Scores = dict[str, NDArray[np.float64]]

KINDS = ("tp", "fp", "fn")

# Counts of a table for all documents at once; a table with more of them goes without intervals.
_MOST_COUNTS = 2**24
# Weighted sums that are held at a time.
_MOST_SUMS = 2**21


@dataclass(frozen=True)
class Outcomes:
    """Every true positive, false positive and false negative of an item, by document and type.

    A type is a label, or whatever else has a row of its own in the item's table.
    """

    # Three arrays, for tp, fp and fn: the document of each outcome.
    documents: tuple[Codes, Codes, Codes]
    # Three arrays of the same lengths: the type of each outcome, as an index into `names`.
    types: tuple[Codes, Codes, Codes]
    # What each type is called.
    names: Sequence[str]
    # Types that have a row of the table even without any outcome.
    known: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    # Whether types are the gold's, or chosen with the options: then none of them can be a system's invention.
    are_given: bool = False
    # Of F-beta, which then stands beside F in the table.
    beta: float | None = None

    def rows(self, n_documents: int) -> Integers:
        """Count the tp, fp and fn of each document: (documents, 3)."""
        return np.stack([np.bincount(documents, minlength=n_documents) for documents in self.documents], axis=1)

    def codes(self) -> list[int]:
        """Return the types that have a row, by name. spaCy has them in the order in which it met them."""
        codes = np.unique(np.concatenate([*self.types, self.known])).tolist()
        return sorted(codes, key=lambda code: last_if_not_in_gold(self.names[code]))

    def invented_names(self) -> list[str]:
        """Return the names of the types that the gold does not have."""
        return [self.names[code] for code in self._invented().tolist()]

    def _invented(self) -> Integers:
        if self.are_given:
            return np.empty(0, dtype=np.int64)
        return np.setdiff1d(np.concatenate([*self.types, self.known]), np.concatenate([self.types[0], self.types[2]]))

    def of_gold_types(self) -> "Outcomes":
        """Return the outcomes without those of types that the gold does not have, all of which are fp."""
        invented = self._invented()
        kept, is_known = ~np.isin(self.types[1], invented), ~np.isin(self.known, invented)
        return replace(
            self,
            documents=(self.documents[0], self.documents[1][kept], self.documents[2]),
            types=(self.types[0], self.types[1][kept], self.types[2]),
            known=self.known[is_known],
        )

    def n_invented(self, weights: Integers) -> Integers:
        """Return how many types that the gold does not have occur in each row of weights (m, documents): (m,)."""
        of_invented = np.isin(self.types[1], self._invented())
        pairs = np.unique(np.stack([self.types[1][of_invented], self.documents[1][of_invented]]), axis=1)
        numbers = np.zeros(len(weights), dtype=np.int64)
        if not pairs.size:
            return numbers
        types, documents = pairs
        starts = np.flatnonzero(np.diff(types, prepend=types[0] - 1))
        step = max(1, _MOST_SUMS // len(documents))
        for start in range(0, len(weights), step):
            occurs = weights[start : start + step, documents] > 0
            numbers[start : start + step] = np.logical_or.reduceat(occurs, starts, axis=1).sum(axis=1)
        return numbers

    def folded(self) -> "Outcomes":
        """Return the outcomes with one type for all that the gold does not have."""
        invented = self._invented()
        if not len(invented):
            return self
        row = np.arange(len(self.names))
        row[invented] = len(self.names)
        tp, fp, fn = (row[types] for types in self.types)
        return replace(self, types=(tp, fp, fn), names=[*self.names, NOT_IN_GOLD], known=row[self.known])

    def typed_rows(self, n_documents: int) -> Integers:
        """Count by document and type, types in the order of `codes`: (documents, types, 3)."""
        codes = self.codes()
        rank = np.zeros(max(codes, default=-1) + 1, dtype=np.int64)
        rank[codes] = np.arange(len(codes))
        shape = (n_documents, len(codes))
        counts = [
            sums_by_cell(shape, documents, rank[types])
            for documents, types in zip(self.documents, self.types, strict=True)
        ]
        return np.stack(counts, axis=-1)

    def averages(self, n_documents: int, means: Mapping[str, tuple[str, bool]]) -> list[Averages]:
        """Return means over all types that have a row: {score: (column, whether the gold's items weigh)}."""
        codes = self.codes()
        rank = np.zeros(max(codes, default=-1) + 1, dtype=np.int64)
        rank[codes] = np.arange(len(codes))
        entries = [
            (documents, rank[types] * len(KINDS) + kind, np.ones(len(documents), dtype=np.int8))
            for kind, (documents, types) in enumerate(zip(self.documents, self.types, strict=True))
        ]
        rows = rows_of_entries((n_documents, len(codes), len(KINDS)), entries)

        def weighed(counts: Array) -> dict[str, Mean]:
            return {
                name: Mean(column, None if by_gold else np.ones(len(counts)))
                for name, (column, by_gold) in means.items()
            }

        return [Averages(rows, partial(type_proportions, beta=self.beta), _n_gold, weighed)]

    def by_type(self) -> Integers:
        """Count by type, types in the order of `codes`: (types, 3)."""
        codes = self.codes()
        size = max(codes, default=-1) + 1
        return np.stack([np.bincount(types, minlength=size)[codes] for types in self.types], axis=1)

    def weighted_sums(self, weights: Integers) -> Iterator[tuple[slice, Array]]:
        """Yield some rows of the weights (m, documents) at a time, and the sums (rows, types, 3) for these."""
        codes = self.codes()
        size = max(codes, default=-1) + 1
        # One matrix product is fastest, if the counts of all documents and types may stand in memory at once.
        if weights.shape[1] * len(codes) * len(KINDS) <= _MOST_COUNTS:
            dense = self.typed_rows(weights.shape[1]).astype(np.float64)
        else:
            dense = None
        step = max(1, _MOST_SUMS // max(1, len(codes) * len(KINDS)))
        for start in range(0, len(weights), step):
            rows = slice(start, min(start + step, len(weights)))
            if dense is not None:
                yield rows, np.tensordot(weights[rows].astype(np.float64), dense, 1)
                continue
            # Otherwise each outcome adds the weight of its document to its type, resample by resample.
            sums = [
                [np.bincount(types, weights=row[documents], minlength=size)[codes] for row in weights[rows]]
                for documents, types in zip(self.documents, self.types, strict=True)
            ]
            yield rows, np.stack([np.array(kind) for kind in sums], axis=-1)

    def table(self, n_documents: int, gold_labels_only: bool = False) -> Table:
        """Make a row for each type, with the counts of each document for intervals."""
        if gold_labels_only:
            return self.folded().table(n_documents)
        counts = self.by_type()
        names = [self.names[code] for code in self.codes()]
        if n_documents * counts.size > _MOST_COUNTS:
            return Table(_type_records(names, counts, self.beta))
        return Table(
            _type_records(names, counts, self.beta),
            self.typed_rows(n_documents),
            metrics=partial(type_metrics, beta=self.beta),
            # What the gold has of a type is found (tp) or missed (fn).
            gold_items=counts[:, 0] + counts[:, 2],
            proportions=partial(type_proportions, beta=self.beta),
        )


def _n_gold(counts: Array) -> Array:
    return np.asarray(counts[..., 0] + counts[..., 2])


# The columns of a table by type that count items, and their places in its rows.
BY_TYPE = {kind: (place,) for place, kind in enumerate(KINDS)}


def last_if_not_in_gold(name: str) -> tuple[bool, str]:
    """Return what to sort names of types by: the row of all that the gold does not have comes last."""
    return name == NOT_IN_GOLD, name


def _type_records(names: Sequence[str], counts: Array, beta: float | None) -> list[Record]:
    scores = {name: values.tolist() for name, values in type_metrics(counts, beta).items()}
    return [
        {"type": name}
        | {score: values[k] for score, values in scores.items()}
        | dict(zip(KINDS, counts[k].tolist(), strict=True))
        for k, name in enumerate(names)
    ]


def type_metrics(counts: Array, beta: float | None = None) -> Scores:
    """Compute precision, recall and F (...) of counts (..., 3), and with a beta `fbeta`.

    Each is 0 where there is nothing to divide by. spaCy says so too, but in sums over all documents it then gives
    None (see `prf`).
    """
    tp, fp, fn = np.moveaxis(np.asarray(counts), -1, 0)
    p, r = ratio(tp, tp + fp), ratio(tp, tp + fn)
    return prf_with_beta(p, r, beta)


def prf_with_beta(p: NDArray[np.float64], r: NDArray[np.float64], beta: float | None) -> Scores:
    """Return precision, recall and F, and with a beta `fbeta`."""
    scores = {"p": p, "r": r, "f": harmonic_mean(p, r)}
    return scores | {"fbeta": f_beta(p, r, beta)} if beta else scores


def score_names(beta: float | None) -> list[str]:
    """Return what the scores of `type_metrics` are called."""
    return list(type_metrics(np.zeros(len(KINDS)), beta))


def type_proportions(counts: Array, beta: float | None = None) -> dict[str, Proportion]:
    """Return the same scores as shares of decisions."""
    tp, fp, fn = np.moveaxis(np.asarray(counts), -1, 0)
    return prf_proportions(tp, gold=tp + fn, system=tp + fp, names=("p", "r", "f"), beta=beta)


def prf(prefix: str, counts: Array, beta: float | None = None, *, none_if_empty: bool = True) -> Scores:
    """Return the scores of `type_metrics` under PREFIX_p, PREFIX_r and PREFIX_f, and with a beta PREFIX_fbeta.

    Where nothing at all was counted they are NaN, which becomes None in the result. spaCy leaves categories and links
    at 0 there: these pass `none_if_empty=False`.
    """
    scores = type_metrics(counts, beta)
    if none_if_empty:
        is_empty = np.asarray(counts).sum(axis=-1) == 0
        scores = {name: np.where(is_empty, np.nan, values) for name, values in scores.items()}
    return {f"{prefix}_{name}": values for name, values in scores.items()}


def totals_of(prefix: str, rows: Array) -> dict[str, int]:
    """Sum the rows (documents, 3) over documents: PREFIX_tp, PREFIX_fp and PREFIX_fn."""
    return {f"{prefix}_{kind}": int(n) for kind, n in zip(KINDS, rows.sum(axis=0), strict=True)}


def per_document(is_counted: Flags, first: Array) -> Integers:
    """Return how many tokens of each document are flagged: (documents,).

    `is_counted` has a flag for each token, `first` (documents + 1,) the first token of each document.

    >>> per_document(np.array([True, False, True, True]), np.array([0, 2, 2, 4]))
    array([1, 0, 2])
    """
    before = starts_from_sizes(is_counted)
    return np.asarray(before[first[1:]] - before[first[:-1]])


def compare_sets(gold: NDArray[Any], system: NDArray[Any]) -> tuple[Integers, Integers, Integers]:
    """Compare two sets: the rows of the system that are tp, those that are fp, and the gold's that are fn.

    Each row is given by its code. Equal rows of one side are one element of the set: the first of them stands for all.

    >>> compare_sets(np.array([5, 7, 7, 9]), np.array([7, 8, 5, 7]))
    (array([2, 0]), array([1]), array([3]))
    """
    gold_codes, gold_rows = np.unique(gold, return_index=True)
    system_codes, system_rows = np.unique(system, return_index=True)
    is_right = np.isin(system_codes, gold_codes, assume_unique=True)
    is_found = np.isin(gold_codes, system_codes, assume_unique=True)
    return system_rows[is_right], system_rows[~is_right], gold_rows[~is_found]
