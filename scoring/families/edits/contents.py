"""Describes what was read of a run: its edits, and the sentences that have any."""

import numpy as np

from scoring.columns import coded, numbered
from scoring.describing.contents import Contents, Layer
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.edits import Annotated


def contents(files: Files, gold: Annotated, system: Annotated, options: Options) -> Contents:
    """Describe what was read; of the gold nothing is told but its sentences, which participants have."""
    return Contents(
        unit=Message.noun("sentence", "sentences"),
        n_units=len(gold.texts),
        layers=[_texts(system) if options["protocol"] == "m2scorer" else _edits(system)],
        texts=gold.texts,
        file=system.paths[0],
    )


def _texts(system: Annotated) -> Layer:
    texts = system.texts
    unit = np.array([k for k, text in enumerate(texts) if text], dtype=np.int64)
    return Layer(
        name=Message.noun("text", "texts"),
        unit=unit,
        content=numbered(texts[k] for k in unit.tolist()),
        file=system.paths[0],
        answers=lambda chosen: [texts[unit[k]] for k in chosen.tolist()],
    )


def _edits(system: Annotated) -> Layer:
    path = system.paths[0]
    types = system.type.tolist()
    return Layer(
        name=Message.noun("edit", "edits"),
        unit=system.group,  # one of each sentence
        labels=[system.types[k] for k in dict.fromkeys(types)],
        label=numbered(types),
        content=coded(system.type, system.correction),
        file=path,
        place=lambda k: (path, int(system.line[k])),
        answers=lambda chosen: [system.corrections[k][0] for k in system.correction[chosen].tolist()],
    )
