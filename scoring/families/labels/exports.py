"""Files made of the tables: the scores of labels, and the confusion as a matrix."""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.display.tables import csv_text, harmless
from scoring.families.f_beta import beside_f1, beta_of
from scoring.families.labels.score_keys import PRF
from scoring.family import Export, Options, Record

NO_ROW = "(missing)"


def _labels(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """Write a row for each label; precision, recall and F are formulas, which follow a count that is changed."""
    head = ["label", "gold", "system", "correct", *beside_f1(PRF, options)]
    zero = options["zero_division"]
    rows = []
    for line, row in enumerate(tables["labels"], start=2):
        gold, system, correct = (f"{letter}{line}" for letter in "BCD")
        scores = [
            f"=IF({system}=0,{zero},{correct}/{system})",
            f"=IF({gold}=0,{zero},{correct}/{gold})",
            f"=IF({gold}+{system}=0,{zero},2*{correct}/({gold}+{system}))",
        ]
        if beta := beta_of(options):
            scores.append(f"=IF({gold}+{system}=0,{zero},(1+{beta}^2)*{correct}/({beta}^2*{gold}+{system}))")
        rows.append([harmless(row["label"]), row["gold"], row["system"], row["correct"], *scores])
    return _csv([head, *rows])


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
