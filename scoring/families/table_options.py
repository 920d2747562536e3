"""The options that all families of tables share: how the files are laid out, and what groups and divides their rows."""

import json
import math
from typing import Any

from scoring.family import Option
from scoring.readers.tables import DELIMITERS, FORMATS, tidy

_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")


def yes_no(given: Any) -> bool:
    """A truth, also as a word.

    >>> yes_no("no"), yes_no(True)
    (False, True)
    """
    said = str(given).strip().lower()
    if said not in _YES + _NO:
        raise ValueError("expected yes or no")
    return said in _YES


def names(given: Any) -> tuple[str, ...]:
    """One or several names, as a list or text: a JSON list, or with commas between.

    >>> names("a, b"), names('["a,b"]'), names(["a", 1])
    (('a', 'b'), ('a,b',), ('a', '1'))
    """
    if isinstance(given, str):
        given = _listed(given)
    if not isinstance(given, list | tuple) or not given:
        raise ValueError("expected names with commas between")
    if not all(isinstance(each, str | int | bool) for each in given):
        raise ValueError("expected names, each a text or a whole number")
    found = tuple(tidy(str(each).lower() if isinstance(each, bool) else str(each)) for each in given)
    if not all(found):
        raise ValueError("a name is empty")
    if len(set(found)) < len(found):
        raise ValueError(f"{next(each for each in found if found.count(each) > 1)!r} stands twice")
    return found


def _listed(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("not a list in JSON") from None
        return found if isinstance(found, list) else []
    return text.split(",")


def column(given: Any) -> str | None:
    """The name of a column; none where the text is empty."""
    return None if given is None else tidy(str(given)) or None


def id_columns(given: Any) -> tuple[str, ...] | None:
    """The columns of an id."""
    return None if given is None or given in ("", [], ()) else names(given)


def number(given: Any) -> float:
    """A finite number, also as text."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise ValueError("expected a number")
    try:
        value = float(given)
    except (ValueError, OverflowError):
        raise ValueError("expected a number") from None
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return value


def number_for_missing(given: Any) -> float | str:
    """The number that stands for a row which a run lacks; or it is refused."""
    return "refuse" if given == "refuse" else number(given)


FILE_OPTIONS = (
    Option(
        "id",
        ("id",),
        (),
        "the column of the ids; several, such as text1,text2, together name a row",
        changes_scores=False,
        parse=id_columns,
        values="names of columns with commas between",
        title="Column of the ids",
        takes="texts",
    ),
    Option(
        "gold_id",
        None,
        (),
        "the column of the ids in the gold; by default as in runs",
        changes_scores=False,
        parse=id_columns,
        values="names of columns with commas between",
        title="Column of the ids in the gold",
        is_advanced=True,
        takes="texts",
    ),
    Option(
        "format",
        "auto",
        ("auto", *FORMATS),
        "of runs; auto: told by the file's ending; lines: one value a line, in the gold's order",
        changes_scores=False,
        title="Format of runs",
        is_advanced=True,
    ),
    Option(
        "gold_format",
        "auto",
        ("auto", *FORMATS),
        "of the gold; auto: told by the file's ending",
        changes_scores=False,
        title="Format of the gold",
        is_advanced=True,
    ),
    Option(
        "delimiter",
        "auto",
        ("auto", *DELIMITERS),
        "between the fields of runs; auto: a comma in csv, a tab in tsv",
        changes_scores=False,
        title="Delimiter of runs",
        is_advanced=True,
    ),
    Option(
        "gold_delimiter",
        "auto",
        ("auto", *DELIMITERS),
        "between the fields of the gold; auto: a comma in csv, a tab in tsv",
        changes_scores=False,
        title="Delimiter of the gold",
        is_advanced=True,
    ),
    Option(
        "quotes",
        True,
        (True, False),
        "whether a field may stand in double quotes; no: quotes are data",
        changes_scores=False,
        parse=yes_no,
        values="yes or no",
        title="Fields in double quotes",
        is_advanced=True,
    ),
    Option(
        "header",
        True,
        (True, False),
        "whether the first line of csv and tsv names the columns; no: the id comes first, then what is scored",
        changes_scores=False,
        parse=yes_no,
        values="yes or no",
        title="First line names the columns",
        is_advanced=True,
    ),
)
UNKNOWN_IDS = Option(
    "unknown_ids",
    "refuse",
    ("refuse", "ignore"),
    "rows of a run whose id the gold lacks; ignore: they are left out and counted",
    title="Rows that the gold does not have",
    is_advanced=True,
)
GROUP = Option(
    "group",
    None,
    (),
    "a column of the gold, such as document or user, whose rows are drawn together for intervals and comparisons",
    parse=column,
    values="the name of a column",
    title="Column of groups",
    is_advanced=True,
)
SLICES = Option(
    "slices",
    None,
    (),
    "a column of the gold, such as language or domain, by which scores are also told apart",
    parse=column,
    values="the name of a column",
    title="Column of slices",
    is_advanced=True,
)
