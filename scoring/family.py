"""The record that each family fills in, and the options that it understands.

The engine knows a family by its `Family` record alone: facts for people, and plain functions for each step of an
evaluation. `scoring/README.md` shows the order of the steps and the floor plan of a family's folder.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from scoring.columns import Array as Array
from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError, about, explain_error
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files as OpenFiles
from scoring.rows import Rows
from scoring.scale import Scale as Scale
from scoring.significance.averages import Averages as Averages
from scoring.significance.proportions import Proportions
from scoring.spelling.strings import nearest
from scoring.table_columns import Column as Column
from scoring.table_columns import Columns, columns_of

Options = dict[str, Any]  # {key: value} of all options of a family, defaults included
Files = Mapping[str, bytes]  # {path inside the upload: content}
Record = dict[str, Any]  # one row of a table: {column: plain value}
Metrics = Callable[[Array], dict[str, Floats]]  # counts (..., kinds) to {score: (...)}
Side = Literal["gold", "system"]  # whose files they are
Weighted = Callable[[Integers], Mapping[str, Floats]]  # weights (m, units) to {score: (m,)}, or {column: (m, groups)}
# Of a run the numbers (n,) that a test exchanges with those of another, and the score (m,) of any such (m, n).
Exchange = tuple[Floats, Callable[[Floats], Floats]]
# What a form asks for where an option has no choices: a text, a list of texts, a number, the name of a score, or a list
# of records, each of one of the option's `kinds`.
Takes = Literal["text", "texts", "number", "score", "rows"]


# The keys of the options that name a part of what is given: `families/parts.py`, which is loaded for these alone.
FOLDER_KEY, ROWS_KEY = PART_KEYS = ("folder", "rows")

# The version of `Family` that packages have to be written for. Fields with defaults may come within a version; what
# takes one away, or changes what it means, makes a new one.
RECORD_VERSION = 2

GOLD = "gold: "


def about_gold(warnings: Iterable[object]) -> list[str]:
    """Mark warnings that tell what is in the gold, so that a site can keep them from those who may not know.

    >>> about_gold(["2 documents have no text"])
    ['gold: 2 documents have no text']
    """
    return [*about("gold", warnings)]


def is_about_gold(warning: str) -> bool:
    """Return whether the warning tells what is in the gold."""
    return warning.startswith(GOLD)


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
    title: str = ""  # its name for people; where there is none, the key stands for it
    is_advanced: bool = False  # what few tasks change: a form folds it away
    takes: Takes = "text"
    kinds: "tuple[RowKind, ...]" = ()  # what a row of "rows" may be
    words: Mapping[str, str] = field(default_factory=dict)  # {choice as text: what it means}, for forms and pages
    # What a value without choices means, for pages; "" where another line of them says so.
    say: Callable[[Any], str] | None = None
    is_always_told: bool = False  # whether pages say what its value means also where nobody chose it

    def describe(self, value: Any) -> str | None:
        """Return what the value means to who reads a page: "" if nothing need be said, None if there are no words."""
        if self.say is not None:
            return self.say(value)
        meaning = self.words.get(_as_text(value), "")
        return None if not self.words else "" if isinstance(meaning, HiddenMeaning) else meaning

    def meaning(self, choice: Any) -> str:
        """Return what a form calls the choice; "" where there are no words for it."""
        return self.words.get(_as_text(choice), "")


class HiddenMeaning(str):
    """What a choice means, for forms alone: on pages another line says it already."""


# {key of an option: {choice as text: what it means}, or what makes words of its value}.
OptionWords = Mapping[str, Mapping[str, str] | Callable[[Any], str]]


def no_text(value: object) -> str:
    """Say nothing of a value that another line of a page tells already."""
    return ""


def with_words(words: OptionWords, *options: Option) -> tuple[Option, ...]:
    """Return the options with what their values mean; KeyError for words of an option that is not there."""
    by_key = {option.key: option for option in options}
    for key, meaning in words.items():
        by_key[key] = replace(by_key[key], say=meaning) if callable(meaning) else replace(by_key[key], words=meaning)
    return tuple(by_key.values())


@dataclass(frozen=True)
class RowKind:
    """What one record of an option that "takes" rows may be: {"name": `name`, key of an argument: its value, …}."""

    name: str
    title: str  # for people
    arguments: tuple[Option, ...] = ()  # those whose default is `...` have to be given


# What people know their task as, in the order in which they are offered.
CLASSIFICATION, NUMBERS = "Classification", "Ratings and probabilities"
GENERATION, SPEECH, SEARCH = "Generated text and translation", "Speech", "Search and recommendation"
ANNOTATION, QUESTIONS = "Annotations in texts", "Questions and answers"
JUDGED, FURTHER = "Scores made elsewhere", "Further evaluations"
AREAS = (CLASSIFICATION, NUMBERS, GENERATION, SPEECH, SEARCH, ANNOTATION, QUESTIONS, JUDGED, FURTHER)


@dataclass(frozen=True)
class Use:
    """What people do with a family: how an organiser finds it, who need not know the program behind it."""

    key: str  # as in an address; no other use of any family has it
    title: str  # such as "Named entities"
    about: str  # one sentence: what systems do
    options: Mapping[str, Any] = field(default_factory=dict)  # what a form begins with
    area: str = ""  # where it is looked for, one of `AREAS`; the family's where it is empty
    is_judged: bool = False  # participants upload output, and a judge that runs elsewhere brings the scores


@dataclass(frozen=True)
class Specimen:
    """A whole evaluation in small, made up: what gold looks like, and a run of it that makes mistakes."""

    gold: dict[str, bytes]  # {path: content}, perfect against itself
    run: dict[str, bytes]


class Package(NamedTuple):
    """An installed package that brings a family."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class Table:
    """A table of the result, with the counts behind those of its scores that get intervals."""

    records: list[Record]  # the rows, all with the same keys in the same order
    # (units, groups, kinds): counts, one group for each record; None without intervals
    rows: Array | Rows | None = None
    metrics: Metrics | None = None  # from `rows` summed over some units: {column: (..., groups)}
    gold_items: Array | None = None  # (groups,): how many items of the gold stand behind each record
    # How many of the first kinds count items of the record itself, of either side; a resample in which all of these are
    # 0 says nothing about the record. None: all kinds do.
    n_own_kinds: int | None = None
    # Columns that are no functions of sums, such as an area under a curve.
    weighted: Weighted | None = None
    # Columns that are shares of decisions, from the counts of each unit: they get intervals without resamples.
    proportions: Proportions | None = None
    # {column: score} where the last record is the whole corpus: there stand the intervals of these scores.
    whole: Mapping[str, str] = field(default_factory=dict)
    # On the last two axes of `rows`: scores that are followed by their mean, variance and standard deviation over the
    # resamples; a resample on which a score is NaN is left out of them.
    moments: Metrics | None = None
    averages: Callable[[], Sequence[Averages]] | None = (
        None  # one for each record, of columns that are means over labels
    )
    # Of a table without `rows` whose records count items, such as a confusion: the index of the unit in which each item
    # is, and that of the record that counts it, both (items,). Made only when somebody asks where items are.
    placed: Callable[[], tuple[Integers, Integers]] | None = None


@dataclass(frozen=True)
class Counted:
    """What is left of the files once gold and system are matched."""

    units: list[str]  # names of the units of resampling: documents, sentences, questions
    # Counts of each unit: (units, kinds), or (units, groups, kinds) where scores are made from all groups, as macro
    # averages are.
    rows: Array | Rows
    totals: dict[str, int | float]  # counts of the whole corpus, to be shown
    warnings: list[str]  # what is odd in either side and was scored all the same
    matches: Any  # whatever the family makes its tables from
    # Scores that are no functions of sums, such as an area under a curve.
    weighted: Weighted | None = None
    # {score: why}: those that `weighted` gives for the corpus alone, since on all resamples they would take too long.
    without_interval: Mapping[str, str] = field(default_factory=dict)
    # Where a test exchanges single numbers of two systems instead of units: (2, units, n), those of gold and system;
    # NaN for none.
    numbers: Floats | None = None
    # Whether rows are pseudo-values of a grouped jackknife, each with its weight of 1, and not counts of units.
    are_pseudo_values: bool = False


@dataclass(frozen=True)
class Folded:
    """Matches whose tables count all labels that the gold does not have as one."""

    matches: Any  # as `Counted.matches`
    invented: list[str]  # the system's labels that the gold does not have, each once


@dataclass(frozen=True)
class Export:
    """A file made of an evaluation's tables, such as a spreadsheet."""

    name: str  # of the file
    title: str  # for people
    tells_gold: bool  # whether it shows single annotations or answers of the gold
    make: Callable[[Mapping[str, list[Record]], Options], bytes]  # tables and options to the file's content
    table: str | None = None  # a table without which the file is not offered; None: it always is


@dataclass(frozen=True)
class Offer:
    """What organisers choose it by, and what they need to set a task up."""

    uses: tuple[Use, ...] = ()  # what organisers do with it, the most usual first; none: the title alone says it
    area: str = FURTHER  # where organisers look for it, one of `AREAS`
    # What gold has to hold, also as a function of the options; empty where it is what an upload may hold.
    gold_layout: str | Callable[[Options], str] = ""
    extra: str = ""  # of the engine's package, that brings what its scores need beside NumPy and SciPy
    # A small gold in the formats that the options ask for, and a run of it; None where none is offered.
    specimen: Callable[[Options], Specimen] | None = None
    # Files of a gold that has been read, options: what its maker should look at before anything is ranked by it,
    # though no score depends on it.
    gold_remarks: Callable[[Files, Options], list[Finding]] | None = None
    # Whether a run says its own score, so that organisers bring the runs: where participants upload them after all, a
    # site ranks them with nobody's.
    is_brought_by_organisers: bool = False


class LeftOut(NamedTuple):
    """Golds without one annotator, and runs that are this one; none where the gold has no ratings of several."""

    options: Mapping[str, object]  # by which these files are read, beside the task's own
    pairs: list[tuple[dict[str, bytes], dict[str, bytes]]]  # {path: content} of gold and run


@dataclass(frozen=True)
class FileSteps:
    """Which files an upload has, and what can be made of those of the gold."""

    # Whether an upload has the files that these options need; None where names of files cannot tell.
    has_files: Callable[[str | Path | OpenFiles, Options], bool] | None = None
    # The names that the files of an upload have to have with these options; None where other names do.
    file_names: Callable[[Options], tuple[str, ...]] | None = None
    has_parts: bool = True  # whether an upload may hold several languages; not where one table holds all runs
    has_columns: bool = False  # whether files are tables, a column of which can say to which language a row belongs
    # The gold as {path: content} of an upload with full marks; None where the gold's own files are one, always or with
    # these options.
    gold_as_submission: Callable[[Files, Options], dict[str, bytes] | None] | None = None
    # Files of the gold to {path: content} of an upload that is valid and without merit: made from what participants
    # are given, and never from what they are to find.
    sample: Callable[[Files, Options], dict[str, bytes]] | None = None
    # Files of the gold to {path: content} of what participants may be given: the input, without anything to be found.
    inputs: Callable[[Files, Options], dict[str, bytes]] | None = None
    # An input, as participants have it, to {path: content} of a gold without annotations that the reader takes; None
    # where an input is one already.
    gold_of_inputs: Callable[[Files, Options], dict[str, bytes]] | None = None
    # What tells one input from another in the files of either side: sentences, or names of documents or questions.
    input_keys: Callable[[Files, Options, Side], set[str]] | None = None
    # Files of a gold and of a run, and how many of each item, to (item, answer) pairs, the best first: what people can
    # judge one by one. None where answers are no such pairs, as with spans.
    answers: Callable[[Files, Files, int, Options], list[tuple[str, str]]] | None = None
    # Whether an upload names what these options score, though nothing may be in it; None where formats name no layers.
    names_layers: Callable[[Files, Options], bool] | None = None
    # The gold, and the options as they were given and as they were resolved, to gold and resolved options in which no
    # label stands that the gold alone names: for readers whose problems would tell it.
    hide_labels: Callable[[Any, Options, Options], tuple[Any, Options]] | None = None
    # Files of a gold with the ratings of several annotators to golds without one of them, and runs that are this one.
    without_annotators: Callable[[Files, Options], LeftOut] | None = None
    # Files of a gold that these options do not read, to the options by which they might be read; {} for none.
    guess: Callable[[Files, Options], Options] | None = None
    # Whether a gold that these options read may have such ratings.
    may_be_rated: Callable[[Options], bool] = lambda options: True


@dataclass(frozen=True)
class ScoreNotes:
    """How scores are called, said, drawn and told."""

    # With these options, the scores that there are and their names for people, in the order of display; None where they
    # are always all of `score_titles`.
    titles_with: Callable[[Options], dict[str, str]] | None = None
    # Scores that with these options are the same as another one by what they are, and so need not be shown twice.
    repeated_scores: Callable[[Options], frozenset[str]] = lambda options: frozenset()
    # With these options, the scores of which less is better; of all others more is.
    lower_is_better: Callable[[Options], frozenset[str]] = lambda options: frozenset()
    # With these options, how scores are said: with how many digits, as shares or in per cent, and which one is perfect.
    # Those without an entry are shares from 0 to 1, said with three decimals.
    scales: Callable[[Options], Mapping[str, Scale]] = lambda options: {}
    without_interval: tuple[str, ...] = ()  # scores that say how much there was to gain, as full marks do
    # The table of {score, signature} with the signatures of other programs, to be quoted with the scores; "" for none.
    signatures: str = ""
    # Scores, and columns of tables, for which single items of the gold are compared with each other, as for an area
    # under a curve: one of them reveals as much of single items as many counts do.
    tell_much: Callable[[Options], frozenset[str]] = lambda options: frozenset()
    # `Counted.numbers` to what the randomisation test exchanges in place of units; None where it exchanges units.
    exchange: Callable[[Floats, Options], Exchange | None] | None = None


@dataclass(frozen=True)
class CountNotes:
    """How counts are called, and what they add up."""

    # The names of the last axis of `Counted.rows` where options decide on them; None: `kinds`.
    kinds_with: Callable[[Options], tuple[str, ...]] | None = None
    mistakes: tuple[str, ...] = ()  # kinds, if there, of which the worse of two units with equal scores has more
    # The counts of `Counted.totals` to show with their names for people, in order, given the options: {count: title};
    # those that say nothing with these options are not among them. None: all, by their keys.
    count_titles: Callable[[Collection[str], Options], dict[str, str]] | None = None
    # Those of `Counted.totals` that are sums over the units: {total: which kinds of `Counted.rows` it adds up}.
    totals: Callable[[Options], Mapping[str, tuple[int, ...]]] = lambda options: {}
    # The name of one of `Counted.totals` to the scores that it is made for: where a site tells few scores of a run, it
    # tells no totals of the others.
    count_scores: Callable[[str], Iterable[str]] = lambda count: ()
    # Whether with these options the counts of a unit follow from other units too, so that a gold cannot be split.
    are_mixed: Callable[[Options], bool] = lambda options: False


@dataclass(frozen=True)
class TableNotes:
    """What the tables hold, and how much of them may be shown."""

    # `Counted.matches` with one row of the tables for all labels that a system invents; None where tables have no rows
    # by label, or only by labels of the gold.
    fold_labels: Callable[[Any], Folded] | None = None
    item_tables: tuple[str, ...] = ()  # tables with a row for each annotation, too long to show whole
    # Tables of which label of the gold met which of the system's, and the columns of these two; all others are counts.
    confusions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # Tables with a row for each group of the gold's items, such as those of a slice or of a speaker, to the column that
    # says how many these are: a group of few tells single items.
    groups: Mapping[str, str] = field(default_factory=dict)
    # Name of a table to {column that counts items: which kinds of `Table.rows` it adds up}; with these, and with the
    # confusions, the units behind a count can be found.
    behind: Callable[[str], Mapping[str, tuple[int, ...]]] = lambda table: {}
    # A table and one of its rows to the scores of the whole run that stand in the row, or that it is made for: where a
    # site tells few scores of a run, it tells no rows of the others.
    row_scores: Callable[[str, Record], Iterable[str]] = lambda table, row: ()
    # The columns of the tables that pages show. A table without an entry is shown whole, under the keys of its records.
    columns: Columns = field(default_factory=dict)
    exports: tuple[Export, ...] = ()  # files made of the tables


@dataclass(frozen=True)
class RowEvidence:
    """What each row of a table tells of the gold by itself, beside what the run and the gold's own counts tell."""

    size: tuple[str, ...] = ()  # columns that add up the gold's items behind the row; (): all items of the gold
    # How many columns are independent: counts that follow neither from others, nor from the run, nor from `size`. None:
    # each share is a number of its own.
    numbers: int | None = 1
    run: tuple[str, ...] = ()  # columns that add up the run's own items in the row; (): those of `size`
    # Columns that count items by a label that the run itself gives, or are made of such counts. A run may part its
    # guesses by such labels as it likes, so that each count is a test of its own of whichever items it asks for.
    by_run: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How much a hidden gold holds, and which numbers of a run tell of it (`scoring/budget.py`, docs/security.md)."""

    # Counts and tables of the gold scored against itself to the number of items that a run is right or wrong about;
    # None: units.
    items: Callable[[Mapping[str, int | float], Mapping[str, Sequence[Record]]], int] | None = None
    # Tables of the gold scored against itself to what one item holds, in bits: one where it can only be right or wrong.
    bits: Callable[[Mapping[str, Sequence[Record]]], float] = lambda tables: 1.0
    # Name of a table to what its rows tell; None of a table that is no table by label. None for all: every number does.
    rows: Callable[[str], RowEvidence | None] | None = None
    totals: frozenset[str] = frozenset()  # counts of items behind `Counted.totals` that follow from no rows
    gold_counts: frozenset[str] = frozenset()  # those of `Counted.totals` that are the gold's, whatever the run
    # A score to the one count of items that it follows from, such as "right"; "" of one that weighs items.
    count_behind: Callable[[str], str] = lambda score: ""
    # Whether a score follows from the rows of tables, or from those totals.
    in_rows: Callable[[str], bool] = lambda score: False


@dataclass(frozen=True)
class Views:
    """What can be told of a run beside its numbers."""

    # Files of gold and system, name of a unit, options: all that a page of this unit shows; KeyError if there is no
    # such unit.
    unit_record: Callable[[Files, Files, str, Options], Record] | None = None
    # The tables of a result to texts by which people know its units again: {unit: text}.
    unit_texts: Callable[[Mapping[str, list[Record]]], Mapping[str, str]] = lambda tables: {}
    # Files of the system, both sides, options: the `scoring.describing.contents.Contents` of what was read; of the gold
    # only its texts, ids and labels. None where nothing can be said. The types of this and the next field stand in
    # rooms that the engine itself can do without, so the record does not name them.
    contents: Callable[[Files, Any, Any, Options], Any] | None = None
    # The `scoring.repairs.Totals` of a result, and options: each `Repair` says what the score that ranks would be if a
    # kind of mistake, or all mistakes with a label, were mended. None where nothing can be said.
    repairs: Callable[[Any, Options], list[Any]] | None = None


@dataclass(frozen=True, eq=False)  # one record is one family, and can be a key
class Family:
    """One way to evaluate: facts, and plain functions in the order in which the engine calls them.

    Problems of either side are raised as SubmissionError; the engine knows whose files they were.
    """

    name: str  # as in `FAMILIES`, in lower case
    title: str  # for people
    unit: Callable[[Options], tuple[str, str]]  # what is resampled: singular, plural
    options: tuple[Option, ...]  # in the order in which they are offered
    headline: Callable[[Options], str]  # the name of the score that ranks
    score_titles: dict[str, str]  # {score: its name for people}, whatever the options, in the order of display
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
    # `Counted.matches`, options: what stands behind scores that are means over labels, of which rare ones need
    # more than resamples for an interval.
    averages: Callable[[Any, Options], Sequence[Averages]] = lambda matches, options: ()
    offer: Offer = Offer()
    files: FileSteps = FileSteps()
    scores: ScoreNotes = ScoreNotes()
    counts: CountNotes = CountNotes()
    table_notes: TableNotes = TableNotes()
    evidence: Evidence = Evidence()
    views: Views = Views()
    # The `RECORD_VERSION` that it was written for: every family of a package says so, ours change with the record.
    written_for: int | None = None
    package: Package | None = None  # which brings it, filled in when it is found; None: it is the engine's own

    def scale(self, score: str, options: Options) -> Scale:
        """Return how this score is said with these options."""
        return self.scores.scales(options).get(score) or Scale()

    def titles(self, options: Options) -> dict[str, str]:
        """Return the scores that there are with these options: {score: its name for people}."""
        return self.scores.titles_with(options) if self.scores.titles_with else self.score_titles

    def columns(self, table: str) -> Sequence[Column]:
        """Return the columns of the table of this name, in the order of a page; none where they are not declared."""
        return columns_of(self.table_notes.columns, table)

    def column(self, table: str, key: str) -> Column:
        """Return a column of a table; one that is not declared says no more than its key."""
        return next((column for column in self.columns(table) if column.key == key), Column(key))

    def score_when_perfect(self, options: Options) -> float | None:
        """Return the score that ranks of a gold scored against itself; None where the options do not tell it."""
        headline = self.headline(options)
        scale = self.scale(headline, options)
        if scale.is_open or scale.depends_on_gold:
            return None
        return scale.perfect(lower_is_better=headline in self.scores.lower_is_better(options))

    def metrics_with(self, options: Options) -> Metrics:
        """Return the metrics with these options: counts (..., kinds) to scores."""
        return lambda counts: self.metrics(counts, options)


def choose(options: Sequence[Option], given: Mapping[str, object]) -> Options:
    """Return the value of every option, the default where none is given; a value may be given as text."""
    by_key = {option.key: option for option in options}
    for key in given:
        if key not in by_key:
            raise ConfigurationError(
                Message(
                    "option-unknown",
                    "unknown option {key!r}; the options are {options}",
                    key=key,
                    options=", ".join(by_key),
                )
            )
    return {key: _chosen(option, given.get(key, option.default)) for key, option in by_key.items()}


def check_score(option: str, given: str, scores_there_are: Collection[str]) -> None:
    """Raise ConfigurationError unless the value of an option that names a score is one of the scores."""
    if given in scores_there_are:
        return
    scores = ", ".join(scores_there_are) or "none"
    if near := nearest(given, scores_there_are):
        raise ConfigurationError(
            Message(
                "option-no-score-near",
                "option {key}: there is no score {score!r}; did you mean {near!r}? The scores are {scores}",
                key=option,
                score=given,
                near=near,
                scores=scores,
            )
        )
    raise ConfigurationError(
        Message(
            "option-no-score",
            "option {key}: there is no score {score!r}; the scores are {scores}",
            key=option,
            score=given,
            scores=scores,
        )
    )


def _chosen(option: Option, given: object) -> Any:
    if given is None and option.default is None:
        return None
    if option.parse is not None:
        return _parsed(option.key, option.parse, given)
    for choice in option.choices:
        if _as_text(choice) == _as_text(given):
            return choice
    allowed = ", ".join(_as_text(choice) for choice in option.choices)
    raise ConfigurationError(
        Message(
            "option-not-one-of",
            "option {key}: {given!r} is not one of {allowed}",
            key=option.key,
            given=given,
            allowed=allowed,
        )
    )


def _parsed(key: str, parse: Callable[[Any], Any], given: object) -> Any:
    try:
        return parse(given)
    except ValueError as error:
        raise ConfigurationError(
            Message("option-value", "option {key}: {given!r}: {why}", key=key, given=given, why=explain_error(error))
        ) from None


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
