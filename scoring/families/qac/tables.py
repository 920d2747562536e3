"""Tables of the questions, of their outputs, and of the questions without answer."""

from typing import Any

import numpy as np

from scoring.families.qac.counting import Matches, series_of
from scoring.families.qac.judging import NOBODY
from scoring.family import Options, Record, Table


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    return {
        "questions": Table(_questions(matches, options["task"])),
        "answers": Table(_answers(matches)),
        "unanswerable": Table(_unanswerable(matches)),
        "marks": Table(_marks(matches)),
    }


def _questions(matches: Matches, task: int) -> list[Record]:
    return _records(
        question=matches.ids,
        series=[series_of(question) for question in matches.ids],
        answers=matches.n_answers,
        outputs=matches.n_outputs,
        correct=matches.n_correct,
        unsupported=matches.n_unsupported,
        reciprocal_rank=matches.points if task == 1 else [None] * len(matches.ids),
        f1=matches.f1,
        no_answer=matches.is_unanswerable,
        in_run=matches.in_run,
    )


def _answers(matches: Matches) -> list[Record]:
    place = matches.outputs.place.tolist()
    return _records(
        question=[matches.ids[row] for row in matches.outputs.question.tolist()],
        rank=matches.outputs.rank,
        answer=[matches.run.answers[k] for k in place],
        article=[matches.run.articles[k] for k in place],
        number=[None if number == NOBODY else number for number in matches.verdicts.number.tolist()],
        article_ok=matches.verdicts.article_ok,
        correct=matches.correct,
    )


def _marks(matches: Matches) -> list[Record]:
    """The marks of each question's outputs by rank, and the rank of the first that is right."""
    marks: list[list[str]] = [[] for _ in matches.ids]
    for question, is_right in zip(matches.outputs.question.tolist(), matches.correct.tolist(), strict=True):
        marks[question].append("○" if is_right else "×")
    return _records(
        question=matches.ids,
        first_right=[own.index("○") + 1 if "○" in own else None for own in marks],
        marks=[" ".join(own) for own in marks],
    )


def _unanswerable(matches: Matches) -> list[Record]:
    rows = np.flatnonzero(matches.is_unanswerable)
    return _records(
        question=[matches.ids[row] for row in rows.tolist()],
        outputs=matches.n_outputs[rows],
        correct=matches.agrees_on_none[rows],
        in_run=matches.in_run[rows],
    )


def _records(**columns: Any) -> list[Record]:
    """Columns turned into rows of plain Python values."""
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]
