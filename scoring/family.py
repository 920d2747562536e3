"""The record that each family fills in, and the options that it understands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import ConfigurationError

Array = NDArray[Any]
Options = dict[str, Any]
Files = Mapping[str, bytes]
Record = dict[str, Any]
Metrics = Callable[[Array], dict[str, NDArray[np.float64]]]


@dataclass(frozen=True)
class Option:
    """A choice of the organiser: one of `choices`, or where these are empty whatever `parse` takes.

    `parse` raises ValueError with what it expected; `values` says to people what it takes.
    `changes_scores` is False where the option only adds to the tables. `is_local` marks a path on the
    caller's own machine, which a site cannot take.
    """

    key: str
    default: Any
    choices: tuple[Any, ...]
    help: str
    changes_scores: bool = True
    parse: Callable[[Any], Any] | None = None
    values: str = ""
    is_local: bool = False


@dataclass(frozen=True)
class Table:
    """Rows as dictionaries with the same keys in the same order.

    A table whose scores get intervals also has the counts that they come from: `rows`
    (units, groups, kinds) with one group per record, `metrics` on their last axis, which gives some of the
    columns, and `gold_items` (groups,), the number of items of the gold behind each record. `weighted` gives
    those columns that are no functions of sums, from weights (m, units): {column: (m, groups)}. `moments`,
    on the last two axes, gives the scores that are to be followed by their mean, variance and standard
    deviation over the resamples; NaN leaves a resample out.
    """

    records: list[Record]
    rows: Array | None = None
    metrics: Metrics | None = None
    gold_items: Array | None = None
    weighted: Callable[[NDArray[np.int64]], Mapping[str, Array]] | None = None
    moments: Metrics | None = None


@dataclass(frozen=True)
class Counted:
    """What is left of the files once gold and system are matched.

    `rows` holds the counts of each unit of resampling: (units, kinds), or (units, groups, kinds) where scores
    are made from all groups. `totals` are the counts to show, `matches` whatever the family makes its tables
    from. `weighted` gives the scores that are no functions of sums (area under a curve), from weights
    (m, units): {score: (m,)}.
    """

    units: list[str]
    rows: Array
    totals: dict[str, int | float]
    warnings: list[str]
    matches: Any
    weighted: Callable[[NDArray[np.int64]], Mapping[str, Array]] | None = None


@dataclass(frozen=True)
class Export:
    """A file made of an evaluation's tables, such as a spreadsheet.

    `make` takes the tables and the options. It is offered if `table`, where one is named, has rows.
    `tells_gold` marks one that shows single annotations or answers of the gold.
    """

    name: str
    title: str
    tells_gold: bool
    make: Callable[[Mapping[str, list[Record]], Options], bytes]
    table: str | None = None


@dataclass(frozen=True)
class Family:
    """One way to evaluate: facts, and plain functions in the order in which the engine calls them.

    `unit` (singular, plural) and `headline` follow from the options. `main_scores` stand beside the
    headline on a board whose organiser has not chosen others. `example` is a small upload of the family's
    own that its `layout` allows: {path: content}.

    `read_gold` returns an object whose `paths` are the files that it has read. Problems of either side
    are raised as SubmissionError; the engine knows whose they are. `metrics` works on the last axis of
    counts (..., kinds) and keeps the others; of rows with groups it works on the last two.

    `resolve_options` gives the options that only the gold can tell, such as what it annotates.
    `gold_as_submission` writes the gold's content as {path: content} of an upload; None where the gold's own files
    are one.
    `has_files` says whether an upload has the files that these options need; None where files cannot tell.
    `without_interval` names scores that say how much there was to gain, as full marks do.
    `item_tables` are tables with a row for each annotation, too long to show whole. `unit_record` takes the files of
    gold and system, the name of a unit and the options, and gives all that a page of this unit shows;
    KeyError if there is no such unit.
    """

    name: str
    title: str
    unit: Callable[[Options], tuple[str, str]]
    options: tuple[Option, ...]
    headline: Callable[[Options], str]
    score_titles: dict[str, str]
    main_scores: tuple[str, ...]
    kinds: tuple[str, ...]
    layout: str
    example: Callable[[Options], dict[str, bytes]]
    configure: Callable[[Mapping[str, object]], Options]
    read_gold: Callable[[Files, Options], Any]
    read_system: Callable[[Files, Any, Options], Any]
    count: Callable[[Any, Any, Options], Counted]
    metrics: Callable[[Array, Options], dict[str, NDArray[np.float64]]]
    tables: Callable[[Any, Options], dict[str, Table]]
    resolve_options: Callable[[Any, Options], Options] | None = None
    gold_as_submission: Callable[[Files, Options], dict[str, bytes]] | None = None
    has_files: Callable[[str | Path, Options], bool] | None = None
    without_interval: tuple[str, ...] = ()
    exports: tuple[Export, ...] = ()
    item_tables: tuple[str, ...] = ()
    unit_record: Callable[[Files, Files, str, Options], Record] | None = None

    def metrics_with(self, options: Options) -> Metrics:
        """The metrics with these options: counts (..., kinds) to scores."""
        return lambda counts: self.metrics(counts, options)


def choose(options: Sequence[Option], given: Mapping[str, object]) -> Options:
    """The value of every option, the default where none is given; a value may be given as text."""
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise ConfigurationError(f"unknown option {key!r}; the options are {', '.join(known)}")
    return {key: _chosen(option, given.get(key, option.default)) for key, option in known.items()}


def _chosen(option: Option, given: object) -> Any:
    if given is None and option.default is None:
        return None
    if option.parse is not None:
        return _parsed(option.key, option.parse, given)
    for choice in option.choices:
        if _as_text(choice) == _as_text(given):
            return choice
    allowed = ", ".join(_as_text(choice) for choice in option.choices)
    raise ConfigurationError(f"option {option.key}: {given!r} is not one of {allowed}")


def _parsed(key: str, parse: Callable[[Any], Any], given: object) -> Any:
    try:
        return parse(given)
    except ValueError as error:
        raise ConfigurationError(f"option {key}: {given!r}: {error}") from None


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
