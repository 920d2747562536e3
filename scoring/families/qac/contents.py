"""Describes what was read of a run: answers, and the questions that they are to."""

import numpy as np

from scoring.columns import numbered, owners
from scoring.describing.contents import NO_UNIT, Contents, Identifiers, Layer
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.qac import AnswerSet, Run, pair


def contents(files: Files, gold: AnswerSet, run: Run, options: Options) -> Contents:
    pairing = pair(gold, run, options["task"])
    index = {question: k for k, question in enumerate(pairing.ids)}
    of_run = np.fromiter((index.get(question, NO_UNIT) for question in run.ids), np.int64, len(run.ids))
    unit = of_run[owners(np.diff(run.starts))]
    file = next(iter(files), None)
    answers = Layer(
        name=Message.noun("answer", "answers"),
        unit=unit,
        content=numbered(run.answers),
        file=file,
        answers=lambda chosen: [run.answers[k] for k in chosen.tolist()],
    )
    return Contents(
        unit=Message.noun("question", "questions"),
        n_units=len(pairing.ids),
        usually_reached=0.6,
        layers=[answers],
        identifiers=[Identifiers(Message.noun("question ID", "question IDs"), run.ids, frozenset(gold.ids))],
        texts=[*gold.texts.values(), *dict.fromkeys(gold.passages.values())],
        more={"unknown_questions": len(pairing.unknown)},
        file=file,
        joined_by="to",
    )
