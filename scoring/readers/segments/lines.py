r"""Plain lines: one text a line, which a line feed ends, with or without a carriage return before it, and nothing else.

Other characters that some programs take for a line's end are part of the text: a segment may hold one, and to end a
line there would shift all segments behind it. The first of them is told.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import not_decoded, only_file

# Line separator, paragraph separator, next line, vertical tab, form feed, the separators of files, groups and records,
# and a carriage return that no line feed follows.
_ODD = re.compile("[\u2028\u2029\x85\x0b\x0c\x1c-\x1e]|\r(?!\n)")
_ODD_SIGNS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 256  # bytes in which zeros tell UTF-16 without a mark


@dataclass(frozen=True)
class OddEnds:
    """Characters that some programs take for the end of a line, and that are none here."""

    line: int  # of the first of them, from 1
    name: str  # of the first of them, such as "U+2028"
    number: int  # of all of them in the file

    @property
    def said(self) -> Message:
        """Say it as a warning does.

        >>> print(OddEnds(7, "U+2028", 2).said)
        line 7 holds U+2028, which some programs take for the end of a line (2 such characters in the file)
        """
        such = Message.counted("such-characters", "1 such character", "{n} such characters", self.number)
        what = Message(
            "line-holds-which-some",
            "line {line} holds {name}, which some programs take for the end of a line",
            line=self.line,
            name=self.name,
        )
        return Message("what-such-file", "{what} ({such} in the file)", what=what, such=such)


@dataclass(frozen=True)
class PlainLines:
    """The lines of a file."""

    file: str
    texts: list[str]  # in order, without their ends
    odd: OddEnds | None  # None where there are none


def plain_lines(content: bytes, file: str) -> PlainLines:
    r"""Read the lines of a file; a last line without end counts. SubmissionError if it is not UTF-8.

    >>> plain_lines("one\r\ntwo\u2028still two\n\nfour".encode(), "run.txt").texts
    ['one', 'two\u2028still two', '', 'four']
    """
    text = utf8_text(content, file)
    return PlainLines(file, split_lines(text), _odd_ends(text))


def only_plain_lines(files: Mapping[str, bytes]) -> PlainLines:
    """Read the lines of the one file; SubmissionError if there are several, or as `plain_lines`."""
    path = only_file(files)
    return plain_lines(files[path], path)


def split_lines(text: str) -> list[str]:
    r"""Cut the lines at their ends, LF or CRLF; what follows the last end is a line only if it is not empty.

    >>> split_lines("a\rb\r\n\n"), split_lines("")
    (['a\rb', ''], [])
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")] if "\r" in text else text.split("\n")
    return lines if lines[-1] else lines[:-1]


def utf8_text(content: bytes, file: str) -> str:
    """Return the text without its byte order mark; SubmissionError if it is in another encoding than UTF-8."""
    if _is_utf16(content):
        raise SubmissionError(Finding(Message("utf-16-save-file-utf", "UTF-16: save the file as UTF-8"), file))
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise SubmissionError(_not_utf8(error, file)) from None


def _is_utf16(content: bytes) -> bool:
    """Tell UTF-16 by its mark, or by zeros: every second byte of plain Latin text is one, in UTF-8 none is."""
    start = content[:_LOOKED_AT]
    return content.startswith(_UTF16_MARKS) or (len(start) > 3 and len(start) > start.count(0) > len(start) / 3)


def _not_utf8(error: UnicodeDecodeError, file: str) -> Finding:
    """Return the problem; its line is counted by line feeds alone, as the lines themselves are."""
    problem = not_decoded(error, file)
    before = error.object[: error.start]
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return Finding(problem.message, file, before.count(b"\n") + 1, column)


def _odd_ends(text: str) -> OddEnds | None:
    # Most files have none of the signs, which is told much sooner than where the pattern is.
    first = _ODD.search(text) if any(sign in text for sign in _ODD_SIGNS) else None
    if first is None:
        return None
    number = sum(1 for _ in _ODD.finditer(text))
    return OddEnds(text.count("\n", 0, first.start()) + 1, f"U+{ord(first[0]):04X}", number)
