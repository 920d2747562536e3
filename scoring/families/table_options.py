"""The options that all families of tables share: how the files are laid out, and what groups and divides their rows."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scoring.families.option_types import Values, one_of, parsed
from scoring.family import HiddenMeaning, Options, OptionWords
from scoring.messages import Message, some_of
from scoring.readers.tables import DELIMITERS, FORMATS, ROW_NUMBER, layout_of, tidy

_MOST_LABELS = 12  # that are named
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")


def yes_no(given: Any) -> bool:
    """Return a truth, also from a word.

    >>> yes_no("no"), yes_no(True)
    (False, True)
    """
    word = str(given).strip().lower()
    if word not in _YES + _NO:
        raise ValueError(Message("expected-yes-no", "expected yes or no"))
    return word in _YES


def if_yes(given: Any) -> bool | None:
    """Return True, or None for "no", so that no signature names it."""
    return (given not in (None, "") and yes_no(given)) or None


def names(given: Any) -> tuple[str, ...]:
    """Return one or several names, from a list or text: a JSON list, or with commas between.

    >>> names("a, b"), names('["a,b"]'), names(["a", 1])
    (('a', 'b'), ('a,b',), ('a', '1'))
    """
    if isinstance(given, str):
        given = _listed(given)
    if not isinstance(given, list | tuple) or not given:
        raise ValueError(Message("expected-names", "expected names with commas between"))
    if not all(isinstance(name, str | int | bool) for name in given):
        raise ValueError(Message("expected-names-texts", "expected names, each a text or a whole number"))
    names_given = tuple(tidy(str(name).lower() if isinstance(name, bool) else str(name)) for name in given)
    if not all(names_given):
        raise ValueError(Message("name-empty", "a name is empty"))
    if len(set(names_given)) < len(names_given):
        raise ValueError(Message("name-twice", "{name!r} stands twice", name=Counter(names_given).most_common(1)[0][0]))
    return names_given


def _listed(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(Message("expected-json-list", "not a list in JSON")) from None
        return value if isinstance(value, list) else []
    return text.split(",")


def column(given: Any) -> str | None:
    """Return the name of a column; none where the text is empty."""
    return None if given is None else tidy(str(given)) or None


def columns(given: Any) -> tuple[str, ...] | None:
    """Return the names of columns; None where there are none, as a form sends it."""
    return None if given is None or given in ("", [], ()) else names(given)


def number(given: Any) -> float:
    """Return a finite number, also from text."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise ValueError(Message("expected-number", "expected a number"))
    try:
        value = float(given)
    except (ValueError, OverflowError):
        raise ValueError(Message("expected-number", "expected a number")) from None
    if not math.isfinite(value):
        raise ValueError(Message("expected-finite", "expected a finite number"))
    return value


def number_for_missing(given: Any) -> float | str:
    """Return the number that stands for a row which a run lacks; or it is refused."""
    return "refuse" if given == "refuse" else number(given)


COLUMN = parsed(column, "the name of a column")
COLUMNS = parsed(columns, "names of columns with commas between", "texts")
YES_NO = Values((True, False), yes_no, "yes or no")
QUOTES = YES_NO.minor(
    "quotes",
    "whether a field may stand in double quotes; no: quotes are data",
    "Fields in double quotes",
)
HEADER = YES_NO.minor(
    "header",
    "whether the first line of csv and tsv names the columns; no: the id comes first, then what is scored",
    "First line names the columns",
)
IF_YES = Values((True,), if_yes, "yes or no")
FILE_OPTIONS = (
    parsed(names, "names of columns with commas between", "texts").unscored(
        "id",
        "the column of the ids; several, such as text1,text2, together name a row",
        "Column of the ids",
        default=("id",),
    ),
    COLUMNS.minor(
        "gold_id", "the column of the ids in the gold; by default as in runs", "Column of the ids in the gold"
    ),
    one_of("auto", *FORMATS).minor(
        "format",
        "of runs; auto: recognised by the file's ending; lines: one value a line, in the gold's order",
        "Format of runs",
    ),
    one_of("auto", *FORMATS).minor(
        "gold_format", "of the gold; auto: recognised by the file's ending", "Format of the gold"
    ),
    one_of("auto", *DELIMITERS).minor(
        "delimiter", "between the fields of runs; auto: a comma in csv, a tab in tsv", "Delimiter of runs"
    ),
    one_of("auto", *DELIMITERS).minor(
        "gold_delimiter", "between the fields of the gold; auto: a comma in csv, a tab in tsv", "Delimiter of the gold"
    ),
    QUOTES,
    HEADER,
)
UNKNOWN_IDS = one_of("refuse", "ignore").advanced(
    "unknown_ids",
    "rows of a run whose id the gold lacks; ignore: they are left out and counted",
    "Rows that the gold does not have",
)
GROUP = COLUMN.advanced(
    "group",
    "a column of the gold, such as document or user, whose rows are drawn together for intervals and comparisons",
    "Column of groups",
)
SLICES = COLUMN.advanced(
    "slices",
    "a column of the gold, such as language or domain, by which scores are also told apart",
    "Column of slices",
)

TABLE_WORDS: OptionWords = {
    "format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "csv": "CSV",
        "tsv": "TSV",
        "jsonl": "JSON Lines",
        "lines": "one value a line",
    },
    "gold_format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "csv": "gold in CSV",
        "tsv": "gold in TSV",
        "jsonl": "gold in JSON Lines",
        "lines": "gold with one value a line",
    },
    "delimiter": {
        "auto": HiddenMeaning("commas in CSV, tabs in TSV"),
        "comma": "commas between fields",
        "tab": "tabs between fields",
        "semicolon": "semicolons between fields",
        "pipe": "vertical bars between fields",
    },
    "gold_delimiter": {
        "auto": HiddenMeaning("commas in CSV, tabs in TSV"),
        "comma": "commas between fields",
        "tab": "tabs between fields",
        "semicolon": "semicolons between fields",
        "pipe": "vertical bars between fields",
    },
    "quotes": {"true": HiddenMeaning("yes"), "false": "quotes are data"},
    "header": {"true": HiddenMeaning("yes"), "false": "no line with the names of columns"},
    "unknown_ids": {
        "refuse": "rows that the gold does not have are refused",
        "ignore": "rows that the gold does not have are left out",
    },
}


def describe_group(name: str) -> str:
    return Message("groups-said", "rows of one {name} belong together", name=name)


def describe_slices(name: str) -> str:
    return Message("slices-said", "scores also by {name}", name=name)


def describe_labels(labels: Sequence[str]) -> str:
    """List the labels of a task; of very many, which a page folds, the first."""
    return Message.listed(labels) if len(labels) <= _MOST_LABELS else some_of(labels, _MOST_LABELS)


def table_of_gold(options: Options) -> Message | None:
    """Say that gold is a table, and what names its rows; None where it has a value a line."""
    if options["gold_format"] == "lines":
        return None
    ids = layout_of(options, "gold").id
    if ids == (ROW_NUMBER,):
        return Message(
            "gold-table-in-order", "One table with a row for each item, in CSV, TSV or JSON Lines, in their order."
        )
    return Message(
        "gold-table",
        "One table with a row for each item, in CSV, TSV or JSON Lines, whose id stands in {ids}.",
        ids=Message.listed(ids),
    )
