"""A whole evaluation in small: made-up sentences of learners with the edits of two annotators, and those of a run."""

from scoring.families.specimens import example_files, specimen_in
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """A run that is read without problems."""
    return example_files("edits", "run")


def specimen(options: Options) -> Specimen:
    return specimen_in("edits")
