"""Shares of labels: the distribution of an item over labels, as it is written or as ratings of annotators give it.

{"yes": 0.75, "no": 0.25}     ["yes", "yes", "no", "yes"]     yes;yes;no;yes
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers, owners, starts_from_sizes, starts_run
from scoring.messages import Message
from scoring.readers.labels.label_list import LabelList
from scoring.readers.labels.sets import Sets, labels_in
from scoring.readers.tables import Cells, Table, numbers_in, shown, tidy

# How far from 1 shares may sum: each may be rounded to two decimals, by half a hundredth.
_HALF_A_HUNDREDTH, _LEAST_OFF, _MOST_OFF, _ROUNDING = 0.005, 0.01, 0.05, 1e-9

_OUTSIDE = Message("share-must-lie-between", "a share must lie between 0 and 1")

Distribution = dict[str, float]


@dataclass(frozen=True)
class Shares:
    """Holds how much of each label n rows have, as it is written: the labels of a row by ascending code, no share 0."""

    sets: Sets
    share: Floats  # (sum of sizes,)

    def taken(self, rows: Integers) -> "Shares":
        """Those of some rows; a row of −1 has none."""
        places = Sets(self.sets.starts, np.arange(len(self.share))).taken(rows)
        return Shares(Sets(places.starts, self.sets.codes[places.codes]), self.share[places.codes])

    def largest(self) -> Sets:
        """The label with the largest share of each row, of several the first of the list; none of an empty row.

        >>> Shares(Sets(np.array([0, 3, 3]), np.array([0, 1, 2])), np.array([0.2, 0.4, 0.4])).largest().codes
        array([1])
        """
        row = owners(self.sets.sizes)
        order = np.lexsort((self.sets.codes, -self.share, row))
        first = order[starts_run(row[order])]
        return Sets(starts_from_sizes(np.minimum(self.sets.sizes, 1)), self.sets.codes[first])


@dataclass(frozen=True)
class ParsedShares:
    """Holds what the different cells of a column say."""

    which: Integers  # (n,) which of them each row has
    shares: list[Distribution]  # of each of them; empty for an empty cell
    problems: list[str | None]  # what is wrong with it


def parsed_shares(cells: Cells, separator: str) -> ParsedShares:
    """The shares of each cell, of an object as they are written, of ratings counted.

    >>> found = parsed_shares(Cells(['{"a": 0.5, "b": 0.5}', "a; a; b; a", '{"a": 0.5}']), ";")
    >>> found.shares[:2], str(found.problems[2])
    ([{'a': 0.5, 'b': 0.5}, {'a': 0.75, 'b': 0.25}], 'the shares of the labels sum to 0.5, not 1')
    """
    which, texts = cells.values()
    pairs = [_written(text) if text.startswith("{") else _rated(text, separator) for text in texts]
    shares, problems = [own for own, _ in pairs], [problem for _, problem in pairs]
    totals = np.array([sum(own.values()) for own in shares], dtype=np.float64)
    sizes = np.array([len(own) - [*own.values()].count(0) for own in shares], dtype=np.int64)
    for each in np.flatnonzero(are_off(totals, sizes)).tolist():
        if shares[each]:
            problems[each] = _sum_problem(totals[each])
    return ParsedShares(which, shares, problems)


def shares_of(found: ParsedShares, labels: LabelList) -> Shares:
    """The shares of the rows by codes of labels; all that are not in the list have one code together, its length."""
    distinct = [_by_code(own, labels) for own in found.shares]
    sizes = np.fromiter(map(len, distinct), np.int64, len(distinct))
    flat = [pair for own in distinct for pair in own]
    sets = Sets(starts_from_sizes(sizes), np.array([code for code, _ in flat], dtype=np.int64))
    return Shares(sets, np.array([share for _, share in flat], dtype=np.float64)).taken(found.which)


def shares_in_columns(table: Table, labels: Sequence[str], rows: Flags | None) -> Shares:
    """The shares of a table with a column for each label; of others than these `rows` (n,) nothing is said."""
    values = distributions_in(table, labels, Message.word("share"), _OUTSIDE, _sum_problem, rows)
    row, code = np.nonzero(values)
    return Shares(Sets(np.searchsorted(row, np.arange(len(table) + 1)), code), values[row, code])


def distributions_in(
    table: Table,
    columns: Sequence[str],
    noun: str,
    outside: str,
    sum_problem: Callable[[float], str],
    rows: Flags | None = None,
) -> Floats:
    """The numbers of these columns (n, columns) as they are written; what is no distribution is a problem."""
    values = np.column_stack([numbers_in(table, column, noun, rows) for column in columns])
    is_number = np.asarray(np.isfinite(values).all(axis=1))
    if rows is not None:
        is_number = is_number & rows
    is_outside = ((values < 0) | (values > 1)).any(axis=1) & is_number
    table.add_where(is_outside, outside)
    with np.errstate(over="ignore", invalid="ignore"):
        totals = values.sum(axis=1)
        is_off = is_number & ~is_outside & are_off(totals, np.count_nonzero(values, axis=1))
    table.add_where(is_off, lambda row: sum_problem(float(totals[row])))
    return values


def are_off(totals: Floats, sizes: Integers) -> Flags:
    """(n,): whether so many shares, or probabilities, sum to something else than 1, but for rounding."""
    return np.asarray(np.abs(totals - 1) > np.clip(_HALF_A_HUNDREDTH * sizes, _LEAST_OFF, _MOST_OFF) + _ROUNDING)


def _by_code(own: Distribution, labels: LabelList) -> list[tuple[int, float]]:
    found: dict[int, float] = {}
    for label, share in own.items():
        if share:
            code = labels.code(label)
            code = len(labels) if code is None else code
            found[code] = found.get(code, 0.0) + share
    return sorted(found.items())


def _rated(text: str, separator: str) -> tuple[Distribution, str | None]:
    """Return what part of the ratings each label has."""
    ratings = [*labels_in(text, separator)]
    if None in ratings:
        return {}, Message("rating-must-be-label", "a rating must be a label: a string or an integer")
    if "" in ratings:
        return {}, Message("empty-rating", "empty rating")
    return {str(label): number / len(ratings) for label, number in Counter(ratings).items()}, None


def _written(text: str) -> tuple[Distribution, str | None]:
    try:
        pairs = json.loads(text, object_pairs_hook=list, parse_constant=str)
    except (ValueError, RecursionError):
        pairs = None
    if not isinstance(pairs, list) or not pairs:
        return {}, Message("shares-not-object", "{text} is no object of labels and their shares", text=shown(text))
    found: Distribution = {}
    for label, share in ((tidy(label), share) for label, share in pairs):
        if problem := _share_problem(label, share, found):
            return {}, problem
        found[label] = float(share)
    return found, None


def _share_problem(label: str, share: Any, found: Distribution) -> str | None:
    if not label:
        return Message("empty-label", "empty label")
    if label in found:
        return Message("label-twice", "label {own} twice", own=shown(label))
    if isinstance(share, bool) or not isinstance(share, int | float):
        return Message("share-not-number", "the share of {label} must be a number", label=shown(label))
    return None if 0 <= share <= 1 else _OUTSIDE


def _sum_problem(total: float) -> str:
    return Message("shares-sum-not", "the shares of the labels sum to {sum:.6g}, not 1", sum=float(total))
