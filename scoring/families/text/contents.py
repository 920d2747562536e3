"""Describes what was read of a run: texts, and how many segments have one."""

import numpy as np

from scoring.columns import numbered
from scoring.describing.beside import of_texts
from scoring.describing.contents import Contents, Layer
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.text import Gold, System


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    unit = np.array([k for k, text in enumerate(system.texts) if text.strip()], dtype=np.int64)
    texts = Layer(
        name=Message.noun("text", "texts"),
        unit=unit,
        content=numbered(system.texts[k] for k in unit.tolist()),
        file=system.file,
        answers=lambda chosen: [system.texts[unit[k]] for k in chosen.tolist()],
    )
    return Contents(
        unit=Message.noun("segment", "segments"),
        n_units=len(gold.ids),
        usually_reached=0.95,
        layers=[texts],
        beside=of_texts([references[0] for references in gold.references], system.texts),
        # Of the references nothing is told but that they have, somewhere, what looks odd in a text.
        texts=[reference for several in gold.references for reference in several],
        file=system.file,
        joined_by="to",
    )
