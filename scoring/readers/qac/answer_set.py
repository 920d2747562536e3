"""A gold answer set: tab-separated lines of question, number, answer and article.

    QAC1-1001-01    ?       Where is Mie University?
    QAC1-1001-01    1       Mie             990101001
    QAC1-1001-01    1       Mie Prefecture  990101001
    QAC1-1003-01

The layout is our own, since no answer set of the original could be had.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.columns import Integers
from scoring.readers.problems import Problems
from scoring.readers.qac.answer_lines import answer_lines
from scoring.readers.qac.lines import GoldLines
from scoring.readers.qac.text import read_text, series_of


@dataclass(frozen=True)
class AnswerSet:
    """All questions in code-point order, and the answer lines in the order of the file.

    Lines of one question with the same number are the same answer in other words or from another article.
    A question without lines has no answer.
    """

    paths: list[str]  # the path of the one file
    ids: list[str]  # (questions,) each once
    question: Integers  # (lines,) index into `ids`
    numbers: Integers  # (lines,) at least 1
    answers: list[str]  # (lines,) the string as written
    articles: list[str]  # (lines,) as written; blanks around it are part of it
    texts: dict[str, str]  # {ID: the question's own words}, where they are given
    series: list[str]  # (questions,) what each question belongs to: a series, a target, an article
    passages: dict[str, str] = field(default_factory=dict)  # {ID: the text that the question is about}
    version: str = ""  # what the file says of its own

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Return {ID: its index in `ids`}."""
        return {question: i for i, question in enumerate(self.ids)}

    def answers_of(self, question: str) -> list[str]:
        """Return all wordings of all answers of a question, in the order of the file."""
        return self._answers_of.get(self.index_of[question], [])

    @cached_property
    def _answers_of(self) -> dict[int, list[str]]:
        answers: dict[int, list[str]] = {}
        for question, answer in zip(self.question.tolist(), self.answers, strict=True):
            answers.setdefault(question, []).append(answer)
        return answers


def read_answer_set(files: Mapping[str, bytes], encoding: str) -> AnswerSet:
    """Read the answer set in the only file; SubmissionError with all problems."""
    path, text = read_text(files, encoding)
    problems = Problems(path)
    answered, others = answer_lines(text)
    rest = GoldLines(problems)
    for number, line in others:
        rest.read(line, number)
    rest.check(set(answered.questions))
    problems.raise_all()
    ids = sorted({*answered.questions, *rest.unanswerable})
    index = {question: i for i, question in enumerate(ids)}
    # A gold has few different numbers: each is converted once.
    value = {digits: int(digits) for digits in set(answered.numbers)}
    return AnswerSet(
        paths=[path],
        ids=ids,
        question=np.fromiter(map(index.__getitem__, answered.questions), dtype=np.int64),
        numbers=np.fromiter(map(value.__getitem__, answered.numbers), dtype=np.int64),
        answers=answered.answers,
        articles=answered.articles,
        texts=rest.texts,
        series=[series_of(question) for question in ids],
    )
