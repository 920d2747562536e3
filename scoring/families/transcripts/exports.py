"""Spreadsheets of the tables: utterances, speakers, and the words that went wrong."""

from collections.abc import Iterator, Mapping, Sequence

from scoring.display.tables import csv_of
from scoring.family import Export, Options, Record

Tables = Mapping[str, list[Record]]

_ERRORS = ("error", "reference", "system", "count")


def _utterances(tables: Tables, options: Options) -> bytes:
    return _table(tables["utterances"])


def _speakers(tables: Tables, options: Options) -> bytes:
    return _table(tables["speakers"])


def _errors(tables: Tables, options: Options) -> bytes:
    """Write the three tables of words as one: what became of a word, both words, and how often."""
    return csv_of(_ERRORS, ([record[name] for name in _ERRORS] for record in _rows(tables)), ends="\r\n")


def _rows(tables: Tables) -> Iterator[Record]:
    for record in tables["confusions"]:
        yield {"error": "substitution", **record}
    for record in tables["deletions"]:
        yield {"error": "deletion", "reference": record["word"], "system": None, "count": record["count"]}
    for record in tables["insertions"]:
        yield {"error": "insertion", "reference": None, "system": record["word"], "count": record["count"]}


def _table(records: Sequence[Record]) -> bytes:
    return csv_of(records[0] if records else (), (record.values() for record in records), ends="\r\n")


EXPORTS = (
    Export("utterances.csv", "Every utterance with its errors", tells_gold=True, make=_utterances, table="utterances"),
    Export("errors.csv", "Words taken for others, missing and added", tells_gold=True, make=_errors),
    Export("speakers.csv", "Every speaker with its errors", tells_gold=True, make=_speakers, table="speakers"),
)
