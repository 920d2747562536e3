"""Describes what was read of a run: rows with numbers, and which numbers come often."""

import numpy as np

from scoring.describing.contents import Contents, Identifiers, Layer
from scoring.families.numbers.wording import unit
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.numbers import Gold, Run


def contents(files: Files, gold: Gold, run: Run, options: Options) -> Contents:
    given = np.flatnonzero(~run.is_missing.any(axis=0))
    _, saying = np.unique(run.values[:, given], axis=1, return_inverse=True)
    file = next(iter(files), None)
    numbers = Layer(
        name=Message.noun("number", "numbers")
        if len(run.values) == 1
        else Message.noun("row of numbers", "rows of numbers"),
        unit=gold.units.code[given],
        content=np.asarray(saying, dtype=np.int64).reshape(-1),
        file=file,
    )
    return Contents(
        unit=unit(options),
        n_units=len(gold.units.names),
        layers=[numbers],
        identifiers=Identifiers(Message.noun("id", "ids"), run.table.ids.texts(), frozenset(gold.ids.texts()))
        if options["unknown_ids"] == "ignore"
        else None,
        more={"unknown_rows": run.n_ignored},
        file=file,
        joined_by="to",
    )
