"""A run: per line a question and its answers in order, each with the article that supports it.

    QAC1-1001-01: "Mie", 990101001, "Tsu", 990101002
    QAC1-1003-01  # a remark

The layout is inferred from the README of the original scoring tool.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scoring.columns import Integers, starts_from_sizes
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.problems import Problems
from scoring.readers.qac.lines import EXAMPLE, run_line
from scoring.readers.qac.text import read_text


@dataclass(frozen=True)
class Run:
    """Questions in the order of the file, and all their outputs one after the other, by question and rank."""

    ids: list[str]  # (questions,) each once
    starts: Integers  # (questions + 1,) the outputs of question i are those from starts[i] to starts[i + 1]
    answers: list[str]  # (outputs,) as written, escapes resolved
    articles: list[str]  # (outputs,) the article of each answer
    # {ID: how likely it is that the question has no answer}, in the order of the file; None without such a file
    no_answer: dict[str, float] | None = None

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Return {ID: its index in `ids`}."""
        return {question: i for i, question in enumerate(self.ids)}


def read_run(files: Mapping[str, bytes], encoding: str, example: str = EXAMPLE) -> Run:
    r"""Read the run in the only file; SubmissionError with all problems, beside the ID of a question as an `example`.

    >>> run = read_run({"run.txt": b'Q-1-2\nQ-1-1: "Mie", 5, "the \\"elder\\"", 6'}, "utf-8")
    >>> run.ids, run.starts, run.answers, run.articles
    (['Q-1-2', 'Q-1-1'], array([0, 0, 2]), ['Mie', 'the "elder"'], ['5', '6'])
    """
    path, text = read_text(files, encoding)
    problems = Problems(path)
    sizes: dict[str, int] = {}  # the number of outputs of each question
    answers: list[str] = []
    articles: list[str] = []
    for number, text_line in numbered_lines(text):
        line = run_line(text_line, number, problems, example)
        if line is None:
            continue
        question, own_answers, own_articles = line
        if question in sizes:
            # Refused, since either line could be meant.
            message = Message(
                "question-twice",
                "question twice: {question}; put all its answers into one line, the best first",
                question=question,
            )
            problems.add(message, number)
            continue
        sizes[question] = len(own_answers)
        answers += own_answers
        articles += own_articles
    problems.raise_all()
    return Run(list(sizes), starts_from_sizes(list(sizes.values())), answers, articles)
