"""Texts that differ in nothing but their line ends, CRLF (Windows) and LF, and offsets moved from one to the other."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers


@dataclass(frozen=True)
class LineEnds:
    """Holds where a text of `length` characters has the CR of each CRLF: (n,) ascending."""

    places: Integers
    length: int

    @classmethod
    def of(cls, text: str) -> "LineEnds":
        places = []
        place = text.find("\r\n")
        while place >= 0:
            places.append(place)
            place = text.find("\r\n", place + 1)
        return cls(np.array(places, dtype=np.int64), len(text))

    def to_lf(self, offsets: Integers) -> Integers:
        """Move offsets (n,) to the text with LF alone; between CR and LF is before the LF."""
        return offsets - np.searchsorted(self.places, offsets)

    def from_lf(self, offsets: Integers) -> Integers:
        """Move offsets (n,) of the text with LF alone to this text.

        >>> ends = LineEnds.of("a\\r\\nb")
        >>> ends.to_lf(np.array([0, 1, 2, 3, 4])), ends.from_lf(np.array([0, 1, 2, 3]))
        (array([0, 1, 1, 2, 3]), array([0, 1, 3, 4]))
        """
        # In the text with LF alone, each line feed stands before its place here by those before it.
        feeds = self.places - np.arange(len(self.places))
        return offsets + np.searchsorted(feeds, offsets)


def with_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def with_other_ends(text: str) -> str:
    """Return the text with LF if it has CRLF anywhere, else with CRLF."""
    return with_lf(text) if "\r\n" in text else text.replace("\n", "\r\n")
