"""Draws a badge: two words beside each other on grounds of their own, so that it is read on light and dark pages."""

import unicodedata
from functools import lru_cache

from django.template.loader import render_to_string

from evalsite.board_pages.board.exports import NOT_IN_XML

SIZE, PADDING = 11, 7  # pixels
# Advance widths in thousandths of the size, which Helvetica, Arial and Liberation Sans share.
_WIDTHS = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " !,./:;I[\\]ft\N{MIDDLE DOT}\N{NO-BREAK SPACE}",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jckvsxyz",
    584: "+<=>~\N{MINUS SIGN}",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "\N{HORIZONTAL ELLIPSIS}\N{UPWARDS ARROW}\N{DOWNWARDS ARROW}",
    1015: "@",
}
_WIDTH_OF = {sign: width for width, signs in _WIDTHS.items() for sign in signs}
_USUAL, _WIDE = 556, 1000  # of digits and most small letters; of signs that fill a square


def badge(label: str, message: str) -> str:
    """Return the SVG of a badge; its texts are plain."""
    label, message = NOT_IN_XML.sub("", label), NOT_IN_XML.sub("", message)
    left, right = text_width(label), text_width(message)
    context = {
        "label": label,
        "message": message,
        "size": SIZE,
        "label_width": left,
        "message_width": right,
        "edge": left + 2 * PADDING,
        "width": left + right + 4 * PADDING,
        "label_at": PADDING + left / 2,
        "message_at": left + 3 * PADDING + right / 2,
    }
    return render_to_string("contrib/badges/badge.svg", context)


def text_width(text: str) -> int:
    """Return the width in pixels.

    >>> text_width("F1 0.65"), text_width("e\N{COMBINING ACUTE ACCENT}") == text_width("e")
    (40, True)
    """
    return round(sum(map(_advance, unicodedata.normalize("NFD", text))) * SIZE / 1000)


@lru_cache(maxsize=4096)
def _advance(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
        return 0
    if sign in _WIDTH_OF:
        return _WIDTH_OF[sign]
    return _WIDE if unicodedata.east_asian_width(sign) in "WF" else _USUAL
