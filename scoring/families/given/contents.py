"""Describes what was read of a run: units that have scores, and which scores come again."""

import numpy as np

from scoring.describing.contents import Contents, Identifiers, Layer, Numbers, of_unknown_units
from scoring.families.given.wording import unit
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.given import Gold, Run, bounds


def contents(files: Files, gold: Gold, run: Run, options: Options) -> Contents:
    given = np.flatnonzero(~run.is_missing)
    _, saying = np.unique(run.scores[given], return_inverse=True)
    file = next(iter(files), None)
    scores = Layer(
        Message.noun("score", "scores"), gold.units.code[given], content=saying.astype(np.int64).reshape(-1), file=file
    )
    return Contents(
        unit=unit(options),
        n_units=len(gold.units.names),
        usually_reached=0.9,
        layers=[scores],
        numbers=_numbers(run, options),
        identifiers=[Identifiers(Message.noun("unit", "units"), run.table.ids.texts(), frozenset(gold.ids.texts()))]
        if options["unknown_ids"] == "ignore"
        else [],
        more={"unknown_rows": run.n_ignored},
        file=file,
        joined_by="to",
        left_aside=[of_unknown_units(run.n_ignored, len(run.table), Message.noun("row", "rows"), unit(options))],
    )


def _numbers(run: Run, options: Options) -> list[Numbers]:
    """Return the scores, where a range says what their scale is."""
    if options["range"] is None:
        return []
    low, high = bounds(options["range"])
    given = np.flatnonzero(~run.is_missing)
    return [Numbers(Message.noun("score", "scores"), run.scores[given], given, low, high)]
