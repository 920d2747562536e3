"""Finds which of the three kinds a file is, told by its content: TREC columns, three columns with tabs, or JSON."""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import only_file
from scoring.readers.ranking.json_lines import as_object

Kind = Literal["trec", "tabs", "json"]

# What divides columns: ASCII's blanks. Others, such as U+00A0, belong to a name.
BLANKS = b" \t\v\f\r\n"
# A line that says nothing: blank, or a comment.
_SKIPPED = re.compile(rb"[ \t\v\f\r]*+(?:#|\Z)")
_BLANK = re.compile(rb"[ \t\v\f\r\n]*+")
_OPENS_JSON = re.compile(rb"[ \t\v\f\r\n]*+\{")
# Headings of three columns: what each of them is called.
_HEADINGS = (
    frozenset(b"query-id query_id qid query topic".split()),
    frozenset(b"corpus-id corpus_id doc-id doc_id docid docno document doc pid".split()),
    frozenset(b"score rel relevance label sim rank".split()),
)


@dataclass(frozen=True)
class Source:
    """A file of a known kind."""

    path: str
    content: bytes
    kind: Kind
    start: int  # of the first byte that counts: behind a byte order mark, and for lines behind a heading
    first_line: int  # the number of the line that begins there


def source_of(files: Mapping[str, bytes], *, is_gold: bool = False) -> Source:
    """Return the only file; SubmissionError if there are several, or if it is in UTF-16."""
    path = only_file(files)
    content = files[path]
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise SubmissionError(Finding(Message("utf-16-save-file", "is in UTF-16; save the file as UTF-8"), path))
    start = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
    if _OPENS_JSON.match(content, start):
        lists = as_object(content[start:], path, is_gold=is_gold)
        return Source(path, content, "json", start, 1) if lists is None else Source(path, lists, "json", 0, 1)
    counting = ((number, end, line) for number, end, line in _lines(content, start) if not is_skipped(line))
    number, end, line = next(counting, (1, start, b""))
    if line.count(b"\t") != 2:
        return Source(path, content, "trec", start, 1)
    if is_heading(line):
        return Source(path, content, "tabs", end, number + 1)
    return Source(path, content, "tabs", start, 1)


def is_skipped(line: bytes) -> bool:
    """Return whether the line is blank, or a comment.

    >>> is_skipped(b" \\t\\r"), is_skipped(b" # a run"), is_skipped(b"q1 Q0 #5 1 2.0 run")
    (True, True, False)
    """
    return _SKIPPED.match(line) is not None


def is_heading(line: bytes) -> bool:
    """Return whether the three fields are names of columns.

    >>> is_heading(b"Query-ID\\tcorpus-id\\tscore\\r"), is_heading(b"q1\\td1\\t3")
    (True, False)
    """
    fields = [field.strip(BLANKS).lower() for field in line.split(b"\t")]
    return len(fields) == 3 and all(field in names for field, names in zip(fields, _HEADINGS, strict=True))


def _lines(content: bytes, start: int) -> Iterator[tuple[int, int, bytes]]:
    """Number from 1, offset behind the line feed, and the line without it, for each line from an offset on.

    Of blank lines in a row the last one stands for all.
    """
    number = 0
    while start < len(content):
        blanks = _BLANK.match(content, start)
        behind = content.rfind(b"\n", start, blanks.end()) if blanks else -1
        if behind > start:
            number += content.count(b"\n", start, behind)
            start = content.rfind(b"\n", start, behind) + 1 or start
        line_feed = content.find(b"\n", start)
        end = len(content) if line_feed < 0 else line_feed
        number += 1
        yield number, end + 1, content[start:end]
        start = end + 1
