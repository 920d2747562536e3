"""Some of the units of a gold, such as the part that is shown until a phase closes: what an evaluation tells of them.

Both sides are read and counted whole, since an upload holds all units. Then only the rows of the chosen ones stay: the
scores, intervals and draws are those that the same functions make of these rows, and no number depends on another unit.
A table is made anew from the counts behind it. What cannot be made of counts alone is left out: a table without counts,
a column that no count tells, and what the reader noticed of all files together.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.errors import ConfigurationError
from scoring.family import Averages, Counted, Family, Options, Record, Table, Weighted
from scoring.messages import Message
from scoring.rows import Rows
from scoring.significance import Block, points


@dataclass(frozen=True)
class Subset:
    """The units of which an evaluation tells, as the gold scored against itself numbers and names them."""

    places: Sequence[int]  # ascending, from 0
    names: Sequence[str]  # of these units
    of: int  # how many units there are in all
    digest: str = ""  # stands for the gold's in the evaluation, so that nothing there follows from other units

    def among(self, units: Sequence[str]) -> Integers:
        """Return where these units stand in an evaluation.

        A family may name units by the run's own files, and then their places tell; or leave some out, and then names.
        """
        if len(units) == self.of:
            return np.array(self.places, dtype=np.int64)
        wanted = set(self.names)
        return np.flatnonzero(np.array([name in wanted for name in units], dtype=bool))

    def digest_with(self, gold_digest: str) -> str:
        """Return what stands for the gold's digest: without another one, that of the gold and of these names."""
        lines = "\n".join((gold_digest, *self.names))
        return self.digest or hashlib.sha256(lines.encode()).hexdigest()


def subset_of(units: Sequence[str], names: Sequence[str], digest: str = "") -> Subset:
    """Return the units of these names; ConfigurationError for one that is not there, or for none at all."""
    place = {name: at for at, name in enumerate(units)}
    for name in names:
        if name not in place:
            raise ConfigurationError(Message("unit-unknown", "there is no unit {name!r}", name=name))
    places = sorted({place[name] for name in names})
    if not places:
        raise ConfigurationError(Message("no-units-chosen", "none of the units is chosen"))
    return Subset(places, [units[at] for at in places], len(units), digest)


class SubsetCounts:
    """What was counted of the chosen units, and the tables that it makes."""

    def __init__(self, family: Family, options: Options, counted: Counted, subset: Subset) -> None:
        self._family, self._options, self._whole = family, options, counted
        self._at = subset.among(counted.units)

    @property
    def counted(self) -> Counted:
        """Return the counts of the chosen units alone. What the reader found odd is of all units, so it is left out."""
        whole = self._whole
        rows = self._taken(whole.rows)
        by_kind = np.asarray(rows.sum(axis=0)).reshape(-1, rows.shape[-1]).sum(axis=0)
        kinds_of = self._family.counts.totals(self._options)
        totals = {
            name: type(value)(by_kind[list(kinds_of[name])].sum())
            for name, value in whole.totals.items()
            if name in kinds_of and rows.shape[-1]
        }
        units = [whole.units[at] for at in self._at.tolist()]
        weighted = self._widened(whole.weighted) if whole.weighted else None
        numbers = None if whole.numbers is None else whole.numbers[:, self._at]
        return replace(whole, units=units, rows=rows, totals=totals, warnings=[], weighted=weighted, numbers=numbers)

    def tables(self) -> dict[str, Table]:
        """Return the tables of the chosen units."""
        whole = self._family.tables(self._whole.matches, self._options)
        return {name: self._table(name, table) for name, table in whole.items()}

    def averages(self) -> Sequence[Averages]:
        """Return what stands behind means over labels, of the chosen units."""
        return [*map(self._of_averages, self._family.averages(self._whole.matches, self._options))]

    def _of_averages(self, averages: Averages) -> Averages:
        return replace(averages, rows=self._taken(averages.rows))

    def _table(self, name: str, table: Table) -> Table:
        if not table.records or name == self._family.scores.signatures:
            return table
        if table.rows is not None:
            return self._of_rows(name, table)
        if table.placed is not None:
            return self._of_items(name, table)
        if all(self._family.table_notes.row_scores(name, record) for record in table.records):
            return Table([self._of_scores(name, record) for record in table.records])
        return Table(list(self._of_units(table.records)))

    def _of_scores(self, name: str, record: Record) -> Record:
        """Return a record that repeats scores of the corpus, such as the three of a metric."""
        of_row = self._family.table_notes.row_scores(name, record)
        values = {score.rpartition("_")[2]: self._scores[score] for score in of_row if score in self._scores}
        return _record(record, values)

    @cached_property
    def _scores(self) -> dict[str, Floats]:
        rows = self._taken(self._whole.rows)
        return points(Block(rows, self._family.metrics_with(self._options)))

    def _of_rows(self, name: str, table: Table) -> Table:
        """Return a table by label: its scores and counts from the rows of the chosen units, without empty records."""
        assert table.rows is not None
        rows = np.asarray(self._taken(table.rows))
        sums = rows.sum(axis=0)
        behind = {
            column: sums[:, list(kinds)].sum(axis=-1)
            for column, kinds in self._family.table_notes.behind(name).items()
            if column in table.records[0]
        }
        weighted = self._widened(table.weighted) if table.weighted else None
        scores = table.metrics(sums) if table.metrics else {}
        numbers: dict[str, Array] = {column: np.asarray(values) for column, values in scores.items()}
        if weighted:
            numbers |= {
                column: values[0] for column, values in weighted(np.ones((1, len(rows)), dtype=np.int64)).items()
            }
        numbers |= behind
        own_kinds = sums[:, : table.n_own_kinds]
        kept = np.flatnonzero((own_kinds != 0).any(axis=-1) | self._is_whole(table))
        records = [_record(table.records[at], {key: values[at] for key, values in numbers.items()}) for at in kept]
        return replace(
            table,
            records=records,
            rows=rows[:, kept],
            gold_items=self._gold_items(table, behind)[kept],
            averages=partial(self._of_records, table.averages, kept) if table.averages else None,
            weighted=_of_groups(weighted, kept) if weighted else None,
            placed=None,
        )

    def _of_records(self, make: Callable[[], Sequence[Averages]], kept: Integers) -> list[Averages]:
        averages = make()
        return [self._of_averages(averages[at]) for at in kept]

    @staticmethod
    def _is_whole(table: Table) -> Array:
        """Return which record is the whole corpus: (groups,)."""
        is_whole = np.zeros(len(table.records), dtype=bool)
        is_whole[len(table.records) - 1 :] = bool(table.whole)
        return is_whole

    @staticmethod
    def _gold_items(table: Table, behind: Mapping[str, Array]) -> Array:
        """Return the gold's items (groups,) if a column counts just these; else none, so that no interval is told."""
        whole = table.gold_items
        for column, values in behind.items() if whole is not None else ():
            if [record[column] for record in table.records] == np.asarray(whole).tolist():
                return values
        return np.zeros(len(table.records), dtype=np.int64)

    def _of_items(self, name: str, table: Table) -> Table:
        """Return a table that counts items, such as a confusion: those in the chosen units, the most frequent first."""
        assert table.placed is not None
        [*numbers] = [column for column, value in table.records[0].items() if _is_number(value)]
        if len(numbers) != 1:
            return Table([])
        unit, record = table.placed()
        counts = np.bincount(record[np.isin(unit, self._at)], minlength=len(table.records)).tolist()
        counted = [record | {numbers[0]: n} for record, n in zip(table.records, counts, strict=True) if n]
        return Table(sorted(counted, key=lambda record: (-record[numbers[0]], *map(str, record.values()))))

    def _of_units(self, records: Sequence[Record]) -> Iterator[Record]:
        """Yield the records of chosen units, of a table whose first column names units; of others none."""
        column, names = next(iter(records[0])), self._whole.units
        kept = {name for at in self._at.tolist() for name in (names[at],)}
        whole = set(names)
        stated = [str(record[column]) for record in records]
        stated = stated if whole.issuperset(stated) else [f"{column} {name}" for name in stated]
        if whole.issuperset(stated) and len(whole) == len(names):
            yield from (record for record, name in zip(records, stated, strict=True) if name in kept)

    def _taken(self, rows: Array | Rows) -> Array | Rows:
        return rows.of_units(self._at) if isinstance(rows, Rows) else rows[self._at]

    def _widened(self, weighted: Weighted) -> Weighted:
        """Return the scores as functions of weights of the chosen units; all others weigh nothing."""

        def of_chosen(weights: Integers) -> Mapping[str, Floats]:
            wide = np.zeros((len(weights), len(self._whole.units)), dtype=weights.dtype)
            wide[:, self._at] = weights
            return weighted(wide)

        return of_chosen


def _of_groups(weighted: Weighted, kept: Integers) -> Weighted:
    return lambda weights: {column: values[:, kept] for column, values in weighted(weights).items()}


def _record(whole: Record, numbers: Mapping[str, Array]) -> Record:
    """Return a record with the numbers that were found; of another number nothing is known."""
    return {
        column: _plain(numbers[column], value) if column in numbers else None if _is_number(value) else value
        for column, value in whole.items()
    }


def _plain(value: Array, like: object) -> int | float | None:
    """Return a count as an integer, where it was one; None for a score that does not apply."""
    if np.isnan(value):
        return None
    return int(value) if isinstance(like, int) else float(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
