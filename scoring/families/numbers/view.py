"""One item, or one group of them, with the gold's numbers beside the run's."""

from typing import Any

import numpy as np

from scoring.families.numbers.names import column_keys
from scoring.families.numbers.scores import is_near
from scoring.family import Files, Options, Record
from scoring.readers.numbers import Gold, Run, read_gold, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `rows`: each item with its `id`, what people read beside it (`text`), the slice, and for each column the
    numbers of both sides and what lies between them; `near` only where the task has a tolerance.
    """
    gold = read_gold(gold_files, options)
    run = read_system(system_files, gold, options)
    return {"rows": [_item(gold, run, row, options) for row in gold.of_unit(unit)]}


def _item(gold: Gold, run: Run, row: int, options: Options) -> Record:
    return {
        "id": gold.ids[row],
        "text": [{"name": name, "text": gold.table.columns[name][row]} for name in options["text"] or ()],
        "slice": gold.slices.names[gold.slices.code[row]] if gold.slices else None,
        "has_tolerance": gold.tolerance is not None,
        "numbers": [_number(gold, run, row, column, options) for column in range(len(gold.values))],
    }


def _number(gold: Gold, run: Run, row: int, column: int, options: Options) -> Record:
    right, given = gold.values[column, row], run.values[column, row]
    number: dict[str, Any] = {
        "column": column_keys(options)[column],
        "gold": float(right),
        "system": float(given),
        "difference": float(given - right) if abs(given - right) < np.inf else None,
        "is_missing": bool(run.is_missing[column, row]),
        "near": None,
        "tolerance": None,
    }
    if gold.tolerance is not None:
        tolerance = gold.tolerance[row]
        number |= {"tolerance": float(tolerance), "near": bool(is_near(given - right, tolerance, options))}
    return number
