"""Finds in an evaluation the numbers that a reference case expects of it, in the shape in which the case has them."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest


class _Absent:
    """Stands for a number that a case does not expect yet."""

    def __repr__(self) -> str:
        return "absent"


_ABSENT = _Absent()


def add_column(expected: dict, result: Any, table: str, column: str) -> None:
    """Let a case expect a column, or one of "scores" or "counts", wherever it expects others of the same table.

    The number itself is put in by `changed`. What the evaluation does not have stays out.
    """
    for part, wanted in expected.items():
        if part == table and part in ("scores", "counts"):
            records, rows = [getattr(result, part)], [wanted]
        elif part in ("tables", "rows_of", "rows") and table in (wanted or ()):
            records, rows = result.tables.get(table) or [], _rows(part, wanted[table])
        elif part == table and isinstance(wanted, dict) and wanted.keys() == {"columns", "rows"}:
            if column not in wanted["columns"] and any(column in record for record in result.tables[table]):
                wanted["columns"].append(column)
                for row in wanted["rows"]:
                    row.append(_ABSENT)
            continue
        elif part == table and isinstance(wanted, list):
            records, rows = result.tables[table], wanted
        else:
            continue
        if any(column in record for record in records):
            for row in rows:
                row.setdefault(column, _ABSENT)


def _rows(part: str, wanted: Any) -> list[dict]:
    """Return the rows that a case expects of a table, as dictionaries that may be added to."""
    if part == "rows_of":
        return [row["is"] for row in wanted]
    rows = wanted.values() if isinstance(wanted, dict) else wanted or ()
    return [row for row in rows if isinstance(row, dict)]


def figures(expected: dict, result: Any) -> dict:
    """Return {part: numbers of now} for the parts of what is expected that hold numbers of an evaluation."""
    found: dict = {}
    for part, wanted in expected.items():
        if part in ("scores", "counts"):
            found[part] = {name: getattr(result, part).get(name) for name in wanted}
        elif part in ("interval", "intervals"):
            found[part] = {name: _ends(result.intervals.get(name), ends) for name, ends in wanted.items()}
        elif part == "draws":
            found[part] = result.draws[: len(wanted)].tolist()
        elif part == "units" and isinstance(wanted, int):
            found[part] = len(result.units)
        elif part == "tables":
            found[part] = {name: _table(rows, result.tables.get(name) or []) for name, rows in wanted.items()}
        elif part == "rows_of":
            found[part] = {name: _chosen(rows, result.tables[name]) for name, rows in wanted.items()}
        elif part == "rows":
            found[part] = {name: _likest(rows, result.tables[name]) for name, rows in wanted.items()}
        elif part == "documents":
            by_name = {record["document"]: record for record in result.tables[part]}
            found[part] = _table(wanted, [by_name[row["document"]] for row in wanted])
        elif part == "errors":
            found[part] = _table(wanted, result.tables[part])
        elif part == "confidence":
            found[part] = {name: _moments(labels, result.tables[name]) for name, labels in wanted.items()}
        elif isinstance(wanted, dict) and wanted.keys() == {"columns", "rows"}:
            rows = [[record.get(column) for column in wanted["columns"]] for record in result.tables[part]]
            found[part] = wanted | {"rows": rows}
    return found


def changed(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Put what was found into what is expected wherever the two differ by more than rounding, and say where."""
    for key in list(found) if isinstance(found, dict) else range(len(found)):
        before, now, where = expected[key], found[key], f"{path}.{key}".lstrip(".")
        if _are_alike(before, now):
            yield from changed(before, now, where)
        elif not _is_near(before, now):
            expected[key] = now
            yield f"{where}: {_shown(before)} -> {_shown(now)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _are_alike(before: Any, now: Any) -> bool:
    """Tell whether both are dictionaries or lists that differ in single values at most."""
    if isinstance(before, dict) and isinstance(now, dict):
        return before.keys() >= now.keys()
    return isinstance(before, list) and isinstance(now, list) and len(before) == len(now)


def _is_near(before: Any, now: Any) -> bool:
    if before == "NaN":  # what other programs print where a score does not apply
        return now is None
    if isinstance(before, str) and isinstance(now, int | float):
        return pytest.approx(float(Fraction(before)), abs=1e-9, rel=1e-9) == now
    is_number = isinstance(before, float) or (isinstance(now, float) and isinstance(before, int))
    return pytest.approx(before, abs=1e-9, rel=1e-9) == now if is_number else before == now


def _ends(interval: tuple[float, float] | None, wanted: list | None) -> list[float] | None:
    """Return an interval as a list; where all resamples agree there is none, and a case may say it as one point."""
    if interval is None:
        return wanted if wanted and wanted[0] == wanted[1] else None
    return list(interval)


def _table(wanted: Any, records: list[dict]) -> Any:
    """Return the records with the columns of the case: a list, or by type as in the cases of spaCy."""
    if wanted is None:
        return records or None
    if isinstance(wanted, dict):
        by_type = {record["type"]: record for record in records}
        return {name: _of_type(scores, by_type.get(name, {})) for name, scores in wanted.items()}
    if len(wanted) != len(records):
        columns = wanted[0].keys() if wanted else {}
        return [{column: record[column] for column in columns or record} for record in records]
    return [{column: record.get(column) for column in row} for row, record in zip(wanted, records, strict=True)]


def _of_type(scores: Any, record: dict) -> Any:
    return {key: record.get(key) for key in scores} if isinstance(scores, dict) else record.get("auc")


def _chosen(rows: list[dict], records: list[dict]) -> list[dict]:
    """Return the records that the case finds by some of their columns."""
    found = []
    for row in rows:
        [record] = [each for each in records if row["where"].items() <= each.items()]
        found.append({"where": row["where"], "is": {column: record[column] for column in row["is"]}})
    return found


def _likest(rows: list[dict], records: list[dict]) -> list[dict]:
    """Return for each row, in whatever order they are expected, the record that shares most of its values."""
    left, found = list(records), []
    for row in rows:
        best = max(left, key=lambda record: sum(_is_near(row[column], record.get(column)) for column in row))
        left.remove(best)
        found.append({column: best.get(column) for column in row})
    return found


def _moments(labels: dict, records: list[dict]) -> dict:
    """Return means and variances over the resamples, by label and metric."""
    by_tag = {record["tag"]: record for record in records}
    return {
        label: {metric: [by_tag[label][f"{metric}_{each}"] for each in ("mean", "variance")] for metric in metrics}
        for label, metrics in labels.items()
    }
