"""What an organiser may choose, and what follows from the choice where nothing is said."""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.labels.score_keys import score_keys
from scoring.families.table_options import (
    FILE_OPTIONS,
    GROUP,
    SLICES,
    UNKNOWN_IDS,
    column,
    names,
    yes_no,
)
from scoring.family import Option, Options, check_score, choose
from scoring.nearest import nearest
from scoring.readers.labels import folded
from scoring.readers.tables import shown, tidy

_MOST_GUESSES = 1_000


def _labels(given: Any) -> str | tuple[str, ...]:
    """`gold`, `union` or a list."""
    if isinstance(given, str) and not given.strip():
        return "gold"
    found = names(given)
    return found[0] if found in (("gold",), ("union",)) else found


def _text(given: Any) -> str | None:
    return None if given is None else tidy(str(given)) or None


def _separator(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError("expected the signs that stand between labels")
    return given


def _share(given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = -1.0
    if isinstance(given, bool) or not 0 <= number <= 1:
        raise ValueError("expected a number from 0 to 1")
    return number


def _top(given: Any) -> tuple[int, ...]:
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, list | tuple) else [given]
    try:
        numbers = [int(str(part)) for part in parts if not isinstance(part, bool)]
    except ValueError:
        numbers = []
    if len(numbers) < len(parts) or not numbers or not all(2 <= number <= _MOST_GUESSES for number in numbers):
        raise ValueError(f"expected whole numbers from 2 to {_MOST_GUESSES} with commas between")
    return tuple(dict.fromkeys(numbers))


def _columns(given: Any) -> tuple[str, ...]:
    return () if given is None or given in ("", [], ()) else names(given)


OPTIONS = (
    Option(
        "task",
        "single",
        ("single", "multi", "ranked", "graded"),
        "single: one label for each row; multi: a set of labels, perhaps empty; ranked: guesses, the best first; "
        "graded: one label, and the gold has a credit for each",
        title="What a row says",
    ),
    Option(
        "label",
        "label",
        (),
        "the column of the labels",
        changes_scores=False,
        parse=lambda given: _text(given) or "label",
        values="the name of a column",
        title="Column of the labels",
    ),
    Option(
        "gold_label",
        None,
        (),
        "the column of the labels in the gold; by default as in runs",
        changes_scores=False,
        parse=column,
        values="the name of a column",
        title="Column of the labels in the gold",
        is_advanced=True,
    ),
    Option(
        "labels",
        "gold",
        (),
        "gold: those that occur in the gold; union: those of gold and run together; or a list, which also fixes their "
        "order",
        parse=_labels,
        values="gold, union, or labels with commas between",
        title="List of labels",
        takes="texts",
    ),
    Option(
        "unknown_labels",
        "refuse",
        ("refuse", "wrong"),
        "labels of a run that are not in the list; wrong: they count as wrong answers",
        title="Labels that are not in the list",
        is_advanced=True,
    ),
    Option(
        "missing",
        "refuse",
        ("refuse", "wrong"),
        "rows that a run lacks, and empty labels; wrong: they count as wrong answers",
        title="Missing rows",
        is_advanced=True,
    ),
    Option(
        "headline",
        None,
        (),
        "the score that ranks; without it, macro F1, or accuracy of ranked guesses, or credit",
        parse=_text,
        values="the key of a score",
        title="The score that ranks",
        takes="score",
    ),
    Option(
        "positive",
        None,
        (),
        "a label whose precision, recall and F1 are scores of their own",
        parse=_text,
        values="a label",
        title="Positive label",
    ),
    Option(
        "ordinal",
        False,
        (True, False),
        "whether the labels have an order, that of the list: adds the quadratically weighted kappa",
        parse=yes_no,
        values="yes or no",
        title="Labels have an order",
    ),
    Option(
        "probabilities",
        None,
        (),
        "how the columns of probabilities begin, such as p_ in p_A and p_B: adds log loss, Brier score, area under the "
        "curve and calibration error",
        parse=_text,
        values="the beginning of names of columns",
        title="Columns of probabilities",
        is_advanced=True,
    ),
    Option(
        "top",
        (3, 5),
        (),
        "of ranked guesses: among how many of the first ones the right label is looked for",
        parse=_top,
        values="whole numbers from 2 with commas between",
        title="Numbers of first guesses",
        is_advanced=True,
        takes="texts",
    ),
    Option(
        "credit",
        "credit",
        (),
        "of a graded gold: the column of the credits",
        parse=lambda given: _text(given) or "credit",
        values="the name of a column",
        title="Column of credits",
        is_advanced=True,
    ),
    Option(
        "separator",
        ";",
        (),
        "what stands between several labels in one field",
        changes_scores=False,
        parse=_separator,
        values="one or more signs",
        title="Sign between labels",
        is_advanced=True,
    ),
    Option(
        "multi_as",
        "cell",
        ("cell", "columns"),
        "several labels: in one field (cell), or a column of 0 and 1 for each label of the list (columns)",
        changes_scores=False,
        title="Several labels stand",
        is_advanced=True,
    ),
    Option(
        "case",
        "keep",
        ("keep", "ignore"),
        "ignore: labels that differ in upper and lower case alone are the same",
        title="Upper and lower case of labels",
        is_advanced=True,
    ),
    Option(
        "absent_labels",
        "skip",
        ("skip", "count"),
        "listed labels that occur on neither side; skip: macro averages leave them out; count: they count",
        title="Labels that do not occur",
        is_advanced=True,
    ),
    Option(
        "zero_division",
        0,
        (0, 1),
        "what precision, recall and F1 are where there is nothing to divide by",
        title="Precision and recall of nothing",
        is_advanced=True,
    ),
    Option(
        "partial",
        0.5,
        (),
        "of several labels: the credit for some of the gold's labels and no others",
        parse=_share,
        values="a number from 0 to 1",
        title="Credit for a part of the labels",
        is_advanced=True,
        takes="number",
    ),
    GROUP,
    SLICES,
    Option(
        "slice_score",
        None,
        (),
        "the score that is told slice by slice; without it, the usual headline",
        parse=_text,
        values="the key of a score",
        title="Score of slices",
        is_advanced=True,
        takes="score",
    ),
    Option(
        "text",
        (),
        (),
        "columns of the gold that people read beside a row, such as its text; participants may read them, too",
        changes_scores=False,
        parse=_columns,
        values="names of columns with commas between",
        title="Columns to show",
        is_advanced=True,
        takes="texts",
    ),
    *FILE_OPTIONS,
    UNKNOWN_IDS,
)


def configure(given: Mapping[str, object]) -> Options:
    """All options; ConfigurationError for an unknown key or value, or for two that do not go together."""
    options = choose(OPTIONS, given)
    _check_together(options)
    _check_list(options)
    usual = usual_headline(options)
    options["slice_score"] = options["slice_score"] or usual
    options["headline"] = options["headline"] or usual
    check_score("slice_score", options["slice_score"], score_keys(options | {"slices": None}))
    check_score("headline", options["headline"], score_keys(options))
    if not options["slices"]:
        options["slice_score"] = None
    return options


def usual_headline(options: Options) -> str:
    """The score that ranks where nothing is said."""
    return {"ranked": "accuracy", "graded": "credit"}.get(options["task"], "macro_f1")


def _check_together(options: Options) -> None:
    task, is_list = options["task"], not isinstance(options["labels"], str)
    if options["probabilities"] is not None and (task != "single" or options["labels"] == "union"):
        raise ConfigurationError("option probabilities: only with task=single, and not with labels=union")
    if options["ordinal"] and task in ("multi", "graded"):
        raise ConfigurationError("option ordinal: only with task=single or task=ranked")
    if options["multi_as"] == "columns" and not (task == "multi" and is_list):
        raise ConfigurationError("option multi_as: columns only with task=multi and a list of labels")


def _check_list(options: Options) -> None:
    labels, positive = options["labels"], options["positive"]
    if isinstance(labels, str):
        return
    fold = folded if options["case"] == "ignore" else str
    known = [fold(label) for label in labels]
    if len(set(known)) < len(known):
        twice = next(label for label in labels if known.count(fold(label)) > 1)
        raise ConfigurationError(f"option labels: {shown(twice)} stands twice")
    if positive is not None and fold(positive) not in known:
        refused = f"option positive: {shown(positive)} is not in the list of labels"
        if near := nearest(positive, labels):
            refused = f"option positive: {shown(positive)} is not in the list of labels; did you mean {shown(near)}?"
        raise ConfigurationError(refused)
