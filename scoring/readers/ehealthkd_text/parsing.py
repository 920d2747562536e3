"""Files of phrases and relations as raw columns, before anything is looked up."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem
from scoring.readers.ehealthkd_text.columns import Integers
from scoring.readers.ehealthkd_text.lines import MalformedLine, parse_phrase, parse_relation
from scoring.readers.ehealthkd_text.sentences import split_lines

Line = TypeVar("Line")


@dataclass(frozen=True)
class RawPhrases:
    """As in the file: spans in the order listed, offsets of the whole text; `lines` count from 1."""

    lines: Integers
    ids: NDArray[Any]
    labels: list[str]
    label: Integers
    first: Integers
    starts: Integers
    ends: Integers


@dataclass(frozen=True)
class RawRelations:
    lines: Integers
    labels: list[str]
    label: Integers
    source: NDArray[Any]
    target: NDArray[Any]


def parse_phrases(content: bytes, file: str) -> tuple[RawPhrases, list[Problem]]:
    """The well-formed lines, and the problems of the others."""
    lines, parsed, problems = _parsed(content, file, parse_phrase)
    labels, label = _coded(line.label for line in parsed)
    spans = [span for line in parsed for span in line.spans]
    raw = RawPhrases(
        lines=lines,
        ids=_integers([line.id for line in parsed]),
        labels=labels,
        label=label,
        first=np.cumsum([0, *(len(line.spans) for line in parsed)]),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
    )
    return raw, problems


def parse_relations(content: bytes, file: str) -> tuple[RawRelations, list[Problem]]:
    """The well-formed lines, and the problems of the others."""
    lines, parsed, problems = _parsed(content, file, parse_relation)
    labels, label = _coded(line.label for line in parsed)
    source = _integers([line.source for line in parsed])
    target = _integers([line.target for line in parsed])
    return RawRelations(lines, labels, label, source, target), problems


def _parsed(content: bytes, file: str, parse: Callable[[str], Line]) -> tuple[Integers, list[Line], list[Problem]]:
    numbers, parsed, problems = [], [], []
    for number, line in enumerate(split_lines(content.decode()), start=1):
        try:
            parsed.append(parse(line))
            numbers.append(number)
        except MalformedLine as error:
            problems.append(Problem(str(error), file, number))
    return np.array(numbers, dtype=np.int64), parsed, problems


def _coded(labels: Iterable[str]) -> tuple[list[str], Integers]:
    codes: dict[str, int] = {}
    coded = [codes.setdefault(label, len(codes)) for label in labels]
    return list(codes), np.array(coded, dtype=np.int64)


def _integers(values: list[int]) -> NDArray[Any]:
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
