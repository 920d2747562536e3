"""A whole evaluation in small: made-up sentences of learners with the edits of two annotators, and those of a run."""

from scoring.families.specimens import example_files
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Make a run that is read without problems."""
    return example_files("edits", _run(options))


def specimen(options: Options) -> Specimen:
    return Specimen(example_files("edits", "gold"), example(options))


def _run(options: Options) -> str:
    return "corrected" if options["protocol"] == "m2scorer" else "run"
