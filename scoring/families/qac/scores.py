"""Points of questions, and the scores made from their sums."""

import numpy as np
from numpy.typing import NDArray

from scoring.family import Array, Options
from scoring.prf import harmonic_mean, ratio

KINDS = (
    "points",
    "questions",
    "answers",
    "outputs",
    "correct",
    "answerable_points",
    "answerable_questions",
    "hits_at_1",
    "hits_at_3",
    "hits_at_5",
    "exact_matches",
    "token_f1",
)

SCORE_TITLES = {
    "mrr": "Mean reciprocal rank",
    "average_f1": "Average F1",
    "marks": "Marks",
    "full_marks": "Full marks",
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1 over all answers",
    "answerable_average": "Average over questions with an answer",
    "hit_at_1": "Correct at rank 1",
    "hit_at_3": "Correct among the first 3",
    "hit_at_5": "Correct among the first 5",
    "exact_match": "Exact match, first answer",
    "token_f1": "Token F1, first answer",
}


def headline(options: Options) -> str:
    return "mrr" if options["task"] == 1 else "average_f1"


def metrics(counts: Array, options: Options) -> dict[str, NDArray[np.float64]]:
    """All scores from sums (..., kinds): means over questions, and recall and precision over all answers.

    NaN where the task or an option leaves a score out, and for the average over no answerable question.
    """
    sums = dict(zip(KINDS, np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0), strict=True))
    questions, answerable = sums["questions"], sums["answerable_questions"]
    average = ratio(sums["points"], questions)
    recall, precision = ratio(sums["correct"], sums["answers"]), ratio(sums["correct"], sums["outputs"])
    absent = np.full(questions.shape, np.nan)
    is_ranked, is_squad = options["task"] == 1, options["squad"] != "off"
    return {
        "mrr": average if is_ranked else absent,
        "average_f1": absent if is_ranked else average,
        "marks": sums["points"],
        "full_marks": questions,
        "recall": recall,
        "precision": precision,
        "f1": harmonic_mean(precision, recall),
        "answerable_average": np.where(answerable == 0, np.nan, ratio(sums["answerable_points"], answerable)),
        **{f"hit_at_{k}": ratio(sums[f"hits_at_{k}"], questions) if is_ranked else absent for k in (1, 3, 5)},
        "exact_match": ratio(sums["exact_matches"], questions) if is_squad else absent,
        "token_f1": ratio(sums["token_f1"], questions) if is_squad else absent,
    }
