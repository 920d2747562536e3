"""Holds what an organiser may choose: where scores, units, weights and runs stand, and what a score is."""

import math
from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.given.wording import OPTION_WORDS
from scoring.families.option_types import one_of, parsed
from scoring.families.table_options import number_for_missing
from scoring.family import Options, choose, with_words
from scoring.messages import Message
from scoring.readers.given import bounds
from scoring.readers.given.blocks import N_BLOCKS
from scoring.readers.tables import DELIMITERS, FORMATS

_NO_RANGE = Message("expected-range", "expected LOW..HIGH, such as 0..100")


def _text(given: Any) -> str | None:
    """Return a name; None for an empty one, as a form sends it."""
    if given is None:
        return None
    if not isinstance(given, str):
        raise ValueError(Message("expected-name", "expected a name"))
    return given.strip() or None


def _range(given: Any) -> str | None:
    """Return LOW..HIGH as it was written, so that messages say it so."""
    if given in (None, ""):
        return None
    if not isinstance(given, str) or ".." not in given:
        raise ValueError(_NO_RANGE)
    text = "".join(given.split())
    try:
        low, high = bounds(text)
    except ValueError:
        raise ValueError(_NO_RANGE) from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(Message("expected-ascending", "expected a lower number before a higher one"))
    return text


def _blocks(given: Any) -> int | None:
    """Return the number of blocks; None for no option, as a form sends it."""
    if given in (None, ""):
        return None
    if str(given).strip() != str(N_BLOCKS):
        raise ValueError(Message("expected-blocks", "expected {n}, or nothing", n=N_BLOCKS))
    return N_BLOCKS


_COLUMN = parsed(_text, "the name of a column")

OPTIONS = with_words(
    OPTION_WORDS,
    one_of("mean", "sum").option("statistic", "what the scores of all units become", "Score of a run"),
    one_of("higher", "lower").option("direction", "whether more is better, or less, as of an error", "Better scores"),
    parsed(_range, "LOW..HIGH, such as 0..100").option("range", "scores outside are refused", "Range of scores"),
    one_of("refuse", "mean").option(
        "repeated",
        "several scores of a run for one unit, as of several judges: refused, or their mean",
        "Several scores for a unit",
    ),
    parsed(number_for_missing, "refuse, or a number").option(
        "missing",
        "whether a unit without a score is refused, or the number that stands for it",
        "Missing scores",
        default="refuse",
    ),
    _COLUMN.advanced(
        "group",
        "a column of the gold, such as the document; its units are drawn together for intervals",
        "Column with groups",
    ),
    one_of("refuse", "ignore").advanced(
        "unknown_ids", "whether rows of units that the gold does not have are refused or left out", "Unknown units"
    ),
    parsed(_text, "the name of a run").minor(
        "run", "the run that is scored, where a table holds several", "Run", is_local=True
    ),
    parsed(_text, "a name and a version").advanced(
        "judge", "who or what has given the scores, in which version; the signature says it", "Judge"
    ),
    parsed(_blocks, "20, or nothing").advanced(
        "blocks",
        "for a judge that gives a run one total: it says the totals of the run without each of so many blocks of units",
        "Blocks left out",
    ),
    _COLUMN.minor("unit", "the column that names units", "Units", default="unit"),
    _COLUMN.minor("score", "the column with scores", "Scores", default="score"),
    _COLUMN.minor("weight", "the column of the gold with weights, if any", "Weights", default="weight"),
    _COLUMN.minor("run_column", "the column that names runs, if any", "Runs", default="run"),
    one_of("auto", *FORMATS).minor("format", "of runs; auto: by the file's ending", "Format of runs"),
    one_of("auto", *FORMATS).minor("gold_format", "of the gold; auto: by the file's ending", "Format of the gold"),
    one_of("auto", *DELIMITERS).minor("delimiter", "what separates the fields of runs", "Delimiter of runs"),
    one_of("auto", *DELIMITERS).minor("gold_delimiter", "what separates those of the gold", "Delimiter of the gold"),
    one_of(True, False).minor("quotes", "whether fields may stand in double quotes", "Quotes"),
    one_of(True, False).minor("header", "whether the first line names the columns", "Names of columns first"),
)

# What holds where units are blocks: nobody knows scores of the units in them.
_OF_BLOCKS = {"statistic": "mean", "repeated": "refuse", "missing": "refuse", "group": None}


def configure(given: Mapping[str, object]) -> Options:
    """Return the value of every option; ConfigurationError where some do not go together."""
    options = choose(OPTIONS, given)
    for key in ("unit", "score", "weight", "run_column"):
        if options[key] is None:
            options[key] = next(option.default for option in OPTIONS if option.key == key)
    if options["unit"] == options["score"]:
        raise ConfigurationError(
            Message("score-in-unit-column", "option score: units and scores cannot stand in one column")
        )
    if options["blocks"] and (others := [key for key, value in _OF_BLOCKS.items() if options[key] != value]):
        raise ConfigurationError(
            Message("blocks-and-other", "option blocks: it does not go with {option}", option=others[0])
        )
    return options
