"""The columns of a row of counts, and the scores made from sums of rows.

All scores are functions of sums over questions, so that a resample needs nothing but the sums of the units drawn.
"""

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Options
from scoring.prf import harmonic_mean, ratio

KINDS = (
    "points",  # of the task, at most 1 a question
    "questions",  # 1 a question
    "answers",  # A
    "outputs",  # O
    "correct",  # C
    "answerable_points",  # points of a question that has an answer
    "answerable_questions",  # 1 if the question has an answer
    "hits_at_1",  # 1 if a correct output is the first; also for an unanswerable question without output
    "hits_at_3",  # … among the first three
    "hits_at_5",  # … among the first five
    "exact_matches",  # of the first output, 0 or 1; 0 with squad=off
    "token_f1",  # of the first output, from 0 to 1; 0 with squad=off
)

# The totals of the corpus that are sums of one of them.
TOTALS = {name: (KINDS.index(name),) for name in ("questions", "answers", "outputs", "correct")}


def headline(options: Options) -> str:
    """The score that ranks, which the README calls MRR in task 1 and the average F-measure in the others."""
    return "mrr" if options["task"] == 1 else "average_f1"


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """All scores (...) from sums of counts (..., kinds).

    The headline is a mean over questions (macro); recall, precision and f1 are taken over all answers (micro), where
    a question without answer and output adds nothing. Ratios are 0 where the denominator is 0. NaN stands for a
    score that the task or an option leaves out, and for the average over no answerable question.
    """
    sums = dict(zip(KINDS, np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0), strict=True))
    questions, answerable = sums["questions"], sums["answerable_questions"]
    average = ratio(sums["points"], questions)
    recall, precision = ratio(sums["correct"], sums["answers"]), ratio(sums["correct"], sums["outputs"])
    left_out = np.full(questions.shape, np.nan)
    is_ranked, is_squad = options["task"] == 1, options["squad"] != "off"
    return {
        "mrr": average if is_ranked else left_out,
        "average_f1": left_out if is_ranked else average,
        "marks": sums["points"],
        "full_marks": questions,
        "recall": recall,
        "precision": precision,
        "f1": harmonic_mean(precision, recall),
        # Undefined, not 0: there was no such question at which the run could have failed.
        "answerable_average": np.where(answerable == 0, np.nan, ratio(sums["answerable_points"], answerable)),
        **{f"hit_at_{k}": ratio(sums[f"hits_at_{k}"], questions) if is_ranked else left_out for k in (1, 3, 5)},
        "exact_match": ratio(sums["exact_matches"], questions) if is_squad else left_out,
        "token_f1": ratio(sums["token_f1"], questions) if is_squad else left_out,
    }
