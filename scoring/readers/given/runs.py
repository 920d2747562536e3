"""All runs of a table of scores at once: for an organiser who brings them together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Integers
from scoring.messages import Message
from scoring.readers.given.gold import UNIT, Gold
from scoring.readers.given.run import read_scores
from scoring.readers.tables import NONE, Table, numbers_in, pair


@dataclass(frozen=True)
class Contribution:
    """Holds the rows of one run."""

    name: str  # empty where the table names no runs
    rows: Integers  # its rows in the table
    n_units: int  # units of the gold that have a score
    missing: list[str]  # the first units of the gold that have none
    n_missing: int
    unknown: list[str]  # the first units that the gold lacks
    n_unknown: int
    n_repeated: int  # further scores of units that have one


@dataclass(frozen=True)
class Runs:
    """The runs of a table, in the order of first sight."""

    table: Table
    runs: list[Contribution]


_NAMED = 5  # units by name


def read_runs(files: Mapping[str, bytes], gold: Gold, options: Mapping[str, Any]) -> Runs:
    """Return what the table holds of each run; SubmissionError where it cannot be read or a score is no number.

    What is missing or unknown is told and not refused.
    """
    table = read_scores(files, options)
    numbers_in(table, options["score"], Message.word("score"), ~table.columns[options["score"]].is_blank())
    table.problems.raise_all()
    pairing = pair(gold.table, table, refuse_unknown=False, refuse_repeated=False, gold_ids=gold.ids, noun=UNIT)
    table.problems.raise_all()
    column = table.columns.get(options["run_column"])
    if column is None:
        return Runs(table, [_contribution("", np.arange(len(table)), table, gold, pairing.in_gold)])
    code, names = column.values()
    order = np.argsort(code, kind="stable")
    pieces = np.split(order, np.flatnonzero(np.diff(code[order])) + 1) if len(order) else []
    runs = [_contribution(names[code[rows[0]]], rows, table, gold, pairing.in_gold) for rows in pieces]
    return Runs(table, sorted(runs, key=lambda run: int(run.rows[0])))


def _contribution(name: str, rows: Integers, table: Table, gold: Gold, in_gold: Integers) -> Contribution:
    units = in_gold[rows]
    is_known = units != NONE
    judgements = np.bincount(units[is_known], minlength=len(gold))
    missing, unknown = np.flatnonzero(judgements == 0), rows[~is_known]
    return Contribution(
        name=name,
        rows=rows,
        n_units=int(np.count_nonzero(judgements)),
        missing=[gold.ids[unit] for unit in missing[:_NAMED].tolist()],
        n_missing=len(missing),
        unknown=[table.ids[row] for row in unknown[:_NAMED].tolist()],
        n_unknown=len(unknown),
        n_repeated=int(np.maximum(judgements - 1, 0).sum()),
    )
