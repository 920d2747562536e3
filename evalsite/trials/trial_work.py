"""Scores the files of a trial in the engine's child, and compares them with stored results of the board.

As in `evalsite.submissions.engine_jobs`, plain values come and go, and nothing of Django is there.
"""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import scoring as engine
from evalsite.submissions.engine_jobs import Arguments, OnStep, limits_beside, of_part, raise_faults
from scoring.comparing.comparison import Comparison
from scoring.readers.archive import Named, open_files
from scoring.repairs import KINDS_OF_MISTAKE, Totals

OWN = ""  # the name of the run that is tried, which no submission has


def prepare() -> None:
    """Run in the server before the first child; what comparing needs, `engine_jobs` has loaded."""


def try_out(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Score an upload and find its place.

    Takes `family`, `options`, `n_resamples`, the files `gold` and `system`, the `part` of the gold; `others`, by name
    the `score` and the path `evaluation` of each entry of the board; and `most`, how many of these are compared, the
    nearest ones.

    Gives `headline`, `interval`, `n_units` and `n_resamples`; `gain`, the repair that would gain most, or None; and
    `place` as `_place` makes it, None where there is nothing to compare with. Or `error`, in words of the engine.
    """
    try:
        gold = Named(*arguments["gold"])
        files = open_files(Named(*arguments["system"]), limits_beside([gold]), drop_marks=True)
        evaluation = engine.evaluate(
            arguments["family"],
            gold=gold,
            system=files,
            options=arguments["options"],
            n_resamples=arguments["n_resamples"],
            **of_part(arguments),
        )
    except engine.ScoringError as error:
        raise_faults(error)
        return {"error": str(error)}
    return {
        "headline": evaluation.scores[evaluation.headline],
        "interval": evaluation.intervals.get(evaluation.headline),
        "n_units": len(evaluation.units),
        "n_resamples": evaluation.n_resamples,
        "gain": _gain(evaluation),
        "place": _place(evaluation, arguments["others"], arguments["most"]),
    }


def _gain(evaluation: engine.Evaluation) -> dict[str, Any] | None:
    """Return what would gain most if all of it were right: a label, where the family knows of labels."""
    repairs = engine.FAMILIES[evaluation.family].views.repairs
    if repairs is None:
        return None
    possible = repairs(
        Totals(evaluation.headline, evaluation.scores, evaluation.counts, evaluation.tables), evaluation.options
    )
    labels = [repair for repair in possible if repair.group != KINDS_OF_MISTAKE]
    if not possible:
        return None
    most = max(labels or possible, key=lambda repair: repair.gain)
    return asdict(most) | {"change": -most.gain if evaluation.headline in evaluation.lower_is_better else most.gain}


def _place(evaluation: engine.Evaluation, others: Mapping[str, dict[str, Any]], most: int) -> dict[str, Any] | None:
    """Test the `n` nearest entries together with the run.

    Returns `above` and `below` it the next one, whom it cannot be told apart from (`alike`), and the best of all with
    the difference to it, `leader`, whose name is None if that is the run itself.
    """
    score = evaluation.scores[evaluation.headline]
    if score is None or not others:
        return None
    nearest = sorted(others, key=lambda name: abs(others[name]["score"] - score))[:most]
    best = min if evaluation.headline in evaluation.lower_is_better else max
    leader = best(others, key=lambda name: float(others[name]["score"]))
    chosen = dict.fromkeys([*nearest, leader])
    try:
        runs = {name: engine.Evaluation.load(Path(others[name]["evaluation"])) for name in chosen}
        comparison = engine.compare({OWN: evaluation} | runs, evaluation.n_resamples)
    except engine.ScoringError:
        return None  # stored by an engine, or with options, that are no longer those of today
    return {"n": len(chosen), "leader": _leader(comparison)} | _neighbours(comparison)


def _neighbours(comparison: Comparison) -> dict[str, Any]:
    names = [name for name, rank in zip(comparison.names, comparison.ranks, strict=True) if rank is not None]
    at = names.index(OWN)
    return {
        "above": names[at - 1] if at else None,
        "below": names[at + 1] if at + 1 < len(names) else None,
        "alike": [name for name in names if name != OWN and not comparison.pair(OWN, name).separated],
    }


def _leader(comparison: Comparison) -> dict[str, Any]:
    """Return the best of all, and the difference to it with the interval that holds for all differences at once."""
    row = next(row for row in comparison.table if row["name"] == OWN)
    ends = {"low": row["difference_low"], "high": row["difference_high"]}
    return {"name": comparison.names[0] or None, "difference": row["difference_to_leader"]} | ends
