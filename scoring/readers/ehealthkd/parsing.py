"""Files of phrases and relations as raw columns, before anything is looked up."""

import numpy as np

from scoring.columns import starts_from_sizes
from scoring.findings import Finding
from scoring.readers.ehealthkd import fast
from scoring.readers.ehealthkd.columns import RawPhrases, RawRelations, coded_names, ids_of
from scoring.readers.ehealthkd.lines import PhraseLine, RelationLine, parse_lines, parse_phrase, parse_relation
from scoring.readers.problems import Problems


def parse_phrases(content: bytes, file: str) -> tuple[RawPhrases, list[Finding]]:
    """Parse the well-formed lines, and return the problems of the others; `content` is known to be UTF-8."""
    text = content.decode()
    if phrases := fast.phrases_of(text):
        return phrases, []
    problems = Problems(file)
    lines = parse_lines(text, parse_phrase, problems)
    return raw_phrases(lines), problems.listed()


def parse_relations(content: bytes, file: str) -> tuple[RawRelations, list[Finding]]:
    """Parse the well-formed lines, and return the problems of the others; `content` is known to be UTF-8."""
    text = content.decode()
    if relations := fast.relations_of(text):
        return relations, []
    problems = Problems(file)
    lines = parse_lines(text, parse_relation, problems)
    return raw_relations(lines), problems.listed()


def raw_phrases(numbered: list[tuple[int, PhraseLine]]) -> RawPhrases:
    phrases = [phrase for _, phrase in numbered]
    spans = [span for phrase in phrases for span in phrase.spans]
    labels, label = coded_names([phrase.label for phrase in phrases])
    return RawPhrases(
        lines=np.array([line for line, _ in numbered], dtype=np.int64),
        ids=ids_of([phrase.id for phrase in phrases]),
        labels=labels,
        label=label,
        first=starts_from_sizes([len(phrase.spans) for phrase in phrases]),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
    )


def raw_relations(numbered: list[tuple[int, RelationLine]]) -> RawRelations:
    relations = [relation for _, relation in numbered]
    labels, label = coded_names([relation.label for relation in relations])
    return RawRelations(
        lines=np.array([line for line, _ in numbered], dtype=np.int64),
        labels=labels,
        label=label,
        source=ids_of([relation.source for relation in relations]),
        target=ids_of([relation.target for relation in relations]),
    )
