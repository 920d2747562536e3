"""A row of sums for each unit, and the scores that need the rows themselves.

Gold and system are paired by id (readers/numbers/). A unit is a row of the gold, or all rows of a group. Errors and
correlations of values are sums over rows; ranks and curves are made from the weights of rows, that is how often each
was drawn. One worked example:

    gold    1   2   2    3    4    5         weights   2 0 1 1 1 1
    system  1.5 1   2.5  2.5  3.5  5.5

    stands for the rows 1 and 3 to 6, the first one twice: N = 6. The gold has the classes 1, 2, 3, 4, 5 with the
    weights 2, 1, 1, 1, 1 and the midranks 1.5, 3, 4, 5, 6; Pearson's correlation of these and the system's midranks,
    1.5, 1.5, 3.5, 3.5, 5, 6, is Spearman's.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.numbers.combining import over_columns
from scoring.families.numbers.measures.agreement import LARGEST
from scoring.families.numbers.measures.systems import Systems
from scoring.families.numbers.measures.within_groups import Grouped
from scoring.families.numbers.names import (
    SLICES,
    all_scores,
    lower_is_better,
    of_weights,
    score_of,
)
from scoring.families.numbers.scorer import MOST_FOR_KENDALL, Rows, Scorer, of_slices, ordered
from scoring.families.numbers.scores import KINDS, counts_of
from scoring.family import Counted, Options
from scoring.messages import Message
from scoring.readers.numbers import Gold, Run


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from."""

    gold: Gold
    run: Run
    rows: Rows
    whole: Scorer
    slices: Scorer | None
    groups: tuple[Grouped, ...] = ()  # of each column; none where no correlations by group are asked for
    systems: tuple[Systems, ...] = ()  # of each column; none where no column of systems is named


def count(gold: Gold, run: Run, options: Options) -> Counted:
    """Put both sides side by side, and sum each unit."""
    rows = _rows(gold, run)
    draws_kendall = len(rows) <= MOST_FOR_KENDALL or _ranks_by_kendall(options)
    make = partial(Scorer.of, rows, options, draws_kendall=draws_kendall)
    by_slice = make(by_slice=True) if rows.slice is not None else None
    matches = Matches(gold, run, rows, make(by_slice=False), by_slice, _grouped(rows, options), _systems(gold, rows))
    return Counted(
        units=gold.units.names,
        rows=_by_unit(rows, options),
        totals={"items": len(gold), "missing": run.n_missing, "ignored_rows": run.n_ignored},
        warnings=_warnings(run, matches, options),
        matches=matches,
        weighted=partial(_weighted, matches, options),
        without_interval={} if draws_kendall else _without_kendall(options),
        numbers=np.stack([matches.systems[0].gold, matches.systems[0].metric]) if len(matches.systems) == 1 else None,
    )


def _rows(gold: Gold, run: Run) -> Rows:
    return Rows(
        gold=gold.values,
        system=run.values,
        tolerance=gold.tolerance,
        unit=gold.units.code,
        n_units=len(gold.units.names),
        slice=gold.slices.code if gold.slices else None,
        slices=tuple(gold.slices.names) if gold.slices else (),
    )


def _grouped(rows: Rows, options: Options) -> tuple[Grouped, ...]:
    if not options.get("group_correlations"):
        return ()
    return tuple(Grouped.of(*sides, rows.unit, rows.n_units) for sides in zip(rows.gold, rows.system, strict=True))


def _systems(gold: Gold, rows: Rows) -> tuple[Systems, ...]:
    if gold.systems is None:
        return ()
    return tuple(Systems.of(*sides, rows.unit, gold.systems.code) for sides in zip(rows.gold, rows.system, strict=True))


def _by_unit(rows: Rows, options: Options) -> Floats:
    """Return the kinds of each unit: (units, kinds), or (units, columns, kinds) of several columns."""
    counts = np.stack(
        [counts_of(gold, system, rows.tolerance, options) for gold, system in zip(rows.gold, rows.system, strict=True)],
        axis=1,
    )
    if rows.n_units < len(rows):
        counts = _summed(counts.reshape(len(rows), -1), rows.unit, rows.n_units).reshape(rows.n_units, -1, len(KINDS))
    return counts[:, 0] if len(rows.gold) == 1 else counts


def _summed(counts: Floats, unit: Integers, n_units: int) -> Floats:
    """Sum rows (n, k) by unit: (units, k)."""
    return np.stack([np.bincount(unit, weights=column, minlength=n_units) for column in counts.T], axis=1)


def _weighted(matches: Matches, options: Options, weights: Array) -> dict[str, Floats]:
    """Return the scores that are made of weights (m, units): {score: (m,)}."""
    scores = {name: values[:, 0] for name, values in matches.whole.scores(weights).items()}
    if matches.groups:
        scores |= over_columns([groups.scores(weights, options) for groups in matches.groups], options)
    if matches.systems:
        scores |= over_columns([groups.scores(weights) for groups in matches.systems], options)
    names = of_weights(all_scores(options), options)
    if matches.slices:
        score = options["slice_score"]
        values = matches.slices.scores(weights)
        if score in values:
            scores |= of_slices(values[score], lower_is_better=score in lower_is_better(options))
    return ordered(scores, [name for name in all_scores(options) if name in names])


def _ranks_by_kendall(options: Options) -> bool:
    score = options["slice_score"] if options["headline"] in SLICES else options["headline"]
    return score_of(score, options) == "kendall"


def _without_kendall(options: Options) -> dict[str, str]:
    """Return why Kendall's tau has no interval: {score: reason}."""
    of_tau = [name for name in all_scores(options) if score_of(name, options) == "kendall"]
    if options["slices"] and score_of(options["slice_score"], options) == "kendall":
        of_tau += SLICES
    return {name: Message("too-many-items", "more than {n} items", n=MOST_FOR_KENDALL) for name in of_tau}


def _warnings(run: Run, matches: Matches, options: Options) -> list[str]:
    warnings: list[str] = []
    if run.n_missing:
        warnings.append(
            Message.counted(
                "missing-rows-filled",
                "{n} missing row was filled with {value:g}",
                "{n} missing rows were filled with {value:g}",
                run.n_missing,
                value=options["missing"],
            )
        )
    if run.n_empty:
        warnings.append(
            Message.counted(
                "missing-numbers-filled",
                "{n} missing number was filled with {value:g}",
                "{n} missing numbers were filled with {value:g}",
                run.n_empty,
                value=options["missing"],
            )
        )
    if run.n_ignored:
        warnings.append(
            Message.counted(
                "unknown-ids-left-out",
                "{n} row was with unknown ids left out",
                "{n} rows were with unknown ids left out",
                run.n_ignored,
            )
        )
    if matches.run.is_constant:
        warnings.append(
            Message(
                "numbers-constant",
                "all numbers of a column are equal: its correlations have no value of their own",
            )
        )
    return warnings + _overflows(matches, options)


def _overflows(matches: Matches, options: Options) -> list[str]:
    """Name scores whose sums are beyond what a double holds."""
    if options["kind"] == "binary":
        return []
    warnings: list[str] = []
    for name, column in zip(options["columns"], matches.whole.columns, strict=True):
        sums = column.paired.exact_sums
        if not (np.abs(sums) <= LARGEST).all():
            warning = Message(
                "squares-overflow", "the squares of such large numbers overflow: some scores have no value"
            )
            is_one = len(options["columns"]) == 1
            warnings.append(
                warning if is_one else Message("of-column", "column {name!r}: {said}", name=name, said=warning)
            )
    return warnings
