"""A gold answer set: tab-separated lines of question, number, answer and article."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.readers.qac.text import ID, Problems, is_skipped, only_file, read_text

_SPACES = r"[^\S\t\n]*+"
_NUMBER = r"0*+([1-9][0-9]{0,17}+)"
_WORDS = rf"({_SPACES}\S[^\t\n]*+)"
_ANSWER_LINE = re.compile(rf"^{_SPACES}({ID}){_SPACES}\t{_SPACES}{_NUMBER}{_SPACES}\t{_WORDS}\t{_WORDS}$", re.MULTILINE)
# Stands for an answer line that is taken out of the text; no decoded text contains it.
_TAKEN = "\ud800"
_ALONE = re.compile(ID)
_POSITIVE = re.compile(_NUMBER)


@dataclass(frozen=True)
class AnswerSet:
    """All questions in code-point order, and the answer lines in the order of the file.

    `question` (lines,) is an index into `ids`; lines of one question with the same number are the same answer
    in other words or from another article. A question without lines has no answer. `paths` holds the one
    file, `texts` the questions' own words where they are given.
    """

    paths: list[str]
    ids: list[str]
    question: NDArray[np.int64]
    numbers: NDArray[np.int64]
    answers: list[str]
    articles: list[str]
    texts: dict[str, str]

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The index of each question."""
        return {question: i for i, question in enumerate(self.ids)}


def read_answer_set(files: Mapping[str, bytes], encoding: str) -> AnswerSet:
    """The answer set in the only file; SubmissionError with all problems."""
    path = only_file(files)
    text = read_text(files, path, encoding)
    # All answer lines are taken out at once; what is left has to be something else, or is wrong.
    pieces = _ANSWER_LINE.split(text)
    questions = pieces[1::5]
    problems = Problems(path)
    others = _Others(problems)
    for number, line in enumerate(_TAKEN.join(pieces[0::5]).split("\n"), start=1):
        if line != _TAKEN:
            others.read(line, number)
    others.check(set(questions))
    problems.raise_any()
    ids = sorted({*questions, *others.unanswerable})
    place = {question: i for i, question in enumerate(ids)}
    value = {digits: int(digits) for digits in set(pieces[2::5])}
    return AnswerSet(
        paths=[path],
        ids=ids,
        question=np.fromiter(map(place.__getitem__, questions), dtype=np.int64, count=len(questions)),
        numbers=np.fromiter(map(value.__getitem__, pieces[2::5]), dtype=np.int64, count=len(questions)),
        answers=pieces[3::5],
        articles=pieces[4::5],
        texts=others.texts,
    )


class _Others:
    """The lines that give no answer: unanswerable questions, texts of questions, and lines with problems."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._text_lines: dict[str, int] = {}
        self._broken: set[str] = set()
        self.unanswerable: dict[str, int] = {}
        self.texts: dict[str, str] = {}

    def read(self, line: str, number: int) -> None:
        if is_skipped(line):
            return
        columns = line.split("\t")
        question = columns[0].strip()
        if not _ALONE.fullmatch(question):
            self._problems.add(
                "no question ID: a line begins with one such as QAC1-1001-01, and a tab behind it", number
            )
        elif len(columns) == 1:
            self.unanswerable.setdefault(question, number)
        elif columns[1].strip() == "?":
            self._read_text(question, columns, number)
        else:
            self._broken.add(question)
            self._explain(columns, number)

    def _read_text(self, question: str, columns: list[str], number: int) -> None:
        self._text_lines.setdefault(question, number)
        if len(columns) == 3:
            self.texts[question] = columns[2]
        else:
            self._problems.add(
                f"expected three columns (question, ?, text) with tabs between them, found {len(columns)}", number
            )

    def _explain(self, columns: list[str], number: int) -> None:
        """Everything that keeps this from being a line with an answer."""
        if len(columns) != 4:
            self._problems.add(
                "expected four columns (question, number, answer, article) with tabs between them, "
                f"found {len(columns)}",
                number,
            )
            return
        if not _POSITIVE.fullmatch(columns[1].strip()):
            self._problems.add(
                f"answer number must be a positive integer of at most 18 digits, not {columns[1][:40]!r}", number
            )
        if not columns[2].strip():
            self._problems.add("empty answer", number)
        if not columns[3].strip():
            self._problems.add("empty article", number)

    def check(self, answered: set[str]) -> None:
        """What only the whole file can tell; `answered` are the questions that have answers."""
        for question, line in self.unanswerable.items():
            if question in answered:
                self._problems.add(f"question {question} is marked as having no answer and has answers", line)
        for question, line in self._text_lines.items():
            if not (question in answered or question in self.unanswerable or question in self._broken):
                self._problems.add(f"question {question} has no answer line", line)
        if not (answered or self.unanswerable or self._problems.found):
            self._problems.add("no question: the file has nothing but comments and blank lines")
