"""Describes what was read of a run: rows with numbers, and which numbers come often."""

from collections.abc import Iterator

import numpy as np

from scoring.describing.beside import of_numbers
from scoring.describing.contents import Contents, Identifiers, Layer, Numbers, of_unknown_units
from scoring.describing.numbers import scale_of
from scoring.families.numbers.names import is_of_scale
from scoring.families.numbers.wording import unit
from scoring.family import Files, Options
from scoring.findings import Finding
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
        usually_reached=0.9,
        layers=[numbers],
        beside=of_numbers(gold.values[0], run.values[0]),
        further_beside=lambda: _one_for_many(gold, run, file),
        numbers=[_numbers(gold, run, options, column) for column in range(len(run.values))],
        identifiers=[Identifiers(Message.noun("id", "ids"), run.table.ids.texts(), frozenset(gold.ids.texts()))]
        if options["unknown_ids"] == "ignore"
        else [],
        more={"unknown_rows": run.n_ignored},
        file=file,
        joined_by="to",
        left_aside=[of_unknown_units(run.n_ignored, len(run.table), Message.noun("row", "rows"), unit(options))],
    )


_FEWEST, _MANY, _FEWEST_OTHERS, _OFF = 10, 0.4, 10, 0.25


def _one_for_many(gold: Gold, run: Run, file: str | None) -> Iterator[Finding]:
    """Yield `range` where many items have one number, the others many, and the gold's of these are another one."""
    of_run, of_gold = (values[0][~run.is_missing[0]] for values in (run.values, gold.values))
    of = len(of_run)
    numbers, sizes = np.unique(of_run, return_counts=True)
    n = int(sizes.max(initial=0))
    if n < max(_FEWEST, _MANY * of) or len(numbers) <= _FEWEST_OTHERS:
        return
    number = numbers[sizes.argmax()]
    mean = of_gold[of_run == number].mean()
    if abs(mean - number) < _OFF * np.ptp(of_gold):
        return
    message = Message(
        "one-number-for-many",
        "{n:,} of {of:,} numbers are {value:g}, and the gold's of these are {mean:g} on average.",
        n=n,
        of=of,
        value=number,
        mean=round(float(mean), 1),
    )
    suggestion = Message("missing-as-number", "does it stand for missing ones? predict these, or leave them out")
    yield Finding.odd("range", message, n, of, file, suggestion=suggestion)


def _numbers(gold: Gold, run: Run, options: Options, column: int) -> Numbers:
    """Describe the numbers of a column; of the gold's, nothing but the scale on which all of them lie."""
    # In the order of the file, rows that the gold lacks apart.
    rows = run.pairing.in_gold[run.pairing.in_gold >= 0]
    rows = rows[~run.is_missing[column, rows]]
    if options["kind"] == "binary":
        # Numbers that rise with the belief in 1 have no scale.
        low, high = (0.0, 1.0) if options["range"] == "probability" else (-np.inf, np.inf)
    else:
        low, high = scale_of(gold.values[column])
    return Numbers(
        name=Message.noun("number", "numbers"),
        values=run.values[column, rows],
        unit=rows,
        low=low,
        high=high,
        is_scaled=is_of_scale(options),
    )
