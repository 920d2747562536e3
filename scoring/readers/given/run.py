"""The scores of one run for the units of the gold."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.errors import ConfigurationError
from scoring.messages import Message
from scoring.readers.given.blocks import WHOLE
from scoring.readers.given.gold import UNIT, Gold
from scoring.readers.tables import (
    NONE,
    Column,
    Table,
    layout_of,
    numbers_in,
    pair,
    read_table,
    refuse_missing,
    shown,
)
from scoring.readers.tables.decimals import numbers_of
from scoring.spelling.strings import nearest

_NAMED = 20  # runs in a message


@dataclass(frozen=True)
class Run:
    """The scores of one run, for the n units of the gold."""

    table: Table  # of the rows of this run
    scores: Floats  # (n,) the mean of each unit's scores; NaN where it has none
    judgements: Integers  # (n,) how many scores of the unit were read
    n_ignored: int  # rows of units that the gold lacks
    whole: float = math.nan  # the score of the whole run, where the units are blocks that were left out

    @property
    def paths(self) -> list[str]:
        """Return the file that was read."""
        return self.table.paths

    @property
    def is_missing(self) -> Flags:
        """Return whether no score of the unit was read: (n,)."""
        return np.asarray(self.judgements == 0)


def read_system(files: Mapping[str, bytes], gold: Gold, options: Mapping[str, Any]) -> Run:
    """Read the scores of the run that the options name, or of the only one.

    Raises SubmissionError with all problems of the table, ConfigurationError where several runs leave it open.
    """
    table = read_scores(files, options)
    is_own = _own_rows(table, options)
    whole = math.nan
    if options["blocks"]:
        is_whole = is_own & np.array([unit == WHOLE for unit in table.ids], dtype=bool)
        whole = _whole(rows_of(table, is_whole), options)
        is_own &= ~is_whole
    own_table = rows_of(table, is_own)
    pairing = pair(
        gold.table,
        own_table,
        refuse_unknown=options["unknown_ids"] == "refuse",
        refuse_repeated=options["repeated"] == "refuse",
        gold_ids=gold.ids,
        noun=UNIT,
    )
    is_known = pairing.in_gold != NONE
    values = _scores(table, is_own, is_known, options)
    _check_range(own_table, values, options)
    is_read = is_known & np.isfinite(values)
    units = pairing.in_gold[is_read]
    judgements = np.bincount(units, minlength=len(gold))
    sums = np.bincount(units, weights=values[is_read], minlength=len(gold))
    if options["missing"] == "refuse":
        refuse_missing(gold.ids, own_table, np.flatnonzero(judgements == 0), UNIT)
    table.problems.raise_all()
    with np.errstate(invalid="ignore"):
        return Run(own_table, sums / judgements, judgements, int(np.count_nonzero(~is_known)), whole)


def _whole(table: Table, options: Mapping[str, Any]) -> float:
    """Return the score of the whole run; a problem where it does not stand there once."""
    if len(table) != 1:
        message = Message(
            "score-whole-run", "one row of the unit {name} is needed, found {n}", name=WHOLE, n=len(table)
        )
        table.problems.add(message)
        return math.nan
    values = numbers_of(table.columns[options["score"]])
    _check_range(table, values, options)
    return float(values[0])


def read_scores(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Table:
    """Read the table of a run or several, whose rows all say of which run they are, if they have such a column."""
    wanted = [Column(options["score"], "number"), Column(options["run_column"], optional=True)]
    table = read_table(files, layout_of(options, "system", UNIT), wanted)
    if options["run_column"] in table.columns:
        table.add_where(table.columns[options["run_column"]].is_blank(), Message("empty-run", "empty run"))
    return table


def rows_of(table: Table, rows: Flags) -> Table:
    """Return some rows of a table, with the same list of problems."""
    if rows.all():
        return table
    columns = {name: cells.taken(rows) for name, cells in table.columns.items()}
    return replace(table, ids=table.ids.taken(rows), columns=columns, lines=np.asarray(table.lines)[rows])


def _own_rows(table: Table, options: Mapping[str, Any]) -> Flags:
    """Return which rows are of the run that was chosen: (rows,)."""
    column, chosen = options["run_column"], options["run"]
    if column not in table.columns:
        if chosen is not None:
            raise ConfigurationError(Message("there-no-column", "there is no column {column!r}", column=column))
        return np.ones(len(table), dtype=bool)
    code, names = table.columns[column].values()
    runs = [name for name in names if name]
    if chosen is None:
        if len(runs) > 1:
            more = ", …" if len(runs) > _NAMED else ""
            raise ConfigurationError(
                Message(
                    "file-runs-name-one",
                    "the file has {n} runs, name one of {known}{more}",
                    n=len(runs),
                    known=", ".join(runs[:_NAMED]),
                    more=more,
                )
            )
        return np.ones(len(table), dtype=bool)
    if chosen not in runs:
        near = nearest(chosen, runs)
        asked = (
            Message("no-run-did-you", "no run {chosen}; did you mean {near}?", chosen=shown(chosen), near=shown(near))
            if near
            else Message("no-run", "no run {chosen}", chosen=shown(chosen))
        )
        raise ConfigurationError(asked)
    return np.asarray(code == names.index(chosen))


def _scores(table: Table, is_own: Flags, is_known: Flags, options: Mapping[str, Any]) -> Floats:
    """Return the scores, NaN where there is none: (own rows,).

    There are problems for what is no number, in rows of other runs, too.

    Not looked at are rows of unknown units, and empty cells where a missing score is allowed.
    """
    looked_at = np.ones(len(table), dtype=bool)
    looked_at[is_own] = is_known
    if options["missing"] != "refuse":
        looked_at &= ~table.columns[options["score"]].is_blank()
    return numbers_in(table, options["score"], Message.word("score"), looked_at)[is_own]


def bounds(text: str) -> tuple[float, float]:
    """Return the ends of a range LOW..HIGH.

    >>> bounds("0..100")
    (0.0, 100.0)
    """
    low, _, high = text.partition("..")
    return float(low), float(high)


def _check_range(table: Table, values: Floats, options: Mapping[str, Any]) -> None:
    """Add problems for scores outside of the range, if there is one."""
    if options["range"] is None:
        return
    low, high = bounds(options["range"])
    cells = table.columns[options["score"]]
    is_outside = np.isfinite(values) & ((values < low) | (values > high))
    table.add_where(
        is_outside,
        lambda row: Message(
            "score-lies-outside", "score {cell} lies outside {option}", cell=cells[row][:40], option=options["range"]
        ),
    )
