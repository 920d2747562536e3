"""Holds what an organiser may choose, and what follows from the choice where nothing is said."""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.f_beta import BETA, refuse_beta
from scoring.families.labels.measures.hierarchy import parsed_hierarchy
from scoring.families.labels.measures.icm import check_tree
from scoring.families.labels.score_keys import score_keys
from scoring.families.labels.wording import OPTION_WORDS
from scoring.families.option_types import float_or_nan, one_of, parsed
from scoring.families.table_options import (
    COLUMN,
    COLUMNS,
    FILE_OPTIONS,
    GROUP,
    IF_YES,
    SLICES,
    UNKNOWN_IDS,
    YES_NO,
    column,
    columns,
    names,
)
from scoring.family import Options, check_score, choose, with_words
from scoring.messages import Message
from scoring.readers.labels import folded, has_shares
from scoring.readers.tables import shown
from scoring.spelling.strings import nearest

_MOST_GUESSES = 1_000


def _labels(given: Any) -> str | tuple[str, ...]:
    """Return `gold`, `union` or a list."""
    if isinstance(given, str) and not given.strip():
        return "gold"
    labels = names(given)
    return labels[0] if labels in (("gold",), ("union",)) else labels


def _separator(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError(Message("expected-separator", "expected the signs that stand between labels"))
    return given


def _share(given: Any) -> float:
    number = float_or_nan(given)
    if not 0 <= number <= 1:
        raise ValueError(Message("expected-share", "expected a number from 0 to 1"))
    return number


def _threshold(given: Any) -> float | None:
    if given in (None, ""):
        return None
    number = float_or_nan(given)
    if not 0 < number <= 1:
        raise ValueError(Message("expected-threshold", "expected a number above 0 and at most 1"))
    return number


def _top(given: Any) -> tuple[int, ...]:
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, list | tuple) else [given]
    try:
        numbers = [int(str(part)) for part in parts if not isinstance(part, bool)]
    except ValueError:
        numbers = []
    if len(numbers) < len(parts) or not numbers or not all(2 <= number <= _MOST_GUESSES for number in numbers):
        raise ValueError(
            Message(
                "expected-guesses", "expected whole numbers from 2 to {most} with commas between", most=_MOST_GUESSES
            )
        )
    return tuple(dict.fromkeys(numbers))


_SCORE = parsed(column, "the key of a score", "score")

OPTIONS = with_words(
    OPTION_WORDS,
    one_of("single", "multi", "ranked", "graded", "soft").option(
        "task",
        "single: one label for each row; multi: a set of labels, perhaps empty; ranked: guesses, the best first; "
        "graded: one label, and the gold has a credit for each; soft: shares of labels, or the ratings of annotators",
        "What a row says",
    ),
    parsed(lambda given: column(given) or "label", "the name of a column").unscored(
        "label", "the column of the labels", "Column of the labels", default="label"
    ),
    COLUMN.minor(
        "gold_label", "the column of the labels in the gold; by default as in runs", "Column of the labels in the gold"
    ),
    COLUMN.advanced(
        "second",
        "a column of both sides with a second label of each row, which counts where the first one is right: adds its "
        "macro F1, and the mean of both macro F1",
        "Column of a second label",
    ),
    parsed(_labels, "gold, union, or labels with commas between", "texts").option(
        "labels",
        "the labels in their order; gold: those that occur in the gold; union: those of gold and run together",
        "List of labels",
        default="gold",
    ),
    one_of("refuse", "wrong").advanced(
        "unknown_labels",
        "labels of a run that are not in the list; wrong: they count as wrong answers",
        "Labels that are not in the list",
    ),
    one_of("refuse", "wrong").advanced(
        "missing", "rows that a run lacks, and empty labels; wrong: they count as wrong answers", "Missing rows"
    ),
    _SCORE.option(
        "headline",
        "the score that ranks; without it, macro F1, or accuracy of ranked guesses, or credit, or Manhattan distance",
        "The score that ranks",
    ),
    parsed(column, "a label").option(
        "positive", "a label whose precision, recall and F1 are scores of their own", "Positive label"
    ),
    YES_NO.option(
        "ordinal",
        "whether the labels have an order, that of the list: adds the quadratically weighted kappa, of shares also the "
        "Wasserstein distance",
        "Labels have an order",
        default=False,
    ),
    YES_NO.advanced(
        "icm",
        "adds the information contrast of hard labels: rare ones count more",
        "Information contrast (ICM)",
        default=None,
    ),
    parsed(column, "the beginning of names of columns").advanced(
        "probabilities",
        "how the columns of probabilities begin, such as p_ in p_A and p_B: adds log loss, Brier score, area under the "
        "curve and calibration error",
        "Columns of probabilities",
    ),
    parsed(_top, "whole numbers from 2 with commas between", "texts").advanced(
        "top",
        "of ranked guesses: among how many of the first ones the right label is looked for",
        "Numbers of first guesses",
        default=(3, 5),
    ),
    parsed(lambda given: column(given) or "credit", "the name of a column").advanced(
        "credit", "of a graded gold: the column of the credits", "Column of credits", default="credit"
    ),
    parsed(_separator, "one or more signs").minor(
        "separator", "what stands between several labels in one field", "Sign between labels", default=";"
    ),
    IF_YES.option(
        "shares",
        "of several labels: each has a share of its own, from 0 to 1, such as that of the annotators who gave it",
        "Shares of labels that do not exclude each other",
        default=None,
    ),
    parsed(_threshold, "a number above 0 and at most 1", "number").advanced(
        "threshold",
        "from which share on a label counts as one of the set; by default a half",
        "Share from which a label counts",
        default=None,
    ),
    one_of("cell", "columns").minor(
        "multi_as",
        "several labels, or shares: in one field (cell), or a column for each label of the list (columns)",
        "Several labels stand",
    ),
    one_of("keep", "ignore").advanced(
        "case",
        "ignore: labels that differ only in case are the same",
        "Upper and lower case of labels",
    ),
    one_of("skip", "count").advanced(
        "absent_labels",
        "listed labels that occur on neither side; skip: macro averages leave them out; count: they count",
        "Labels that do not occur",
    ),
    one_of(0, 1).advanced(
        "zero_division",
        "what precision, recall and F1 are where there is nothing to divide by",
        "Precision and recall of nothing",
    ),
    BETA,
    parsed(_share, "a number from 0 to 1", "number").advanced(
        "partial",
        "of several labels: the credit for some of the gold's labels and no others",
        "Credit for a part of the labels",
        default=0.5,
    ),
    parsed(parsed_hierarchy, "pairs such as Ethos > Ad Hominem, with commas between", "texts").advanced(
        "hierarchy",
        "which label stands above which, such as Ethos > Ad Hominem: adds precision, recall and F1 of labels with all "
        "their ancestors; a tree, or labels with several parents",
        "Hierarchy of labels",
    ),
    GROUP,
    IF_YES.advanced(
        "group_accuracy",
        "adds the share of groups all of whose rows are right",
        "Groups that are all right",
        default=None,
    ),
    IF_YES.advanced(
        "group_error",
        "adds the mean of the groups' error rates, such as of the annotators of an item; of sets the share of wrong "
        "cells counts, with an order of labels the distance",
        "Mean error of groups",
        default=None,
    ),
    COLUMN.advanced(
        "original",
        "a column of the gold with the id of the row from which a row was made, empty for an original: adds "
        "consistency, faithfulness and the share of originals that are right with all their variants",
        "Column of the original's id",
    ),
    SLICES,
    _SCORE.advanced(
        "slice_score", "the score that is shown slice by slice; without it, the usual headline", "Score of slices"
    ),
    parsed(lambda given: columns(given) or (), COLUMNS.said, "texts").minor(
        "text",
        "columns of the gold that people read next to a row, such as its text; participants may read them, too",
        "Columns to show",
        default=(),
    ),
    *FILE_OPTIONS,
    UNKNOWN_IDS,
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options; ConfigurationError for an unknown key or value, or for two that do not go together."""
    options = choose(OPTIONS, given)
    _check_together(options)
    _check_list(options)
    usual = usual_headline(options)
    options["slice_score"] = options["slice_score"] or usual
    # The usual, which signatures of before never named.
    options["icm"] = options["icm"] or None
    options["headline"] = options["headline"] or usual
    check_score("slice_score", options["slice_score"], score_keys(options | {"slices": None}))
    check_score("headline", options["headline"], score_keys(options))
    if not options["slices"]:
        options["slice_score"] = None
    return options


def usual_headline(options: Options) -> str:
    """Return the score that ranks where nothing is said."""
    if options["second"]:
        return "mean_macro_f1"
    f_score = "macro_fbeta" if options["beta"] else "macro_f1"
    if has_shares(options):
        return "manhattan"
    return {"ranked": "accuracy", "graded": "credit"}.get(options["task"], f_score)


def _check_together(options: Options) -> None:
    task, is_list = options["task"], not isinstance(options["labels"], str)
    if options["probabilities"] is not None and (task != "single" or options["labels"] == "union"):
        raise ConfigurationError(
            Message("probabilities-of-single", "option probabilities: only with task=single, and not with labels=union")
        )
    if options["ordinal"] and task in ("multi", "graded"):
        raise ConfigurationError(
            Message("ordinal-of-one-label", "option ordinal: only with task=single or task=ranked")
        )
    if task == "graded":
        refuse_beta(options)
        if options["group_error"]:
            raise ConfigurationError(Message("error-of-graded", "option group_error: not with task=graded"))
        if options["icm"]:
            raise ConfigurationError(Message("icm-of-graded", "option icm: not with task=graded"))
    if task == "soft" and options["labels"] == "union":
        raise ConfigurationError(Message("labels-of-soft", "option labels: with task=soft gold or a list"))
    if options["hierarchy"] and task == "graded":
        raise ConfigurationError(Message("hierarchy-of-graded", "option hierarchy: not with task=graded"))
    if options["hierarchy"] and (options["icm"] or has_shares(options)):
        check_tree(options)
    if (options["shares"] and task != "multi") or (options["threshold"] is not None and not options["shares"]):
        raise ConfigurationError(
            Message("shares-of-multi", "option shares: only with task=multi; option threshold: only with shares")
        )
    if options["shares"] and options["labels"] == "union":
        raise ConfigurationError(Message("labels-of-shares", "option labels: with shares gold or a list"))
    if options["second"]:
        _check_second(options)
    if options["original"] and task not in ("single", "ranked"):
        raise ConfigurationError(
            Message("original-of-one-label", "option original: only with task=single or task=ranked")
        )
    if options["group_accuracy"] and not (options["group"] or options["original"]):
        raise ConfigurationError(Message("groups-needed", "option group_accuracy: only with a column of groups"))
    if options["group_error"] and not (options["group"] or options["original"]):
        raise ConfigurationError(Message("groups-needed-of-error", "option group_error: only with a column of groups"))
    if options["multi_as"] == "columns" and not (task in ("multi", "soft") and is_list):
        raise ConfigurationError(
            Message(
                "columns-of-multi", "option multi_as: columns only with task=multi or task=soft and a list of labels"
            )
        )


def _check_second(options: Options) -> None:
    if options["task"] != "single" or options["probabilities"] is not None or options["absent_labels"] == "count":
        raise ConfigurationError(
            Message(
                "second-of-single",
                "option second: only with task=single, and neither with probabilities nor with absent_labels=count",
            )
        )
    if options["second"] in (options["label"], options["gold_label"]):
        raise ConfigurationError(Message("second-is-first", "option second: this is the column of the first label"))


def _check_list(options: Options) -> None:
    labels, positive = options["labels"], options["positive"]
    if isinstance(labels, str):
        return
    fold = folded if options["case"] == "ignore" else str
    listed = [fold(label) for label in labels]
    if len(set(listed)) < len(listed):
        twice = next(label for label in labels if listed.count(fold(label)) > 1)
        raise ConfigurationError(Message("labels-twice", "option labels: {label} stands twice", label=shown(twice)))
    if positive is not None and fold(positive) not in listed:
        label = shown(positive)
        refused = Message("positive-unlisted", "option positive: {label} is not in the list of labels", label=label)
        if near := nearest(positive, labels):
            refused = Message("positive-near", "{refused}; did you mean {near}?", refused=refused, near=shown(near))
        raise ConfigurationError(refused)
