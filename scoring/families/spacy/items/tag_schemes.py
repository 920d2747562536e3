"""Entities as a scheme of tags allows them and no other: seqeval's strict mode (seqeval 1.2.2, scheme.py).

A scheme says of two neighbouring tags whether the second begins an entity, whether it continues one, and whether it
shows that the first was the end of one. Tags that fit nowhere belong to no entity. For example, IOB2 reads no entity
in "O I-PER O", where the lenient way reads one; and IOBES none in "B-PER O", which lacks its end.
"""

from dataclasses import replace

import numpy as np

from scoring.columns import Array, Flags, Integers
from scoring.readers.spacy.documents import Documents, Spans
from scoring.readers.spacy.iob_tags import SCHEMES

_ANY, _SAME, _DIFFERENT = "any", "same", "other"
_LETTERS = "OBIESLU"
# Of each scheme: pairs of letters, each with whether their types are the same, others, or any; the second tag begins an
# entity, continues one, or ends the one before.
_BEGINS = {
    "IOB1": [("O", "I", _ANY), ("I", "I", _DIFFERENT), ("B", "I", _ANY), ("IB", "B", _SAME)],
    "IOE1": [("OE", "I", _ANY), ("I", "I", _DIFFERENT), ("E", "E", _SAME)],
    "IOB2": [(_LETTERS, "B", _ANY)],
    "IOE2": [("OE", "IE", _ANY), ("I", "IE", _DIFFERENT)],
    "IOBES": [(_LETTERS, "BS", _ANY)],
    "BILOU": [(_LETTERS, "BU", _ANY)],
}
_CONTINUES = {
    "IOB1": [("BI", "I", _SAME)],
    "IOE1": [("I", "IE", _SAME)],
    "IOB2": [("BI", "I", _SAME)],
    "IOE2": [("I", "IE", _SAME)],
    "IOBES": [("BI", "IE", _SAME)],
    "BILOU": [("BI", "IL", _SAME)],
}
_ENDS = {
    "IOB1": [("BI", "I", _DIFFERENT), ("BI", "O", _ANY), ("I", "B", _ANY), ("B", "B", _SAME)],
    "IOE1": [("I", "IE", _DIFFERENT), ("I", "O", _ANY), ("E", "IE", _SAME)],
    "IOB2": [("BI", "I", _DIFFERENT), ("BI", "OB", _ANY)],
    "IOE2": [("E", _LETTERS, _ANY)],
    "IOBES": [("SE", _LETTERS, _ANY)],
    "BILOU": [("UL", _LETTERS, _ANY)],
}
assert set(_BEGINS) == set(_CONTINUES) == set(_ENDS) == set(SCHEMES)


def strictly(side: Documents, scheme: str) -> Documents:
    """Give the documents the entities that their tags have by the scheme; without tags, those that they have."""
    if not side.iob.any():
        return side
    letter, type_ = _parts(side)
    letter, type_ = _with_ends(letter, side), _with_ends(type_, side)
    # From here on each document has an O in front and behind; entry k tells of tags k and k + 1.
    before, after, same = letter[:-1], letter[1:], type_[:-1] == type_[1:]
    begins, continues, ends = (_fits(rules[scheme], before, after, same) for rules in (_BEGINS, _CONTINUES, _ENDS))
    # Tags that continue those before them make runs, which are an entity from the first that begins one on.
    run = np.cumsum(~continues)
    start = np.flatnonzero(begins)
    start = start[np.unique(run[start], return_index=True)[1]]
    last = np.flatnonzero(np.append(~continues[1:], True))
    end = last[np.searchsorted(last, start)] + 1
    is_whole = ends[np.minimum(end, len(ends) - 1)] & (end < len(ends))
    return replace(side, ents=_spans(start[is_whole] + 1, end[is_whole] + 1, type_, side))


def _parts(side: Documents) -> tuple[Integers, Integers]:
    """Return the letter of each tag, by its place in _LETTERS, and the code of its type; O has type 0."""
    codes, inverse = np.unique(side.iob, return_inverse=True)
    tags = [side.strings.texts[code] or "O" for code in codes.tolist()]
    letters = np.array([_LETTERS.index(tag[0]) for tag in tags])
    types = np.array([side.strings[tag[2:]] for tag in tags])
    return letters[inverse], types[inverse]


def _with_ends(column: Integers, side: Documents) -> Integers:
    """Put an O in front of the first tag of each document, and one behind the last of all."""
    return np.append(np.insert(column, side.first[:-1], 0), 0)


def _fits(rules: list[tuple[str, str, str]], before: Array, after: Array, same: Flags) -> Flags:
    """Return whether the two tags of each pair fit any of the rules."""
    table = np.zeros((len(_LETTERS), len(_LETTERS), 2), dtype=bool)
    for first, second, types in rules:
        for one in first:
            for two in second:
                cell = table[_LETTERS.index(one), _LETTERS.index(two)]
                cell[1] |= types != _DIFFERENT
                cell[0] |= types != _SAME
    return np.asarray(table[before, after, same.astype(np.int8)])


def _spans(start: Integers, end: Integers, type_: Integers, side: Documents) -> Spans:
    """Return the entities between two places among the tags with their ends."""
    # The tags of document d stand behind d + 1 further ones.
    document = np.searchsorted(side.first[:-1] + np.arange(len(side)), start, side="right") - 1
    origin = side.first[document] + document + 1
    nothing = np.zeros(len(start), dtype=np.int32)
    return Spans(
        document=document.astype(np.int32),
        key=nothing,
        start=(start - origin).astype(np.int32),
        end=(end - origin).astype(np.int32),
        label=type_[start].astype(np.int32),
        kb=nothing,
    )
