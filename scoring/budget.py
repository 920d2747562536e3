"""Reckons in bits what the numbers told of one run say at most of a hidden gold, and what the gold holds.

A run may be made so that each number that is told counts right guesses among some items of its choice. A number cannot
say more than its own entropy, which is greatest where each item is as likely right as wrong:

* an exact count among n items has that of Binomial(n, 1/2), at most log2(pi e n / 2) / 2 bits: 3.2 of 20 items, 4.9 of
  200. Counts that name all items take more tests than that, 1.5 to 2.6 bits each (Lindstrom 1965), but the first few
  come close to it, and few uploads are what a limit allows;
* a share that is one count in d digits is that count, or coarser where there are more items than its digits tell apart;
* a mean that weighs items can give each a size of its own, so that all of its digits may tell: log2(10^d + 1) bits;
* the width of an interval has two digits, and says how the right ones are spread over the units.

Bits of independent numbers add up; `Family.evidence` says which are.
`tests/evalsite/test_reading_gold_in_groups.py` plays the attacks and compares.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from scoring.evaluation import Evaluation
from scoring.family import Evidence, Family, Record, RowEvidence

DIGITS = 4  # of scores
ROUGH_DIGITS = 2  # of groups, of half the width of an interval, and of differences
FEWEST = 10  # items of a run, or of a group: below, a row of a table has no numbers


class Detail(StrEnum):
    """What a team is told of a run while the gold is hidden, from the most on."""

    TABLES = "tables"  # tables by label and group with their counts, beside all below
    SCORES = "scores"  # the scores that boards show, and the gold's own counts
    HEADLINE = "headline"  # the score that ranks, with its interval


def bits_of_count(n: float) -> float:
    """Return what an exact count of the right ones among n items tells at most: its entropy.

    >>> [round(bits_of_count(n), 1) for n in (0, 1, 20, 200)]
    [0.0, 1.0, 3.2, 4.9]
    """
    return min(float(n), math.log2(math.pi * math.e / 2 * n) / 2) if n else 0.0


def bits_of_share(n: int, digits: int = DIGITS, *, is_count: bool = False) -> float:
    """Return what a share of n items in so many decimals tells: of one count of them, or of a mean that weighs them.

    >>> round(bits_of_share(800, is_count=True), 1), round(bits_of_share(800), 1), round(bits_of_share(800, 2), 1)
    (5.9, 13.3, 6.7)
    """
    if is_count:
        return bits_of_count(min(n, 10 ** (2 * digits) / max(n, 1)))
    return min(n, math.log2(10**digits + 1))


def bits_of_width(n_units: int) -> float:
    """Return what the width of an interval tells, which has two digits."""
    return bits_of_count(min(n_units, 10**ROUGH_DIGITS))


@dataclass(frozen=True)
class GoldSize:
    """What a gold holds, and what its tables tell of it; plain numbers, to be stored beside it."""

    units: int
    items: int
    bits: float  # that it holds
    rows: dict[str, float]  # bits that the tables of one run tell, by the scores that have to be shown for the rows

    @classmethod
    def of(cls, evaluation: Evaluation, family: Family) -> "GoldSize":
        """Measure a gold by its evaluation against itself."""
        evidence, n_units = family.evidence, len(evaluation.units)
        items = max(1, evidence.items(evaluation.counts, evaluation.tables) if evidence.items else n_units)
        rows: dict[str, float] = {}
        for scores, bits in _bits_of_tables(evaluation, family, items):
            rows[scores] = rows.get(scores, 0.0) + bits
        holds = items * evidence.bits(evaluation.tables)
        return cls(n_units, items, round(holds, 1), {scores: round(bits, 1) for scores, bits in rows.items()})

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def part(self, share: float) -> "GoldSize":
        """Return the size of a part of the gold; its tables are taken to have all rows of the whole."""
        return GoldSize(round(self.units * share), max(1, round(self.items * share)), self.bits * share, self.rows)


def bits_told(
    detail: Detail, size: GoldSize, scores: Sequence[str], family: Family, hidden: Collection[str] = ()
) -> float:
    """Return what one upload is told at most: by page, files, interface, comparisons and history together.

    `scores` are those that are shown, the one that ranks first, and `hidden` the others. Of the interval between a run
    and the one before it the width is told beside the scores of both.
    """
    step, evidence = bits_of_width(size.units), family.evidence
    if detail is Detail.HEADLINE:
        return _bits_of_scores(scores[:1], size, evidence) + step
    of_scores = _bits_of_scores(scores, size, evidence) + step
    if detail is Detail.SCORES:
        return of_scores
    rows = sum(bits for needed, bits in size.rows.items() if not set(needed.split(",")).intersection(hidden))
    beside = [score for score in scores if not evidence.in_rows(score)]
    return max(of_scores, rows + _bits_of_scores(beside, size, evidence, evidence.totals) + step)


def _bits_of_scores(scores: Sequence[str], size: GoldSize, evidence: Evidence, totals: Collection[str] = ()) -> float:
    """Add up independent scores and totals; of units of several items the interval tells how right ones are spread."""
    behind = [evidence.count_behind(score) for score in scores]
    n_counts, n_means = len({*filter(None, behind), *totals}), behind.count("")
    n_widths = len({*filter(None, behind)}) + n_means if size.items > size.units else 0
    of_count, of_mean = bits_of_share(size.items, is_count=True), bits_of_share(size.items)
    return n_counts * of_count + n_means * of_mean + n_widths * bits_of_width(size.units)


def _bits_of_tables(evaluation: Evaluation, family: Family, items: int) -> Iterator[tuple[str, float]]:
    """Yield the bits of each row that may be told while the gold is hidden, with the scores that it is made for."""
    notes = family.table_notes
    rough = family.scores.tell_much(evaluation.options)
    has_widths = items > len(evaluation.units)
    for name, records in evaluation.tables.items():
        row = _row_evidence(evaluation, family, name)
        for record in records if name not in notes.item_tables else ():
            bits = 0.0
            if name in notes.groups:
                bits = _bits_of_group(record, notes.groups[name], family.evidence)
            elif name in notes.confusions:
                bits = _bits_of_cells(record, notes.confusions[name], len(records))
            elif row is not None:
                bits = _bits_of_row(record, row, items, rough, has_widths=has_widths)
            yield ",".join(sorted(notes.row_scores(name, record))), bits


def _row_evidence(evaluation: Evaluation, family: Family, table: str) -> RowEvidence | None:
    if family.evidence.rows is not None:
        return family.evidence.rows(table)
    # Pages show tables with intervals alone.
    return RowEvidence(numbers=None) if any(evaluation.table_intervals.get(table, ())) else None


def _bits_of_group(record: Record, size: str, evidence: Evidence) -> float:
    n = record[size] or 0
    if n < FEWEST:
        return 0.0
    behind = [evidence.count_behind(name) for name, value in record.items() if isinstance(value, float)]
    of_counts = len({*filter(None, behind)}) * bits_of_share(n, ROUGH_DIGITS, is_count=True)
    return of_counts + behind.count("") * bits_of_share(n, ROUGH_DIGITS)


def _bits_of_row(record: Record, row: RowEvidence, items: int, rough: Collection[str], *, has_widths: bool) -> float:
    n = row_sum(record, row.size) if row.size else items
    if row.numbers is not None:
        counts, shares = row.numbers, 0.0
    else:
        counts = sum(type(value) is int for name, value in record.items() if name not in row.size)
        digits = [ROUGH_DIGITS if name in rough else DIGITS for name, value in record.items() if type(value) is float]
        shares = sum(bits_of_share(n, decimals) for decimals in digits)
    width = bits_of_width(n) if has_widths and (counts or shares) else 0.0
    return counts * bits_of_count(n) + shares + width


def _bits_of_cells(record: Record, labels: tuple[str, str], n_labels: int) -> float:
    """Return what the cells of a label tell beside its count of right ones: the entropy of items in so many cells.

    Of the gold scored against itself each record is a cell of the diagonal, and its label one that others may be taken
    for. Of cells of fewer than ten one sum is told.
    """
    n = int(sum(value for name, value in record.items() if name not in labels))
    n_cells = min(n_labels, n // FEWEST + 1)
    if n_cells <= 2:
        return 0.0
    entropy = ((n_cells - 1) * math.log2(2 * math.pi * math.e * n) - n_cells * math.log2(n_cells)) / 2
    return max(0.0, entropy - bits_of_count(n))


def row_sum(record: Mapping[str, Any], columns: Collection[str]) -> int:
    """Add up columns of a row, None as 0."""
    return int(sum(record.get(column) or 0 for column in columns))
