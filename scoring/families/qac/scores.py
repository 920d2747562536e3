"""The columns of a row of counts, and the scores made from sums of rows.

All scores are functions of sums over questions, so that a resample needs nothing but the sums of the units drawn.
"""

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.f_beta import prf_scores
from scoring.families.qac.likelihoods import BEST, THRESHOLDS
from scoring.family import Options, Scale
from scoring.prf import ratio

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
    "hits_at_10",
    "hits_at_20",
    "answerable_exact_matches",  # of questions that have an answer
    "answerable_token_f1",
    "question_precision",  # C / O, 0 without output
    "question_recall",  # C / A
)

# The ranks up to which a right output is a hit.
HIT_RANKS = (1, 3, 5, 10, 20)
OF_SQUAD = (
    *("exact_match", "token_f1", "has_answer_exact_match", "has_answer_token_f1", "no_answer_exact_match"),
    *(name for pair in zip(BEST, THRESHOLDS, strict=True) for name in pair),
)

MEANS = ("average_precision", "average_recall")

# The totals of the corpus that are sums of one of them.
TOTALS = {name: (KINDS.index(name),) for name in ("questions", "answers", "outputs", "correct")}


def headline(options: Options) -> str:
    """Return the score that ranks.

    That is F1 of SQuAD, what the QAC's README calls MRR in task 1, and else the average F-measure.
    """
    if options["format"] == "squad":
        return "token_f1"
    return "mrr" if options["task"] == 1 else "average_f1"


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores (...) from sums of counts (..., kinds).

    The headline is a mean over questions (macro); recall, precision and f1 are taken over all answers (micro), where
    a question without answer and output adds nothing. Ratios are 0 where the denominator is 0. NaN stands for a
    score that the task or an option leaves out, and for the average over no answerable question.
    """
    # Counts that were stored before there were the last kinds are fewer.
    sums = dict(zip(KINDS, np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0), strict=False))
    if options["format"] == "squad":
        return _of_squad(sums)
    questions, answerable = sums["questions"], sums["answerable_questions"]
    average = ratio(sums["points"], questions)
    recall, precision = ratio(sums["correct"], sums["answers"]), ratio(sums["correct"], sums["outputs"])
    left_out = np.full(questions.shape, np.nan)
    is_ranked, is_squad = options["task"] == 1, options["squad"] != "off"
    means = {}
    if has_means(options):
        means = {name: ratio(sums[kind], questions) for name, kind in zip(MEANS, KINDS[-2:], strict=True)}
    return means | {
        "mrr": average if is_ranked else left_out,
        "average_f1": left_out if is_ranked else average,
        "marks": sums["points"],
        "full_marks": questions,
        "recall": recall,
        **prf_scores(precision, recall, options),
        # Undefined, not 0: there was no such question at which the run could have failed.
        "answerable_average": np.where(answerable == 0, np.nan, ratio(sums["answerable_points"], answerable)),
        **{
            f"hit_at_{k}": ratio(sums[f"hits_at_{k}"], questions) if is_ranked else left_out for k in hit_ranks(options)
        },
        "exact_match": ratio(sums["exact_matches"], questions) if is_squad else left_out,
        "token_f1": ratio(sums["token_f1"], questions) if is_squad else left_out,
    }


def has_means(options: Options) -> bool:
    """Return whether precision and recall are also averaged over questions, as BioASQ does for lists."""
    return bool(options["format"] == "bioasq" and options["task"] == 2)


def hit_ranks(options: Options) -> tuple[int, ...]:
    """Return the first three always; further ones where so many outputs count."""
    return HIT_RANKS[:3] + tuple(k for k in HIT_RANKS[3:] if k <= (options["ranks"] or 0))


def scales(options: Options) -> dict[str, Scale]:
    """Return scales: SQuAD's scores in per cent, as its script says them.

    A threshold is on the scale of the run's likelihoods.
    """
    depends_on_gold = options["answers"] is not None  # not each pattern is found in what it says itself
    if options["format"] != "squad":
        return {headline(options): Scale(depends_on_gold=depends_on_gold)}
    share = Scale(decimals=2, is_percent=True, depends_on_gold=depends_on_gold)
    of_scores = {name: share for name in OF_SQUAD if name not in THRESHOLDS}
    return of_scores | {name: Scale(decimals=None, is_open=True) for name in THRESHOLDS}


def _of_squad(sums: dict[str, Floats]) -> dict[str, Floats]:
    """Compute the means that its script prints; the best ones come from single questions (likelihoods.py)."""
    questions, answerable = sums["questions"], sums["answerable_questions"]
    exact, f1 = sums["exact_matches"], sums["token_f1"]
    exact_of_some, f1_of_some = sums["answerable_exact_matches"], sums["answerable_token_f1"]
    return {
        "exact_match": ratio(exact, questions),
        "token_f1": ratio(f1, questions),
        "has_answer_exact_match": _or_nan(exact_of_some, answerable),
        "has_answer_token_f1": _or_nan(f1_of_some, answerable),
        # Without an answer, F1 is the same.
        "no_answer_exact_match": _or_nan(exact - exact_of_some, questions - answerable),
        **dict.fromkeys((*BEST, *THRESHOLDS), np.full(questions.shape, np.nan)),
    }


def _or_nan(numerator: Floats, denominator: Floats) -> Floats:
    return np.where(denominator == 0, np.nan, ratio(numerator, denominator))
