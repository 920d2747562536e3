"""What an organiser may choose, and what follows from the choice where nothing is said."""

from collections.abc import Mapping

from scoring.family import Option, Options, choose
from scoring.readers.qac import ENCODINGS

# What one option does to the numbers stands where it acts: `task` and `article` in counting.py, `squad` in squad.py.
OPTIONS = (
    Option(
        "task",
        1,
        (1, 2, 3),
        "1: up to five answers in order; 2: a list of all answers; 3: as 2, for the later questions of each series",
        title="What is answered",
    ),
    Option(
        "article",
        "ignore",
        ("ignore", "require"),
        "whether a right answer counts with an article that the gold does not have for it (ignore), or not (require)",
        title="Articles that support an answer",
    ),
    Option(
        "unit",
        None,
        ("question", "series"),
        "what intervals and comparisons resample; by default the series in task 3, else the question",
        changes_scores=False,
        title="Unit of intervals",
        is_advanced=True,
    ),
    Option("encoding", "utf-8", ENCODINGS, "of the run", changes_scores=False, title="Encoding of runs"),
    Option(
        "gold_encoding",
        None,
        ENCODINGS,
        "of the gold; by default the same as of the run",
        changes_scores=False,
        title="Encoding of the gold",
        is_advanced=True,
    ),
    Option(
        "squad",
        "off",
        ("off", "en", "plain"),
        "adds exact match and token F1 of the first answer: en leaves out a, an and the, plain keeps them",
        changes_scores=False,
        title="Exact match and token F1",
        is_advanced=True,
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """All options; without a value of its own the unit follows from the task, the gold's encoding from the run's."""
    options = choose(OPTIONS, given)
    # Follow-up questions of a series depend on one another: resampled one by one, they would give intervals that are
    # too narrow.
    default_unit = "series" if options["task"] == 3 else "question"
    defaults = {"unit": default_unit, "gold_encoding": options["encoding"]}
    return options | {key: default for key, default in defaults.items() if options[key] is None}
