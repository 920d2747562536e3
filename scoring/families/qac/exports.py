"""The two files that the original writes, made from the stored tables of an evaluation.

Both equal what the command writes, byte for byte, though the tables hold plain values and no arrays.
"""

import math
from collections.abc import Mapping

from scoring.families.qac.report import JudgedQuestion, Totals, report, res_dat
from scoring.family import Export, Options, Record


def _report(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """Write the report from the table of questions."""
    questions = tables["questions"]
    points = "reciprocal_rank" if options["task"] == 1 else "f1"
    totals = Totals(
        options["task"],
        # Rounded once, whatever the order of the questions.
        points=math.fsum(row[points] for row in questions),
        questions=len(questions),
        answers=sum(row["answers"] for row in questions),
        outputs=sum(row["outputs"] for row in questions),
        correct=sum(row["correct"] for row in questions),
    )
    return report(totals).encode()


def _res_dat(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    """Write res.dat from the tables of questions and answers, in UTF-8."""
    judged = {
        row["question"]: JudgedQuestion(row["question"], row["no_answer"], outputs=[], correct=[])
        for row in tables["questions"]
    }
    for row in tables["answers"]:
        question = judged[row["question"]]
        question.outputs.append(row["answer"])
        question.correct.append(row["correct"])
    return res_dat(judged.values()).encode()


EXPORTS = (
    # Its marks tell which answers the gold has.
    Export(
        "res.dat",
        "Every answer with its mark, as the original writes it",
        tells_gold=True,
        make=_res_dat,
        table="marks",
    ),
    Export("report.txt", "The original's report", tells_gold=False, make=_report, table="marks"),
)
