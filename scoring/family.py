"""The record that each family fills in, and the options that it understands.

The engine knows a family by its `Family` record alone: facts for people, and plain functions for each step of an
evaluation. `scoring/README.md` shows the order of the steps and the floor plan of a family's folder.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from scoring.columns import Array as Array
from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError, Problem

Options = dict[str, Any]  # {key: value} of all options of a family, defaults included
Files = Mapping[str, bytes]  # {path inside the upload: content}
Record = dict[str, Any]  # one row of a table: {column: plain value}
Metrics = Callable[[Array], dict[str, Floats]]  # counts (..., kinds) to {score: (...)}
Side = Literal["gold", "system"]  # whose files they are
Weighted = Callable[[Integers], Mapping[str, Floats]]  # weights (m, units) to {score: (m,)}, or {column: (m, groups)}


@dataclass(frozen=True)
class Option:
    """A choice of the organiser: one of `choices`, or where these are empty whatever `parse` takes."""

    key: str  # as in `-o key=value`, and in the signature
    default: Any  # what holds where nothing is given; None for "not given"
    choices: tuple[Any, ...]  # the allowed values; empty where `parse` decides
    help: str  # what it does, for people
    changes_scores: bool = True  # False where the option only adds to the tables; then no signature names it
    parse: Callable[[Any], Any] | None = None  # text or value to value; ValueError says what it expected
    values: str = ""  # what `parse` takes, for people
    is_local: bool = False  # of the caller's own machine, such as a path on it; a site cannot take it


@dataclass(frozen=True)
class Table:
    """A table of the result, with the counts behind those of its scores that get intervals."""

    records: list[Record]  # the rows, all with the same keys in the same order
    rows: Array | None = None  # (units, groups, kinds): counts, one group for each record; None without intervals
    metrics: Metrics | None = None  # from `rows` summed over some units: {column: (..., groups)}
    gold_items: Array | None = None  # (groups,): how many items of the gold stand behind each record
    # How many of the first kinds count items of the record itself, of either side; a resample in which all of these are
    # 0 says nothing about the record. None: all kinds do.
    n_own_kinds: int | None = None
    # Columns that are no functions of sums, such as an area under a curve.
    weighted: Weighted | None = None
    # On the last two axes of `rows`: scores that are followed by their mean, variance and standard deviation over the
    # resamples; a resample on which a score is NaN is left out of them.
    moments: Metrics | None = None


@dataclass(frozen=True)
class Counted:
    """What is left of the files once gold and system are matched."""

    units: list[str]  # names of the units of resampling: documents, sentences, questions
    # Counts of each unit: (units, kinds), or (units, groups, kinds) where scores are made from all groups, as macro
    # averages are.
    rows: Array
    totals: dict[str, int | float]  # counts of the whole corpus, to be shown
    warnings: list[str]  # what is odd in either side and was scored all the same
    matches: Any  # whatever the family makes its tables from
    # Scores that are no functions of sums, such as an area under a curve.
    weighted: Weighted | None = None


@dataclass(frozen=True)
class Export:
    """A file made of an evaluation's tables, such as a spreadsheet."""

    name: str  # of the file
    title: str  # for people
    tells_gold: bool  # whether it shows single annotations or answers of the gold
    make: Callable[[Mapping[str, list[Record]], Options], bytes]  # tables and options to the file's content
    table: str | None = None  # a table without which the file is not offered; None: it always is


@dataclass(frozen=True)
class Family:
    """One way to evaluate: facts, and plain functions in the order in which the engine calls them.

    Problems of either side are raised as SubmissionError; the engine knows whose files they were.
    """

    name: str  # as in `FAMILIES`, in lower case
    title: str  # for people
    unit: Callable[[Options], tuple[str, str]]  # what is resampled: singular, plural
    options: tuple[Option, ...]  # in the order in which they are offered
    headline: Callable[[Options], str]  # the name of the score that ranks
    score_titles: dict[str, str]  # {score: its name for people}, in the order of display
    main_scores: tuple[str, ...]  # beside the headline on a board whose organiser has not chosen others
    kinds: tuple[str, ...]  # names of the last axis of `Counted.rows`
    layout: str  # what an upload has to look like, for participants
    example: Callable[[Options], dict[str, bytes]]  # {path: content} of a small upload that follows the layout
    configure: Callable[[Mapping[str, object]], Options]  # given values or texts to all options, or ConfigurationError
    read_gold: Callable[[Files, Options], Any]  # an object whose `paths` are the files that were read
    read_system: Callable[[Files, Any, Options], Any]  # the system's side, given the gold's
    count: Callable[[Any, Any, Options], Counted]  # matches gold and system
    metrics: Callable[[Array, Options], dict[str, Floats]]  # counts (..., kinds) to scores; NaN: does not apply
    tables: Callable[[Any, Options], dict[str, Table]]  # of `Counted.matches`
    # The options that only the gold can tell, such as what it annotates; None where all are known before.
    resolve_options: Callable[[Any, Options], Options] | None = None
    # The gold as {path: content} of an upload with full marks; None where the gold's own files are one.
    gold_as_submission: Callable[[Files, Options], dict[str, bytes]] | None = None
    # Whether an upload has the files that these options need; None where names of files cannot tell.
    has_files: Callable[[str | Path, Options], bool] | None = None
    # The names that the files of an upload have to have with these options; None where other names do.
    file_names: Callable[[Options], tuple[str, ...]] | None = None
    # Files of the gold to {path: content} of an upload that is valid and without merit: made from what participants
    # are given, and never from what they are to find.
    sample: Callable[[Files, Options], dict[str, bytes]] | None = None
    # What tells one input from another in the files of either side: sentences, or names of documents or questions.
    input_keys: Callable[[Files, Options, Side], set[str]] | None = None
    without_interval: tuple[str, ...] = ()  # scores that say how much there was to gain, as full marks do
    exports: tuple[Export, ...] = ()  # files made of the tables
    item_tables: tuple[str, ...] = ()  # tables with a row for each annotation, too long to show whole
    # Files of gold and system, name of a unit, options: all that a page of this unit shows; KeyError if there is no
    # such unit.
    unit_record: Callable[[Files, Files, str, Options], Record] | None = None
    # Files of a gold that has been read, options: what its maker should look at before anything is ranked by it,
    # though no score depends on it.
    gold_remarks: Callable[[Files, Options], list[Problem]] | None = None

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
