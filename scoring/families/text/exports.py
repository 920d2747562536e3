"""Tables of an evaluation as files: every segment with its scores, for spreadsheets and plots."""

from collections.abc import Callable, Mapping

from scoring.display.tables import csv_of
from scoring.family import Export, Options, Record


def _csv(table: str) -> Callable[[Mapping[str, list[Record]], Options], bytes]:
    """Write a table in UTF-8, scores with all their digits; empty without a row."""

    def make(tables: Mapping[str, list[Record]], options: Options) -> bytes:
        records = tables[table]
        return csv_of(records[0], (record.values() for record in records)) if records else b""

    return make


EXPORTS = (
    # The scores of single segments say much of what their references are.
    Export("segments.csv", "Every segment with its scores", tells_gold=True, make=_csv("segments"), table="segments"),
    Export(
        "documents.csv", "Every document with its scores", tells_gold=True, make=_csv("documents"), table="documents"
    ),
)
