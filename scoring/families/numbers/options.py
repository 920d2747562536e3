"""Holds what an organiser may choose, and what a value has to be."""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.numbers.names import all_scores, default_headline, has_tolerance, row_scores
from scoring.families.numbers.wording import OPTION_WORDS
from scoring.families.option_types import one_of, parsed
from scoring.families.table_options import (
    COLUMN,
    COLUMNS,
    FILE_OPTIONS,
    GROUP,
    IF_YES,
    SLICES,
    UNKNOWN_IDS,
    number,
    number_for_missing,
)
from scoring.family import Options, check_score, choose, with_words
from scoring.messages import Message


def _tolerance(given: Any) -> float | None:
    """Return a number from 0 on; None for an empty one, as a form sends it."""
    if given in (None, ""):
        return None
    value = number(given)
    if value < 0:
        raise ValueError(Message("expected-not-negative", "expected a number that is not negative"))
    return value


def _key(given: Any) -> str | None:
    if given in (None, ""):
        return None
    if not isinstance(given, str):
        raise ValueError(Message("expected-score", "expected the key of a score"))
    return given


_SCORE = parsed(_key, "the key of a score", "score")

OPTIONS = with_words(
    OPTION_WORDS,
    one_of("real", "binary").option(
        "kind",
        "real: any numbers; binary: the gold says 0 or 1, and systems how much they believe in 1",
        "What the gold holds",
    ),
    COLUMNS.option(
        "columns",
        "the columns with the system's numbers; several are scored one by one, and their means rank",
        "Columns with numbers",
        default="value",
    ),
    COLUMNS.advanced(
        "gold_columns",
        "the gold's columns with numbers, in the order of those above; by default they have the same names",
        "Columns of the gold",
    ),
    one_of("probability", "any").advanced(
        "range",
        "binary: the system's numbers are probabilities, or any that rise with the belief in 1",
        "Numbers of a binary task",
    ),
    parsed(_tolerance, "a number from 0 on", "number").option(
        "tolerance", "how far from the gold's a number still counts as near; adds the share of near ones", "Tolerance"
    ),
    COLUMN.advanced(
        "tolerance_column",
        "a column of the gold with a tolerance for each row, such as the annotators' standard deviation",
        "Column with tolerances",
    ),
    one_of("in", "out").advanced(
        "tolerance_edge",
        "whether a number exactly as far off as the tolerance is near: in (by default) or out",
        "Edge of the tolerance",
        default=None,
    ),
    one_of("arithmetic", "fisher").advanced(
        "column_mean",
        "how the correlations of several columns become one; fisher: by the mean of their transforms",
        "Mean of correlations",
    ),
    one_of("none", "zero").advanced(
        "constant",
        "what a correlation is where all the system's numbers are equal: none, which leaves the run without rank, or 0",
        "Correlation of a constant run",
    ),
    GROUP,
    IF_YES.advanced(
        "group_correlations",
        "adds the mean of Pearson's correlations within groups, that of the groups' means, and both as one by Fisher's "
        "transformation",
        "Correlations within and between groups",
        default=None,
    ),
    COLUMN.advanced(
        "systems",
        "a column of the gold with the system that made what a row judges, in groups that are segments; adds how well "
        "numbers rank systems, as for metrics of translation",
        "Column of systems",
    ),
    SLICES,
    UNKNOWN_IDS,
    parsed(number_for_missing, "refuse, or a number").advanced(
        "missing",
        "whether a missing row or number is refused, or the number that stands for it",
        "Missing numbers",
        default="refuse",
    ),
    _SCORE.advanced(
        "slice_score",
        "the score of which slices have mean and worst; by default Pearson's correlation, or the area of a binary task",
        "Score of the slices",
    ),
    _SCORE.option(
        "headline",
        "the score that ranks; by default Pearson's correlation, or the area under the ROC curve of a binary task",
        "The score that ranks",
    ),
    COLUMNS.minor(
        "text",
        "columns of the gold that people read next to an item, such as its text; participants may read them, too",
        "Columns to read",
    ),
    *FILE_OPTIONS,
)


def configure(given: Mapping[str, object]) -> Options:
    """Return the value of every option; ConfigurationError where some do not go together."""
    options = choose(OPTIONS, given)
    options["columns"] = options["columns"] or ("value",)
    options["gold_columns"] = options["gold_columns"] or options["columns"]
    options["id"] = options["id"] or ("id",)
    options["gold_id"] = options["gold_id"] or options["id"]
    _check_columns(options)
    _check_binary(options)
    if options["group_correlations"] and (options["group"] is None or options["kind"] != "real"):
        raise ConfigurationError(
            Message("correlations-of-groups", "option group_correlations: only with kind=real and a column of groups")
        )
    if options["systems"] and (options["group"] in (None, options["systems"]) or options["kind"] != "real"):
        raise ConfigurationError(
            Message("systems-without-groups", "option systems: only with kind=real and a group, the column of segments")
        )
    if options["tolerance_edge"] is not None and not has_tolerance(options):
        raise ConfigurationError(Message("edge-without-tolerance", "tolerance_edge needs a tolerance"))
    for key, scores in (("slice_score", row_scores(options)), ("headline", all_scores(options))):
        options[key] = options[key] or default_headline(options)
        check_score(key, options[key], scores)
    return options


def _check_columns(options: Options) -> None:
    columns, gold = options["columns"], options["gold_columns"]
    if len(columns) != len(gold):
        raise ConfigurationError(
            Message(
                "gold-columns-differ",
                "option gold_columns: {n} of them for {n_system} columns of the system",
                n=len(gold),
                n_system=len(columns),
            )
        )
    if len(columns) > 1 and "joint" in columns:
        raise ConfigurationError(
            Message("column-joint", "option columns: 'joint' would give two scores one name, joint_rmse")
        )


def _check_binary(options: Options) -> None:
    if options["kind"] != "binary":
        return
    for key in ("tolerance", "tolerance_column", "tolerance_edge"):
        if options[key] is not None:
            raise ConfigurationError(
                Message("tolerance-of-binary", "option {key}: a binary task has no tolerance", key=key)
            )
    fill = options["missing"]
    if fill != "refuse" and options["range"] == "probability" and not 0 <= fill <= 1:
        raise ConfigurationError(
            Message("missing-no-probability", "option missing: a probability must lie between 0 and 1")
        )
