"""Text in another encoding than the input's, or in another composition of its characters."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.columns import sampled
from scoring.describing.contents import Contents, Layer
from scoring.describing.wording import quoted
from scoring.findings import Finding
from scoring.messages import Message
from scoring.spelling.strings import first_difference

_LOOKED_AT = 500  # texts
_LONGEST_TEXT = 10_000  # characters of each
_BEFORE = 24  # characters of an example before what is found
_FEWEST = 2
_SHARE = 0.01
_MOST_TEXT = 2**21  # characters of the input that are looked at, to learn what it has itself
# The bytes of a character of two or three in UTF-8, read as Latin-1 or Windows-1252: "Ã©", "â€™".
_CONTINUING = "[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MOJIBAKE = re.compile(rf"[Â-ß]{_CONTINUING}|[à-ï]{_CONTINUING}{{2}}|ð{_CONTINUING}{{3}}")
# A question mark or a sign of replacement inside a word stands for a letter that was lost.
_LOST = re.compile(r"\ufffd|(?<=\w)\?(?=\w)")


def odd_encoding(contents: Contents) -> Iterator[Finding]:
    """Yield `encoding` where a system's own text has what reading in a wrong encoding leaves, and the input has not."""
    for layer, texts in own_texts(contents):
        # A second look would tell the same texts again.
        yield from [odd for look in _LOOKS for odd in _odd(look, layer, texts, contents)][:1]


def own_texts(contents: Contents) -> Iterator[tuple[Layer, list[str]]]:
    """Return texts that the system wrote, of some annotations of each layer, spread evenly; long texts are cut."""
    for layer in [contents.written] if contents.written else contents.layers:
        if stated := layer.answers or (layer.spans and layer.spans.stated):
            yield layer, [text[:_LONGEST_TEXT] for text in stated(sampled(len(layer), _LOOKED_AT))]


def mended(text: str) -> str:
    """Return the text that was read in a wrong encoding, as it was written; any other text as it is.

    >>> mended("mÃ©dico"), mended("médico")
    ('médico', 'médico')
    """
    return _MOJIBAKE.sub(_character, text)


def _character(match: "re.Match[str]") -> str:
    try:
        # Windows-1252 leaves five bytes undefined, which most programs read as Latin-1 does.
        content = b"".join(c.encode("cp1252") if ord(c) > 0xFF else c.encode("latin-1") for c in match[0])
        return content.decode()
    except UnicodeError:
        return match[0]


def _from(text: str, place: int) -> str:
    """Return a text from shortly before a place in it."""
    return "…" + text[place - _BEFORE :] if place > _BEFORE else text


@dataclass(frozen=True)
class _Look:
    """One thing that can be odd in a text."""

    is_odd: Callable[[str], bool]
    words: Callable[[str], Message]  # of an odd text: what is said of all of them, with it as the example
    suggestion: Message


_IN_UTF_8 = Message("use-utf-8", "read and write all files as UTF-8")
_LOOKS = (
    _Look(
        lambda text: mended(text) != text,
        lambda text: Message(
            "look-misread",
            "look as if they had been read in a wrong encoding: {text}, probably {mended}",
            text=quoted(_from(text, first_difference(text, mended(text)))),
            mended=quoted(_from(mended(text), first_difference(text, mended(text)))),
        ),
        _IN_UTF_8,
    ),
    _Look(
        lambda text: _LOST.search(text) is not None,
        lambda text: Message(
            "have-lost-characters",
            "have lost characters: {text}",
            text=quoted(_from(text, len(_LOST.split(text, maxsplit=1)[0]))),
        ),
        _IN_UTF_8,
    ),
    _Look(
        lambda text: not unicodedata.is_normalized("NFC", text),
        lambda text: Message(
            "have-separate-accents",
            "have letters and accents as separate characters, and the input has them composed: {text}",
            text=quoted(text),
        ),
        Message("leave-characters", "leave the input's characters as they are (NFC); offsets count them"),
    ),
)


def _odd(look: _Look, layer: Layer, texts: Sequence[str], contents: Contents) -> Iterator[Finding]:
    odd = [text for text in texts if look.is_odd(text)]
    if _is_told(odd, texts) and not input_has(contents, look.is_odd):
        yield Finding.odd(
            "encoding",
            Message(
                "odd-texts",
                "{n:,} of {of:,} {things} {what}.",
                n=len(odd),
                of=len(texts),
                things=Message.word(layer.name[1]),
                what=look.words(odd[0]),
            ),
            n=len(odd),
            of=len(texts),
            file=layer.file or contents.file,
            suggestion=look.suggestion,
        )


def _is_told(odd: Sequence[str], texts: Sequence[str]) -> bool:
    return len(odd) >= max(_FEWEST, _SHARE * len(texts))


def input_has(contents: Contents, is_so: Callable[[str], object]) -> bool:
    """Return whether the input's own text has it, as far as it is looked at."""
    seen = 0
    for text in contents.texts:
        if is_so(text[: _MOST_TEXT - seen]):
            return True
        seen += len(text)
        if seen >= _MOST_TEXT:
            break
    return False
