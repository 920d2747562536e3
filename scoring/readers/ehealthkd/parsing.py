"""Files of phrases and relations as raw columns, before anything is looked up.

Each file goes through two paths, line by line: the fast path (`fast.py`) reads all regular lines of a block at once,
the careful path (`careful.py`) each line that is left. Both say the same of a regular line, so that the result does
not depend on how many lines are regular.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers, ranges, starts_from_sizes
from scoring.errors import Problem
from scoring.readers.ehealthkd.careful import PhraseLine, RelationLine, parse_lines, parse_phrase, parse_relation
from scoring.readers.ehealthkd.columns import Ids, RawPhrases, RawRelations
from scoring.readers.ehealthkd.fast import Block, Labels, RegularPhrases, blocks, fast_phrases, fast_relations
from scoring.readers.problems import Problems


def parse_phrases(content: bytes, file: str) -> tuple[RawPhrases, list[Problem]]:
    """The well-formed lines, and the problems of the others; `content` is known to be UTF-8."""
    labels = Labels()
    parts, lines, others, problems = [], [], [], Problems(file)
    for first_line, block in numbered_blocks(content):
        part = fast_phrases(block, labels)
        parts.append(part)
        lines.append(first_line + part.rows)
        rows = irregular_rows(block, part.rows, 3, problems)
        others += parse_lines(lines_of(block, rows, first_line), parse_phrase, problems)
    regular = regular_phrases(parts, lines, labels)
    return merged_phrases(regular, raw_phrases(others)) if others else regular, problems.listed()


def parse_relations(content: bytes, file: str) -> tuple[RawRelations, list[Problem]]:
    """The well-formed lines, and the problems of the others; `content` is known to be UTF-8."""
    labels = Labels()
    parts, lines, others, problems = [], [], [], Problems(file)
    for first_line, block in numbered_blocks(content):
        part = fast_relations(block, labels)
        parts.append(part)
        lines.append(first_line + part.rows)
        rows = irregular_rows(block, part.rows, 2, problems)
        others += parse_lines(lines_of(block, rows, first_line), parse_relation, problems)
    # The fast path tells labels apart by their bytes: IS-A and is-a become one here.
    names, label = _recoded([text.decode().lower() for text in labels.texts], joined([part.label for part in parts]))
    regular = RawRelations(
        lines=joined(lines),
        labels=names,
        label=label,
        source=joined([part.source for part in parts]),
        target=joined([part.target for part in parts]),
    )
    return merged_relations(regular, raw_relations(others)) if others else regular, problems.listed()


def regular_phrases(parts: Sequence[RegularPhrases], lines: list[Integers], labels: Labels) -> RawPhrases:
    """The regular lines of all blocks together; `lines` are the numbers of those of each block."""
    return RawPhrases(
        lines=joined(lines),
        ids=joined([part.ids for part in parts]),
        labels=[text.decode() for text in labels.texts],
        label=joined([part.label for part in parts]),
        first=starts_from_sizes(joined([part.n_spans for part in parts])),
        starts=joined([part.starts for part in parts]),
        ends=joined([part.ends for part in parts]),
    )


def numbered_blocks(content: bytes) -> Iterator[tuple[int, Block]]:
    """Blocks of whole lines, each with the number of its first line, from 1; every line ends with a line feed."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if content and not content.endswith(b"\n"):
        content += b"\n"
    line = 1
    for lines in blocks(content):
        block = Block(lines)
        yield line, block
        line += block.n_lines


def irregular_rows(block: Block, regular: Integers, n_tabs: int, problems: Problems) -> Integers:
    """The lines of a block that the fast path has not read, without those that need not be read to be counted.

    Where so many problems have been found that the others are counted only, a line with fewer tabs than `n_tabs`,
    which no line can do without, is one more of them.
    """
    rows = np.setdiff1d(np.arange(block.n_lines), regular, assume_unique=True)
    if not problems.are_counted_only:
        return rows
    lacks_columns = block.tabs_of_lines[rows] < n_tabs
    problems.count(int(np.count_nonzero(lacks_columns)))
    return rows[~lacks_columns]


def lines_of(block: Block, rows: Integers, first_line: int) -> Iterator[tuple[int, str]]:
    """Number and text of some lines of a block."""
    for row in rows.tolist():
        yield first_line + row, block.line(row)


def raw_phrases(numbered: list[tuple[int, PhraseLine]]) -> RawPhrases:
    numbers, phrases = zip(*numbered, strict=True)
    spans = [span for phrase in phrases for span in phrase.spans]
    labels, label = _coded([phrase.label for phrase in phrases])
    return RawPhrases(
        lines=np.array(numbers, dtype=np.int64),
        ids=_integers([phrase.id for phrase in phrases]),
        labels=labels,
        label=label,
        first=starts_from_sizes([len(phrase.spans) for phrase in phrases]),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
    )


def raw_relations(numbered: list[tuple[int, RelationLine]]) -> RawRelations:
    numbers, relations = zip(*numbered, strict=True)
    labels, label = _coded([relation.label for relation in relations])
    return RawRelations(
        lines=np.array(numbers, dtype=np.int64),
        labels=labels,
        label=label,
        source=_integers([relation.source for relation in relations]),
        target=_integers([relation.target for relation in relations]),
    )


def merged_phrases(a: RawPhrases, b: RawPhrases) -> RawPhrases:
    """The phrases of both in the order of their lines."""
    order = np.argsort(np.concatenate([a.lines, b.lines]))
    labels, label = _merged_labels(a, b)
    # The spans of b are moved behind those of a, and then each phrase's spans to where the phrase goes.
    n_spans = np.concatenate([np.diff(a.first), np.diff(b.first)])
    first = starts_from_sizes(n_spans)
    spans = ranges(first[:-1][order], n_spans[order])
    return RawPhrases(
        lines=np.concatenate([a.lines, b.lines])[order],
        ids=np.concatenate([a.ids, b.ids])[order],
        labels=labels,
        label=label[order],
        first=starts_from_sizes(n_spans[order]),
        starts=np.concatenate([a.starts, b.starts])[spans],
        ends=np.concatenate([a.ends, b.ends])[spans],
    )


def merged_relations(a: RawRelations, b: RawRelations) -> RawRelations:
    """The relations of both in the order of their lines."""
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
    """Each name once, and for indices into `names`, where one may stand twice, the indices into those.

    >>> _recoded(["is-a", "causes", "is-a"], np.array([2, 1, 0]))
    (['is-a', 'causes'], array([0, 1, 0]))
    """
    labels, code = _coded(names)
    return labels, code[label]


def _coded(names: list[str]) -> tuple[list[str], Integers]:
    """Each name once, in the order of its first occurrence, and the index of each given one among them."""
    codes: dict[str, int] = {}
    code = [codes.setdefault(name, len(codes)) for name in names]
    return list(codes), np.array(code, dtype=np.int64)


def _integers(values: list[int]) -> Ids:
    """As int64, or as Python integers where one is too large: an ID is any integer."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def joined(parts: list[Integers]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
