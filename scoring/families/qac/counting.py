"""A row of points and counts for each question, or for each series of questions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem, SubmissionError
from scoring.families.qac.judging import NOBODY, Integers, Outputs, Truths, Verdicts, is_new, judge
from scoring.families.qac.squad import first_answer_scores
from scoring.family import Counted, Options
from scoring.readers.qac import AnswerSet, Run

Floats = NDArray[np.float64]

# Task 1 takes five answers; what comes after them is not looked at.
_MOST_RANKED = 5
_NEVER = 0
_NAMED = 100


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from: the scored questions, by ID, and the outputs that count.

    Arrays are (questions,), but `verdicts` and `correct` (outputs,). `first_correct` is a rank, 0 if no output
    is correct; `points` are those of the task, `f1` those that tasks 2 and 3 would give.
    """

    gold: AnswerSet
    run: Run
    ids: list[str]
    outputs: Outputs
    verdicts: Verdicts
    correct: Truths
    in_run: Truths
    n_answers: Integers
    n_outputs: Integers
    n_ignored: Integers
    n_correct: Integers
    n_unsupported: Integers
    first_correct: Integers
    f1: Floats
    points: Floats

    @property
    def is_unanswerable(self) -> Truths:
        return np.asarray(self.n_answers == 0)

    @property
    def agrees_on_none(self) -> Truths:
        """Whether there is no answer, and the run gives none."""
        return np.asarray(self.is_unanswerable & (self.n_outputs == 0))


def scored_questions(gold: AnswerSet, task: int) -> list[str]:
    """The questions of the gold that the task scores; SubmissionError if there is none."""
    scored = gold.ids if task != 3 else [question for question in gold.ids if not opens_series(question)]
    if not scored:
        raise SubmissionError(
            Problem("no question to score for task 3: every ID ends in -01, which opens a series", gold.paths[0])
        )
    return scored


def opens_series(question: str) -> bool:
    """Whether the question is the first of its series; the others branch off from it."""
    return question.rpartition("-")[2] == "01"


def series_of(question: str) -> str:
    return question.rpartition("-")[0]


def count(gold: AnswerSet, run: Run, options: Options) -> Counted:
    """Every scored question judged; a row for each, or for each series of them."""
    matches = _matches(gold, run, options)
    units, rows = matches.ids, _rows(matches, options["squad"])
    if options["unit"] == "series":
        units, rows = _by_series(matches.ids, rows)
    unknown = sorted(set(run.ids).difference(gold.place))
    return Counted(
        units=units,
        rows=rows,
        totals=_totals(matches, len(unknown)),
        warnings=_warnings(matches, unknown),
        matches=matches,
    )


def _matches(gold: AnswerSet, run: Run, options: Options) -> Matches:
    ids = scored_questions(gold, options["task"])
    row = np.full(len(gold.ids), NOBODY)
    row[[gold.place[question] for question in ids]] = np.arange(len(ids))
    place = np.array([run.place.get(question, NOBODY) for question in ids])
    n_given = np.append(np.diff(run.starts), 0)[place]
    n_outputs = np.minimum(n_given, _MOST_RANKED) if options["task"] == 1 else n_given
    outputs = _outputs(run.starts[place], n_outputs)
    verdicts = judge(gold, row, run, outputs)
    correct = verdicts.is_right & (verdicts.article_ok | (options["article"] == "ignore"))
    lines = row[gold.question] != NOBODY
    n_answers = _distinct(row[gold.question[lines]], gold.numbers[lines], len(ids))
    n_correct = _distinct(outputs.question[correct], verdicts.number[correct], len(ids))
    first_correct = _first_ranks(outputs, correct, len(ids))
    agree = (n_answers == 0) & (n_outputs == 0)
    f1 = np.where(agree, 1.0, 2 * n_correct / np.maximum(n_answers + n_outputs, 1))
    reciprocal = np.where(first_correct == _NEVER, agree, 1 / np.maximum(first_correct, 1))
    return Matches(
        gold=gold,
        run=run,
        ids=ids,
        outputs=outputs,
        verdicts=verdicts,
        correct=correct,
        in_run=place != NOBODY,
        n_answers=n_answers,
        n_outputs=n_outputs,
        n_ignored=n_given - n_outputs,
        n_correct=n_correct,
        n_unsupported=np.bincount(outputs.question[verdicts.is_right & ~verdicts.article_ok], minlength=len(ids)),
        first_correct=first_correct,
        f1=f1,
        points=reciprocal if options["task"] == 1 else f1,
    )


def _outputs(first: Integers, size: Integers) -> Outputs:
    """The first `size` outputs of each question, from its place `first` in the run on."""
    question = np.repeat(np.arange(len(size)), size)
    rank = np.arange(len(question)) - np.repeat(np.cumsum(size) - size, size)
    return Outputs(question, rank + 1, np.repeat(first, size) + rank)


def _distinct(question: Integers, number: Integers, n_questions: int) -> Integers:
    """How many different numbers stand beside each question."""
    order = np.lexsort((number, question))
    new = is_new(question[order], number[order])
    return np.bincount(question[order][new], minlength=n_questions)


def _first_ranks(outputs: Outputs, correct: Truths, n_questions: int) -> Integers:
    first = np.full(n_questions, _NEVER)
    question = outputs.question[correct]
    new = is_new(question)
    first[question[new]] = outputs.rank[correct][new]
    return first


def _rows(matches: Matches, squad: str) -> Floats:
    """Points and counts of each question (questions, kinds), in the order of KINDS."""
    answerable = ~matches.is_unanswerable
    hits = [
        (matches.first_correct != _NEVER) & (matches.first_correct <= k) | matches.agrees_on_none for k in (1, 3, 5)
    ]
    none = np.zeros((len(matches.ids), 2))
    return np.column_stack(
        [
            matches.points,
            np.ones(len(matches.ids)),
            matches.n_answers,
            matches.n_outputs,
            matches.n_correct,
            np.where(answerable, matches.points, 0.0),
            answerable,
            *hits,
            none if squad == "off" else _first_answers(matches, english=squad == "en"),
        ]
    )


def _first_answers(matches: Matches, *, english: bool) -> Floats:
    gold, run = matches.gold, matches.run
    answers: dict[str, set[str]] = {question: set() for question in matches.ids}
    for question, answer in zip(gold.question.tolist(), gold.answers, strict=True):
        if gold.ids[question] in answers:
            answers[gold.ids[question]].add(answer)
    outputs: list[str | None] = [None] * len(matches.ids)
    leading = matches.outputs.rank == 1
    for row, place in zip(
        matches.outputs.question[leading].tolist(), matches.outputs.place[leading].tolist(), strict=True
    ):
        outputs[row] = run.answers[place]
    return np.array(first_answer_scores(list(answers.values()), outputs, english=english))


def _by_series(ids: list[str], rows: Floats) -> tuple[list[str], Floats]:
    """The series in the order of their first questions, and the sums of their rows."""
    series = [series_of(question) for question in ids]
    place = {name: i for i, name in enumerate(dict.fromkeys(series))}
    sums = np.zeros((len(place), rows.shape[1]))
    np.add.at(sums, [place[name] for name in series], rows)
    return list(place), sums


def _totals(matches: Matches, n_unknown: int) -> dict[str, int | float]:
    absent = ~matches.in_run
    return {
        "questions": len(matches.ids),
        "answers": int(matches.n_answers.sum()),
        "outputs": int(matches.n_outputs.sum()),
        "correct": int(matches.n_correct.sum()),
        "unsupported": int(matches.n_unsupported.sum()),
        "unanswerable_questions": int(matches.is_unanswerable.sum()),
        "unanswerable_correct": int(matches.agrees_on_none.sum()),
        "absent_questions": int(absent.sum()),
        "absent_credited": int((absent & matches.is_unanswerable).sum()),
        "ignored_questions": n_unknown,
        "ignored_outputs": int(matches.n_ignored.sum()),
    }


def _warnings(matches: Matches, unknown: list[str]) -> list[str]:
    warnings = []
    if not matches.run.ids:
        warnings.append("the run is empty: all questions count as answered by nothing")
    if unknown:
        named = ", ".join(unknown[:_NAMED]) + (", …" if len(unknown) > _NAMED else "")
        warnings.append(f"{_number(len(unknown), 'question')} not in the gold, not counted: {named}")
    if n_ignored := int(matches.n_ignored.sum()):
        warnings.append(f"{_number(n_ignored, 'output')} beyond the first {_MOST_RANKED} of a question, not counted")
    return warnings


def _number(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
