"""A whole evaluation in small: made-up Spanish sentences with phrases and relations, and a run that errs in some.

The challenge's own corpus comes under terms that do not let us show its text.
"""

from scoring.families.ehealthkd.writing import written
from scoring.families.specimens import example_files
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Return a small upload of the chosen scenario that the layout allows."""
    return _written("upload", options)


def specimen(options: Options) -> Specimen:
    # Scenario 3 gives the phrases, so that its run has all of them.
    run = "run-of-scenario-3" if options["scenario"] == 3 else "run"
    return Specimen(gold=_written("gold", options), run=_written(run, options))


def _written(folder: str, options: Options) -> dict[str, bytes]:
    tables = {name: content.decode() for name, content in example_files("ehealthkd", folder).items()}
    return written(tables.get("sentences.txt"), tables["phrases.tsv"], tables["relations.tsv"], options)
