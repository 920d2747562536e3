"""Holds what an organiser may choose, and what follows from the choice where nothing is said."""

import math
from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.f_beta import BETA, refuse_beta
from scoring.families.option_types import float_or_nan, one_of, parsed
from scoring.families.qac.wording import OPTION_WORDS
from scoring.family import Options, choose, with_words
from scoring.messages import Message
from scoring.readers.qac import ENCODINGS, AnswerSet

# How many outputs of a question count in task 1, and at most can be asked for.
RANKS = 5
_MOST_RANKS = 1000


def _ranks(given: Any) -> int | None:
    """Return a number of ranks; None for the usual one, so that it is not named."""
    number = _threshold(given)
    if number is None:
        return None
    if not number.is_integer() or not 1 <= number <= _MOST_RANKS:
        raise ValueError(Message("expected-integer-to", "expected an integer from 1 to {most}", most=_MOST_RANKS))
    return None if number == RANKS else int(number)


def _threshold(given: Any) -> float | None:
    """Return a number; None for an empty one, as a form sends it."""
    if given in (None, ""):
        return None
    value = float_or_nan(given)
    if not math.isfinite(value):
        raise ValueError(Message("expected-number", "expected a number"))
    return value


# What one option does to the numbers stands where it acts: `task` and `article` in counting.py, `squad` in squad.py.
OPTIONS = with_words(
    OPTION_WORDS,
    # The formats of qac and trec say the same, and the score that ranks tells squad from them.
    one_of("qac", "trec", "squad", "bioasq").unscored(
        "format",
        "of both sides: qac as in NTCIR's QAC, trec patterns and ranked answers, squad SQuAD's JSON, bioasq BioASQ's",
        "Format of the files",
    ),
    one_of(1, 2, 3).option(
        "task",
        "1: up to five answers in order; 2: a list of all answers; 3: as 2, for the later questions of each series",
        "What is answered",
    ),
    one_of("ignore", "require").option(
        "article",
        "whether a right answer counts with an article that the gold does not have for it (ignore), or not (require)",
        "Articles that support an answer",
    ),
    one_of("strings", "patterns", "patterns_any_case").option(
        "answers",
        "of the gold: strings to be met, or regular expressions to be found in an output, where case counts or not; "
        "by default patterns in the format trec, else strings",
        "What the gold's answers are",
        default=None,
    ),
    parsed(_ranks, f"an integer from 1 to {_MOST_RANKS}", "number").option(
        "ranks", f"how many outputs of a question count in task 1; by default {RANKS}", "Ranks that count"
    ),
    BETA,
    one_of("question", "series").minor(
        "unit",
        "what intervals and comparisons resample; by default the series in task 3, else the question",
        "Unit of intervals",
        default=None,
    ),
    one_of(*ENCODINGS).unscored("encoding", "of the run", "Encoding of runs", default="utf-8"),
    one_of(*ENCODINGS).minor(
        "gold_encoding", "of the gold; by default the same as of the run", "Encoding of the gold", default=None
    ),
    one_of("off", "en", "plain").minor(
        "squad",
        "adds exact match and token F1 of the first answer: en leaves out a, an and the, plain keeps them",
        "Exact match and token F1",
    ),
    one_of("1.1", "2.0").advanced(
        "squad_version",
        "whose script's rules hold in the format squad; by default what the gold's file says, and 2.0 where it has "
        "questions without answer",
        "Version of SQuAD",
        default=None,
    ),
    parsed(_threshold, "a number", "number").advanced(
        "na_threshold",
        "above which no-answer probability a prediction counts as none; by default 1, as in SQuAD's script",
        "Threshold of no-answer probabilities",
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options.

    Without a value of its own the unit follows from the task, the gold's encoding from the run's.
    """
    options = choose(OPTIONS, given)
    if options["format"] != "qac" and options["task"] == 3 or options["format"] == "squad" and options["task"] != 1:
        raise ConfigurationError(
            Message(
                "task-not-of-format",
                "option task: {task} does not go with the format {format}",
                task=options["task"],
                format=options["format"],
            )
        )
    if options["format"] == "squad":
        refuse_beta(options)
        _configure_squad(options)
    elif options["format"] == "bioasq":
        if options["answers"] in ("patterns", "patterns_any_case") or options["article"] == "require":
            raise ConfigurationError(
                Message("bioasq-answers-strings", "the answers of the format bioasq are strings without articles")
            )
    elif options["format"] == "trec" and options["answers"] is None:
        options["answers"] = "patterns"
    if options["answers"] == "strings":
        # The usual, which signatures never named.
        options["answers"] = None
    # Follow-up questions of a series depend on one another: resampled one by one, they would give intervals that are
    # too narrow.
    default_unit = "series" if options["task"] == 3 else "question"
    defaults = {"unit": default_unit, "gold_encoding": options["encoding"]}
    return options | {key: default for key, default in defaults.items() if options[key] is None}


def resolve_options(gold: AnswerSet, options: Options) -> Options:
    """Return the version of SQuAD that the gold is."""
    if options["format"] != "squad" or options["squad_version"] is not None:
        return options
    is_second = gold.version.startswith("2") or len(set(gold.question.tolist())) < len(gold.ids)
    return options | {"squad_version": "2.0" if is_second else "1.1"}


def _configure_squad(options: Options) -> None:
    if options["answers"] in ("patterns", "patterns_any_case"):
        raise ConfigurationError(
            Message("squad-answers-strings", "option answers: the answers of the format squad are strings")
        )
    if options["squad"] == "off":
        options["squad"] = "en"
    if options["na_threshold"] is None:
        options["na_threshold"] = 1.0
