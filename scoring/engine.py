"""evaluate() and check(): the order of the steps, the same for every family.

    open -> read the gold -> resolve options -> read the system -> match and count -> scores -> intervals -> tables

Each step is a function of the family's record; this module knows none of the families.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from scoring.columns import Floats
from scoring.errors import ConfigurationError, Problem, SubmissionError, problems_of_gold
from scoring.evaluation import Evaluation, Interval
from scoring.families import FAMILIES
from scoring.family import Array, Counted, Family, Metrics, Options, Table
from scoring.moments import records_with_moments
from scoring.readers.archive import Files, open_files
from scoring.signature import signature
from scoring.significance import Block, TableIntervals, bootstrap, points, seed_of
from scoring.significance.limits import FEWEST_UNITS, check_resampling

# Counts behind a table; beyond 128 MiB of them, as thousands of invented labels have, it goes without intervals.
_MOST_TABLE_COUNTS = 2**24


def evaluate(
    family: str,
    *,
    gold: str | Path,
    system: str | Path,
    options: Mapping[str, object] | None = None,
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    seed: int | None = None,
    on_step: Callable[[str], None] | None = None,
    drop_marks: bool = False,
) -> Evaluation:
    """Scores of a system against the gold.

    * `family`: a name in `FAMILIES`, such as "mat".
    * `gold`, `system`: each a folder, a zip archive or a single file, as the layout of the family says.
    * `options`: {key: value or text} of the family; what is not given has its default.
    * `n_resamples`: of the bootstrap, for intervals; 0 for none, 10,000 where they are to be published.
    * `confidence_level`: of the intervals, between 0 and 1.
    * `seed`: of the draws. Without one they follow from the gold's content, so that all systems on one gold share
      them and can be compared, and no system can choose a lucky one.
    * `on_step`: is told "reading", "matching" and "intervals" as they begin.
    * `drop_marks`: byte order marks at the beginning of the system's files are taken away, with a warning, also where
      the rules of the family refuse them; the site and the command line do so.

    Raises SubmissionError, GoldError or ConfigurationError, and nothing else on bad input.
    """
    # Cheap mistakes of the caller are told before a large file is read.
    chosen_family = _family(family)
    chosen_options = chosen_family.configure(options or {})
    check_resampling(n_resamples, confidence_level, seed)
    step = on_step or _report_nothing
    step("reading")
    gold_files, gold_side, chosen_options = _read_gold(chosen_family, gold, chosen_options)
    system_files = open_files(system, drop_marks=drop_marks)
    system_side = chosen_family.read_system(system_files, gold_side, chosen_options)
    step("matching")
    counted = chosen_family.count(gold_side, system_side, chosen_options)
    notes = [f"gold: {note}" for note in gold_files.notes] + [f"files: {note}" for note in system_files.notes]
    counted = replace(counted, warnings=[*counted.warnings, *notes])
    with problems_of_gold():
        # Reads the files once more, because readers keep no contents.
        digest = gold_files.digest(gold_side.paths)
    if n_resamples:
        step("intervals")
    return _evaluation(
        chosen_family,
        chosen_options,
        counted,
        gold_digest=digest,
        n_resamples=n_resamples,
        confidence_level=float(confidence_level),
        seed=seed_of(digest) if seed is None else seed,
    )


def check(
    family: str,
    *,
    gold: str | Path,
    system: str | Path,
    options: Mapping[str, object] | None = None,
    drop_marks: bool = False,
) -> list[Problem]:
    """All problems of the system's files; none means that `evaluate` will accept them, with the same arguments.

    Problems of the gold are raised as GoldError, because they are not the participant's to read.
    """
    chosen_family = _family(family)
    chosen_options = chosen_family.configure(options or {})
    _, gold_side, chosen_options = _read_gold(chosen_family, gold, chosen_options)
    try:
        chosen_family.read_system(open_files(system, drop_marks=drop_marks), gold_side, chosen_options)
    except SubmissionError as error:
        return error.problems
    return []


def _family(name: str) -> Family:
    """The record of a family by its name."""
    if name not in FAMILIES:
        raise ConfigurationError(f"unknown family {name!r}; there are {', '.join(FAMILIES)}")
    return FAMILIES[name]


def _report_nothing(step: str) -> None:
    """Stands for `on_step` where the caller gives none."""


def _read_gold(family: Family, path: str | Path, options: Options) -> tuple[Files, Any, Options]:
    """The gold's files, what was read from them, and the options with those that only the gold can tell."""
    with problems_of_gold():
        files = open_files(path)
        gold = family.read_gold(files, options)
        return files, gold, family.resolve_options(gold, options) if family.resolve_options else options


def _evaluation(
    family: Family,
    options: Options,
    counted: Counted,
    *,
    gold_digest: str,
    n_resamples: int,
    confidence_level: float,
    seed: int,
) -> Evaluation:
    """The result of an evaluation whose counts are made."""
    metrics, headline = family.metrics_with(options), family.headline(options)
    block = Block(counted.rows, metrics, weighted=counted.weighted)
    drawn, make_tables = _NOT_DRAWN, partial(family.tables, counted.matches, options)
    if n_resamples:
        # Their intervals need the tables now. Else they are only made if somebody asks for them.
        tables = make_tables()
        make_tables = partial(_ready, tables)
        drawn = _drawn(
            replace(block, metrics=_without(metrics, family.without_interval)),
            tables,
            headline=headline,
            units=family.unit(options)[1],
            seed=seed,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
        )
    return Evaluation(
        family=family.name,
        options=options,
        signature=signature(
            family,
            options,
            headline=headline,
            n_units=len(counted.units),
            gold_digest=gold_digest,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method=drawn.methods.get(headline),
            seed=seed,
        ),
        headline=headline,
        scores={name: _score(value) for name, value in points(block).items()},
        intervals=drawn.intervals,
        interval_methods=drawn.methods,
        counts=counted.totals,
        units=counted.units,
        warnings=counted.warnings + drawn.warnings,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        seed=seed if n_resamples else None,
        gold_digest=gold_digest,
        rows=counted.rows,
        draws=drawn.draws,
        table_intervals={name: table.intervals for name, table in drawn.tables.items()},
        table_interval_methods={name: table.methods for name, table in drawn.tables.items()},
        table_interval_reasons={name: table.reasons for name, table in drawn.tables.items()},
        make_tables=lambda: {name: records_with_moments(table, seed) for name, table in make_tables().items()},
    )


def _without(metrics: Metrics, names: Collection[str]) -> Metrics:
    """The metrics without these scores."""

    def others(counts: Array) -> dict[str, Floats]:
        return {name: values for name, values in metrics(counts).items() if name not in names}

    return others if names else metrics


@dataclass(frozen=True)
class _Drawn:
    """What the resamples say; the fields are those of `significance.Bootstrap`, but tables go by name."""

    intervals: dict[str, Interval]
    methods: dict[str, str]
    tables: dict[str, TableIntervals]
    draws: Floats | None
    warnings: list[str]


_NOT_DRAWN = _Drawn({}, {}, {}, None, [])


def _drawn(
    scores: Block,
    tables: dict[str, Table],
    *,
    headline: str,
    units: str,
    seed: int,
    n_resamples: int,
    confidence_level: float,
) -> _Drawn:
    """The intervals of all scores and of the tables that have counts; `units` names the units in the plural."""
    blocks = {name: block for name, table in tables.items() if (block := _block(table))}
    drawn = bootstrap(
        scores,
        list(blocks.values()),
        headline=headline,
        seed=seed,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
    )
    by_name = dict(zip(blocks, drawn.tables, strict=True))
    # Of one unit there is no interval at all, and another warning says so.
    few = [f"fewer than {FEWEST_UNITS} {units}: the intervals are rough"] if 1 < len(scores.rows) < FEWEST_UNITS else []
    return _Drawn(drawn.intervals, drawn.methods, by_name, drawn.draws, few + drawn.warnings)


def _block(table: Table) -> Block | None:
    """The counts behind a table; None if it has none, or too many."""
    if table.rows is None or table.metrics is None or not 0 < table.rows.size <= _MOST_TABLE_COUNTS:
        return None
    return Block(table.rows, table.metrics, table.gold_items, table.n_own_kinds, table.weighted)


def _score(value: Floats) -> float | None:
    """One score, of shape (), as a plain number; None where it does not apply."""
    return None if math.isnan(value) else float(value)


def _ready(tables: dict[str, Table]) -> dict[str, Table]:
    """Stands for the family's `tables` where they are made already."""
    return tables
