"""Tables of the questions, of their outputs, of the questions without answer, and of ranks at a glance."""

import numpy as np

from scoring.columns import Floats, records
from scoring.families.f_beta import beta_of
from scoring.families.qac.counting import Matches
from scoring.family import Evidence, Options, Record, Table
from scoring.prf import ratio
from scoring.readers.qac import NONE
from scoring.table_columns import Column, Columns, unshown

# An answer is one of very many texts. What a run answers rightly, and where it gives no answer, are two counts.
_BITS = 10.0
_OF_COUNT = {"recall": "right", "precision": "right", "f1": "right", "fbeta": "right", "answerable_average": "none"}
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["questions"]),
    bits=lambda tables: _BITS,
    rows=lambda table: None,
    totals=frozenset({"right", "none"}),
    gold_counts=frozenset({"questions", "answers", "unanswerable_questions"}),
    count_behind=lambda score: score if score.startswith("hit_at_") else _OF_COUNT.get(score, ""),
)

COLUMNS: Columns = {
    "questions": (
        Column("series"),
        Column("question"),
        Column("reciprocal_rank"),
        Column("f1", "F1", is_share=True),
        Column("fbeta", "Fβ", is_share=True),
        Column("answers", "gold answers"),
        Column("outputs"),
        Column("correct", "right"),
        Column("unsupported"),
        Column("no_answer"),
        *unshown("in_run"),
    ),
    "marks": (
        Column("question"),
        Column("first_right", "rank of the first right"),
        Column("marks", "marks by rank"),
    ),
    "unanswerable": (Column("question"), Column("outputs"), Column("correct", "right"), Column("in_run")),
}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables; their columns and orders are public, and none has intervals.

    Of predictions, of which there is one for a question, nothing is marked by rank.
    """
    is_ranked = options["task"] == 1 and options["format"] != "squad"
    made = {
        "questions": Table(_questions(matches, options, is_ranked)),
        "answers": Table(_answers(matches)),
        "unanswerable": Table(_unanswerable(matches)),
    }
    return made if options["format"] == "squad" else made | {"marks": Table(_marks(matches))}


def row_scores(table: str, row: Record) -> list[str]:
    """Return the scores that the original's report says beside the one that ranks, where there are marks."""
    return ["recall", "precision", "f1", "fbeta"] if table == "marks" else []


def _questions(matches: Matches, options: Options, is_ranked: bool) -> list[Record]:
    """Make a row for each scored question, in code-point order of the IDs."""
    return records(
        question=matches.ids,
        series=matches.series,
        answers=matches.n_answers,
        outputs=matches.n_outputs,
        correct=matches.n_correct,
        unsupported=matches.n_unsupported,
        # A list of answers has no ranks.
        reciprocal_rank=matches.points if is_ranked else [None] * len(matches.ids),
        f1=matches.f1,
        **_f_beta(matches, options),
        no_answer=matches.is_unanswerable,
        in_run=matches.in_run,
    )


def _f_beta(matches: Matches, options: Options) -> dict[str, Floats]:
    """Return the column behind F1: 1, as there, for a question without answer and output."""
    if not (beta := beta_of(options)):
        return {}
    of_lists = beta**2 * matches.n_answers + matches.n_outputs
    return {"fbeta": np.where(of_lists == 0, 1.0, ratio((1 + beta**2) * matches.n_correct, of_lists))}


def _answers(matches: Matches) -> list[Record]:
    """Make a row for each output that counts, by question and rank."""
    indices = matches.outputs.index.tolist()
    return records(
        question=[matches.ids[question] for question in matches.outputs.question.tolist()],
        rank=matches.outputs.rank,
        answer=[matches.run.answers[index] for index in indices],
        article=[matches.run.articles[index] for index in indices],
        number=[None if number == NONE else number for number in matches.verdicts.number.tolist()],
        article_ok=matches.verdicts.article_ok,
        correct=matches.correct,
    )


def _marks(matches: Matches) -> list[Record]:
    """Make a row for each scored question: marks of its outputs by rank, as in res.dat, and the first correct rank."""
    marks: list[list[str]] = [[] for _ in matches.ids]
    for question, is_correct in zip(matches.outputs.question.tolist(), matches.correct.tolist(), strict=True):
        marks[question].append("○" if is_correct else "×")
    return records(
        question=matches.ids,
        # A first_correct of 0 means that no output is correct.
        first_right=[rank or None for rank in matches.first_correct.tolist()],
        marks=[" ".join(of_question) for of_question in marks],
    )


def _unanswerable(matches: Matches) -> list[Record]:
    """Make a row for each scored question without answer."""
    questions = np.flatnonzero(matches.is_unanswerable)
    return records(
        question=[matches.ids[question] for question in questions.tolist()],
        outputs=matches.n_outputs[questions],
        correct=matches.agrees_on_none[questions],
        in_run=matches.in_run[questions],
    )
