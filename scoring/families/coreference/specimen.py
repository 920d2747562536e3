"""A whole evaluation in small: letters with their entities, and a run that misses some, in each of the formats."""

from scoring.families.specimens import example_files, specimen_in
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Return a small upload in the format that the options ask for."""
    return example_files("coreference", f"{_format(options)}/upload")


def specimen(options: Options) -> Specimen:
    return specimen_in("coreference", _format(options))


def _format(options: Options) -> str:
    """Return the format; JSON where any is accepted, as an upload has it then."""
    return "json" if options["format"] == "auto" else str(options["format"])
