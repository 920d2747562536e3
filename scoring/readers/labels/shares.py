"""Shares of labels: how much of each an item has, as it is written or as ratings of annotators give it.

One label for each annotator    {"yes": 0.75, "no": 0.25}     ["yes", "yes", "no", "yes"]     yes;yes;no;yes
a set for each annotator        {"joy": 1, "fear": 0.5}       [["joy", "fear"], ["joy"]]
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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


def has_shares(options: Mapping[str, Any]) -> bool:
    """Return whether rows say shares of labels: those of a distribution, or one for each label by itself."""
    return bool(options["task"] == "soft" or options.get("shares"))


@dataclass(frozen=True)
class Shares:
    """Holds how much of each label n rows have, as it is written: the labels of a row by ascending code, no share 0."""

    sets: Sets
    share: Floats  # (sum of sizes,)

    def taken(self, rows: Integers) -> "Shares":
        """Return the shares of some rows; a row of −1 has none."""
        places = Sets(self.sets.starts, np.arange(len(self.share))).taken(rows)
        return Shares(Sets(places.starts, self.sets.codes[places.codes]), self.share[places.codes])

    def at_least(self, threshold: float) -> Sets:
        """Return the labels of each row with as large a share, but for rounding."""
        is_given = self.share >= threshold - _ROUNDING
        return Sets(np.concatenate([[0], np.cumsum(is_given)])[self.sets.starts], self.sets.codes[is_given])

    def largest(self) -> Sets:
        """Return the label with the largest share of each row, of several the first of the list; none of an empty row.

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


def parsed_shares(cells: Cells, options: Mapping[str, Any]) -> ParsedShares:
    """Return the shares of each cell: of an object as they are written, of ratings counted.

    >>> cells = Cells(['{"a": 0.5, "b": 0.5}', "a; a; b; a", '{"a": 0.5}'])
    >>> found = parsed_shares(cells, {"task": "soft", "separator": ";"})
    >>> found.shares[:2], str(found.problems[2])
    ([{'a': 0.5, 'b': 0.5}, {'a': 0.75, 'b': 0.25}], 'the shares of the labels sum to 0.5, not 1')
    """
    which, texts = cells.values()
    is_each = options["task"] != "soft"  # each label has a share of its own
    pairs = [
        _written(text, is_each) if text.startswith("{") else _rated(text, options["separator"], is_each)
        for text in texts
    ]
    shares, problems = [share for share, _ in pairs], [problem for _, problem in pairs]
    if is_each:
        return ParsedShares(which, shares, problems)
    totals = np.array([sum(share.values()) for share in shares], dtype=np.float64)
    sizes = np.array([len(share) - [*share.values()].count(0) for share in shares], dtype=np.int64)
    for row in np.flatnonzero(are_off(totals, sizes)).tolist():
        if shares[row]:
            problems[row] = _sum_problem(totals[row])
    return ParsedShares(which, shares, problems)


def shares_of(parsed: ParsedShares, labels: LabelList) -> Shares:
    """Return the shares of the rows by codes of labels.

    All that are not in the list have one code together, its length.
    """
    distinct = [_by_code(distribution, labels) for distribution in parsed.shares]
    sizes = np.fromiter(map(len, distinct), np.int64, len(distinct))
    flat = [pair for distribution in distinct for pair in distribution]
    sets = Sets(starts_from_sizes(sizes), np.array([code for code, _ in flat], dtype=np.int64))
    return Shares(sets, np.array([share for _, share in flat], dtype=np.float64)).taken(parsed.which)


def shares_in_columns(table: Table, options: Mapping[str, Any], labels: Sequence[str], rows: Flags | None) -> Shares:
    """Return the shares of a table with a column for each label; of others than these `rows` (n,) nothing is said."""
    sum_problem = _sum_problem if options["task"] == "soft" else None
    values = distributions_in(table, labels, Message.word("share"), _OUTSIDE, sum_problem, rows)
    row, code = np.nonzero(values)
    return Shares(Sets(np.searchsorted(row, np.arange(len(table) + 1)), code), values[row, code])


def distributions_in(
    table: Table,
    columns: Sequence[str],
    noun: str,
    outside: str,
    sum_problem: Callable[[float], str] | None,
    rows: Flags | None = None,
) -> Floats:
    """Return the numbers of these columns (n, columns) as they are written; what is no distribution is a problem.

    Without `sum_problem` each number stands for itself.
    """
    values = np.column_stack([numbers_in(table, column, noun, rows) for column in columns])
    is_number = np.asarray(np.isfinite(values).all(axis=1))
    if rows is not None:
        is_number = is_number & rows
    is_outside = ((values < 0) | (values > 1)).any(axis=1) & is_number
    table.add_where(is_outside, outside)
    if sum_problem is None:
        return values
    with np.errstate(over="ignore", invalid="ignore"):
        totals = values.sum(axis=1)
        is_off = is_number & ~is_outside & are_off(totals, np.count_nonzero(values, axis=1))
    table.add_where(is_off, lambda row: sum_problem(float(totals[row])))
    return values


def are_off(totals: Floats, sizes: Integers) -> Flags:
    """Return whether so many shares, or probabilities, sum to something else than 1, but for rounding: (n,)."""
    return np.asarray(np.abs(totals - 1) > np.clip(_HALF_A_HUNDREDTH * sizes, _LEAST_OFF, _MOST_OFF) + _ROUNDING)


def _by_code(shares: Distribution, labels: LabelList) -> list[tuple[int, float]]:
    by_code: dict[int, float] = {}
    for label, share in shares.items():
        if share:
            code = labels.code(label)
            code = len(labels) if code is None else code
            by_code[code] = by_code.get(code, 0.0) + share
    return sorted(by_code.items())


def _rated(text: str, separator: str, is_each: bool) -> tuple[Distribution, str | None]:
    """Return what part of the ratings each label has."""
    if is_each and text.startswith("[") and (rated := _sets_rated(text)):
        return rated
    ratings = [*labels_in(text, separator)]
    if None in ratings:
        return {}, Message("rating-must-be-label", "a rating must be a label: a string or an integer")
    if "" in ratings:
        return {}, Message("empty-rating", "empty rating")
    return {str(label): number / len(ratings) for label, number in Counter(ratings).items()}, None


def _sets_rated(text: str) -> tuple[Distribution, str | None] | None:
    """Return what part of the annotators gave each label, where each gave a list of labels; else None.

    >>> _sets_rated('[["joy", "fear"], ["joy"], []]')[0]
    {'fear': 0.3333333333333333, 'joy': 0.6666666666666666}
    """
    try:
        ratings = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not ratings or not all(isinstance(rating, list) for rating in ratings):
        return None
    sets = [{*labels_in(json.dumps(rating), "")} for rating in ratings]
    if any(None in rating for rating in sets):
        return {}, Message("rating-must-be-label", "a rating must be a label: a string or an integer")
    if any("" in rating for rating in sets):
        return {}, Message("empty-rating", "empty rating")
    counted = Counter(str(label) for rating in sets for label in sorted(map(str, rating)))
    return {label: number / len(sets) for label, number in counted.items()}, None


def _written(text: str, is_each: bool) -> tuple[Distribution, str | None]:
    try:
        pairs = json.loads(text, object_pairs_hook=list, parse_constant=str)
    except (ValueError, RecursionError):
        pairs = None
    if not isinstance(pairs, list) or (not pairs and not is_each):
        return {}, Message("shares-not-object", "{text} is no object of labels and their shares", text=shown(text))
    shares: Distribution = {}
    for label, share in ((tidy(label), _of_two(share) if is_each else share) for label, share in pairs):
        if problem := _share_problem(label, share, shares):
            return {}, problem
        shares[label] = float(share)
    return shares, None


def _of_two(share: Any) -> Any:
    """Return the share of "1" where both are said, {"0": 0.25, "1": 0.75}; anything else as it is.

    >>> _of_two([("0", 0.25), ("1", 0.75)]), _of_two([("0", 0.75), ("1", 0.75)]), _of_two(0.5)
    (0.75, [('0', 0.75), ('1', 0.75)], 0.5)
    """
    if not isinstance(share, list) or len(share) != 2 or not all(isinstance(pair, tuple) for pair in share):
        return share
    both = dict(share)
    if both.keys() != {"0", "1"} or not all(
        type(number) in (int, float) and 0 <= number <= 1 for number in both.values()
    ):
        return share
    return both["1"] if abs(sum(both.values()) - 1) <= _LEAST_OFF + _ROUNDING else share


def _share_problem(label: str, share: Any, shares: Distribution) -> str | None:
    if not label:
        return Message("empty-label", "empty label")
    if label in shares:
        return Message("label-twice", "label {own} twice", own=shown(label))
    if isinstance(share, bool) or not isinstance(share, int | float):
        return Message("share-not-number", "the share of {label} must be a number", label=shown(label))
    return None if 0 <= share <= 1 else _OUTSIDE


def _sum_problem(total: float) -> str:
    return Message("shares-sum-not", "the shares of the labels sum to {sum:.6g}, not 1", sum=float(total))
