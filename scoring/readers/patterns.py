r"""An organiser's regular expression, matched against what strangers write in time that grows with its length.

Python's `re` tries one way after another: `(\w+[-_.]?)+\.json` takes half a minute for a name of thirty letters, and
twice as long for each letter more. RE2 follows all ways at once. Its classes are those of ASCII, so they are written
out here as Python's are; what it lacks (looking around, references to groups, possessive and atomic groups), and what
would mean something else to it, is refused when the pattern is saved and not when somebody uploads.

The site has RE2 among its requirements. On somebody's own machine, where the texts are theirs as well, the engine does
without it, with Python's own matching.
"""

import re
from functools import lru_cache
from typing import Protocol, cast

from scoring.messages import Message

try:
    import re2
except ImportError:
    re2 = None

LONGEST = 1_000  # characters of a pattern
# What Python's classes of characters hold, as RE2 writes it inside of brackets.
_WORD = r"\p{L}\p{N}_"
_BLANK = r"\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
_CLASSES = {"d": r"\p{Nd}", "w": _WORD, "s": _BLANK}
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")
# A class in brackets or an escape, so that of \b only those are found that stand for the edge of a word.
_EDGE = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*+\]|\\[^b]|\\b", re.DOTALL)
_FROM_ZERO = re.compile(r"\{,([0-9]*)\}")


class Pattern(Protocol):
    """Holds what is used of a compiled expression."""

    def fullmatch(self, text: str) -> object | None: ...

    def search(self, text: str) -> object | None: ...


@lru_cache(maxsize=1024)
def compiled(pattern: str, *, any_case: bool = False, has_words: bool = False) -> Pattern:
    r"""Compile the expression, by which capitals may count as small letters.

    ValueError says why it cannot be matched in time.

    With `has_words` it may say \b, the edge of a word of ASCII letters and digits, which RE2 knows alone.

    >>> bool(compiled(r"\w+-\d+\.json").fullmatch("año-٣.json"))
    True
    >>> compiled("(a)(?!b)")
    Traceback (most recent call last):
    ValueError: cannot be matched in linear time: invalid perl operator: (?!
    """
    if len(pattern) > LONGEST:
        raise ValueError(
            Message(
                "regular-expression-characters-most",
                "a regular expression of {n} characters, at most {longest} are taken",
                n=len(pattern),
                longest=LONGEST,
            )
        )
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(
            Message("not-regular-expression", "not a regular expression: {error}", error=str(error))
        ) from None
    if re2 is None:
        edges_of_ascii = _EDGE.sub(lambda match: r"(?a:\b)" if match[0] == r"\b" else match[0], pattern)
        return re.compile(edges_of_ascii if has_words else pattern, re.IGNORECASE if any_case else 0)
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not any_case
    try:
        return cast(Pattern, re2.compile("".join(_Translation(pattern, has_words=has_words).parts), options))
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(
            Message("cannot-matched-linear-time", "cannot be matched in linear time: {text}", text=text)
        ) from None


def is_full_match(pattern: str, text: str) -> bool:
    """Return whether the whole text is as the pattern says."""
    # Bytes of a file's name that are no UTF-8 come as lone surrogates, which cannot be encoded.
    return compiled(pattern).fullmatch(text.encode("utf-8", "replace").decode()) is not None


class _Translation:
    """A pattern of Python's as RE2 writes it, in `parts`."""

    def __init__(self, pattern: str, *, has_words: bool) -> None:
        self.parts: list[str] = []
        self._has_words = has_words
        self._pattern = pattern
        self._offset = 0
        self._is_in_class = False
        while self._offset < len(pattern):
            self._take()

    def _take(self) -> None:
        """Take the next sign, or what stands for one."""
        sign = self._pattern[self._offset]
        if sign == "\\":
            self._escape()
        elif self._is_in_class:
            self._is_in_class = sign != "]"
            # To RE2 [[:alpha:]] is a class of its own.
            self._write("\\[" if sign == "[" else sign, 1)
        elif sign == "[":
            self._begin_class()
        elif from_zero := _FROM_ZERO.match(self._pattern, self._offset):
            # To RE2 these are the signs themselves.
            self._write(f"{{0,{from_zero[1]}}}", len(from_zero[0]))
        else:
            self._write(sign, 1)

    def _begin_class(self) -> None:
        self._is_in_class = True
        self._write("[", 1)
        if self._pattern[self._offset] == "^":
            self._write("^", 1)
        if self._pattern[self._offset] == "]":
            self._write("\\]", 1)

    def _escape(self) -> None:
        escaped = self._pattern[self._offset + 1]
        if code_point := _CODE_POINT.match(self._pattern, self._offset):
            self._write(f"\\x{{{code_point[1] or code_point[2]}}}", len(code_point[0]))
        elif escaped in "dws":
            self._write(_CLASSES[escaped] if self._is_in_class else f"[{_CLASSES[escaped]}]", 2)
        elif escaped in "DWS" and not self._is_in_class:
            self._write(f"[^{_CLASSES[escaped.lower()]}]", 2)
        elif escaped == "b" and self._is_in_class:
            self._write(r"\x08", 2)
        elif escaped == "b" and self._has_words:
            self._write(r"\b", 2)
        elif escaped in "DWSbBN123456789":
            raise ValueError(
                Message("not-read-in-brackets", "\\{escaped} is not read here in brackets", escaped=escaped)
                if escaped in "DWS"
                else Message("not-read-here", "\\{escaped} is not read here", escaped=escaped)
            )
        elif escaped == "Z":
            self._write(r"\z", 2)
        else:
            # RE2 knows no escapes of letters beyond ASCII, which mean the letter.
            self._write(escaped if escaped > "\x7f" else "\\" + escaped, 2)

    def _write(self, text: str, n_read: int) -> None:
        self.parts.append(text)
        self._offset += n_read
