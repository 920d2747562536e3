"""Describes what was read of a run: phrases with their text, and relations between them."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from scoring.columns import Integers, coded, hashed, is_first, owners, ranks, summed
from scoring.describing.contents import NO_UNIT, Contents, Layer, Relations, Spans
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd import Gold, Phrases, System
from scoring.readers.ehealthkd.editions import PAIRED, phrase_file, relation_file
from scoring.readers.ehealthkd.oddities import PHRASE_LABELS, RELATION_LABELS
from scoring.readers.ehealthkd.resolving import number_through, repeated_in_all

_TEXT_COLUMN = 3
_TEXT_COLUMN_OF_PAIRS = 2
# What the guideline of the challenge puts at the source of these relations; the others may begin anywhere.
_SOURCES = {
    **dict.fromkeys(("subject", "target"), frozenset({"Action"})),
    **dict.fromkeys(("domain", "arg"), frozenset({"Predicate"})),
}
# Shares of the training data of 2019; of its runs with 100 annotations and more none lacks one of these labels. A
# simple system may well leave out rarer ones.
_USUAL_PHRASES = {"Concept": 0.62, "Action": 0.25, "Predicate": 0.08}
_USUAL_RELATIONS = {"target": 0.27, "subject": 0.14}


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    """Describe what the run brings itself; phrases that scenario 3 gives are the gold's and left out."""
    scenario = options["scenario"]
    rules = options["rules"]
    layers = []
    path = phrase_file(files, scenario, rules)
    if system.has_phrases and path:
        inventory = _inventory(gold.phrases.labels, PHRASE_LABELS)
        column = _TEXT_COLUMN_OF_PAIRS if rules in PAIRED else _TEXT_COLUMN
        unit = _units(system.phrases.sentence, len(gold.sentences.texts))
        layers.append(_phrases(files[path], path, system, unit, inventory, scenario, column))
    layers.append(_relations(relation_file(files, scenario, rules), gold, system, scenario))
    return Contents(
        unit=Message.noun("sentence", "sentences"),
        n_units=len(gold.sentences.texts),
        layers=layers,
        texts=gold.sentences.texts,
        left_aside=_between_sentences(system, relation_file(files, scenario, rules)) if scenario != 2 else (),
        further=[
            *(_repeated_ids(system.phrases, path) if scenario != 2 and system.has_phrases and path else ()),
            *(_joining_themselves(system, relation_file(files, scenario, rules)) if scenario != 2 else ()),
        ],
    )


_FEWEST_THEMSELVES, _THEMSELVES = 10, 0.5  # ordinary runs reach a fifth


def _joining_themselves(system: System, file: str | None) -> Iterator[Finding]:
    """Yield `direction` where relations join phrases with themselves."""
    same = np.flatnonzero(system.relations.source == system.relations.target)
    n, of = len(same), len(system.relations)
    if n >= max(_FEWEST_THEMSELVES, _THEMSELVES * of):
        message = Message(
            "relations-with-themselves", "{n:,} of {of:,} relations join a phrase with itself.", n=n, of=of
        )
        suggestion = Message("source-and-target", "write the ID of the source and that of the target")
        line = int(system.relations.line[same[0]]) + 1
        yield Finding.odd("direction", message, n, of, file, line, suggestion=suggestion)


_REPEATED, _FEWEST_REPEATED = 0.3, 10  # of the phrases, of which relations do not tell which one is meant


def _repeated_ids(phrases: Phrases, file: str) -> list[Finding]:
    """Return the phrases with an ID that another one has, where relations name phrases by it."""
    again = np.flatnonzero(~is_first(phrases.ids))
    n, of = len(again), len(phrases)
    if n < max(_FEWEST_REPEATED, _REPEATED * of):
        return []
    message = repeated_in_all(n, of, phrases.ids[again[0]])
    return [Finding.odd("ids", message, n, of, file, int(phrases.line[again[0]]) + 1, suggestion=number_through())]


def _between_sentences(system: System, file: str | None) -> list[Finding]:
    """Return the relations that join two sentences, as the challenge's program leaves them out."""
    lines = system.relations.outside
    n, of = len(lines), len(system.relations) + len(lines)
    message = Message(
        "relations-between-sentences",
        "{n:,} of {of:,} relations join two sentences and are not scored.",
        n=n,
        of=of,
    )
    suggestion = Message("ids-of-phrases-in-relations", "do they name the IDs of the phrases that they join?")
    return [Finding.aside(n, of, message, suggestion, file, int(lines.min()) + 1 if n else None)]


def _inventory(of_gold: list[str], official: tuple[str, ...]) -> frozenset[str]:
    """Return the official labels and those of a gold that has others.

    A gold without any official one has its own alone.
    """
    labels = frozenset(of_gold)
    return labels if labels and labels.isdisjoint(official) else labels.union(official)


def _units(sentence: Integers, n_units: int) -> Integers:
    """Return each sentence's unit; NO_UNIT for those behind the gold's, which the official alignment does not place."""
    return np.where(sentence < n_units, sentence, NO_UNIT)


def _phrases(
    content: bytes,
    file: str,
    system: System,
    unit: Integers,
    inventory: frozenset[str],
    scenario: int,
    column: int,
) -> Layer:
    phrases, sentences = system.phrases, system.sentences
    # From places in sentences back to those in the whole text, which the file counts.
    shift = sentences.starts[phrases.sentence[owners(np.diff(phrases.first))]]

    @cache
    def lines() -> list[bytes]:
        return content.splitlines()

    def stated_texts(chosen: Integers) -> list[str]:
        columns = (lines()[line].decode().strip().split("\t") for line in phrases.line[chosen].tolist())
        return [cells[column] if len(cells) > column else "" for cells in columns]

    words = _phrase_codes(phrases)
    return Layer(
        name=Message.noun("phrase", "phrases"),
        unit=unit,
        is_scored=scenario != 3,
        labels=phrases.labels,
        label=phrases.label,
        inventory=inventory,
        is_declared=True,
        public=frozenset(PHRASE_LABELS),
        usual=_USUAL_PHRASES,
        content=words,
        is_placed=True,
        identity=hashed(words, phrases.sentence),
        spans=Spans(
            texts=["\n".join(sentences.texts)],
            document=np.zeros(len(phrases), dtype=np.int64),
            first=phrases.first,
            starts=phrases.starts + shift,
            ends=phrases.ends + shift,
            stated=stated_texts,
            sentences=sentences.starts,
        ),
        file=file,
        place=lambda k: (file, int(phrases.line[k]) + 1),
    )


def _phrase_codes(phrases: Phrases) -> Integers:
    """Return the label and all spans of each phrase, in its sentence, as one number (n,)."""
    sizes = np.diff(phrases.first)
    spans = hashed(phrases.starts, phrases.ends, ranks(sizes))
    return hashed(summed(spans, phrases.first[:-1]), phrases.label)


def _relations(file: str | None, gold: Gold, system: System, scenario: int) -> Layer:
    relations, phrases = system.relations, system.phrases
    return Layer(
        name=Message.noun("relation", "relations"),
        unit=_units(phrases.sentence[relations.source], len(gold.sentences.texts)),
        is_scored=scenario != 2,
        labels=relations.labels,
        label=relations.label,
        inventory=_inventory(gold.relations.labels, RELATION_LABELS),
        is_declared=True,
        public=frozenset(RELATION_LABELS),
        usual=_USUAL_RELATIONS,
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
