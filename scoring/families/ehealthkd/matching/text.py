"""The text that phrases are matched in, asked about its blanks for thousands of positions at once."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers

# Half the memory of Integers: there is one for each character of the corpus.
_Sums = NDArray[np.int32]

_FLAGS_AT_A_TIME = 2**16


class Text:
    """The sentences of a corpus, in which positions are code points from the beginning of their sentence.

    Only U+0020 is a blank: the challenge's program cuts phrases there and nowhere else.

    >>> text = Text(["tos seca", "dolor de cabeza"])
    >>> text.is_blank(np.array([0, 1, 1]), np.array([3, 3, 5]))
    array([ True, False,  True])
    >>> text.n_blanks(np.array([1, 1]), np.array([0, 6]), np.array([15, 8]))
    array([2, 0])
    """

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences
        self.lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))  # (sentences,)
        # Where each sentence begins in the text of all sentences, each with a newline behind it. The newline at the
        # very end keeps a look at the position behind the last character from running out of the text.
        self._starts = np.cumsum(self.lengths + 1) - self.lengths - 1
        encoded = np.frombuffer(("\n".join(sentences) + "\n").encode(), dtype=np.uint8)
        # In UTF-8 the bytes 0b10xxxxxx continue a character; every other byte begins one.
        begins_character = (encoded & 0xC0) != 0x80
        self._blank = encoded[begins_character] == ord(" ")  # (characters,)
        self._blanks_before = _sums_before(self._blank)  # (characters + 1,)

    @cached_property
    def _word_starts_before(self) -> _Sums:
        """Number of word starts before each character (characters + 1,); most corpora need it nowhere."""
        word_starts = np.zeros_like(self._blank)
        word_starts[1:] = self._blank[:-1] & ~self._blank[1:]
        return _sums_before(word_starts)

    def is_blank(self, sentence: Integers, position: Integers) -> Flags:
        """Return whether there is a blank at each position; outside of its sentence there is none."""
        inside = (position >= 0) & (position < self.lengths[sentence])
        blank: Flags = self._blank[np.where(inside, self._starts[sentence] + position, 0)]
        return inside & blank

    def n_blanks(self, sentence: Integers, start: Integers, end: Integers) -> Integers:
        """Number of blanks in each [start, end), as far as it lies inside its sentence."""
        return self._between(self._blanks_before, sentence, start, end)

    def n_word_starts(self, sentence: Integers, start: Integers, end: Integers) -> Integers:
        """Number of characters in each [start, end) that are no blanks and follow one."""
        return self._between(self._word_starts_before, sentence, start, end)

    def _between(self, sums: _Sums, sentence: Integers, start: Integers, end: Integers) -> Integers:
        length, origin = self.lengths[sentence], self._starts[sentence]
        # Not by `np.clip`, which asks for the limits of the type each time.
        from_, to = (np.minimum(np.maximum(place, 0), length) for place in (start, end))
        # A reversed span would give a negative number; it holds nothing.
        number: Integers = np.maximum(sums[origin + to] - sums[origin + from_], 0).astype(np.int64)
        return number


def _sums_before(flags: Flags) -> _Sums:
    """Return how many flags are set before each position, and in the end in all: (n,) -> (n + 1,)."""
    sums = np.zeros(len(flags) + 1, dtype=np.int32)
    # Piece by piece, because NumPy first makes integers of all the flags that it is given.
    for start in range(0, len(flags), _FLAGS_AT_A_TIME):
        piece = sums[start + 1 : start + 1 + _FLAGS_AT_A_TIME]
        np.cumsum(flags[start : start + _FLAGS_AT_A_TIME], dtype=np.int32, out=piece)
        piece += sums[start]
    return sums
