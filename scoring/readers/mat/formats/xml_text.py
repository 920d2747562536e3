"""XML parsed without ever expanding what a document declares.

A document type declaration is refused where it begins, before the parser acts on it: no entity is expanded, and no
file or address that a document names is opened.
"""

import codecs
import re
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from scoring.messages import Message
from scoring.readers.mat.collecting import MalformedDocument, decode_utf8, line_and_column

# Deeper documents are not annotated text, but meant to exhaust whoever walks through them.
MOST_LEVELS = 200
_DECLARATION = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")
# A tag up to its end; in quotes a > does not end it.
_TAG = re.compile(rb"""<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""")
# UTF-32 stands before UTF-16, because its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Encodings of text, by Python's names; it also knows codecs such as base64 and zip, which are none.
_TEXT_ENCODINGS = re.compile(
    r"utf-(8|16|32)(-[lb]e)?|ascii|iso8859-\d+|cp\d+|koi8-.|mac-.*|(shift_jis|euc|gb|big5|iso2022).*"
)


class Markup(Protocol):
    """The tag, comment or instruction at which the parser stands."""

    def raw(self) -> str:
        """Return it as written; an empty tag counts as a start, so that nothing is left for its end."""

    def position(self) -> tuple[int, int]:
        """Return its line and column, counted from 1."""


class XmlEvents:
    """Holds a document in its order; a reader overrides what it needs."""

    def start(self, name: str, attributes: dict[str, str], markup: Markup) -> None: ...

    def end(self, name: str, markup: Markup) -> None: ...

    def text(self, text: str) -> None: ...

    def comment_or_instruction(self, markup: Markup) -> None:
        """Take a comment or a processing instruction."""


@dataclass
class Element:
    """An element with all that is in it."""

    name: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)  # in document order
    text: str = ""  # what stands in it before, between and behind its children

    def descendants(self, name: str) -> list["Element"]:
        """Return the elements of this name below it, in document order."""
        below = [[child] * (child.name == name) + child.descendants(name) for child in self.children]
        return [element for elements in below for element in elements]


def parse_xml(content: bytes, events: XmlEvents) -> None:
    """Tell what the document holds. MalformedDocument says what is wrong with it and where."""
    _Parser(content, events).run()


def parse_elements(content: bytes) -> Element:
    """Parse the root element."""
    tree = _Tree()
    parse_xml(content, tree)
    return tree.top.children[0]


# In the words of expat.
_FAULTS = (
    Message.word("syntax error"),
    Message.word("no element found"),
    Message.word("not well-formed (invalid token)"),
    Message.word("unclosed token"),
    Message.word("mismatched tag"),
    Message.word("duplicate attribute"),
    Message.word("junk after document element"),
    Message.word("undefined entity"),
)


class _Parser:
    """Expat around one document; it is the Markup of which its events tell."""

    def __init__(self, content: bytes, events: XmlEvents) -> None:
        # Decoded here: the parser knows few encodings, and counts bytes of the one that it is given.
        self._data = _in_utf8(content)
        self._events = events
        self._open: list[bool] = []  # for each open element whether it is written as one empty tag
        self._is_end_of_empty_tag = False
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = events.text
        self._parser.CommentHandler = self._comment_or_instruction
        self._parser.ProcessingInstructionHandler = self._comment_or_instruction
        self._parser.StartDoctypeDeclHandler = self._refuse_declarations

    def run(self) -> None:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            fault_of_expat = expat.errors.messages[error.code]
            message = Message(
                "xml-not-well-formed-because",
                "not well-formed XML: {message}",
                message=next((fault for fault in _FAULTS if fault == fault_of_expat), fault_of_expat),
            )
            raise MalformedDocument(message, error.lineno, error.offset + 1) from None

    def raw(self) -> str:
        if self._is_end_of_empty_tag:
            return ""
        start = self._parser.CurrentByteIndex
        for opening, ending in ((b"<!--", b"-->"), (b"<?", b"?>")):
            if self._data.startswith(opening, start):
                return self._data[start : self._data.index(ending, start) + len(ending)].decode()
        return self._tag().decode()

    def position(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _tag(self) -> bytes:
        tag = _TAG.match(self._data, self._parser.CurrentByteIndex)
        assert tag is not None, "the parser has accepted a tag here"
        return tag[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) == MOST_LEVELS:
            message = Message(
                "nested-too-deeply-more",
                "nested too deeply: more than {most_levels} elements inside each other",
                most_levels=MOST_LEVELS,
            )
            raise MalformedDocument(message, *self.position())
        self._open.append(self._tag().endswith(b"/>"))
        self._events.start(name, attributes, self)

    def _end(self, name: str) -> None:
        self._is_end_of_empty_tag = self._open.pop()
        self._events.end(name, self)
        self._is_end_of_empty_tag = False

    def _comment_or_instruction(self, *_: str) -> None:
        self._events.comment_or_instruction(self)

    def _refuse_declarations(self, *_: object) -> None:
        # The parser tells of a declaration where it ends or has a part of its own, not where it begins.
        before = self._data[: self._data.rindex(b"<!DOCTYPE", 0, self._parser.CurrentByteIndex + 1)].decode()
        position = line_and_column(before, len(before))
        raise MalformedDocument(
            Message("document-type-declarations-not", "document type declarations are not allowed"), *position
        )


class _Tree(XmlEvents):
    """Builds elements; `top` holds the root."""

    def __init__(self) -> None:
        self.top = Element("", {})
        self._open = [self.top]

    def start(self, name: str, attributes: dict[str, str], markup: Markup) -> None:
        element = Element(name, attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, name: str, markup: Markup) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        self._open[-1].text += text


def _in_utf8(content: bytes) -> bytes:
    """Return the document in UTF-8, without a byte order mark.

    MalformedDocument if its bytes are not what it declares.
    """
    encoding, start = _encoding(content)
    if encoding == "utf-8":
        decode_utf8(content[start:])
        return content[start:]
    try:
        return content[start:].decode(encoding).encode()
    except UnicodeError:
        raise MalformedDocument(
            Message("not-well-formed-xml-byte", "not well-formed XML: a byte is not {encoding}", encoding=encoding)
        ) from None


def _encoding(content: bytes) -> tuple[str, int]:
    """Return Python's name of the encoding, and how many bytes the byte order mark has.

    By that mark, else by the zero bytes of UTF-16, else as declared; without any of them it is UTF-8.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return encoding, len(mark)
    if content.startswith(b"<\0"):
        return "utf-16-le", 0
    if content.startswith(b"\0<"):
        return "utf-16-be", 0
    declared = _DECLARATION.match(content)
    name = declared[1].decode() if declared else "utf-8"
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        encoding = ""
    if not _TEXT_ENCODINGS.fullmatch(encoding):
        raise MalformedDocument(
            Message("not-well-formed-xml", "not well-formed XML: the encoding {name} is not known", name=name), 1, 1
        )
    return encoding, 0
