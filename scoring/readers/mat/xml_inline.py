"""Text with the annotations as elements in it."""

import re
from dataclasses import dataclass

from scoring.readers.mat.collecting import Collector, MalformedDocument
from scoring.readers.mat.types import label_of
from scoring.readers.mat.xml_text import Markup, XmlEvents, parse_xml

_TOP = "__top"
_OWN_PREFIX = "_mat:"
_DROPPED = "_mat:atypes"
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_TO_ESCAPE = re.compile("[&<>]")


@dataclass(frozen=True)
class XmlSettings:
    """`known` are the tags that are annotations, None all of them; an overlay keeps the other markup as text."""

    known: frozenset[str] | None
    is_overlay: bool


def read_xml_inline(content: bytes, collector: Collector, settings: XmlSettings) -> str | None:
    """The signal; None if the document cannot be read."""
    inline = _Inline(collector, settings)
    try:
        parse_xml(content, inline)
    except MalformedDocument as error:
        collector.report_error(error)
        return None
    return "".join(inline.parts)


class _Inline(XmlEvents):
    def __init__(self, collector: Collector, settings: XmlSettings) -> None:
        self.parts: list[str] = []
        self._length = 0
        self._collector = collector
        self._known = settings.known
        self._is_overlay = settings.is_overlay
        self._dropped = 0  # open elements from the one on that is dropped with its content
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

    def other(self, markup: Markup) -> None:
        if self._open and not self._dropped:
            self._markup(markup)

    def _is_known(self, name: str) -> bool:
        if name == _TOP or name.startswith(_OWN_PREFIX):
            return False
        return self._known is None or name in self._known

    def _annotate(self, name: str, start: int, attributes: dict[str, str], markup: Markup) -> None:
        if start == self._length and self._collector.counts(name):
            self._collector.report(f"zero-length annotation: <{name}> encloses no text", *markup.place())
            return
        if not self._collector.wants(name):
            return
        values = {key: value for key, value in attributes.items() if key != "_mat:id"}
        self._collector.add(name, label_of(name, values, self._collector.aliases), [start], [self._length])

    def _markup(self, markup: Markup) -> None:
        if self._is_overlay:
            self._append(markup.raw())

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)


def _escape(found: re.Match[str]) -> str:
    return _ESCAPED[found[0]]
