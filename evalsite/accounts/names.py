"""When two names count as one: where people could not tell them apart."""

import unicodedata

LONGEST = 200  # characters that are compared; a single sign can stand for eighteen

# Letters by their category that draw nothing.
_FILLERS = "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{COMBINING GRAPHEME JOINER}"


def comparable(name: str) -> str:
    """What is left of a name without case, width, ways to write an accent, blanks that repeat and invisible signs.

    >>> comparable("  Ｆａｒｏ  NLP") == comparable("faro nlp")
    True
    """
    # Folding can undo what normalising has composed, and the other way round.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    visible = "".join(char for char in folded if not _is_invisible(char))
    return unicodedata.normalize("NFKC", " ".join(visible.split()))[:LONGEST]


def _is_invisible(char: str) -> bool:
    # A line break is a blank, which `split` takes.
    if char.isspace():
        return False
    return unicodedata.category(char) in {"Cc", "Cf"} or char in _FILLERS or "VARIATION SELECTOR" in _called(char)


def _called(char: str) -> str:
    return unicodedata.name(char, "")
