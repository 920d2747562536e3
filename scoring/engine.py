"""evaluate() and check(): the order of the steps, the same for every family.

    open -> read the gold -> resolve options -> read the system -> match and count -> scores -> intervals -> tables

Each step is a function of the family's record; this module knows none of the families.
"""

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from scoring import lazy
from scoring.columns import Floats
from scoring.errors import ConfigurationError, SubmissionError, about, problems_of_gold
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.families.moments import records_with_moments
from scoring.family import PART_KEYS, Array, Averages, Counted, Family, Metrics, Options, Table, about_gold
from scoring.findings import Finding
from scoring.labels import NOT_IN_GOLD
from scoring.messages import Message
from scoring.readers.archive import LIMITS, Files, Source, open_files
from scoring.signature import signature
from scoring.significance import Block, Bootstrap, TableIntervals, bootstrap, points, resampled, seed_of
from scoring.significance.jackknife import jackknife_interval
from scoring.significance.limits import FEWEST_UNITS, check_resampling, without_interval
from scoring.subset import Subset, SubsetCounts

# Counts behind a table; beyond 128 MiB of them, as thousands of invented labels have, it goes without intervals.
_MOST_TABLE_COUNTS = 2**24
_LABELS_NAMED = 5  # of those that a system invents
_LONGEST_LABEL = 40


def evaluate(
    family: str,
    *,
    gold: Source,
    system: Source,
    options: Mapping[str, object] | None = None,
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    seed: int | None = None,
    on_step: Callable[[str], None] | None = None,
    drop_marks: bool = False,
    gold_labels_only: bool = False,
    keep: Collection[str] = (),
    keep_seed: int | None = None,
    subset: Subset | None = None,
) -> Evaluation:
    """Return the scores of a system against the gold.

    * `family`: a name in `FAMILIES`, such as "mat".
    * `gold`, `system`: each a folder, a zip archive or a single file, as the layout of the family says; a file that is
      stored under another name than its own comes as `Named`; or the files that `open_files` gave, so that an archive
      need not be opened twice.
    * `options`: {key: value or text} of the family; what is not given has its default.
    * `n_resamples`: of the bootstrap, for intervals; 0 for none, 10,000 where they are to be published.
    * `confidence_level`: of the intervals, between 0 and 1.
    * `seed`: of the draws. Without one they follow from the gold's content, so that all systems on one gold share
      them and can be compared, and no system can choose a lucky one.
    * `on_step`: is told "reading", "matching" and "intervals" as they begin.
    * `drop_marks`: byte order marks at the beginning of the system's files are taken away, with a warning, also where
      the rules of the family refuse them; the site and the command line do so.
    * `gold_labels_only`: in the tables all labels that the gold does not have are one row, and a warning names some of
      them. No score depends on it. A site that keeps its gold hidden needs it: a label on a single annotation would
      tell whether the gold has just this one.
    * `keep`: names of scores whose values on the resamples are stored beside the headline's, as `kept_draws`. A score
      that is no function of sums, such as an area under a curve, can be combined with others only by these.
    * `keep_seed`: of the draws that are kept, where it is not that of all others: scenarios on the same units share
      draws, whose seed follows from all their golds.
    * `subset`: the units of which the evaluation tells, where it does not tell of all. The whole gold and the whole
      system are read, as a gold that is split into parts is one file.

    Raises SubmissionError, GoldError or ConfigurationError, and nothing else on bad input.
    """
    check_resampling(n_resamples, confidence_level, seed)
    step = on_step or _report_nothing
    step(Message.word("reading"))
    sides = read_sides(family, gold, system, options, drop_marks=drop_marks)
    step(Message.word("matching"))
    counted = sides.family.count(sides.gold, sides.system, sides.options)
    notes = about_gold(sides.gold_files.notes) + about("files", sides.system_files.notes)
    counted = replace(counted, warnings=[*counted.warnings, *notes])
    if gold_labels_only:
        counted = _folded(sides.family, counted)
    with problems_of_gold():
        # Reads the files once more, because readers keep no contents.
        digest = sides.gold_files.digest(sides.gold.paths)
    make_tables = partial(sides.family.tables, counted.matches, sides.options)
    make_averages = partial(sides.family.averages, counted.matches, sides.options)
    if subset is not None:
        part = SubsetCounts(sides.family, sides.options, counted, subset)
        counted, make_tables, digest = part.counted, partial(part.tables), subset.digest_with(digest)
        make_averages = partial(part.averages)
    if n_resamples:
        step(Message.word("intervals"))
    return _evaluation(
        sides.family,
        sides.options,
        counted,
        make_tables,
        make_averages,
        gold_digest=digest,
        resampling=_Resampling(
            n_resamples, float(confidence_level), seed_of(digest) if seed is None else seed, keep, keep_seed
        ),
    )


def check(
    family: str,
    *,
    gold: Source,
    system: Source,
    options: Mapping[str, object] | None = None,
    drop_marks: bool = False,
    hides_labels: bool = False,
) -> list[Finding]:
    """Return all problems of the system's files; none means that `evaluate` will accept them, with the same arguments.

    With `hides_labels` no problem tells which labels the gold has, unless the options name them.

    Problems of the gold are raised as GoldError, because they are not the participant's to read.
    """
    try:
        read_sides(family, gold, system, options, drop_marks=drop_marks, hides_labels=hides_labels)
    except SubmissionError as error:
        return error.problems
    return []


def family_of(name: str, options: Mapping[str, object]) -> Family:
    """Return the record of a family by its name, for the part of an upload that the options name, if they do.

    Raises ConfigurationError where there is none of this name, or its package cannot be used.
    """
    if why := FAMILIES.why_refused(name):
        raise ConfigurationError(
            Message(
                "family-refused",
                "the family {family} of an installed package cannot be used: {why}",
                family=name,
                why=why,
            )
        )
    if name not in FAMILIES:
        raise ConfigurationError(
            Message(
                "family-unknown",
                "unknown family {name!r}; there are {families}",
                name=name,
                families=", ".join(FAMILIES),
            )
        )
    family = FAMILIES[name]
    return _part("for_part")(family, options) if options.keys() & PART_KEYS else family


@dataclass(frozen=True)
class Sides:
    """Gold and system as the family has read them."""

    family: Family
    options: Options  # with those that only the gold can tell
    gold: Any
    gold_files: Files
    system: Any
    system_files: Files


def read_sides(
    name: str,
    gold: Source,
    system: Source,
    options: Mapping[str, object] | None,
    *,
    drop_marks: bool = False,
    hides_labels: bool = False,
) -> Sides:
    """Open and read both sides, with the arguments of `evaluate`; raises what that raises.

    With `hides_labels` the system is read beside a gold whose labels nobody knows, but those that the options name.
    """
    # Cheap mistakes of the caller are reported before a large file is read.
    family = family_of(name, options or {})
    given = chosen = family.configure(options or {})
    with problems_of_gold():
        gold_files = open_files(gold)
        if chosen.keys() & PART_KEYS:
            gold_files = _part("gold_of_part")(family, gold_files, chosen)
        gold_side = family.read_gold(gold_files, chosen)
        chosen = family.resolve_options(gold_side, chosen) if family.resolve_options else chosen
    if hides_labels and family.files.hide_labels:
        gold_side, chosen = family.files.hide_labels(gold_side, given, chosen)
    system_files = open_files(system, LIMITS.beside(len(gold_files)), drop_marks=drop_marks)
    try:
        system_side = family.read_system(system_files, gold_side, chosen)
    except SubmissionError as error:
        recognised = lazy.load("scoring.readers.natures", "recognised")
        problems = recognised(error.problems, system_files, lambda: family.example(chosen))
        read = partial(_problems_of, family, gold_side, chosen)
        tried = lazy.load("scoring.readers.mending", "tried")  # which knows readers of many families
        odd = partial(_oddities_of, family, gold_side, chosen, hides_labels=hides_labels)
        problems = tried(problems, system_files, system_files.n_bytes, read, odd)
        explained = lazy.load("scoring.describing.outside", "explained")
        describe = partial(_contents_of, family, gold_side, chosen)
        raise SubmissionError(explained(problems, system_files, system_files.n_bytes, describe)) from None
    return Sides(family, chosen, gold_side, gold_files, system_side, system_files)


def _part(name: str) -> Callable[..., Any]:
    """Return a function on parts of uploads; what divides files is loaded where options name a part."""
    step: Callable[..., Any] = lazy.load("scoring.families.parts", name)
    return step


def _problems_of(family: Family, gold: Any, options: Options, files: Files) -> list[Finding]:
    """Return what is wrong with files of a system."""
    try:
        family.read_system(files, gold, options)
    except SubmissionError as error:
        return error.problems
    return []


def _contents_of(family: Family, gold: Any, options: Options, files: Files) -> Any:
    """Return what is described of files of a system; SubmissionError where they cannot be read, or never are."""
    if family.views.contents is None:
        raise SubmissionError([])
    return family.views.contents(files, gold, family.read_system(files, gold, options), options)


def _oddities_of(family: Family, gold: Any, options: Options, files: Files, *, hides_labels: bool) -> Sequence[Finding]:
    """Return what is odd of files of a system that can be read, as far as a hidden gold lets tell."""
    described = lazy.load("scoring.describing.describe", "described")
    try:
        oddities: Sequence[Finding] = described(
            _contents_of(family, gold, options, files), hides_labels=hides_labels
        ).oddities
    except SubmissionError:
        return []
    return oddities


def _take_jackknife(drawn: Bootstrap, headline: str, counted: Counted, confidence_level: float) -> None:
    """Put the jackknife's interval in place of the resampled one, where there is one."""
    if headline in drawn.intervals:
        values = np.asarray(counted.rows)[:, 0]
        drawn.intervals[headline] = jackknife_interval(values, confidence_level)
        drawn.methods[headline] = "jackknife"


def _report_nothing(step: str) -> None:
    """Do nothing at a step, where the caller gives no `on_step`."""


def _folded(family: Family, counted: Counted) -> Counted:
    """Fold all labels that the system has invented into one row of the tables; a warning names some."""
    if family.table_notes.fold_labels is None:
        return counted
    folded = family.table_notes.fold_labels(counted.matches)
    warnings = counted.warnings + ([_invented(folded.invented)] if folded.invented else [])
    return replace(counted, matches=folded.matches, warnings=warnings)


def _invented(labels: list[str]) -> Message:
    """Return what participants read of their own labels; long ones are cut."""
    named = ", ".join(json.dumps(label[:_LONGEST_LABEL], ensure_ascii=False) for label in labels[:_LABELS_NAMED])
    return Message.counted(
        "labels-not-in-gold",
        "1 label of the run is not in the gold, {named}; tables call it {name}",
        "{n} labels of the run are not in the gold, {named}{more}; in tables they are one, {name}",
        len(labels),
        named=named,
        more=", ..." if len(labels) > _LABELS_NAMED else "",
        name=NOT_IN_GOLD,
    )


@dataclass(frozen=True)
class _Resampling:
    """The resamples, level and seed of intervals, as `evaluate` takes them; the seed is settled."""

    n_resamples: int
    confidence_level: float
    seed: int
    keep: Collection[str]
    keep_seed: int | None


def _evaluation(
    family: Family,
    options: Options,
    counted: Counted,
    make_tables: partial[dict[str, Table]],
    make_averages: partial[Sequence[Averages]],
    *,
    gold_digest: str,
    resampling: _Resampling,
) -> Evaluation:
    """Return the result of an evaluation whose counts are made."""
    headline, seed, n_resamples = family.headline(options), resampling.seed, resampling.n_resamples
    metrics = family.metrics_with(options)
    block = Block(counted.rows, metrics, weighted=counted.weighted)
    scores = {name: _score(value) for name, value in points(block).items()}
    _check_keep(resampling.keep, [name for name in scores if name not in family.scores.without_interval])
    drawn, intervals_of_tables, warnings = Bootstrap(), dict[str, TableIntervals](), counted.warnings
    if n_resamples:
        # Their intervals need the tables now. Else they are only made if somebody asks for them.
        tables = make_tables()
        make_tables = partial(_ready, tables)
        resampled_scores = replace(
            block, metrics=_without(metrics, family.scores.without_interval), averages=make_averages()
        )
        drawn, intervals_of_tables = _bootstrapped(resampled_scores, tables, headline, counted, resampling)
        warnings = [*warnings, *_interval_warnings(family.unit(options)[1], counted, drawn)]
    is_kept_apart = bool(drawn.kept) and resampling.keep_seed not in (None, seed)
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
            confidence_level=resampling.confidence_level,
            method=drawn.methods.get(headline),
            seed=seed,
        ),
        headline=headline,
        scores=scores,
        intervals=drawn.intervals,
        interval_methods=drawn.methods,
        counts=counted.totals,
        units=counted.units,
        warnings=warnings,
        n_resamples=n_resamples,
        confidence_level=resampling.confidence_level,
        seed=seed if n_resamples else None,
        gold_digest=gold_digest,
        rows=counted.rows,
        draws=drawn.draws,
        numbers=counted.numbers,
        table_intervals={name: table.intervals for name, table in intervals_of_tables.items()},
        table_interval_methods={name: table.methods for name, table in intervals_of_tables.items()},
        table_interval_reasons={name: table.reasons for name, table in intervals_of_tables.items()},
        make_tables=lambda: {name: records_with_moments(table, seed) for name, table in make_tables().items()},
        lower_is_better=sorted(family.scores.lower_is_better(options) & scores.keys()),
        kept_draws=_draws_apart(block, resampling) if is_kept_apart else drawn.kept,
        kept_seed=resampling.keep_seed if is_kept_apart else None,
        scales={name: scale for name, scale in family.scores.scales(options).items() if name in scores},
    )


def _bootstrapped(
    scores: Block, tables: Mapping[str, Table], headline: str, counted: Counted, resampling: _Resampling
) -> tuple[Bootstrap, dict[str, TableIntervals]]:
    """Return what the resamples say of the scores, and of each table whose rows have intervals."""
    blocks = {name: block for name, table in tables.items() if (block := _block(table))}
    drawn = bootstrap(
        scores,
        list(blocks.values()),
        headline=headline,
        seed=resampling.seed,
        n_resamples=resampling.n_resamples,
        confidence_level=resampling.confidence_level,
        keep=resampling.keep,
    )
    if counted.are_pseudo_values:
        _take_jackknife(drawn, headline, counted, resampling.confidence_level)
    intervals = dict(zip(blocks, drawn.tables, strict=True))
    for name, of_table in intervals.items():
        _take_over(drawn, of_table, tables[name].whole)
    return drawn, intervals


def _interval_warnings(units: str, counted: Counted, drawn: Bootstrap) -> Iterator[str]:
    # Of one unit there is no interval at all, and another warning says so.
    if 1 < len(counted.rows) < FEWEST_UNITS:
        yield _rough(units)
    yield from drawn.warnings
    yield from (without_interval(name, reason) for name, reason in counted.without_interval.items())


def _rough(units: str) -> Message:
    return Message(
        "intervals-rough",
        "fewer than {n} {units}: the intervals are rough",
        n=FEWEST_UNITS,
        units=Message.word(units),
    )


def _take_over(corpus: Bootstrap, table: TableIntervals, whole: Mapping[str, str]) -> None:
    """Give the last row of a table, where it is the whole corpus, the intervals of the same scores: {column: score}."""
    shared = {column: score for column, score in whole.items() if score in corpus.intervals}
    table.intervals[-1].update({column: corpus.intervals[score] for column, score in shared.items()})
    table.methods[-1].update({column: corpus.methods[score] for column, score in shared.items()})


def _draws_apart(block: Block, resampling: _Resampling) -> dict[str, Floats]:
    """Return the scores that are kept on resamples with the seed of their own."""
    assert resampling.keep_seed is not None
    scores = resampled(block, resampling.keep_seed, resampling.n_resamples)
    return {name: scores[name][0] for name in resampling.keep}


def _check_keep(keep: Collection[str], scores: Collection[str]) -> None:
    """Raise ConfigurationError for a name in `keep` that is none of these scores."""
    for name in keep:
        if name not in scores:
            raise ConfigurationError(
                Message(
                    "keep-unknown",
                    "keep: there is no score {name!r}; the scores are {scores}",
                    name=name,
                    scores=", ".join(scores),
                )
            )


def _without(metrics: Metrics, names: Collection[str]) -> Metrics:
    """Return the metrics without these scores."""

    def kept_metrics(counts: Array) -> dict[str, Floats]:
        return {name: values for name, values in metrics(counts).items() if name not in names}

    return kept_metrics if names else metrics


def _block(table: Table) -> Block | None:
    """Return the counts behind a table; None if it has none, or too many."""
    if table.rows is None or table.metrics is None or not 0 < table.rows.size <= _MOST_TABLE_COUNTS:
        return None
    return Block(
        table.rows,
        table.metrics,
        table.gold_items,
        table.n_own_kinds,
        table.weighted,
        averages=table.averages() if table.averages else (),
        proportions=table.proportions,
    )


def _score(value: Floats) -> float | None:
    """Return one score, of shape (), as a plain number; None where it does not apply."""
    return None if math.isnan(value) else float(value)


def _ready(tables: dict[str, Table]) -> dict[str, Table]:
    """Return tables that are made already, in place of the family's `tables`."""
    return tables
