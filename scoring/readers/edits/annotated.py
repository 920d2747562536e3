"""Holds the sentences of a file and the edits of their annotators."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoring.columns import Integers


class Edit(NamedTuple):
    start: int  # tokens, from 0
    end: int  # the token behind the last one; the start where something is put in
    type: str
    corrections: tuple[str, ...]  # each is as good; "" leaves the tokens out
    line: int  # in its file, from 1


Edits = list[Edit]


@dataclass(frozen=True)
class Annotated:
    """The sentences of a file, in its order, and the edits of their annotators as columns.

    A group is an annotator of a sentence; groups stand in the order of the file, and so do the edits of each. Corrected
    sentences have none.
    """

    paths: tuple[str, ...]  # the files that were read
    texts: list[str]  # (sentences,) tokens with a blank between them
    lines: list[int]  # (sentences,) in the file, from 1
    annotators: list[str]  # (groups,) their ids
    sentence: Integers  # (groups,) index; each sentence of an M2 file has a group
    group: Integers  # (n,) index, in order
    start: Integers  # (n,) tokens, from 0
    end: Integers  # (n,) the token behind the last one
    type: Integers  # (n,) index into `types`
    correction: Integers  # (n,) index into `corrections`
    line: Integers  # (n,) in the file, from 1
    types: list[str]  # those that edits have
    corrections: list[tuple[str, ...]]  # likewise

    @property
    def names(self) -> list[str]:
        """Return what units are called: the numbers of the sentences, from 1."""
        return [str(number) for number in range(1, len(self.texts) + 1)]

    def groups(self, sentence: int) -> range:
        """Return the groups of a sentence."""
        return range(*np.searchsorted(self.sentence, [sentence, sentence + 1]).tolist())

    def edits(self, group: int) -> Edits:
        """Return the edits of an annotator of a sentence."""
        of_group = slice(*np.searchsorted(self.group, [group, group + 1]))
        columns = (self.start, self.end, self.type, self.correction, self.line)
        return [
            Edit(start, end, self.types[type_], self.corrections[correction], line)
            for start, end, type_, correction, line in zip(
                *(column[of_group].tolist() for column in columns), strict=True
            )
        ]


def overlaps(side: Annotated) -> Iterator[tuple[Edit, Edit]]:
    """Yield edits that cannot be made beside an earlier one of their annotator, each with that one."""
    # In most files all edits stand in order, each behind the tokens of the one before.
    end, later = side.end[:-1], side.start[1:]
    is_near = (side.group[1:] == side.group[:-1]) & ((later < end) | ((later == end) & (side.end[1:] == end)))
    for group in np.unique(side.group[1:][is_near]).tolist():
        yield from overlapping(side.edits(group))


def overlapping(edits: Edits) -> Iterator[tuple[Edit, Edit]]:
    """Yield edits that cannot be made beside an earlier one, behind which they start; each with that one.

    Two things may be put in at one place, and beside tokens that are replaced.

    >>> def edit(start, end, text=""):
    ...     return Edit(start, end, "", (text,), 1)
    >>> [pair[0][:2] for pair in overlapping([edit(3, 5), edit(1, 1), edit(4, 4), edit(5, 6), edit(5, 5)])]
    [(4, 4)]
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    furthest: Edit | None = None
    before: Edit | None = None
    for edit in ordered:
        if furthest is not None and edit.start < furthest.end:
            yield edit, furthest
        elif before is not None and edit[:2] == before[:2] and edit.corrections == before.corrections:
            yield edit, before
        if furthest is None or edit.end > furthest.end:
            furthest = edit
        before = edit
