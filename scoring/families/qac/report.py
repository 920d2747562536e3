"""The report and the file res.dat of the NTCIR-3 scoring tool, of a fresh evaluation or of its tables."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scoring.families.qac.counting import Matches
from scoring.family import Options, Record
from scoring.prf import harmonic_mean, ratio

_BAR = "-" * 58
_MARKS = {True: " ○", False: " ×"}
_NO_ANSWER = "φ"
# What Japanese printers set for a character that they do not have.
_GETA = "〓"

Judged = tuple[str, bool, list[str], list[bool]]  # question, has no answer, outputs, which of them are correct


@dataclass(frozen=True)
class Sums:
    """What the report prints, over all scored questions; `marks` are the points."""

    task: int
    marks: float
    questions: int
    answers: int
    outputs: int
    correct: int


def report(sums: Sums) -> str:
    """The text that the original prints; ratios are rounded, where the original's only sample is cut off."""
    recall, precision = ratio(sums.correct, sums.answers), ratio(sums.correct, sums.outputs)
    average = sums.marks / sums.questions
    lines = [
        f"Task{sums.task} Results:",
        f"{sums.marks:.1f} marks out of {sums.questions:.1f} in TASK{sums.task}",
        f"Average score: {average:.3f}",
        *_block(
            [f"{title:>10}" for title in ("Question", "Answer", "Output", "Correct")],
            [f"{number:10d}" for number in (sums.questions, sums.answers, sums.outputs, sums.correct)],
        ),
        *_block(
            [f"{title:>10}" for title in ("Recall", "Precision", "F-measure", "MRR/AFM")],
            [f"{value:10.3f}" for value in (recall, precision, harmonic_mean(precision, recall), average)],
        ),
    ]
    return "\n".join(lines) + "\n"


def res_dat(judged: Iterable[Judged]) -> str:
    """A line for each question: its outputs with a circle or a cross, or phi if it has none."""
    return "".join(
        [
            f"{question}: {_marked(has_no_answer, outputs, correct)}\n"
            for question, has_no_answer, outputs, correct in judged
        ]
    )


def encoded(text: str, encoding: str) -> tuple[bytes, list[str]]:
    """The bytes, and the characters that the encoding lacks, which are written as geta."""
    try:
        return text.encode(encoding), []
    except UnicodeEncodeError:
        lacking = sorted(character for character in set(text) if not _has(encoding, character))
        return text.translate(dict.fromkeys(map(ord, lacking), _GETA)).encode(encoding), lacking


def sums_of(matches: Matches, task: int) -> Sums:
    return Sums(
        task,
        marks=math.fsum(matches.points.tolist()),
        questions=len(matches.ids),
        answers=int(matches.n_answers.sum()),
        outputs=int(matches.n_outputs.sum()),
        correct=int(matches.n_correct.sum()),
    )


def judged_in(matches: Matches) -> Iterator[Judged]:
    """Every scored question with its outputs, in order."""
    outputs = list(map(matches.run.answers.__getitem__, matches.outputs.place.tolist()))
    correct = matches.correct.tolist()
    ends = np.cumsum(matches.n_outputs).tolist()
    start = 0
    for question, has_no_answer, end in zip(matches.ids, matches.is_unanswerable.tolist(), ends, strict=True):
        yield question, has_no_answer, outputs[start:end], correct[start:end]
        start = end


def report_file(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """The report from the table of questions."""
    questions = tables["questions"]
    points = "reciprocal_rank" if options["task"] == 1 else "f1"
    sums = Sums(
        options["task"],
        marks=math.fsum(row[points] for row in questions),
        questions=len(questions),
        answers=sum(row["answers"] for row in questions),
        outputs=sum(row["outputs"] for row in questions),
        correct=sum(row["correct"] for row in questions),
    )
    return report(sums).encode()


def res_dat_file(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """res.dat from the tables of questions and answers, in UTF-8."""
    judged: dict[str, Judged] = {
        row["question"]: (row["question"], row["no_answer"], [], []) for row in tables["questions"]
    }
    for row in tables["answers"]:
        _, _, outputs, correct = judged[row["question"]]
        outputs.append(row["answer"])
        correct.append(row["correct"])
    return res_dat(judged.values()).encode()


def _block(titles: list[str], values: list[str]) -> list[str]:
    return [_BAR, " ".join(titles), _BAR, " ".join(values), _BAR]


def _marked(has_no_answer: bool, outputs: list[str], correct: list[bool]) -> str:
    if not outputs:
        return _NO_ANSWER + _MARKS[has_no_answer]
    return ", ".join([output + _MARKS[is_correct] for output, is_correct in zip(outputs, correct, strict=True)])


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
