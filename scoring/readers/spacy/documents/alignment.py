"""Finds which tokens of the gold each token of a system lies on, for all documents at once.

Gold and system may cut a text into other tokens. Their texts have to be the same, capitals and white space aside. So
both texts are taken character by character, in lower case and without white space; character i of one side is then
character i of the other, and a token of the system lies on every gold token that it shares a character with. Tokens of
white space share white space instead, where both sides have the same at the same place. For example:

    gold     0 "do"   1 "n't"          d o n ' t
    system   0 "don"  1 "'t"           d o n ' t
    gold token of each character       0 0 1 1 1
    system token of each character     0 0 0 1 1

System token 0 lies on the gold tokens 0 and 1, system token 1 on gold token 1.

The same as two pointers that walk through both texts: tests/scoring/plain/spacy.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, ranges, starts_from_sizes, starts_run
from scoring.messages import Message
from scoring.readers.spacy.documents.columns import Codes, Documents, text_of


@dataclass(frozen=True)
class Alignment:
    """The gold tokens of each system token; tokens are counted over the whole corpus on both sides."""

    identical: Flags  # (documents,): whether both sides have the same tokens
    single: Integers  # (system tokens,): the only gold token; -1 where there is none, or more than one
    pointer: Integers  # (system tokens + 1,): where the gold tokens of each system token begin in `links`
    links: Integers  # the gold tokens of system token j: links[pointer[j] : pointer[j + 1]], rising


def align(gold: Documents, system: Documents) -> tuple[Alignment, Integers]:
    """Align both sides; return also the documents whose texts differ by more than capitals and white space.

    Both sides have the same documents in the same order. Only the texts of the tokens count. The example of this
    module, and after it a document that both sides cut alike:

    >>> from scoring.readers.spacy.documents.building import Builder
    >>> def corpus(*documents):
    ...     builder = Builder()
    ...     for number, words in enumerate(documents, start=1):
    ...         builder.add({"id": str(number), "words": words}, number, "file")
    ...     return builder.documents(["file"], warnings=[])
    >>> alignment, _ = align(corpus(["do", "n't"], ["go"]), corpus(["don", "'t"], ["go"]))
    >>> alignment.links, alignment.pointer, alignment.single
    (array([0, 1, 1, 2]), array([0, 2, 3, 4]), array([-1,  1,  2]))
    """
    identical = _identical(gold, system)
    if identical.all():
        tokens = np.arange(len(gold.blank) + 1)
        return Alignment(identical, tokens[:-1], tokens, tokens[:-1]), np.empty(0, dtype=np.int64)
    # Pairs of a system and a gold token: in documents with the same tokens one for each token, in the others those
    # that share a character.
    (system_token, gold_token), differing = _pairs(gold, system, np.flatnonzero(~identical))
    same = np.flatnonzero(identical)
    system_token = np.concatenate([ranges(system.first[:-1][same], system.lengths[same]), system_token])
    gold_token = np.concatenate([ranges(gold.first[:-1][same], gold.lengths[same]), gold_token])
    # By system token, and for each of them by gold token.
    links = gold_token[np.lexsort((gold_token, system_token))]
    n_links = np.bincount(system_token, minlength=len(system.blank))
    pointer = starts_from_sizes(n_links)
    single = np.full(len(system.blank), -1)
    has_one = n_links == 1
    single[has_one] = links[pointer[:-1][has_one]]
    return Alignment(identical, single, pointer, links), differing


def alignment_of(gold: Documents, system: Documents, words: Integers) -> Alignment:
    """Make an alignment of one found elsewhere: the gold token of each system token, -1 for none."""
    pointer = starts_from_sizes(words >= 0)
    return Alignment(_identical(gold, system), words, pointer, words[words >= 0])


def difference(gold: Documents, system: Documents, document: int) -> str:
    """Return where and how the texts of a document differ, in words; characters are counted in the gold's text."""
    gold_words, system_words = gold.words(document), system.words(document)
    gold_text = text_of(gold_words, gold.spaces(document))
    system_text = text_of(system_words, system.spaces(document))
    i, j = _first_difference(gold_text, system_text)
    shown = [text[max(0, at - 1) : at + 20] for text, at in ((system_text, j), (gold_text, i))]
    return Message(
        "text-differs-from-gold-text",
        "the text differs from the gold text at character {i}: {shown} against {shown_2}",
        i=i,
        shown=_quoted(shown[0]),
        shown_2=_quoted(shown[1]),
    )


def _identical(gold: Documents, system: Documents) -> Flags:
    return np.array(
        # Equal texts are usually the same object (`Builder`), which is faster to see.
        [text_there is text or text_there == text for text_there, text in zip(gold.texts, system.texts, strict=True)],
        dtype=bool,
    )


@dataclass(frozen=True)
class _Characters:
    """The lower-cased characters of some documents, one entry of each array for each character."""

    point: NDArray[np.uint32]  # its code point
    token: Integers  # its token, counted over the whole corpus
    document: Codes  # the index of its document
    blank: Flags  # whether it is white space

    def without_blanks(self) -> "_Characters":
        kept = ~self.blank
        return _Characters(self.point[kept], self.token[kept], self.document[kept], self.blank[kept])


def _pairs(gold: Documents, system: Documents, documents: Integers) -> tuple[tuple[Integers, Integers], Integers]:
    """Return pairs of a system and a gold token that share a character, and the documents whose texts differ.

    If the texts of any document differ there are no pairs at all: the submission will be refused.
    """
    gold_characters, system_characters = _characters(gold, documents), _characters(system, documents)
    # From here on one entry for each character that is no white space, in the order of documents and text.
    gold_text, system_text = gold_characters.without_blanks(), system_characters.without_blanks()
    # Only texts of the same length can be compared character by character.
    n = len(gold)
    differs = np.bincount(gold_text.document, minlength=n) != np.bincount(system_text.document, minlength=n)
    of_gold, of_system = ~differs[gold_text.document], ~differs[system_text.document]
    is_other = gold_text.point[of_gold] != system_text.point[of_system]
    differs[gold_text.document[of_gold][is_other]] = True
    if differs.any():
        nothing = np.empty(0, dtype=np.int64)
        return (nothing, nothing), np.flatnonzero(differs)
    # Neighbouring characters of the same two tokens make one pair.
    is_new = starts_run(system_text.token, gold_text.token)
    pairs = np.stack([system_text.token[is_new], gold_text.token[is_new]], axis=1)
    blank = np.array(list(_shared_blanks(gold_characters, system_characters)), dtype=np.int64).reshape(-1, 2)
    # White space may add pairs that are there already, of tokens that have other characters too.
    pairs = np.unique(np.concatenate([pairs, blank]), axis=0) if len(blank) else pairs
    return (pairs[:, 0], pairs[:, 1]), np.flatnonzero(differs)


def _characters(side: Documents, documents: Integers) -> _Characters:
    # Each token is lower-cased by itself, as in spaCy: what a capital becomes may depend on the letters beside it.
    lowered = [word.lower() for k in documents.tolist() for word in side.words(k)]
    point = np.frombuffer("".join(lowered).encode("utf-32-le"), dtype="<u4")
    tokens = ranges(side.first[:-1][documents], side.lengths[documents])
    token = np.repeat(tokens, np.fromiter(map(len, lowered), np.int64, len(lowered)))
    return _Characters(point, token, side.document[token], _is_blank(point))


def _is_blank(points: NDArray[np.uint32]) -> Flags:
    blanks = [point for point in np.unique(points).tolist() if chr(point).isspace()]
    return np.isin(points, blanks)


def _shared_blanks(gold: _Characters, system: _Characters) -> Iterator[tuple[int, int]]:
    """Yield pairs of a system and a gold token that share white space.

    White space between the same two other characters is paired from left to right where it is equal. A character of
    the system that is not the gold's next one there is passed over; spaCy does so too.
    """
    gold_gaps = _gaps(gold)
    for gap, system_blanks in _gaps(system).items():
        gold_blanks = iter(gold_gaps.get(gap, ()))
        gold_blank = next(gold_blanks, None)
        for point, token in system_blanks:
            if gold_blank is None:
                break
            if point == gold_blank[0]:
                yield token, gold_blank[1]
                gold_blank = next(gold_blanks, None)


def _gaps(side: _Characters) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return the white space of each gap, as code points and tokens.

    A gap is told by its document and the number of characters before it that are no white space: these numbers are the
    same on both sides, as all other characters are.
    """
    blank = np.flatnonzero(side.blank)
    n_before = np.cumsum(~side.blank)[blank]
    columns = [column.tolist() for column in (side.document[blank], n_before, side.point[blank], side.token[blank])]
    rows = zip(*columns, strict=True)
    return {gap: [row[2:] for row in blanks] for gap, blanks in groupby(rows, key=itemgetter(0, 1))}


def _first_difference(gold: str, system: str) -> tuple[int, int]:
    """Return the first characters of both texts that do not fit, white space and capitals aside.

    >>> _first_difference("Ann Lee", "ann leo")
    (6, 6)
    """
    sides = [_without_blanks(gold), _without_blanks(system)]
    for (i, c), (j, d) in zip(*sides, strict=False):
        if c != d:
            return i, j
    # One text goes on where the other has ended.
    shorter = min(map(len, sides))
    ends = (len(gold), len(system))
    i, j = (side[shorter][0] if shorter < len(side) else end for side, end in zip(sides, ends, strict=True))
    return i, j


def _without_blanks(text: str) -> list[tuple[int, str]]:
    """Return the lower-case characters that are no white space, each with its index in the text.

    A capital may become two.
    """
    return [(i, c) for i, character in enumerate(text) if not character.isspace() for c in character.lower()]


def _quoted(text: str) -> str:
    return repr(text + "…") if text else Message("end", "the end")
