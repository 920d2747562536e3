"""The annotations of a layer that are looked at, and whether they stand where they seem to be meant."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scoring.columns import Flags, Integers, owners, ranges, sampled, starts_from_sizes
from scoring.describing.contents import Layer, Spans
from scoring.describing.encoding import mended
from scoring.spelling.strings import composed

# Bounds for what somebody might contrive: pieces of one annotation, and text under a span beside the text given.
_MOST_PIECES = 50
LONGER_TEXT, SLACK = 4, 64
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class SampledAnnotations:
    """The n annotations of a layer that are looked at."""

    layer: Layer
    index: Integers  # (n,) among those of the layer
    spans: Spans  # of these alone
    stated: list[str] | None  # (n,) what the system says stands there, its encoding mended

    @classmethod
    def draw(cls, layer: Layer, spans: Spans, most: int, before: int | None = None) -> "SampledAnnotations":
        """Take so many at most, spread evenly over all, or over those that end before a place in their text."""
        sizes = np.diff(spans.first)
        fit = sizes <= _MOST_PIECES
        if before is not None:
            fit &= spans.ends[spans.first[1:] - 1] < before
        candidates = np.flatnonzero(fit)
        index = candidates[sampled(len(candidates), most)]
        pieces = ranges(spans.first[:-1][index], sizes[index])
        sampled_spans = replace(
            spans,
            document=spans.document[index],
            first=starts_from_sizes(sizes[index]),
            starts=spans.starts[pieces],
            ends=spans.ends[pieces],
        )
        stated = [mended(text) for text in spans.stated(index)] if spans.stated else None
        return cls(layer, index, sampled_spans, stated)

    def __len__(self) -> int:
        return len(self.index)

    @cached_property
    def folded(self) -> list[str]:
        """Return what the system says (n,), folded."""
        return [folded_text(text).strip() for text in self.stated or ()]

    @cached_property
    def documents(self) -> list[int]:
        return list(self.spans.document.tolist())

    @cached_property
    def piece_document(self) -> Integers:
        """Return the document of each piece (m,)."""
        return self.spans.document[owners(np.diff(self.spans.first))]

    @cached_property
    def as_written(self) -> Flags:
        """Return whether each annotation (n,) stands right where the file says."""
        return self.fits(self.spans.starts, self.spans.ends)

    @property
    def n_wrong(self) -> int:
        """Return how many of them stand elsewhere."""
        return len(self) - int(np.count_nonzero(self.as_written))

    def fits(self, starts: Integers, ends: Integers) -> Flags:
        """Return whether each annotation (n,) stands right if its pieces were at these places (m,)."""
        fits_one = self._has_words if self.stated is None else self._has_text
        first, begins, stops = self.spans.first.tolist(), starts.tolist(), ends.tolist()
        return np.array(
            [
                fits_one(k, list(zip(begins[first[k] : first[k + 1]], stops[first[k] : first[k + 1]], strict=True)))
                for k in range(len(self))
            ],
            dtype=np.bool_,
        )

    def _has_text(self, k: int, pieces: Sequence[tuple[int, int]]) -> bool:
        text = self.spans.texts[self.documents[k]]
        stated = (self.stated or ())[k]
        most = LONGER_TEXT * len(stated) + SLACK
        if any(not 0 <= start < end <= min(len(text), start + most) for start, end in pieces):
            return False
        marked = " ".join(text[start:end] for start, end in pieces)
        if marked == stated:
            return True
        # Of a text that has blanks at its ends by mistake, the offsets may have them too, or not.
        expected, under = self.folded[k], folded_text(marked)
        if under in (expected, folded_text(stated)):
            return True
        first, last = pieces[0][0], pieces[-1][1]
        return len(pieces) > 1 and last - first <= most and folded_text(text[first:last]) == expected

    def _has_words(self, k: int, pieces: Sequence[tuple[int, int]]) -> bool:
        text = self.spans.texts[self.documents[k]]
        return all(_stands_on_words(text, start, end) for start, end in pieces)


def folded_text(text: str) -> str:
    """Return the text composed, without case, and with one space for each run of blanks."""
    return _SPACE.sub(" ", composed(text)).casefold()


def _stands_on_words(text: str, start: int, end: int) -> bool:
    """Return whether a span begins where a word or a sign does, and ends so.

    >>> [_stands_on_words("el asma.", *span) for span in ((3, 7), (3, 8), (4, 8), (2, 6), (3, 6))]
    [True, True, False, False, False]
    """
    if not 0 <= start < end <= len(text) or text[start].isspace() or text[end - 1].isspace():
        return False
    return not (_is_inside(text, start) or _is_inside(text, end))


def _is_inside(text: str, place: int) -> bool:
    """Return whether a place is inside a word."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
