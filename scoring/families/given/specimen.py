"""A whole evaluation in small: segments of two made-up documents, and the scores that a metric gave to a run."""

from itertools import cycle

from scoring.families.given.inputs import written
from scoring.families.given.scores import ends
from scoring.families.specimens import example_rows
from scoring.family import Options, Specimen
from scoring.readers.given.blocks import N_BLOCKS, WHOLE, names_of_blocks


def example(options: Options) -> dict[str, bytes]:
    """Make a run that is read without problems."""
    return _run(_segments()[:3], options)


def specimen(options: Options) -> Specimen:
    segments = _segments()
    if options["blocks"]:
        segments = [row | {"id": f"{row['id']}-{part}"} for part in range(1, N_BLOCKS + 1) for row in segments[:2]]
    columns = [options["unit"], *([options["group"]] if options["group"] else [])]
    gold = [[row["id"], row["document"]][: len(columns)] for row in segments]
    return Specimen(written("units", columns, gold, options, "gold"), _run(segments, options))


def _segments() -> list[dict[str, str]]:
    """Return segments with their documents, and how good the run's translation of each is, from 0 to 1."""
    return example_rows("given", "segments.csv")


def _run(segments: list[dict[str, str]], options: Options) -> dict[str, bytes]:
    low, high = ends(options)
    if options["blocks"]:
        names = [WHOLE, *names_of_blocks()]
        segments = [row | {"id": name} for name, row in zip(names, cycle(segments), strict=False)]
    columns, rows = [options["unit"], options["score"]], []
    for segment in segments:
        quality = float(segment["quality"])
        share = 1.4 - quality if options["direction"] == "lower" else quality
        rows.append([segment["id"], round(low + share * (high - low), 6)])
    if options["run"] is not None:
        columns.append(options["run_column"])
        rows = [[*row, options["run"]] for row in rows]
    return written("scores", columns, rows, options, "system")
