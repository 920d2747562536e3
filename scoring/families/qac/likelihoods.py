"""The best threshold of a no-answer probability, as SQuAD 2.0's script finds it.

    questions by rising probability    answered, F1 .8    no answer, but answered    answered, F1 1
    answered up to here                1 + .8             1 + .8 − 1                 1 + .8 − 1 + 1

A run that answers nothing has the questions without answer right, one here: so the best is 1.8 of 3, with the
probability of the first question as threshold. `find_best_thresh` of the script takes equal probabilities one by one in
the order of the file, and so does this.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.family import Weighted

BEST = ("best_exact_match", "best_token_f1")
THRESHOLDS = tuple(f"{name}_threshold" for name in BEST)


def best_thresholds(
    likelihoods: Mapping[str, float],
    questions: list[str],
    scores: Floats,
    has_answer: Flags,
    is_said: Flags,
    unit: Integers,
) -> Weighted:
    """Return a function of weights (m, units) that gives the best scores and their thresholds, each (m,).

    `scores` (q, 2) are exact match and F1 of each question, `is_said` whether it has a prediction, `unit` (q,) which
    unit it belongs to.
    """
    place = {question: number for number, question in enumerate(questions)}
    # Stable, so that equal ones keep the order of the file.
    by_likelihood = sorted(likelihoods.items(), key=lambda item: item[1])
    order = np.array([place[question] for question, _ in by_likelihood if question in place], dtype=np.int64)
    values = np.array([value for question, value in by_likelihood if question in place])
    gains = np.where(has_answer[:, None], scores, np.where(is_said, -1.0, 0.0)[:, None])[order]
    return partial(_best, unit, order, values, gains, ~has_answer)


def _best(
    unit: Integers, order: Integers, likelihoods: Floats, gains: Floats, is_unanswerable: Flags, weights: Integers
) -> dict[str, Floats]:
    of_question = weights[:, unit].astype(np.float64)  # (m, q)
    total = of_question.sum(axis=1)
    silent = of_question[:, is_unanswerable].sum(axis=1)
    by_score = {}
    for number, (best, threshold) in enumerate(zip(BEST, THRESHOLDS, strict=True)):
        # (m, 1 + q): first without any answer, then with one more question answered each.
        reached = np.cumsum(of_question[:, order] * gains[:, number], axis=1) + silent[:, None]
        reached = np.column_stack([silent, reached])
        at = reached.argmax(axis=1)
        by_score[best] = np.where(total > 0, reached.max(axis=1) / np.maximum(total, 1), np.nan)
        # Where nothing is gained by an answer the script says 0.
        by_score[threshold] = np.append(0.0, likelihoods)[at]
    return by_score
