"""Made-up evaluations: a score that is a mean over units, in the family with the simplest rows."""

from dataclasses import replace
from hashlib import sha256

import numpy as np

import scoring
from scoring.significance import seed_of

_QUESTIONS = "qac"


def make_evaluation(values, *, gold="gold", n_resamples=0, prefix="u", **changes):
    """An evaluation with the scores `f1`, a mean of these values of units, and `hits`, the share above a half."""
    rows = np.column_stack([values, np.asarray(values) > 0.5, np.ones(len(values))])
    digest = sha256(gold.encode()).hexdigest()
    scores = {"f1": float(np.mean(values)), "hits": float(np.mean(rows[:, 1]))}
    made = scoring.Evaluation(
        family=_QUESTIONS,
        options={},
        signature="",
        headline="f1",
        scores=scores,
        intervals={},
        interval_methods={},
        counts={},
        units=[f"{prefix}{number}" for number in range(len(values))],
        warnings=[],
        n_resamples=n_resamples,
        confidence_level=0.95,
        seed=seed_of(digest) if n_resamples else None,
        gold_digest=digest,
        rows=rows,
        draws=None,
        table_intervals={},
        table_interval_methods={},
        make_tables=dict,
    )
    return replace(made, **changes)
