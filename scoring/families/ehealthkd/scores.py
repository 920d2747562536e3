"""Precision, recall and F1 with half a point for partial matches."""

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Options
from scoring.prf import harmonic_mean, ratio

# The columns of a row of counts: key phrases (subtask A), then relations (subtask B).
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


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute precision, recall and F1 from counts (..., kinds): half a point for a partial match.

    Scenario 1 adds up the counts of phrases and relations, scenario 2 is scored by phrases and 3 by relations
    alone. The scores of phrases (`_a`) and of relations (`_b`) are NaN where the scenario has none.

    >>> counts = np.array([2, 1, 1, 0, 0, 1, 1, 1])
    >>> {name: round(float(value), 3) for name, value in metrics(counts, {"scenario": 2}).items() if value == value}
    {'precision': 0.625, 'recall': 0.625, 'f1': 0.625, 'precision_a': 0.625, 'recall_a': 0.625, 'f1_a': 0.625}
    """
    correct_a, incorrect, partial, missing_a, spurious_a, correct_b, missing_b, spurious_b = np.moveaxis(
        np.asarray(counts), -1, 0
    )
    # A partial match earns half a point. An incorrect one, on the right spans with a wrong label, earns none: under
    # the rules of the challenge's program a near miss with a wrong label pays more than an exact hit with it.
    of_phrases = correct_a + partial / 2, correct_a + partial + incorrect, missing_a, spurious_a
    of_relations = correct_b, correct_b, missing_b, spurious_b
    scenario = options["scenario"]
    absent = (np.full(correct_a.shape, np.nan),) * 3
    a = absent if scenario == 3 else precision_recall_f1(*of_phrases)
    b = absent if scenario == 2 else precision_recall_f1(*of_relations)
    if scenario == 2:
        whole = a
    elif scenario == 3:
        whole = b
    else:
        whole = precision_recall_f1(*(one + other for one, other in zip(of_phrases, of_relations, strict=True)))
    return {
        f"{name}{part}": values
        for part, scores in (("", whole), ("_a", a), ("_b", b))
        for name, values in zip(("precision", "recall", "f1"), scores, strict=True)
    }


def precision_recall_f1(credit: Array, paired: Array, missing: Array, spurious: Array) -> tuple[Floats, Floats, Floats]:
    """Compute precision, recall and F1 of counts (...) of one shape: `credit` is earned by what is `paired`."""
    # Where there is nothing to divide by, `ratio` gives 0, as the challenge's program does, and not 1 or NaN.
    precision, recall = ratio(credit, paired + spurious), ratio(credit, paired + missing)
    return precision, recall, harmonic_mean(precision, recall)
