"""Tells what the score that ranks would be if one kind of mistake were mended. Questions have no labels."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scoring.columns import Array
from scoring.families.qac.options import RANKS
from scoring.families.qac.scores import HIT_RANKS
from scoring.family import Options
from scoring.messages import Message
from scoring.prf import ratio
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

RANKED = Message.word("Right answers moved to the first rank")
FOUND_NONE = Message.word("Answering the missed questions correctly")
EXACT = Message.word("Answers that are not exact made so")
SILENT = Message.word("No outputs to questions without answer")
FOUND = Message.word("Missing answers found")
LEFT_OUT = Message.word("Outputs that earn nothing left out")


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake: what a mean over questions would become, a sum of points.

    In task 1 the sums are those of the scores; in tasks 2 and 3 the points of each question are made again from its
    numbers of answers, outputs and right outputs.
    """
    if not totals.counts["questions"] or "unanswerable_questions" not in totals.counts:  # of some units alone
        return []
    mended = [*_by_format(totals, options)]
    n_questions = totals.counts["questions"]
    return repairs_of(totals.score, mended, lambda points: ratio(points[:, 0], n_questions))


def _by_format(totals: Totals, options: Options) -> Iterator[Mended]:
    if options["format"] == "squad":
        yield from _of_predictions(totals)
    elif options["task"] == 1:
        yield from _by_rank(totals, options)
    else:
        yield from _by_question(totals)


def _of_predictions(totals: Totals) -> Iterator[Mended]:
    n_questions, n_loud = totals.counts["questions"], _n_loud(totals)
    points = (totals.score or 0.0) * n_questions
    yield _kind(SILENT, n_loud, points + n_loud)
    if not _are_told(totals, "has_answer_token_f1", "has_answer_exact_match"):
        return
    n_asked = n_questions - totals.counts["unanswerable_questions"]
    earned = (totals.scores["has_answer_token_f1"] or 0.0) * n_asked
    n_wrong = round(n_asked * (1 - (totals.scores["has_answer_exact_match"] or 0.0)))
    yield _kind(EXACT, n_wrong, points + n_asked - earned)


def _are_told(totals: Totals, *scores: str) -> bool:
    return all(score in totals.scores for score in scores)


def _by_rank(totals: Totals, options: Options) -> Iterator[Mended]:
    n_questions, points = totals.counts["questions"], (totals.score or 0.0) * totals.counts["questions"]
    n_loud = _n_loud(totals)
    yield _kind(SILENT, n_loud, points + n_loud)
    last = options["ranks"] or RANKS
    # How many questions have a right answer at all is told at these ranks alone.
    if last not in HIT_RANKS or not _are_told(totals, "hit_at_1", f"hit_at_{last}"):
        return
    # Questions with a right answer, those without answer and output among them.
    at_once, at_all = ((totals.scores[f"hit_at_{k}"] or 0.0) * n_questions for k in (1, last))
    yield _kind(RANKED, round(at_all - at_once), at_all)
    yield _kind(FOUND_NONE, round(n_questions - at_all) - n_loud, points + n_questions - at_all - n_loud)


def _by_question(totals: Totals) -> Iterator[Mended]:
    rows = totals.tables.get("questions", ())
    yield _kind(SILENT, _n_loud(totals), (totals.score or 0.0) * totals.counts["questions"] + _n_loud(totals))
    if not rows:
        return
    asked = [row for row in rows if row["answers"]]
    yield _kind(
        FOUND,
        sum(row["answers"] - row["correct"] for row in asked),
        _points(rows, lambda row: (row["answers"], row["outputs"] + row["answers"] - row["correct"])),
    )
    yield _kind(
        LEFT_OUT,
        sum(row["outputs"] - row["correct"] for row in asked),
        _points(rows, lambda row: (row["correct"], row["correct"])),
    )


def _points(rows: Sequence[Mapping[str, Any]], mend: Callable[[Mapping[str, Any]], tuple[int, int]]) -> float:
    """Sum 2C / (A + O), where `mend` makes C and O of a question with answers; others keep their points."""
    points = 0.0
    for row in rows:
        if not row["answers"]:
            points += row["f1"]
            continue
        correct, outputs = mend(row)
        points += 2 * correct / (row["answers"] + outputs)
    return points


def _n_loud(totals: Totals) -> int:
    """Count questions without answer to which the run gives outputs."""
    return int(totals.counts["unanswerable_questions"] - totals.counts["unanswerable_correct"])


def _kind(name: str, number: int, points: float) -> Mended:
    counts: Array = np.array([points])
    return Mended(KINDS_OF_MISTAKE, name, number, counts)
