"""What was read of a run, for the description of it: phrases with their text, and relations between them."""

from functools import cache

import numpy as np

from scoring.columns import Integers, coded, owners, ranks
from scoring.describing.contents import Contents, Layer, Relations, Spans
from scoring.describing.hashing import hashed, summed
from scoring.family import Files, Options
from scoring.readers.ehealthkd import Gold, Phrases, System
from scoring.readers.ehealthkd.layout import find
from scoring.readers.ehealthkd.oddities import PHRASE_LABELS, RELATION_LABELS

_TEXT_COLUMN = 3
# What the guideline of the challenge puts at the source of these relations; the others may begin anywhere.
_SOURCES = {
    **dict.fromkeys(("subject", "target"), frozenset({"Action"})),
    **dict.fromkeys(("domain", "arg"), frozenset({"Predicate"})),
}


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    """Phrases that the run does not bring itself, in scenario 3, are the gold's and not described."""
    scenario = options["scenario"]
    paths = find(files, scenario)
    layers = []
    if system.has_phrases:
        inventory = _inventory(gold.phrases.labels, PHRASE_LABELS)
        layers.append(_phrases(files[paths["output_a"]], paths["output_a"], system, inventory, scenario))
    layers.append(_relations(paths.get("output_b"), gold, system, scenario))
    return Contents(
        unit=("sentence", "sentences"), n_units=len(gold.sentences.texts), layers=layers, texts=gold.sentences.texts
    )


def _inventory(of_gold: list[str], official: tuple[str, ...]) -> frozenset[str]:
    """The official labels, and those of a gold that has others; a gold without any official one has its own alone."""
    own = frozenset(of_gold)
    return own if own and own.isdisjoint(official) else own.union(official)


def _phrases(content: bytes, file: str, system: System, inventory: frozenset[str], scenario: int) -> Layer:
    phrases, sentences = system.phrases, system.sentences
    # From places in sentences back to those in the whole text, which the file counts.
    shift = sentences.starts[phrases.sentence[owners(np.diff(phrases.first))]]

    @cache
    def lines() -> list[bytes]:
        return content.splitlines()

    def given(chosen: Integers) -> list[str]:
        return [lines()[k].decode().strip().split("\t")[_TEXT_COLUMN] for k in chosen.tolist()]

    said = _said(phrases)
    return Layer(
        name=("phrase", "phrases"),
        unit=phrases.sentence,
        is_scored=scenario != 3,
        labels=phrases.labels,
        label=phrases.label,
        inventory=inventory,
        is_declared=True,
        saying=said,
        is_placed=True,
        identity=hashed(said, phrases.sentence),
        spans=Spans(
            texts=["\n".join(sentences.texts)],
            document=np.zeros(len(phrases), dtype=np.int64),
            first=phrases.first,
            starts=phrases.starts + shift,
            ends=phrases.ends + shift,
            given=given,
            sentences=sentences.starts,
        ),
        file=file,
        place=lambda k: (file, k + 1),
    )


def _said(phrases: Phrases) -> Integers:
    """The label and all spans of each phrase, in its sentence, as one number (n,)."""
    sizes = np.diff(phrases.first)
    spans = hashed(phrases.starts, phrases.ends, ranks(sizes))
    return hashed(summed(spans, phrases.first[:-1]), phrases.label)


def _relations(file: str | None, gold: Gold, system: System, scenario: int) -> Layer:
    relations, phrases = system.relations, system.phrases
    return Layer(
        name=("relation", "relations"),
        unit=phrases.sentence[relations.source],
        is_scored=scenario != 2,
        labels=relations.labels,
        label=relations.label,
        inventory=_inventory(gold.relations.labels, RELATION_LABELS),
        is_declared=True,
        identity=coded(relations.source, relations.target, relations.label),
        relations=Relations(
            source=phrases.label[relations.source],
            target=phrases.label[relations.target],
            labels=phrases.labels,
            sources=_SOURCES,
        ),
        file=file,
        place=lambda k: (file, int(relations.line[k]) + 1),
    )
