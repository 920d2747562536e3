"""Files of phrases and relations as raw columns, before anything is looked up."""

import numpy as np

from scoring.columns import Integers, starts_from_sizes
from scoring.errors import Problem
from scoring.readers.ehealthkd.columns import Ids, RawPhrases, RawRelations
from scoring.readers.ehealthkd.lines import PhraseLine, RelationLine, parse_lines, parse_phrase, parse_relation
from scoring.readers.problems import Problems


def parse_phrases(content: bytes, file: str) -> tuple[RawPhrases, list[Problem]]:
    """Parse the well-formed lines, and return the problems of the others; `content` is known to be UTF-8."""
    problems = Problems(file)
    lines = parse_lines(content.decode(), parse_phrase, problems)
    return raw_phrases(lines), problems.listed()


def parse_relations(content: bytes, file: str) -> tuple[RawRelations, list[Problem]]:
    """Parse the well-formed lines, and return the problems of the others; `content` is known to be UTF-8."""
    problems = Problems(file)
    lines = parse_lines(content.decode(), parse_relation, problems)
    return raw_relations(lines), problems.listed()


def raw_phrases(numbered: list[tuple[int, PhraseLine]]) -> RawPhrases:
    phrases = [phrase for _, phrase in numbered]
    spans = [span for phrase in phrases for span in phrase.spans]
    labels, label = _coded([phrase.label for phrase in phrases])
    return RawPhrases(
        lines=np.array([line for line, _ in numbered], dtype=np.int64),
        ids=_integers([phrase.id for phrase in phrases]),
        labels=labels,
        label=label,
        first=starts_from_sizes([len(phrase.spans) for phrase in phrases]),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
    )


def raw_relations(numbered: list[tuple[int, RelationLine]]) -> RawRelations:
    relations = [relation for _, relation in numbered]
    labels, label = _coded([relation.label for relation in relations])
    return RawRelations(
        lines=np.array([line for line, _ in numbered], dtype=np.int64),
        labels=labels,
        label=label,
        source=_integers([relation.source for relation in relations]),
        target=_integers([relation.target for relation in relations]),
    )


def _coded(names: list[str]) -> tuple[list[str], Integers]:
    """Return each name once, in the order of its first occurrence, and each given one's index among them."""
    codes: dict[str, int] = {}
    code = [codes.setdefault(name, len(codes)) for name in names]
    return list(codes), np.array(code, dtype=np.int64)


def _integers(values: list[int]) -> Ids:
    """Return int64, or Python integers where one is too large: an ID is any integer."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
