"""What an organiser may choose: where scores, units, weights and runs stand, and what a score is."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.table_options import number_for_missing
from scoring.family import Option, Options, choose
from scoring.readers.given import bounds
from scoring.readers.tables import DELIMITERS, FORMATS

_Advanced = partial(Option, is_advanced=True)
_Reading = partial(_Advanced, changes_scores=False)
_FORMATS = ("auto", *FORMATS)
_DELIMITERS = ("auto", *DELIMITERS)
_A_COLUMN = "the name of a column"


def _text(given: Any) -> str | None:
    """A name; None for an empty one, as a form sends it."""
    if given is None:
        return None
    if not isinstance(given, str):
        raise ValueError("expected a name")
    return given.strip() or None


def _range(given: Any) -> str | None:
    """LOW..HIGH as it was written, so that messages say it so."""
    if given in (None, ""):
        return None
    if not isinstance(given, str) or ".." not in given:
        raise ValueError("expected LOW..HIGH, such as 0..100")
    text = "".join(given.split())
    try:
        low, high = bounds(text)
    except ValueError:
        raise ValueError("expected LOW..HIGH, such as 0..100") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError("expected a lower number before a higher one")
    return text


OPTIONS = (
    Option("statistic", "mean", ("mean", "sum"), "what the scores of all units become", title="Score of a run"),
    Option(
        "direction",
        "higher",
        ("higher", "lower"),
        "whether more is better, or less, as of an error",
        title="Better scores",
    ),
    Option(
        "range",
        None,
        (),
        "scores outside are refused",
        parse=_range,
        values="LOW..HIGH, such as 0..100",
        title="Range of scores",
    ),
    Option(
        "repeated",
        "refuse",
        ("refuse", "mean"),
        "several scores of a run for one unit, as of several judges: refused, or their mean",
        title="Several scores for a unit",
    ),
    Option(
        "missing",
        "refuse",
        (),
        "whether a unit without a score is refused, or the number that stands for it",
        parse=number_for_missing,
        values="refuse, or a number",
        title="Missing scores",
    ),
    _Advanced(
        "group",
        None,
        (),
        "a column of the gold, such as the document; its units are drawn together for intervals",
        parse=_text,
        values=_A_COLUMN,
        title="Column with groups",
    ),
    _Advanced(
        "unknown_ids",
        "refuse",
        ("refuse", "ignore"),
        "whether rows of units that the gold does not have are refused or left out",
        title="Unknown units",
    ),
    _Reading(
        "run",
        None,
        (),
        "the run that is scored, where a table holds several",
        parse=_text,
        values="the name of a run",
        title="Run",
        is_local=True,
    ),
    _Reading("unit", "unit", (), "the column that names units", parse=_text, values=_A_COLUMN, title="Units"),
    _Reading("score", "score", (), "the column with scores", parse=_text, values=_A_COLUMN, title="Scores"),
    _Reading(
        "weight",
        "weight",
        (),
        "the column of the gold with weights, if any",
        parse=_text,
        values=_A_COLUMN,
        title="Weights",
    ),
    _Reading(
        "run_column", "run", (), "the column that names runs, if any", parse=_text, values=_A_COLUMN, title="Runs"
    ),
    _Reading("format", "auto", _FORMATS, "of runs; auto: by the file's ending", title="Format of runs"),
    _Reading("gold_format", "auto", _FORMATS, "of the gold; auto: by the file's ending", title="Format of the gold"),
    _Reading("delimiter", "auto", _DELIMITERS, "what separates the fields of runs", title="Delimiter of runs"),
    _Reading("gold_delimiter", "auto", _DELIMITERS, "what separates those of the gold", title="Delimiter of the gold"),
    _Reading("quotes", True, (True, False), "whether fields may stand in double quotes", title="Quotes"),
    _Reading("header", True, (True, False), "whether the first line names the columns", title="Names of columns first"),
)


def configure(given: Mapping[str, object]) -> Options:
    """The value of every option; ConfigurationError where some do not go together."""
    options = choose(OPTIONS, given)
    for key in ("unit", "score", "weight", "run_column"):
        if options[key] is None:
            options[key] = next(option.default for option in OPTIONS if option.key == key)
    if options["unit"] == options["score"]:
        raise ConfigurationError("option score: units and scores cannot stand in one column")
    return options
