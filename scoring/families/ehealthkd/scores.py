"""Precision, recall and F1 with half a point for partial matches."""

import numpy as np
from numpy.typing import NDArray

from scoring.family import Array, Options
from scoring.prf import harmonic_mean, ratio

KINDS = (
    "correct_A",
    "incorrect_A",
    "partial_A",
    "missing_A",
    "spurious_A",
    "correct_B",
    "missing_B",
    "spurious_B",
)


def metrics(counts: Array, options: Options) -> dict[str, NDArray[np.float64]]:
    """Precision, recall and F1 from counts (..., kinds): half a point for a partial match.

    Those of phrases (`_a`) and relations (`_b`) alone are NaN where the scenario has none.
    """
    correct_a, incorrect, partial_, missing_a, spurious_a, correct_b, missing_b, spurious_b = np.moveaxis(
        np.asarray(counts), -1, 0
    )
    a = precision_recall_f1(correct_a, incorrect, partial_, missing_a, spurious_a)
    b = precision_recall_f1(correct_b, 0, 0, missing_b, spurious_b)
    absent = np.full(correct_a.shape, np.nan)
    if options["scenario"] == 2:
        whole, b = a, (absent, absent, absent)
    elif options["scenario"] == 3:
        whole, a = b, (absent, absent, absent)
    else:
        whole = precision_recall_f1(
            correct_a + correct_b, incorrect, partial_, missing_a + missing_b, spurious_a + spurious_b
        )
    return {
        f"{name}{part}": values
        for part, scores in (("", whole), ("_a", a), ("_b", b))
        for name, values in zip(("precision", "recall", "f1"), scores, strict=True)
    }


def precision_recall_f1(
    correct: Array, incorrect: Array | int, partial: Array | int, missing: Array, spurious: Array
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Half a point for a partial match; 0 where there is nothing to divide by."""
    credit = correct + partial / 2
    paired = correct + partial + incorrect
    precision, recall = ratio(credit, paired + spurious), ratio(credit, paired + missing)
    return precision, recall, harmonic_mean(precision, recall)
