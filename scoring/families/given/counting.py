"""A row of two numbers for each unit, or group: what its score adds, and what it weighs.

units     u1 (weight 1), u2 (weight 2), u3 (weight 2)
scores    u1 2, u2 5 and 4 (two judges), u3 none and missing=0
of units  2, 4.5, 0
rows      (2, 1), (9, 2), (0, 2)          mean 11 / 5, sum 11
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Counted, Options
from scoring.messages import Message
from scoring.readers.given import Gold, Run
from scoring.significance.jackknife import pseudo_values


@dataclass(frozen=True)
class Matches:
    """The units with their scores."""

    gold: Gold
    run: Run
    scores: Floats  # (units,): what stands for a missing one, too


def count(gold: Gold, run: Run, options: Options) -> Counted:
    """Make one row (weighted score, weight) for each unit of the gold, or for each group of units."""
    scores = run.scores if options["missing"] == "refuse" else np.where(run.is_missing, options["missing"], run.scores)
    values = pseudo_values(run.whole, scores) if options["blocks"] else scores
    rows: Array = np.column_stack([gold.weights * values, gold.weights])
    names, code = gold.units.names, gold.units.code
    rows = np.column_stack([np.bincount(code, weights=column, minlength=len(names)) for column in rows.T])
    totals: dict[str, int | float] = {
        "units": len(gold),
        "judgements": int(run.judgements.sum()),
        "missing": int(np.count_nonzero(run.is_missing)),
        "ignored_rows": run.n_ignored,
    }
    matches = Matches(gold, run, scores)
    warnings = _warnings(totals, options)
    return Counted(names, rows, totals, warnings, matches, are_pseudo_values=options["blocks"] is not None)


def _warnings(totals: dict[str, int | float], options: Options) -> list[str]:
    warnings: list[str] = []
    if n_missing := int(totals["missing"]):
        warnings.append(
            Message.counted(
                "missing-units",
                "{n} missing unit counts as {value:g}",
                "{n} missing units count as {value:g}",
                n_missing,
                value=options["missing"],
            )
        )
    if n_ignored := int(totals["ignored_rows"]):
        warnings.append(
            Message.counted(
                "units-not-in-gold",
                "{n} row of a unit not in the gold, left out",
                "{n} rows of units not in the gold, left out",
                n_ignored,
            )
        )
    return warnings
