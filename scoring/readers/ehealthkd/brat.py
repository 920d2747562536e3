r"""The annotation file of a brat pair, as the editions of 2020 and 2021 have it, as raw columns.

As with the files of 2019, regular lines are read thousands at a time, and each other line alone (`brat_lines.py`).
Regular are `T1 TAB Concept 4 8;9 22 TAB text`, `R1 TAB is-a Arg1:T1 Arg2:T2` and `* TAB same-as T1 T2`, with the
numbers and labels of `fast.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from scoring.columns import Flags, Integers
from scoring.errors import Problem
from scoring.readers.ehealthkd.brat_lines import EventLine, name_of, parse_annotation
from scoring.readers.ehealthkd.careful import PhraseLine, RelationLine, parse_lines
from scoring.readers.ehealthkd.columns import RawPhrases, RawRelations
from scoring.readers.ehealthkd.fast import (
    BLANK,
    LONGEST_LABEL,
    NEWLINE,
    Block,
    Labels,
    RegularPhrases,
    RegularRelations,
    spans_between,
)
from scoring.readers.ehealthkd.parsing import (
    irregular_rows,
    joined,
    lines_of,
    merged_phrases,
    merged_relations,
    numbered_blocks,
    raw_phrases,
    raw_relations,
    regular_phrases,
)
from scoring.readers.problems import Problems

_T, _R, _STAR = b"TR*"
# As words: the eight bytes before an offset, those in front of a shorter text set to zero.
_ARG1, _ARG2 = (np.uint64(int.from_bytes(text.rjust(8, b"\0"), "little")) for text in (b"Arg1:T", b"Arg2:T"))


@dataclass
class _Others:
    """The lines that are not regular, with their numbers."""

    phrases: list[tuple[int, PhraseLine]] = field(default_factory=list)
    relations: list[tuple[int, RelationLine]] = field(default_factory=list)
    events: list[tuple[int, EventLine]] = field(default_factory=list)

    def add(self, line: int, said: PhraseLine | EventLine | list[RelationLine]) -> None:
        if isinstance(said, PhraseLine):
            self.phrases.append((line, said))
        elif isinstance(said, EventLine):
            self.events.append((line, said))
        else:
            self.relations += [(line, relation) for relation in said]


def parse_annotations(content: bytes, file: str) -> tuple[RawPhrases, RawRelations, list[Problem]]:
    """Phrases and relations of the well-formed lines, and the problems of the others; `content` is known to be UTF-8.

    Events have become relations; phrases are named by the number behind the T.
    """
    phrase_labels, relation_labels = Labels(), Labels()
    phrases, relations, others, problems = [], [], _Others(), Problems(file)
    phrase_lines, relation_lines = [], []
    for first_line, block in numbered_blocks(content):
        phrases.append(_fast_phrases(block, phrase_labels))
        relations.append(_fast_relations(block, relation_labels))
        phrase_lines.append(first_line + phrases[-1].rows)
        relation_lines.append(first_line + relations[-1].rows)
        regular = np.concatenate([phrases[-1].rows, relations[-1].rows])
        rows = irregular_rows(block, regular, 0, problems)
        for line, said in parse_lines(lines_of(block, rows, first_line), parse_annotation, problems):
            others.add(line, said)
    others.relations = list(_between_phrases(others, problems))
    raw = regular_phrases(phrases, phrase_lines, phrase_labels)
    related = RawRelations(
        lines=joined(relation_lines),
        labels=[text.decode() for text in relation_labels.texts],
        label=joined([part.label for part in relations]),
        source=joined([part.source for part in relations]),
        target=joined([part.target for part in relations]),
    )
    return (
        merged_phrases(raw, raw_phrases(others.phrases)) if others.phrases else raw,
        merged_relations(related, raw_relations(others.relations)) if others.relations else related,
        problems.listed(),
    )


def _between_phrases(others: _Others, problems: Problems) -> Iterator[tuple[int, RelationLine]]:
    """All relations, also those of events and between events, which stand for the phrases that they refer to.

    An event may refer to one further up in the file, as in the challenge's program.
    """
    phrase_of: dict[int, int] = {}
    for line, event in others.events:
        phrase = phrase_of.get(event.reference, event.reference)
        if phrase < 0:
            problems.add(f"There is no event {name_of(phrase)} further up.", line)
        else:
            phrase_of[event.id] = phrase
            others.relations += [(line, relation) for relation in event.relations]
    for line, relation in others.relations:
        ends = [phrase_of.get(end, end) for end in (relation.source, relation.target)]
        unknown = [name_of(end) for end in ends if end < 0]
        if unknown:
            problems.add(f"There is no event {unknown[0]}.", line)
        else:
            yield line, RelationLine(relation.label, *ends)


def _fast_phrases(block: Block, labels: Labels) -> RegularPhrases:
    r"""The lines `T1 TAB label spans TAB text` that are regular; new labels are added to `labels`.

    >>> phrases = _fast_phrases(Block(b"T1\tConcept 4 8;9 22\tx y\n" b"R1\tis-a Arg1:T1 Arg2:T2\n"), Labels())
    >>> phrases.rows, phrases.ids, phrases.starts, phrases.ends
    (array([0]), array([1]), array([4, 9]), array([ 8, 22]))
    """
    # One entry per line with two tabs. `…_tab`, `before` and `blank` are indices of separators.
    rows, before, tabs, _ = block.lines_with_tabs(2)
    id_tab, span_tab = tabs.T
    blank = id_tab + 1
    start, label_start = block.after(before), block.after(id_tab)
    label_end = block.separators[blank]
    ids, fits = block.integers(start + 1, block.separators[id_tab])
    offsets, owner, are_spans = spans_between(block, blank, span_tab)
    fits &= (block.byte(start) == _T) & (id_tab == before + 1) & (block.kinds[blank] == BLANK) & are_spans
    fits &= _is_label(block, label_start, label_end)
    kept = np.flatnonzero(fits)
    code, has_code = labels.codes(block, label_start[kept], label_end[kept])
    fits[kept[~has_code]] = False
    if not fits.all():
        offsets = offsets[fits[owner]]
    return RegularPhrases(
        rows=rows[fits],
        ids=ids[fits],
        label=code[has_code],
        n_spans=(span_tab - blank)[fits] // 2,
        starts=offsets[0::2],
        ends=offsets[1::2],
    )


def _fast_relations(block: Block, labels: Labels) -> RegularRelations:
    r"""The lines `R1 TAB label Arg1:T1 Arg2:T2` and `* TAB label T1 T2` that are regular.

    >>> relations = _fast_relations(Block(b"R1\tis-a Arg1:T1 Arg2:T12\n" b"*\tsame-as T3 T4\n"), Labels())
    >>> relations.rows, relations.source, relations.target
    (array([0, 1]), array([1, 3]), array([12,  4]))
    """
    # One entry per line with one tab, two blanks behind it, and no other separator.
    rows, before, tabs, newline = block.lines_with_tabs(1)
    kept = np.flatnonzero((tabs[:, 0] == before + 1) & (newline == before + 4))
    rows, before, tab = rows[kept], before[kept], tabs[kept, 0]
    start, label_start, label_end = block.after(before), block.after(tab), block.separators[tab + 1]
    target_start, end = block.separators[tab + 2], block.separators[tab + 3]
    are_blanks = (block.kinds[tab + 1] == BLANK) & (block.kinds[tab + 2] == BLANK) & (block.kinds[tab + 3] == NEWLINE)
    first = block.byte(start)
    is_star = (first == _STAR) & (block.separators[tab] == start + 1)
    # In front of the number: " Arg1:T" or " T".
    length = np.where(is_star, 1, 6)
    source_digits, target_digits = label_end + 1 + length, target_start + 1 + length
    source, fits = block.integers(source_digits, target_start)
    target, is_number = block.integers(target_digits, end)
    fits &= is_number & are_blanks & (is_star | (first == _R)) & _is_label(block, label_start, label_end)
    # Behind these offsets there are digits, so that they lie inside the line.
    source_digits, target_digits = np.minimum(source_digits, end), np.minimum(target_digits, end)
    six = np.full(len(rows), 6)
    is_relation = (block.words(source_digits, six) == _ARG1) & (block.words(target_digits, six) == _ARG2)
    are_phrases = (block.byte(source_digits - 1) == _T) & (block.byte(target_digits - 1) == _T)
    fits &= np.where(is_star, are_phrases, is_relation)
    kept = np.flatnonzero(fits)
    code, has_code = labels.codes(block, label_start[kept], label_end[kept])
    kept = kept[has_code]
    return RegularRelations(rows=rows[kept], label=code[has_code], source=source[kept], target=target[kept])


def _is_label(block: Block, start: Integers, end: Integers) -> Flags:
    fits: Flags = (end > start) & (end - start <= LONGEST_LABEL) & block.is_visible(start)
    return fits
