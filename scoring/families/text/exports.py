"""Tables of an evaluation as files: every segment with its scores, for spreadsheets and plots."""

import csv
import io
from collections.abc import Callable, Mapping

from scoring.family import Export, Options, Record
from scoring.spreadsheets import harmless


def _csv(table: str) -> Callable[[Mapping[str, list[Record]], Options], bytes]:
    def make(tables: Mapping[str, list[Record]], options: Options) -> bytes:
        return as_csv(tables[table])

    return make


def as_csv(records: list[Record]) -> bytes:
    """A table in UTF-8, scores with all their digits; empty without a row."""
    if not records:
        return b""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(records[0])
    for record in records:
        writer.writerow(map(_cell, record.values()))
    return file.getvalue().encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return harmless(value) if isinstance(value, str) else repr(value)


EXPORTS = (
    # The scores of single segments say much of what their references are.
    Export("segments.csv", "Every segment with its scores", tells_gold=True, make=_csv("segments"), table="segments"),
    Export(
        "documents.csv", "Every document with its scores", tells_gold=True, make=_csv("documents"), table="documents"
    ),
)
