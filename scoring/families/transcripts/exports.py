"""Spreadsheets of the tables: utterances, speakers, and the words that went wrong."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.family import Export, Options, Record
from scoring.spreadsheets import harmless

Tables = Mapping[str, list[Record]]

_ERRORS = ("error", "reference", "system", "count")


def _utterances(tables: Tables, options: Options) -> bytes:
    return _table(tables["utterances"])


def _speakers(tables: Tables, options: Options) -> bytes:
    return _table(tables["speakers"])


def _errors(tables: Tables, options: Options) -> bytes:
    """The three tables of words as one: what became of a word, both words, and how often."""
    return _csv(_ERRORS, ([record[name] for name in _ERRORS] for record in _rows(tables)))


def _rows(tables: Tables) -> Iterator[Record]:
    for record in tables["confusions"]:
        yield {"error": "substitution", **record}
    for record in tables["deletions"]:
        yield {"error": "deletion", "reference": record["word"], "system": None, "count": record["count"]}
    for record in tables["insertions"]:
        yield {"error": "insertion", "reference": None, "system": record["word"], "count": record["count"]}


def _table(records: Sequence[Record]) -> bytes:
    columns = list(records[0]) if records else []
    return _csv(columns, (record.values() for record in records))


def _csv(columns: Sequence[str], rows: Any) -> bytes:
    """Numbers in full precision, and None as an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue().encode()


EXPORTS = (
    Export("utterances.csv", "Every utterance with its errors", tells_gold=True, make=_utterances, table="utterances"),
    Export("errors.csv", "Words taken for others, missing and added", tells_gold=True, make=_errors),
    Export("speakers.csv", "Every speaker with its errors", tells_gold=True, make=_speakers, table="speakers"),
)
