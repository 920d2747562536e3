"""A row of counts for each segment, or for each document: texts beside their references.

    system      the cat sat on a mat        hello world
    reference   the cat sat on the mat      hello there world

    BLEU        lengths 6 6, matches 5 3 2 1 of 6 5 4 3 n-grams       lengths 2 3, matches 2 0 0 0 of 2 1 0 0
    sums        lengths 8 9, matches 7 3 2 1 of 8 6 4 3: precisions 87.5, 50, 50, 33.3, penalty exp(1 - 9/8): 45.86
    TER         1 edit of 6 words, 1 of 3: 2 of 9, 22.22

A row of a document is the sum of its segments', so that corpus scores do not depend on the unit.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Floats, Integers
from scoring.families.squad import first_answer_scores
from scoring.families.text.kinds import ORDERS, divided
from scoring.families.text.measures.beside_source import gleu_rows, sari_rows
from scoring.families.text.measures.by_sacrebleu import statistics, ter_rows, words_of
from scoring.families.text.measures.meteor import meteor_rows
from scoring.families.text.measures.rouge import has_words, rouge_rows
from scoring.families.text.options import check_packages
from scoring.family import Counted, Options, about_gold
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.text import Gold, System

_ENOUGH_TOKENIZED = 100  # segments that end in " .", as sacreBLEU has it


@dataclass(frozen=True)
class Matches:
    """Holds what the tables are made from."""

    gold: Gold
    rows: Floats  # (segments, kinds)


def count(gold: Gold, system: System, options: Options) -> Counted:
    """Count all segments; a row for each unit. ConfigurationError where a library is missing."""
    check_packages(options)
    rows, n_unsure = _rows(gold, system, options)
    names, of_segment = _units(gold, options)
    unit_rows = rows
    if options["unit"] == "document":
        unit_rows = np.zeros((len(names), rows.shape[1]))
        np.add.at(unit_rows, of_segment, rows)
    return Counted(
        units=names,
        rows=unit_rows,
        totals=_totals(gold, system, rows, options),
        warnings=[
            *_warnings(system, n_unsure),
            *_without_ngrams(rows, options),
            *about_gold(_gold_warnings(gold, options)),
        ],
        matches=Matches(gold, rows),
    )


def by_document(documents: list[str]) -> tuple[list[str], Integers]:
    """Return the documents in the order of their first segments, and the index of each segment's."""
    index: dict[str, int] = {}
    of_segment = np.fromiter((index.setdefault(name, len(index)) for name in documents), np.int64, len(documents))
    return list(index), of_segment


def _units(gold: Gold, options: Options) -> tuple[list[str], Integers]:
    if options["unit"] == "document":
        return by_document(gold.documents or [])
    return gold.ids, np.arange(len(gold.ids))


def _rows(gold: Gold, system: System, options: Options) -> tuple[Floats, int]:
    """Return (segments, kinds), as `kinds.py` says, and of how many segments TER may have fewer edits."""
    columns, n_unsure = statistics(system.texts, gold.references, options), 0
    if "ter" in options["metrics"]:
        columns["ter"], n_unsure = ter_rows(system.texts, gold.references, options)
    if "rouge" in options["metrics"]:
        columns["rouge"] = rouge_rows(system.texts, gold.references, stemmed=options["rouge_stemmer"])
    if "exact" in options["metrics"]:
        values = first_answer_scores(gold.references, system.texts, english=options["normalize"] == "en")
        columns["exact"] = np.column_stack([np.array(values), np.ones(len(values))])
    if "sari" in options["metrics"]:
        columns["sari"] = sari_rows(system.texts, gold.references, gold.sources or [], words_of(options))
    if "gleu" in options["metrics"]:
        columns["gleu"] = gleu_rows(system.texts, gold.references, gold.sources or [])
    if "meteor" in options["metrics"]:
        columns["meteor"] = meteor_rows(system.texts, gold.references, words_of(options))
    return np.hstack([columns[metric] for metric in options["metrics"]]), n_unsure


def _totals(gold: Gold, system: System, rows: Floats, options: Options) -> dict[str, int | float]:
    totals: dict[str, int | float] = {
        "segments": len(gold.ids),
        "references": sum(map(len, gold.references)),
        "empty_segments": sum(1 for text in system.texts if not text.strip()),
        "documents": len(set(gold.documents or [])),
    }
    if "bleu" in options["metrics"]:
        lengths = divided(rows, options)["bleu"][:, :2].sum(axis=0)
        totals |= {"system_length": int(lengths[0]), "reference_length": int(lengths[1])}
    return totals


def _warnings(system: System, n_unsure: int) -> Iterator[str]:
    n_empty = sum(1 for text in system.texts if not text.strip())
    if n_empty:
        yield Message.counted("empty-segments", "1 empty segment", "{n} empty segments", n_empty)
    if system.odd:
        yield Finding(system.odd.said, system.file).placed
    if n_unsure:
        yield Message.counted(
            "segments-too-long",
            "TER: 1 segment is so long that not all shifts were tried; sacreBLEU may find fewer edits",
            "TER: {n} segments are so long that not all shifts were tried; sacreBLEU may find fewer edits",
            n_unsure,
        )
    n_tokenized = sum(1 for text in system.texts if text.endswith(" ."))
    if n_tokenized >= _ENOUGH_TOKENIZED:
        yield Message(
            "segments-tokenized",
            "{n} segments end in a blank and a full stop: is the output detokenized?",
            n=n_tokenized,
        )


def _without_ngrams(rows: Floats, options: Options) -> Iterator[str]:
    """Name the scores that can only be 0, as the run has no words enough in a row."""
    for metric, title in (("bleu", "BLEU"), ("gleu", "GLEU")):
        if metric in options["metrics"] and not divided(rows, options)[metric][:, -1].any():
            yield Message(
                "no-ngram-of-run",
                "no segment of the run has {n} words: {score} is 0 then, whatever is right",
                n=ORDERS,
                score=title,
            )


def _gold_warnings(gold: Gold, options: Options) -> Iterator[str]:
    if gold.odd:
        yield gold.odd.said
    if "rouge" in options["metrics"]:
        n = sum(1 for references in gold.references if not any(map(has_words, references)))
        if 2 * n > len(gold.ids):
            yield Message(
                "rouge-finds-no-word",
                "ROUGE finds no word in the references of {n} of {of} segments: "
                "it knows the letters a to z and digits alone",
                n=n,
                of=len(gold.ids),
            )
