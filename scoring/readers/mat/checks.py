"""Tells what must hold of annotations and texts once all documents are read; every problem is reported."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.mat.collecting import Collected
from scoring.readers.mat.columns import Spans, Tokens
from scoring.readers.mat.line_ends import with_lf
from scoring.readers.problems import cut_each_file
from scoring.spelling.strings import first_difference

# In the tables it is the row that sums all labels.
RESERVED = "<all>"
# With one-to-one pairs, how many annotations may overlap in one place: so many for each of the gold's and some more,
# and any number as long as there are few possible pairs.
_FOR_EACH_OF_GOLD = 4
_IN_ANY_PLACE = 1_000
_MOST_CELLS = 2**22


@dataclass(frozen=True)
class Texts:
    """The documents of one side, in the order of the gold's."""

    names: list[str]  # name of each document, as problems call it
    signals: list[str | None]  # text of each document, None for one that could not be read or is not there

    @property
    def lengths(self) -> Integers:
        """Return lengths in code points: (documents,). Without a signal nothing can be said to lie beyond it."""
        unknown = np.iinfo(np.int64).max
        return np.array([unknown if text is None else len(text) for text in self.signals], dtype=np.int64)


_NEAR = 20  # characters beside a difference
_MOST_LOOKED_AT = 300  # annotations that end before they begin
_LENGTHS = Message("offset-is-length", "ends before it begins: is the second number a length? Write start and end")
_EXCHANGED = Message("offset-ends-before", "ends before it begins: exchange start and end")


@dataclass(frozen=True)
class OffsetErrors:
    """Holds what is wrong with the offsets of n annotations, one thing at most."""

    empty: Flags  # (n,) whether start and end are the same
    outside: Flags  # (n,) whether the start is negative or behind the end, or the end beyond the text


def offset_errors(collected: Collected, start: Integers, end: Integers, lengths: Integers) -> OffsetErrors:
    """Find wrong offsets.

    `start` and `end` (n,) count code points and are -1 where no character begins; `lengths` (documents,).
    """
    # By the offsets as written: inside a surrogate pair both would be -1.
    empty = collected.start == collected.end
    outside = (start < 0) | (end <= start) | (end > lengths[collected.document])
    return OffsetErrors(empty, outside & ~empty)


def offset_problems(collected: Collected, errors: OffsetErrors, counts: Flags, texts: Texts) -> list[Finding]:
    """Name wrong offsets of those annotations that count (n,), shown as in the file."""
    # Lengths in the place of ends are mostly smaller than starts too, but then other ends are not.
    turned = collected.end < collected.start
    are_lengths = _are_lengths(collected, turned & counts, texts)
    exchanged = turned & (are_lengths or bool((collected.end[counts] <= collected.start[counts]).all()))
    return cut_each_file(
        Finding(
            Message("wrong-offset", "{problem}: {shown}", problem=message, shown=_shown(collected, k)),
            texts.names[collected.document[k]],
        )
        for message, is_wrong in (
            (Message("zero-length-annotation", "zero-length annotation"), errors.empty),
            (_LENGTHS if are_lengths else _EXCHANGED, errors.outside & exchanged),
            (Message("offset-out-range", "offset out of range"), errors.outside & ~exchanged),
        )
        for k in np.flatnonzero(counts & is_wrong).tolist()
    )


def _are_lengths(collected: Collected, turned: Flags, texts: Texts) -> bool:
    """Return whether annotations (n,) that end before they begin are mostly words with lengths in the place of ends."""
    chosen = np.flatnonzero(turned)[:_MOST_LOOKED_AT].tolist()
    as_lengths = exchanged = 0
    for k in chosen:
        text, start, end = texts.signals[collected.document[k]] or "", int(collected.start[k]), int(collected.end[k])
        as_lengths += _are_words(text, start, start + end)
        exchanged += _are_words(text, end, start)
    return as_lengths > max(exchanged, len(chosen) / 2)


def _are_words(text: str, start: int, end: int) -> bool:
    if not 0 <= start < end <= len(text):
        return False
    return not any(0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum() for at in (start, end))


def overlap_problems(tokens: Tokens, texts: Texts) -> list[Finding]:
    """Name tokens that overlap the next one; as they are sorted, that finds an overlap wherever there is any."""
    is_overlapping = (tokens.document[1:] == tokens.document[:-1]) & (tokens.start[1:] < tokens.end[:-1])
    return cut_each_file(
        Finding(
            Message(
                "tokens-overlap",
                "tokens overlap: {extent} and {extent_2}",
                extent=_extent(tokens, k),
                extent_2=_extent(tokens, k + 1),
            ),
            texts.names[tokens.document[k]],
        )
        for k in np.flatnonzero(is_overlapping).tolist()
    )


def crowd_problems(spans: Spans, gold: Spans, texts: Texts) -> list[Finding]:
    """Name documents in which far more annotations overlap in one place than the gold has there.

    The best pairs of them are found in time that grows with the square of one side and with the other: the gold's
    side is the organiser's to choose, and so many of the system's are enough for any of it.
    """
    document, start, end = (
        np.concatenate(columns)
        for columns in ((gold.document, spans.document), (gold.start, spans.start), (gold.end, spans.end))
    )
    order = np.lexsort((start, document))
    document, start, end = document[order], start[order], end[order]
    # Documents one behind the other on an axis, so that the furthest end so far never reaches into the next one.
    origin = document * (int(end.max(initial=0)) + 1)
    furthest = np.maximum.accumulate(origin + end)
    begins = np.ones(len(start), dtype=np.bool_)
    begins[1:] = (origin + start)[1:] >= furthest[:-1]
    place = np.cumsum(begins) - 1
    of_gold = order < len(gold.start)
    n_places = int(place[-1]) + 1 if len(place) else 0
    n_gold, n_system = (np.bincount(place[side], minlength=n_places) for side in (of_gold, ~of_gold))
    is_crowd = (n_system > _FOR_EACH_OF_GOLD * n_gold + _IN_ANY_PLACE) & (n_gold * n_system > _MOST_CELLS)
    first = np.flatnonzero(begins)
    return [
        Finding(
            Message(
                "annotations-overlap-one-another",
                "{n_system} annotations overlap one another from {start} on, where the gold has {n_gold}: too "
                "many to find the best pairs, leave out those that are hardly meant",
                n_system=n_system[k],
                start=start[first[k]],
                n_gold=n_gold[k],
            ),
            texts.names[document[first[k]]],
        )
        for k in np.flatnonzero(is_crowd).tolist()
    ]


def label_problems(labels: list[str], document: Integers, label: Integers, texts: Texts) -> list[Finding]:
    """Name documents with the label that stands for all labels in the tables."""
    if RESERVED not in labels:
        return []
    documents = np.unique(document[label == labels.index(RESERVED)]).tolist()
    return [
        Finding(
            Message("reserved-label-rename", 'reserved label "{reserved}": rename it', reserved=RESERVED),
            texts.names[index],
        )
        for index in documents
    ]


def signal_problems(texts: Texts, gold: list[str]) -> list[Finding]:
    """Name documents whose text is not the gold's, character by character: offsets would mean different words."""
    return [
        Finding(_difference(signal, expected), name)
        for name, signal, expected in zip(texts.names, texts.signals, gold, strict=True)
        if signal is not None and signal != expected
    ]


def _difference(signal: str, gold: str) -> str:
    text, expected = with_lf(signal), with_lf(gold)
    if text == signal and expected == gold:
        if not signal:
            return Message("signal-empty", "the signal is empty, and has to be the text of the document")
        place = first_difference(signal, gold)
        near = slice(max(0, place - _NEAR), place + _NEAR)
        return Message(
            "signal-differs-from-gold-words",
            "signal differs from gold at offset {first_difference}: {found!r}, where the task has {expected!r}",
            first_difference=place,
            found=signal[near],
            expected=gold[near],
        )
    if text == expected:
        return Message("signal-differs-from-gold-line", "signal differs from gold in its line ends alone, CRLF and LF")
    return Message(
        "signal-differs-from-gold",
        "signal differs from gold at offset {first_difference}, each CRLF counted as one character",
        first_difference=first_difference(text, expected),
    )


def differing_tokens(tokens: Tokens, gold: Tokens, documents: list[int]) -> list[int]:
    """Return those of the documents, by their index, whose tokens are not the gold's."""
    if all(np.array_equal(column, others) for column, others in zip(_columns(tokens), _columns(gold), strict=True)):
        return []
    return [index for index in documents if not np.array_equal(_extents(tokens, index), _extents(gold, index))]


def _columns(tokens: Tokens) -> tuple[Integers, Integers, Integers]:
    return tokens.document, tokens.start, tokens.end


def _extents(tokens: Tokens, document: int) -> Integers:
    """Return starts and ends of the tokens of a document: (2, tokens)."""
    first, last = np.searchsorted(tokens.document, [document, document + 1])
    return np.stack([tokens.start[first:last], tokens.end[first:last]])


def _shown(collected: Collected, k: int) -> str:
    return Message(
        "type-start-from",
        "{type} from {start} to {end}",
        type=collected.types[collected.type[k]],
        start=collected.start[k],
        end=collected.end[k],
    )


def _extent(tokens: Tokens, k: int) -> str:
    return Message("start-end-from", "from {start} to {end}", start=tokens.start[k], end=tokens.end[k])
