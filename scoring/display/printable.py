"""Text as it may reach a terminal: nothing in a name or an answer steers it, turns a line around, or feigns a line."""

import unicodedata

_LINES = "\n\t"  # which lay out what we write ourselves
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # which the spelling of some languages needs


def printable(text: str) -> str:
    r"""Return the text with an escape for each character that a terminal acts on, but line ends and tabs.

    These are controls (C0, DEL, C1), direction marks and other formats, halves of surrogate pairs, and whatever is no
    character. The escapes are those of JSON, so that JSON keeps its values. Blanks of all widths stay.

    >>> print(printable("Ada\x1b[2J \x9b\u202e\n"), end="")
    Ada\u001b[2J \u009b\u202e
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\r\n".join(part.translate(_ESCAPES) for part in text.split("\r\n"))


def one_line(text: str) -> str:
    r"""Return the text on one line, as a value inside a sentence or a table has to be.

    >>> print(one_line("Ada\nNothing differs."))
    Ada\u000aNothing differs.
    """
    return text if text.isprintable() else text.translate(_ESCAPES_OF_LINE)


class _Escapes(dict[int, str]):
    """What stands for each character, made when it is first met."""

    def __init__(self, kept: str) -> None:
        super().__init__((ord(sign), sign) for sign in kept)

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        is_plain = sign.isprintable() or unicodedata.category(sign) == "Zs"
        self[code] = shown = sign if is_plain else _escaped(sign)
        return shown


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k : k + 2].hex()}" for k in range(0, len(units), 2))


_ESCAPES, _ESCAPES_OF_LINE = _Escapes(_JOINERS + _LINES), _Escapes(_JOINERS)
