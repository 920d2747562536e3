"""Files made of the tables: the scores of labels, and the confusion as a matrix."""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from scoring.display.tables import csv_text, harmless
from scoring.families.f_beta import beta_of
from scoring.families.labels.tables import COLUMNS
from scoring.family import Export, Options, Record
from scoring.table_columns import formulas

NO_ROW = "(missing)"


def _labels(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """Write a row for each label: counts, then the scores as formulas, which follow a count that is changed."""
    of_scores = formulas(COLUMNS["labels"])
    keys = sorted(tables["labels"][0], key=lambda key: key in of_scores)
    values = {"zero": options["zero_division"], "beta": beta_of(options)}
    rows = []
    for line, row in enumerate(tables["labels"], start=2):
        cells = {key: f"{letter}{line}" for key, letter in zip(keys, ascii_uppercase, strict=False)}
        written = row | {key: of_scores[key].format(**cells, **values) for key in keys if key in of_scores}
        rows.append([harmless(row["label"]), *(written[key] for key in keys[1:])])
    return _csv([keys, *rows])


def _confusion(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """Write the gold's labels down, the system's across."""
    cells = {(row["gold"], row["system"]): row["count"] for row in tables["confusion"]}
    order = [row["label"] for row in tables.get("labels", ())]
    down = _in_order({gold for gold, _ in cells}, order)
    across = _in_order({system for _, system in cells}, order)
    head = ["gold \\ system", *(harmless(label) if label else NO_ROW for label in across)]
    rows = [[harmless(gold), *(cells.get((gold, system), 0) for system in across)] for gold in down]
    return _csv([head, *rows])


def _in_order(labels: set[str], order: Sequence[str]) -> list[str]:
    """Sort labels as in the table of labels, others behind."""
    place = {label: number for number, label in enumerate(order)}
    return sorted(labels, key=lambda label: (place.get(label, len(place)), label))


def _csv(rows: Iterable[Sequence[Any]]) -> bytes:
    """Encode in UTF-8 with the mark that spreadsheet programs want."""
    return codecs.BOM_UTF8 + csv_text(rows, ends="\r\n").encode()


EXPORTS = (
    Export("labels.csv", "Labels, for a spreadsheet", tells_gold=False, make=_labels, table="labels"),
    Export("confusion.csv", "Confusion as a matrix", tells_gold=False, make=_confusion, table="confusion"),
)
