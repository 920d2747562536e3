"""Rows below a ranking, outside of ranks, tests and groups: computed from the gold, or imported with version 1.2."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.models import Phase, Scenario, Task, record
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.models import ImportedTable

MOST_ROWS = 1_000  # of one board, in all of its tables
COMPUTED = "computed from the gold, version "  # the source of a row that was not brought from elsewhere


@dataclass(frozen=True)
class ImportedRow:
    name: str
    scores: Sequence[str]  # as they were written, one for each column of the table; "" where there is none
    date: str  # a year, a month or a day as ISO 8601 writes them; or ""
    source: str  # an address by http or https, or ""; or COMPUTED with the version of the gold

    @property
    def numbers(self) -> list[float | None]:
        """Return the scores as numbers, None where there is none."""
        return [float(score.replace(",", ".")) if score else None for score in self.scores]

    @property
    def host(self) -> str:
        return urlsplit(self.source).netloc

    @property
    def gold_version(self) -> str:
        """Return the version of the gold from which the row was computed, "" of one from elsewhere."""
        return self.source.removeprefix(COMPUTED) if self.source.startswith(COMPUTED) else ""


def rows_of(table: ImportedTable) -> Iterator[ImportedRow]:
    return (ImportedRow(**row) for row in table.rows)


def imported_tables(phase: Phase, scored: Scored) -> list[ImportedTable]:
    """Return the tables of a board in the order of their import; a combined score has none."""
    if isinstance(scored, CombinedScore):
        return []
    tables = ImportedTable.objects.filter(phase=phase, scenario=scored.pk).order_by()
    # Sorted here, where it costs least: there are few.
    return sorted(tables, key=lambda table: (table.created, table.pk))


def computed_tables(phase: Phase, scenario: Scenario) -> list[ImportedTable]:
    """Return the tables of a board whose rows were computed from its gold."""
    return [table for table in imported_tables(phase, scenario) if any(row.gold_version for row in rows_of(table))]


def imported_names(phase: Phase, scenario: Scenario) -> set[str]:
    """Return the names of all rows that the board has already, without case."""
    return {row.name.casefold() for table in imported_tables(phase, scenario) for row in rows_of(table)}


def store_rows(
    phase: Phase, scenario: Scenario, columns: Sequence[str], rows: Sequence[ImportedRow], *, by: User
) -> bool:
    """Store rows that were computed as a table; return False if a name is taken already, or there is no room."""
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=phase.task_id)
        taken = imported_names(phase, scenario)
        if len(taken) + len(rows) > MOST_ROWS or any(row.name.casefold() in taken for row in rows):
            return False
        ImportedTable.objects.create(
            phase=phase, scenario=scenario, columns=list(columns), rows=[asdict(row) for row in rows], created_by=by
        )
        _record("row computed", phase, scenario, len(rows), by)
    return True


def remove_table(table: ImportedTable, *, by: User) -> None:
    with transaction.atomic():
        if ImportedTable.objects.filter(pk=table.pk).delete()[0]:
            _record("imported rows removed", table.phase, table.scenario, len(table.rows), by)


def _record(kind: str, phase: Phase, scenario: Scenario, n: int, by: User) -> None:
    record(phase.task, kind, actor=by, subject=phase.pk, phase=phase.name, scenario=scenario.number, rows=n)
