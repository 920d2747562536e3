"""The composed form of Unicode (NFC) in time that grows with the text, whatever the text is.

`unicodedata.normalize` puts combining marks in order by moving each past those before it. That is quick where a letter
has two or three, as in every language, and takes minutes where somebody writes a hundred thousand behind each other.
"""

import unicodedata
from functools import lru_cache
from itertools import groupby

# Up to so many characters the library's own way is the quickest, however they are chosen.
_SHORT = 200


def composed(text: str) -> str:
    r"""What `unicodedata.normalize("NFC", text)` gives.

    >>> composed("nin\u0303o")
    'niño'
    """
    if len(text) <= _SHORT or text.isascii():
        return unicodedata.normalize("NFC", text)
    # What the library does, in its three steps, but with a sort that takes n log n: every character is taken apart,
    # marks between two letters are ordered by their class, and what comes of that needs no more moving.
    parts = "".join(map(_apart, text))
    if parts.isascii():
        return parts
    runs = groupby(parts, key=lambda character: unicodedata.combining(character) > 0)
    ordered = ("".join(sorted(run, key=unicodedata.combining) if are_marks else run) for are_marks, run in runs)
    return unicodedata.normalize("NFC", "".join(ordered))


@lru_cache(maxsize=2**12)
def _apart(character: str) -> str:
    """A single character as the letters and marks that it is made of."""
    return unicodedata.normalize("NFD", character)
