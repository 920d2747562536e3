"""Letters of another alphabet that look like those that are meant, as a keyboard or a page that was copied brings."""

import unicodedata
from dataclasses import dataclass

from scoring.messages import Message

_ALIKE = {
    "Cyrillic": ("аеорсухіјѕԁԛԝһӏтАВЕКМНОРСТУХІЈЅԚԜӀ", "aeopcyxijsdqwhltABEKMHOPCTYXIJSQWI"),
    "Greek": ("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧν", "oABEZHIKMNOPTYXv"),
}
_FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
_LATIN = str.maketrans(
    {letter: latin for alike in _ALIKE.values() for letter, latin in zip(*alike, strict=True)} | _FULL_WIDTH
)
_ALPHABETS = {
    "CYRILLIC": Message.word("Cyrillic"),
    "GREEK": Message.word("Greek"),
    "LATIN": Message.word("Latin"),
    "FULLWIDTH": Message.word("full-width"),
}


@dataclass(frozen=True)
class StrangeLetter:
    """The first letter of a name that is of another alphabet than that of the name that is meant."""

    written: str
    meant: str
    place: int  # from 1
    alphabet: str
    other: str  # the alphabet of the letter that is meant

    @property
    def message(self) -> Message:
        return Message(
            "letter-of-another-alphabet",
            "letter {place} of {written} is {alphabet}, and {meant} has a {other} one there",
            place=self.place,
            written=repr(self.written),
            alphabet=self.alphabet,
            meant=repr(self.meant),
            other=self.other,
        )


def in_latin(text: str) -> str:
    """Return the text with Latin letters for those of other alphabets that look alike.

    >>> in_latin("r\\u0435port") == "report"
    True
    """
    return text if text.isascii() else text.translate(_LATIN)


def strange_letter(written: str, meant: str) -> StrangeLetter | None:
    """Return where a name differs from the one that is meant, if it does so in alphabets of letters alone.

    >>> strange_letter("r\\u0435port", "report").place, strange_letter("r\\u0435port", "report").alphabet
    (2, 'Cyrillic')
    >>> strange_letter("rapport", "report"), strange_letter("r\\xe9port", "report"), strange_letter("report", "report")
    (None, None, None)
    """
    if len(written) != len(meant) or written.isascii() and meant.isascii():
        return None
    pairs = [(k, one, other) for k, (one, other) in enumerate(zip(written, meant, strict=True)) if one != other]
    alphabets = [(_alphabet(one), _alphabet(other)) for _, one, other in pairs]
    if not pairs or any(not one or not other or one == other for one, other in alphabets):
        return None
    return StrangeLetter(written, meant, pairs[0][0] + 1, *alphabets[0])


def _alphabet(letter: str) -> str:
    """Return the alphabet of a letter; "" of other signs."""
    first = unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""
    return _ALPHABETS.get(first, first.title())
