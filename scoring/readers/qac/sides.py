"""Both sides of an evaluation: which questions of the gold are scored, and which of the run's belong to them.

A question is known by its ID alone. Those of the QAC have the form GROUP-SERIES-BRANCH, as QAC3-12-02: the questions of
a series agree in all but the branch, and branch 01 opens the series. The plain program in tests/scoring/plain/qac.py
pairs question by question; here all are paired at once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files
from scoring.readers.parts.folders import SomeFiles
from scoring.readers.patterns import compiled
from scoring.readers.problems import Problems
from scoring.readers.qac import bioasq, squad, trec
from scoring.readers.qac.answer_set import AnswerSet, read_answer_set
from scoring.readers.qac.lines import EXAMPLE
from scoring.readers.qac.run import Run, read_run

_BEGINNING = re.compile(r"\s*([^\s:,]+)")  # of a line, its question
# Stands in arrays of indices, codes and numbers for "there is none".
NONE = -1


@dataclass(frozen=True)
class Pairing:
    """The scored questions and where they stand on both sides."""

    ids: list[str]  # IDs of the q scored questions, in code-point order
    of_gold: Integers  # (questions of the gold,) index into `ids`; NONE where the task does not score the question
    in_run: Integers  # (q,) index into `Run.ids`; NONE where the run lacks the question
    unknown: list[str]  # IDs of the run that the gold lacks, in code-point order


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> AnswerSet:
    """Read the gold; SubmissionError with all problems, or if the task scores none of its questions."""
    gold = read_answers(files, options)
    scored_questions(gold, options["task"])
    if options["answers"] is not None:
        _check_patterns(gold)
    if options["format"] == "trec" and options["article"] == "require":
        trec.refuse_without_documents(gold)
    return gold


def read_answers(files: Mapping[str, bytes], options: Mapping[str, Any]) -> AnswerSet:
    """Return what the gold's file says, in the format of the options."""
    if options["format"] == "squad":
        return squad.read_dataset(files)
    if options["format"] == "bioasq":
        return bioasq.read_questions(files, options["task"])
    read = trec.read_patterns if options["format"] == "trec" else read_answer_set
    return read(files, options["gold_encoding"])


def read_system(files: Mapping[str, bytes], gold: AnswerSet, options: Mapping[str, Any]) -> Run:
    """Read the run; SubmissionError with all problems. It may lack questions of the gold, and have others."""
    if options["format"] == "bioasq":
        return bioasq.read_exact_answers(files, options["task"], gold.index_of)
    return read_outputs(_run_among(files, gold, options), options, next(iter(gold.ids), EXAMPLE))


def _run_among(files: Mapping[str, bytes], gold: AnswerSet, options: Mapping[str, Any]) -> Mapping[str, bytes]:
    """Return the one file that answers these questions, where it is one among several; else all files.

    Runs on the same questions are told apart by the task in their names, such as task2.txt.
    """
    if len(files) < 2 or not isinstance(files, Files) or options["format"] == "squad":
        return files
    paths = [path for path in files if _answers_any(files[path], gold)]
    if len(paths) > 1:
        named = re.compile(rf"task[-_ ]?{options['task']}(?![0-9])", re.IGNORECASE)
        paths = [path for path in paths if named.search(path)] or paths
    different = {files[path]: path for path in reversed(paths)}
    return SomeFiles(files, different.values()) if len(different) == 1 else files


def _answers_any(content: bytes, gold: AnswerSet) -> bool:
    beginnings = map(_BEGINNING.match, content.decode("ascii", "replace").splitlines())
    return any(beginning and beginning[1] in gold.index_of for beginning in beginnings)


def read_outputs(files: Mapping[str, bytes], options: Mapping[str, Any], example: str = EXAMPLE) -> Run:
    """Return what the run's files say, in the format of the options; `example` is the ID of a question."""
    if options["format"] == "squad":
        return squad.read_predictions(files)
    if options["format"] == "bioasq":
        return bioasq.read_exact_answers(files, options["task"])
    if options["format"] == "trec":
        return trec.read_ranked_answers(files, options["encoding"])
    return read_run(files, options["encoding"], example)


def _check_patterns(gold: AnswerSet) -> None:
    """Raise SubmissionError with all answers that cannot be matched as regular expressions."""
    problems = Problems(gold.paths[0])
    lines = zip(gold.question.tolist(), gold.numbers.tolist(), gold.answers, strict=True)
    for question, number, pattern in dict.fromkeys(lines):
        try:
            compiled(pattern, has_words=True)
        except ValueError as error:
            problems.add(
                Message(
                    "number-id-answer",
                    "answer {number} of {id}: {error}",
                    number=number,
                    id=gold.ids[question],
                    error=error.args[0],
                )
            )
    problems.raise_all()


def pair(gold: AnswerSet, run: Run, task: int) -> Pairing:
    """Pair the scored questions of both sides.

    >>> gold = read_answer_set({"gold.tsv": b"Q-7-01\\nQ-7-02\\nQ-7-03\\n"}, "utf-8")
    >>> run = read_run({"run.txt": b"Q-7-03\\nQ-7-01\\nX-1-01\\n"}, "utf-8")
    >>> pairing = pair(gold, run, task=3)
    >>> pairing.ids, pairing.of_gold, pairing.in_run, pairing.unknown
    (['Q-7-02', 'Q-7-03'], array([-1,  0,  1]), array([-1,  0]), ['X-1-01'])
    """
    ids = scored_questions(gold, task)
    of_gold = np.full(len(gold.ids), NONE)
    of_gold[[gold.index_of[question] for question in ids]] = np.arange(len(ids))
    in_run = np.array([run.index_of.get(question, NONE) for question in ids])
    return Pairing(ids, of_gold, in_run, sorted(set(run.ids).difference(gold.index_of)))


def scored_questions(gold: AnswerSet, task: int) -> list[str]:
    """Return the questions of the gold that the task scores; SubmissionError if there is none.

    In task 3 these are the branch questions, that is all but the first of each series.
    """
    scored = gold.ids if task != 3 else [question for question in gold.ids if not opens_series(question)]
    if not scored:
        raise SubmissionError(
            Finding(
                Message(
                    "no-question-score-task",
                    "no question to score for task 3: every ID ends in -01, which opens a series",
                ),
                gold.paths[0],
            )
        )
    return scored


def opens_series(question: str) -> bool:
    """Return whether the question is the first of its series; the others branch off from it.

    >>> opens_series("QAC3-12-01"), opens_series("QAC3-12-1")
    (True, False)
    """
    return question.rpartition("-")[2] == "01"
