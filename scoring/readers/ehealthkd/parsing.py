"""Files of phrases and relations as raw columns, before anything is looked up."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem
from scoring.readers.ehealthkd.columns import Integers
from scoring.readers.ehealthkd.lines import (
    MalformedLine,
    PhraseLine,
    RelationLine,
    parse_phrase,
    parse_relation,
)
from scoring.readers.ehealthkd.regular import (
    Block,
    Labels,
    blocks,
    regular_phrases,
    regular_relations,
)

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
    labels, irregular = Labels(), _Irregular(file, parse_phrase)
    parts, lines = [], []
    for first_line, block in _blocks(content):
        part = regular_phrases(block, labels)
        parts.append(part)
        lines.append(first_line + part.rows)
        irregular.read(block, part.rows, first_line)
    regular = RawPhrases(
        lines=_joined(lines),
        ids=_joined([part.ids for part in parts]),
        labels=[text.decode() for text in labels.texts],
        label=_joined([part.label for part in parts]),
        first=_sums_before(_joined([part.n_spans for part in parts])),
        starts=_joined([part.starts for part in parts]),
        ends=_joined([part.ends for part in parts]),
    )
    if irregular.parsed:
        return _merged_phrases(regular, _raw_phrases(irregular)), irregular.problems
    return regular, irregular.problems


def parse_relations(content: bytes, file: str) -> tuple[RawRelations, list[Problem]]:
    """The well-formed lines, and the problems of the others."""
    labels, irregular = Labels(), _Irregular(file, parse_relation)
    parts, lines = [], []
    for first_line, block in _blocks(content):
        part = regular_relations(block, labels)
        parts.append(part)
        lines.append(first_line + part.rows)
        irregular.read(block, part.rows, first_line)
    names, label = _recoded([text.decode().lower() for text in labels.texts], _joined([part.label for part in parts]))
    regular = RawRelations(
        lines=_joined(lines),
        labels=names,
        label=label,
        source=_joined([part.source for part in parts]),
        target=_joined([part.target for part in parts]),
    )
    if irregular.parsed:
        return _merged_relations(regular, _raw_relations(irregular)), irregular.problems
    return regular, irregular.problems


class _Irregular(Generic[Line]):
    """The lines that are not of the usual form, one by one: what they say, or their problems."""

    def __init__(self, file: str, parse: Callable[[str], Line]) -> None:
        self._file = file
        self._parse = parse
        self.lines: list[int] = []
        self.parsed: list[Line] = []
        self.problems: list[Problem] = []

    def read(self, block: Block, regular: Integers, first_line: int) -> None:
        for row in np.setdiff1d(np.arange(block.n_lines), regular, assume_unique=True).tolist():
            try:
                self.parsed.append(self._parse(block.line(row)))
                self.lines.append(first_line + row)
            except MalformedLine as error:
                self.problems.append(Problem(str(error), self._file, first_line + row))


def _blocks(content: bytes) -> Iterator[tuple[int, Block]]:
    """Blocks with the number of their first line."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if content and not content.endswith(b"\n"):
        content += b"\n"
    line = 1
    for lines in blocks(content):
        block = Block(lines)
        yield line, block
        line += block.n_lines


def _raw_phrases(irregular: _Irregular[PhraseLine]) -> RawPhrases:
    parsed = irregular.parsed
    spans = [span for line in parsed for span in line.spans]
    labels, label = _coded([line.label for line in parsed])
    return RawPhrases(
        lines=np.array(irregular.lines, dtype=np.int64),
        ids=_integers([line.id for line in parsed]),
        labels=labels,
        label=label,
        first=_sums_before(np.array([len(line.spans) for line in parsed], dtype=np.int64)),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
    )


def _raw_relations(irregular: _Irregular[RelationLine]) -> RawRelations:
    parsed = irregular.parsed
    labels, label = _coded([line.label for line in parsed])
    source = _integers([line.source for line in parsed])
    target = _integers([line.target for line in parsed])
    return RawRelations(np.array(irregular.lines, dtype=np.int64), labels, label, source, target)


def _merged_phrases(a: RawPhrases, b: RawPhrases) -> RawPhrases:
    """Both in the order of their lines."""
    order = np.argsort(np.concatenate([a.lines, b.lines]))
    labels, label = _merged_labels(a, b)
    n_spans = np.concatenate([np.diff(a.first), np.diff(b.first)])
    first, ordered = _sums_before(n_spans), _sums_before(n_spans[order])
    spans = np.arange(ordered[-1]) + np.repeat(first[:-1][order] - ordered[:-1], n_spans[order])
    return RawPhrases(
        lines=np.concatenate([a.lines, b.lines])[order],
        ids=np.concatenate([a.ids, b.ids])[order],
        labels=labels,
        label=label[order],
        first=ordered,
        starts=np.concatenate([a.starts, b.starts])[spans],
        ends=np.concatenate([a.ends, b.ends])[spans],
    )


def _merged_relations(a: RawRelations, b: RawRelations) -> RawRelations:
    order = np.argsort(np.concatenate([a.lines, b.lines]))
    labels, label = _merged_labels(a, b)
    return RawRelations(
        lines=np.concatenate([a.lines, b.lines])[order],
        labels=labels,
        label=label[order],
        source=np.concatenate([a.source, b.source])[order],
        target=np.concatenate([a.target, b.target])[order],
    )


def _merged_labels(a: RawPhrases | RawRelations, b: RawPhrases | RawRelations) -> tuple[list[str], Integers]:
    return _recoded(a.labels + b.labels, np.concatenate([a.label, len(a.labels) + b.label]))


def _recoded(names: list[str], label: Integers) -> tuple[list[str], Integers]:
    """Each name once, where several codes may have stood for one."""
    labels, code = _coded(names)
    return labels, code[label]


def _coded(names: list[str]) -> tuple[list[str], Integers]:
    codes: dict[str, int] = {}
    coded = [codes.setdefault(name, len(codes)) for name in names]
    return list(codes), np.array(coded, dtype=np.int64)


def _integers(values: list[int]) -> NDArray[Any]:
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _sums_before(numbers: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(numbers)])
