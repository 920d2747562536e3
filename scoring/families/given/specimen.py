"""A whole evaluation in small: segments of two made-up documents, and the scores that a metric gave to a run."""

from scoring.families.given.inputs import written
from scoring.families.given.scores import ends
from scoring.family import Options, Specimen

# Segment, document, and how good the run's translation of it is, from 0 to 1.
_SEGMENTS = (
    ("ferry:1", "ferry", 0.91),
    ("ferry:2", "ferry", 0.84),
    ("ferry:3", "ferry", 0.47),
    ("ferry:4", "ferry", 0.88),
    ("council:1", "council", 0.72),
    ("council:2", "council", 0.95),
    ("council:3", "council", 0.66),
    ("council:4", "council", 0.79),
)


def example(options: Options) -> dict[str, bytes]:
    """A run that is read without problems."""
    return _run(options, 3)


def specimen(options: Options) -> Specimen:
    columns = [options["unit"], *([options["group"]] if options["group"] else [])]
    gold = [(name, document)[: len(columns)] for name, document, _ in _SEGMENTS]
    return Specimen(written("units", columns, gold, options, "gold"), _run(options, len(_SEGMENTS)))


def _run(options: Options, number: int) -> dict[str, bytes]:
    low, high = ends(options)
    columns, rows = [options["unit"], options["score"]], []
    for name, _, quality in _SEGMENTS[:number]:
        share = 1.4 - quality if options["direction"] == "lower" else quality
        rows.append([name, round(low + share * (high - low), 6)])
    if options["run"] is not None:
        columns.append(options["run_column"])
        rows = [[*row, options["run"]] for row in rows]
    return written("scores", columns, rows, options, "system")
