"""Which tokens of the gold each token of a system lies on, for all documents at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, ranges
from scoring.readers.spacy.documents.columns import Codes, Documents, text_of


@dataclass(frozen=True)
class Alignment:
    """The gold tokens of each system token: `links[pointer[j] : pointer[j + 1]]`, rising.

    Tokens are counted over the whole corpus on both sides. `single` (system tokens,) is the only gold token,
    -1 where there is none or more than one. `identical` (documents,) says where both sides have the same tokens.
    """

    identical: Flags
    single: Integers
    pointer: Integers
    links: Integers


def align(gold: Documents, system: Documents) -> tuple[Alignment, Integers]:
    """The alignment, and the documents whose texts differ by more than capitals and white space.

    Both sides have the same documents in the same order. Only the texts of the tokens count.
    """
    identical = _identical(gold, system)
    if identical.all():
        tokens = np.arange(len(gold.blank) + 1)
        return Alignment(identical, tokens[:-1], tokens, tokens[:-1]), np.empty(0, dtype=np.int64)
    pairs, differing = _aligned(gold, system, np.flatnonzero(~identical))
    alike = np.flatnonzero(identical)
    own = ranges(system.first[:-1][alike], system.lengths[alike])
    same = ranges(gold.first[:-1][alike], gold.lengths[alike])
    source = np.concatenate([own, pairs[0]])
    target = np.concatenate([same, pairs[1]])
    order = np.lexsort((target, source))
    links = target[order]
    sizes = np.bincount(source, minlength=len(system.blank))
    pointer = np.concatenate([[0], np.cumsum(sizes)])
    single = np.full(len(system.blank), -1)
    only = sizes == 1
    single[only] = links[pointer[:-1][only]]
    return Alignment(identical, single, pointer, links), differing


def difference(gold: Documents, system: Documents, document: int) -> str:
    """Where and how the texts of a document differ."""
    gold_words, system_words = gold.words(document), system.words(document)
    gold_text = text_of(gold_words, gold.spaces(document))
    system_text = text_of(system_words, system.spaces(document))
    i, j = _first_difference(gold_text, system_text)
    shown = [text[max(0, at - 1) : at + 20] for text, at in ((system_text, j), (gold_text, i))]
    return f"the text differs from the gold text at character {i}: {_quoted(shown[0])} against {_quoted(shown[1])}"


def _identical(gold: Documents, system: Documents) -> Flags:
    return np.array(
        [own is text or own == text for own, text in zip(gold.texts, system.texts, strict=True)], dtype=bool
    )


@dataclass(frozen=True)
class _Characters:
    """The lower-cased characters of some documents: code point, token, document, and whether it is white space."""

    point: NDArray[np.uint32]
    token: Integers
    document: Codes
    blank: Flags

    def without_blanks(self) -> "_Characters":
        kept = ~self.blank
        return _Characters(self.point[kept], self.token[kept], self.document[kept], self.blank[kept])


def _aligned(gold: Documents, system: Documents, documents: Integers) -> tuple[tuple[Integers, Integers], Integers]:
    """Pairs of a system and a gold token that share a character, and the documents whose texts differ."""
    gold_characters, system_characters = _characters(gold, documents), _characters(system, documents)
    gold_text, system_text = gold_characters.without_blanks(), system_characters.without_blanks()
    n = len(gold)
    gold_sizes = np.bincount(gold_text.document, minlength=n)
    system_sizes = np.bincount(system_text.document, minlength=n)
    differs = gold_sizes != system_sizes
    kept_gold, kept_system = ~differs[gold_text.document], ~differs[system_text.document]
    unequal = gold_text.point[kept_gold] != system_text.point[kept_system]
    differs[gold_text.document[kept_gold][unequal]] = True
    if differs.any():
        nothing = np.empty(0, dtype=np.int64)
        return (nothing, nothing), np.flatnonzero(differs)
    source, target = system_text.token, gold_text.token
    new = np.ones(len(source), dtype=bool)
    new[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    pairs = np.stack([source[new], target[new]], axis=1)
    blank = np.array(list(_shared_blanks(gold_characters, system_characters)), dtype=np.int64).reshape(-1, 2)
    pairs = np.unique(np.concatenate([pairs, blank]), axis=0) if len(blank) else pairs
    return (pairs[:, 0], pairs[:, 1]), np.flatnonzero(differs)


def _characters(side: Documents, documents: Integers) -> _Characters:
    # Each token is lower-cased by itself: what a capital becomes may depend on the letters beside it.
    lowered = [word.lower() for k in documents.tolist() for word in side.words(k)]
    point = np.frombuffer("".join(lowered).encode("utf-32-le"), dtype="<u4")
    tokens = ranges(side.first[:-1][documents], side.lengths[documents])
    token = np.repeat(tokens, np.fromiter(map(len, lowered), np.int64, len(lowered)))
    return _Characters(point, token, side.document[token], _is_blank(point))


def _is_blank(points: NDArray[np.uint32]) -> Flags:
    blanks = [point for point in np.unique(points).tolist() if chr(point).isspace()]
    return np.isin(points, blanks)


def _shared_blanks(gold: _Characters, system: _Characters) -> Iterator[tuple[int, int]]:
    """White space between the same two characters on both sides, paired from left to right where it is equal.

    A blank of the system that is not the gold's next one is passed over.
    """
    by_gap = _gaps(gold)
    for gap, own in _gaps(system).items():
        others = iter(by_gap.get(gap, ()))
        other = next(others, None)
        for point, token in own:
            if other is None:
                break
            if point == other[0]:
                yield token, other[1]
                other = next(others, None)


def _gaps(side: _Characters) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The white space, as code point and token, by document and number of other characters before."""
    blank = np.flatnonzero(side.blank)
    before = np.cumsum(~side.blank)[blank]
    columns = [column.tolist() for column in (side.document[blank], before, side.point[blank], side.token[blank])]
    rows = zip(*columns, strict=True)
    return {gap: [row[2:] for row in found] for gap, found in groupby(rows, key=itemgetter(0, 1))}


def _first_difference(gold: str, system: str) -> tuple[int, int]:
    """The first characters of both texts that do not fit, white space and capitals aside."""
    ours = [(i, c) for i, character in enumerate(gold) if not character.isspace() for c in character.lower()]
    theirs = [(j, c) for j, character in enumerate(system) if not character.isspace() for c in character.lower()]
    for (i, c), (j, d) in zip(ours, theirs, strict=False):
        if c != d:
            return i, j
    shorter = min(len(ours), len(theirs))
    at = [side[shorter][0] if shorter < len(side) else len(text) for side, text in ((ours, gold), (theirs, system))]
    return at[0], at[1]


def _quoted(text: str) -> str:
    return repr(text + "…") if text else "the end"
