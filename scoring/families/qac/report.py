"""The report and the file res.dat as the NTCIR-3 scoring tool 1.50 writes them; its README shows an example of both."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoring.families.qac.counting import Matches
from scoring.prf import harmonic_mean, ratio

_BAR = "-" * 58
# What stands behind an output in res.dat, by whether it is correct: U+25CB and U+00D7.
_SYMBOLS = {True: " ○", False: " ×"}
_NO_OUTPUT = "φ"
# The geta, U+3013, which Japanese printers set for a character that they do not have.
_GETA = "〓"


@dataclass(frozen=True)
class Totals:
    """Holds what the report prints, over all scored questions."""

    task: int  # 1, 2 or 3
    points: float  # sum of the questions' points; the report calls them marks
    questions: int  # scored questions, each worth one point
    answers: int  # sum of A, the answers of the gold
    outputs: int  # sum of O, the outputs that count
    correct: int  # sum of C, the answers that correct outputs have met


class JudgedQuestion(NamedTuple):
    """A line of res.dat."""

    question: str  # its ID
    has_no_answer: bool  # whether the gold says so
    outputs: list[str]  # the strings that count, by rank
    correct: list[bool]  # which of the outputs are


def report(totals: Totals) -> str:
    """Write the text that the original prints, with its columns of ten characters and its bars.

    Ratios are rounded. In the README's only sample, 38/272 = 0.1397 is printed as 0.139, cut off: whether the
    original always cuts cannot be told, and a rounded value is nearer.
    """
    recall, precision = ratio(totals.correct, totals.answers), ratio(totals.correct, totals.outputs)
    average = totals.points / totals.questions
    lines = [
        f"Task{totals.task} Results:",
        f"{totals.points:.1f} marks out of {totals.questions:.1f} in TASK{totals.task}",
        f"Average score: {average:.3f}",
        *_block(
            [f"{title:>10}" for title in ("Question", "Answer", "Output", "Correct")],
            [f"{number:10d}" for number in (totals.questions, totals.answers, totals.outputs, totals.correct)],
        ),
        *_block(
            [f"{title:>10}" for title in ("Recall", "Precision", "F-measure", "MRR/AFM")],
            [f"{value:10.3f}" for value in (recall, precision, harmonic_mean(precision, recall), average)],
        ),
    ]
    return "\n".join(lines) + "\n"


def res_dat(judged: Iterable[JudgedQuestion]) -> str:
    """Write a line for each question: its outputs with a circle or a cross, or phi if it has none.

    >>> print(res_dat([JudgedQuestion("Q1-1-01", False, ["Tsu", "Ise"], [True, False])]), end="")
    Q1-1-01: Tsu ○, Ise ×
    >>> print(res_dat([JudgedQuestion("Q1-2-01", True, [], [])]), end="")
    Q1-2-01: φ ○
    """
    return "".join([f"{question.question}: {_with_symbols(*question[1:])}\n" for question in judged])


def encoded(text: str, encoding: str) -> tuple[bytes, list[str]]:
    """Return the bytes, and the characters that the encoding lacks, which are written as geta."""
    try:
        return text.encode(encoding), []
    except UnicodeEncodeError:
        lacking = sorted(character for character in set(text) if not _has(encoding, character))
        return text.translate(dict.fromkeys(map(ord, lacking), _GETA)).encode(encoding), lacking


def totals_of(matches: Matches, task: int) -> Totals:
    """Return the report's numbers of a fresh evaluation."""
    return Totals(
        task,
        # Rounded once, whatever the order of the questions.
        points=math.fsum(matches.points.tolist()),
        questions=len(matches.ids),
        answers=int(matches.n_answers.sum()),
        outputs=int(matches.n_outputs.sum()),
        correct=int(matches.n_correct.sum()),
    )


def judged_questions(matches: Matches) -> Iterator[JudgedQuestion]:
    """Yield every scored question of a fresh evaluation, with its outputs by rank."""
    outputs = list(map(matches.run.answers.__getitem__, matches.outputs.index.tolist()))
    correct = matches.correct.tolist()
    ends = np.cumsum(matches.n_outputs).tolist()
    start = 0
    for question, has_no_answer, end in zip(matches.ids, matches.is_unanswerable.tolist(), ends, strict=True):
        yield JudgedQuestion(question, has_no_answer, outputs[start:end], correct[start:end])
        start = end


def _block(titles: list[str], values: list[str]) -> list[str]:
    return [_BAR, " ".join(titles), _BAR, " ".join(values), _BAR]


def _with_symbols(has_no_answer: bool, outputs: list[str], correct: list[bool]) -> str:
    if not outputs:
        return _NO_OUTPUT + _SYMBOLS[has_no_answer]
    # An answer that is given twice and right is marked right both times, though it counts once.
    return ", ".join([output + _SYMBOLS[is_correct] for output, is_correct in zip(outputs, correct, strict=True)])


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
