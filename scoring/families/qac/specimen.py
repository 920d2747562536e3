"""A whole evaluation in small: questions about a made-up valley, their answers, and a run that misses some.

All of it is ASCII, so that it is right in each of the encodings.
"""

from scoring.families.specimens import example_files, specimen_in
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Return a run that is read without problems.

    In the format qac the IDs end in -02, so that task 3, which leaves out the opening questions -01, scores them too.
    """
    return example_files("qac", f"{options['format']}/upload")


def specimen(options: Options) -> Specimen:
    return specimen_in("qac", options["format"])
