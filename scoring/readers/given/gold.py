"""The units of a task, with weights and groups where the table has them.

A table of scores may serve: each of its runs says the units anew, and all have to agree on weights and groups.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.given.blocks import N_BLOCKS, names_of_blocks
from scoring.readers.tables import (
    Cells,
    Column,
    Items,
    Table,
    check_unique,
    groups_of,
    layout_of,
    numbers_in,
    read_table,
    shown,
)

UNIT = Message.word("unit")  # what messages call the id of a row


@dataclass(frozen=True)
class Gold(Items):
    """n units, in the order of first sight, and which of them belong together."""

    weights: Floats  # (n,), none negative, not all 0


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    """Read the units; SubmissionError with all problems of their table."""
    wanted = [Column(options["weight"], "number", optional=True), Column(options["run_column"], optional=True)]
    group = options["group"]
    table = read_table(files, layout_of(options, "gold", UNIT), [*([Column(group)] if group else []), *wanted])
    first = table.ids.firsts()
    if options["run_column"] not in table.columns:
        check_unique(table, UNIT)
    is_first = np.ones(len(table), dtype=bool) if first is None else first == np.arange(len(table))
    weights = _weights(table, options["weight"])
    if first is not None:
        check_agreement(table, "weight", first, weights != weights[first])
        if group:
            code, _ = table.columns[group].values()
            check_agreement(table, "group", first, code != code[first])
    groups = groups_of(table, group, np.flatnonzero(is_first))
    if not len(table) and not table.problems:
        table.problems.add(Message("no-rows", "no rows"))
    table.problems.raise_all()
    unit_weights = weights[is_first]
    if not unit_weights.any():
        raise SubmissionError(Finding(Message("all-weights", "all weights are 0"), table.path))
    if options["blocks"]:
        return _in_blocks(table, table.ids.taken(is_first))
    return Gold(table, table.ids.taken(is_first), groups, unit_weights)


def _in_blocks(table: Table, units: Cells) -> Gold:
    """Return the blocks of the units in place of these: a score is known of the run without each of them alone."""
    if len(units) < N_BLOCKS:
        message = Message("too-few-blocks", "{n} units are too few for {blocks} blocks", n=len(units), blocks=N_BLOCKS)
        raise SubmissionError(Finding(message, table.path))
    return Gold(table, Cells(names_of_blocks()), None, np.ones(N_BLOCKS))


def _weights(table: Table, column: str) -> Floats:
    """Return the weights, 1 where the table has no such column: (rows,)."""
    if column not in table.columns:
        return np.ones(len(table))
    weights = numbers_in(table, column, Message.word("weight"))
    table.add_where(weights < 0, Message("weight-must-not-negative", "a weight must not be negative"))
    return weights


def check_agreement(table: Table, noun: str, first: Integers, differs: Flags) -> None:
    """Add a problem for each row that says something else of its unit than the first one, and can be read."""
    table.add_where(
        differs & ~table.ids.is_blank(),
        lambda row: Message(
            "another-on-line",
            "{unit} {id} has another {noun} on line {line}",
            unit=UNIT,
            id=shown(table.ids[row]),
            noun=noun,
            line=table.line(int(first[row])),
        ),
    )
