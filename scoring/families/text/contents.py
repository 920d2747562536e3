"""Describes what was read of a run: texts, and how many segments have one."""

import numpy as np

from scoring.columns import numbered
from scoring.describing.beside import of_texts
from scoring.describing.contents import Contents, Layer
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.text import Gold, System

_FEW_IDS = 0.5  # of the texts


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    unit = np.array([k for k, text in enumerate(system.texts) if text.strip()], dtype=np.int64)
    texts = Layer(
        name=Message.noun("text", "texts"),
        unit=unit,
        content=numbered(system.texts[k] for k in unit.tolist()),
        file=system.file,
        answers=lambda chosen: [system.texts[unit[k]] for k in chosen.tolist()],
        is_exact=not options.get("lowercase", False),
        is_prose=True,
        group=None if gold.documents is None else numbered(gold.documents)[unit],
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
        further=_ids_in_texts(gold, system),
    )


def _ids_in_texts(gold: Gold, system: System) -> list[Finding]:
    """Find texts that begin with the id of a segment, as lines do that were read as plain ones."""
    ids = frozenset(gold.ids)
    n = sum(1 for text in system.texts if text.split(maxsplit=1)[:1] and text.split(maxsplit=1)[0].strip(":;,|") in ids)
    if n <= _FEW_IDS * len(gold.ids):
        return []
    message = Message(
        "ids-in-texts",
        "{n} of {of} texts begin with the id of a segment, which counts as a word.",
        n=n,
        of=len(gold.ids),
    )
    suggestion = Message("ids-in-columns", "write the text alone, or ids in a column of their own, as .tsv or .jsonl")
    return [Finding.odd("ids", message, n, len(gold.ids), system.file, suggestion=suggestion)]
