"""Describes what was read of a run: its words, and the utterances that have any."""

from itertools import chain

import numpy as np

from scoring.columns import numbered, owners
from scoring.describing.beside import of_texts
from scoring.describing.contents import Contents, Layer
from scoring.families.transcripts.sides import Gold, System
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    """Describe what was read.

    Of the references nothing is told but that they have, somewhere, what looks odd in a text.
    """
    sizes = np.fromiter(map(len, system.words), np.int64, len(system.words))
    words = list(chain.from_iterable(system.words))
    file = system.read.file
    spoken = Layer(
        name=Message.noun("word", "words"),
        unit=owners(sizes),
        content=numbered(words),
        file=file,
        answers=lambda chosen: [words[k] for k in chosen.tolist()],
    )
    texts = [text for text in system.read.texts if text]
    written = Layer(
        name=Message.noun("utterance", "utterances"),
        unit=np.flatnonzero([bool(text) for text in system.read.texts]),
        file=file,
        answers=lambda chosen: [texts[k] for k in chosen.tolist()],
        is_prose=True,
    )
    return Contents(
        unit=Message.noun("utterance", "utterances"),
        n_units=len(gold.words),
        usually_reached=0.6,
        layers=[spoken],
        texts=gold.read.texts,
        written=written,
        beside=of_texts(gold.read.texts, [text or "" for text in system.read.texts]),
        more={"missing_utterances": system.read.texts.count(None)},
        file=file,
        further=_ids_read_as_words(gold, system),
    )


def _ids_read_as_words(gold: Gold, system: System) -> list[Finding]:
    """Find plain lines that begin or end with the ids of utterances: they are in another format than was thought."""
    n = system.read.n_with_ids
    if not n:
        return []
    return [
        Finding.odd(
            "ids",
            Message(
                "ids-read-as-words",
                "{n} of {of} lines hold the id of an utterance, which was read as a word.",
                n=n,
                of=len(system.words),
            ),
            n=n,
            of=len(system.words),
            file=system.read.file,
            suggestion=Message(
                "lines-with-ids",
                "whether lines carry ids is decided by the file's name: .tsv, .trn, .jsonl, or text as in Kaldi",
            ),
        )
    ]
