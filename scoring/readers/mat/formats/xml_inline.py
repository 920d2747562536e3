"""Text with the annotations as elements in it.

    <doc><PER>Mirelle</PER> left <ENAMEX type="LOCATION">Gorloin</ENAMEX> &amp; co</doc>

A known element becomes an annotation over the text that it encloses. Of all other markup only the text is kept, or, in
an *overlay*, the markup too, as it is written: then it belongs to the signal, and offsets count its characters.
"""

import re
from dataclasses import dataclass

from scoring.messages import Message
from scoring.readers.mat.collecting import Collector, MalformedDocument
from scoring.readers.mat.formats.xml_text import Markup, XmlEvents, parse_xml
from scoring.readers.mat.types import label_of

# Elements that MAT itself writes around and into documents; none of them is an annotation.
_TOP = "__top"
_OWN_PREFIX = "_mat:"
# This one lists types of annotations, so its text is none of the document's.
_DROPPED = "_mat:atypes"
# MAT's ID of an annotation, which is no attribute of it.
_ID = "_mat:id"
# In an overlay, text is written as XML again, as far as it has to be.
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_TO_ESCAPE = re.compile("[&<>]")


@dataclass(frozen=True)
class XmlSettings:
    known: frozenset[str] | None  # tags that are annotations; None stands for every tag
    is_overlay: bool  # whether other markup belongs to the text


def read_xml_inline(content: bytes, collector: Collector, settings: XmlSettings) -> str | None:
    """Read the signal; None if the document cannot be read."""
    inline = _Inline(collector, settings)
    try:
        parse_xml(content, inline)
    except MalformedDocument as error:
        collector.report_error(error)
        return None
    return "".join(inline.parts)


class _Inline(XmlEvents):
    """Builds the signal from what the document holds, and adds each annotation where its element ends."""

    def __init__(self, collector: Collector, settings: XmlSettings) -> None:
        # The signal so far, and how many characters it has.
        self.parts: list[str] = []
        self._length = 0
        self._collector = collector
        self._known = settings.known
        self._is_overlay = settings.is_overlay
        self._dropped = 0  # open elements from the one on that is dropped with its content
        # For each open element where its text starts and its attributes; None if it is no annotation.
        self._open: list[tuple[int, dict[str, str]] | None] = []

    def start(self, name: str, attributes: dict[str, str], markup: Markup) -> None:
        if self._dropped or name == _DROPPED:
            self._dropped += 1
        elif self._is_known(name):
            self._open.append((self._length, attributes))
        else:
            self._open.append(None)
            self._markup(markup)

    def end(self, name: str, markup: Markup) -> None:
        if self._dropped:
            self._dropped -= 1
            return
        annotation = self._open.pop()
        if annotation is None:
            self._markup(markup)
        else:
            self._annotate(name, *annotation, markup)

    def text(self, text: str) -> None:
        if not self._dropped:
            self._append(_TO_ESCAPE.sub(_escape, text) if self._is_overlay else text)

    def comment_or_instruction(self, markup: Markup) -> None:
        # Comments outside the root element are dropped, also in an overlay: a choice of ours.
        if self._open and not self._dropped:
            self._markup(markup)

    def _is_known(self, name: str) -> bool:
        if name == _TOP or name.startswith(_OWN_PREFIX):
            return False
        return self._known is None or name in self._known

    def _annotate(self, name: str, start: int, attributes: dict[str, str], markup: Markup) -> None:
        """Add the annotation of an element that ends here."""
        if start == self._length and self._collector.counts(name):
            self._collector.report(
                Message(
                    "zero-length-annotation-encloses", "zero-length annotation: <{name}> encloses no text", name=name
                ),
                *markup.position(),
            )
            return
        if not self._collector.wants(name):
            return
        values = {key: value for key, value in attributes.items() if key != _ID}
        self._collector.add(name, label_of(name, values, self._collector.aliases), [start], [self._length])

    def _markup(self, markup: Markup) -> None:
        if self._is_overlay:
            self._append(markup.raw())

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)


def _escape(character: re.Match[str]) -> str:
    return _ESCAPED[character[0]]
