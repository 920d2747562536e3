"""Describes what was read of a run: its edits, and the sentences that have any."""

from collections.abc import Callable

import numpy as np

from scoring.columns import numbered
from scoring.describing.contents import Contents, Layer
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.edits import Annotated, Edit


def contents(files: Files, gold: Annotated, system: Annotated, options: Options) -> Contents:
    """Of the gold nothing is told but its sentences, which participants have."""
    return Contents(
        unit=Message.noun("sentence", "sentences"),
        n_units=len(gold.sentences),
        layers=[_texts(system) if options["protocol"] == "m2scorer" else _edits(system)],
        texts=[sentence.text for sentence in gold.sentences],
        file=system.paths[0],
    )


def _texts(system: Annotated) -> Layer:
    texts = [sentence.text for sentence in system.sentences]
    unit = np.array([k for k, text in enumerate(texts) if text], dtype=np.int64)
    return Layer(
        name=Message.noun("text", "texts"),
        unit=unit,
        content=numbered(texts[k] for k in unit.tolist()),
        file=system.paths[0],
        answers=lambda chosen: [texts[unit[k]] for k in chosen.tolist()],
    )


def _edits(system: Annotated) -> Layer:
    own = [(k, edit) for k, each in enumerate(system.sentences) for edits in each.annotators.values() for edit in edits]
    path = system.paths[0]
    labels = list(dict.fromkeys(edit.type for _, edit in own))
    return Layer(
        name=Message.noun("edit", "edits"),
        unit=np.array([k for k, _ in own], dtype=np.int64),
        labels=labels,
        label=numbered(edit.type for _, edit in own),
        content=numbered((edit.type, edit.corrections) for _, edit in own),
        file=path,
        place=_place(path, [edit for _, edit in own]),
        answers=lambda chosen: [own[k][1].corrections[0] for k in chosen.tolist()],
    )


def _place(path: str, edits: list[Edit]) -> Callable[[int], tuple[str, int]]:
    return lambda k: (path, edits[k].line)
