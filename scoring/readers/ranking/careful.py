"""The careful path: a file line by line, with every problem and its place.

It reads whatever the fast path (`fast.py`) gives up on, lines of a query that stand anywhere among them.
"""

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from scoring.columns import Floats
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.problems import Problems, not_decoded
from scoring.readers.ranking.columns import Name, shown
from scoring.readers.ranking.fast import MOST_GRADE, TABS, Shape, Take
from scoring.readers.ranking.kinds import BLANKS, Source, is_skipped
from scoring.readers.tables.decimals import number_hint

# What a value's text means; a text that says what is wrong where it is none.
Parse = Callable[[bytes], float | str]

# The signs `++` and `*+` give no character back, so that a long line costs what it is long.
_NUMBER = re.compile(rb"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+")
_INTEGER = re.compile(rb"[+-]?+([0-9]++)")
_COLUMNS = {
    6: Message("query-q0-document-rank", "query, Q0, document, rank, score, tag"),
    4: Message("query-document-relevance", "query, 0, document, relevance"),
    3: Message("query-document-value", "query, document, value"),
}
_MOST_DIGITS = 4
_WIDE_NAMED = 5


@dataclass
class Query:
    """Holds what has been read of a query."""

    lines: dict[Name, int] = field(default_factory=dict)  # {document: its line}, in the order of the file
    values: "array[float]" = field(default_factory=lambda: array("d"))


class Lines:
    """All lines of a file, and what is wrong with them; `wide` are those with more columns than needed."""

    def __init__(self, source: Source, shape: Shape, parse: Parse, problems: Problems) -> None:
        self.queries: dict[Name, Query] = {}
        self.n_wide = 0
        self.wide: list[int] = []
        self._shape = shape
        self._parse = parse
        self._problems = problems
        self._tag: tuple[Name, int] | None = None
        self._has_tags = False
        for number, line in _lines(source, problems):
            if not is_skipped(line):
                self._read(line, number)

    def give(self, take: Take) -> None:
        """Give all queries, as the fast path does."""
        for query, of_query in self.queries.items():
            take(query, list(of_query.lines), _floats(of_query.values))

    def _read(self, line: bytes, number: int) -> None:
        is_tabs = self._shape is TABS
        columns = [column.strip(BLANKS) for column in line.split(b"\t")] if is_tabs else line.split()
        n, wanted = len(columns), self._shape.n_columns
        if n < wanted or (n > wanted and self._shape.tag is None):
            self._problems.add(_other_columns(n, wanted, is_tabs=is_tabs), number)
            return
        if n > wanted:
            if isinstance(self._parse(columns[self._shape.value]), str):
                self._problems.add(_WITH_BLANKS, number)  # what else is wrong with the line follows from it
                return
            self.n_wide += 1
            if len(self.wide) < _WIDE_NAMED:
                self.wide.append(number)
        if self._shape.tag is not None:
            self._check_tag(columns[self._shape.tag], number)
        self._add(columns[0], columns[self._shape.document], columns[self._shape.value], number)

    def _add(self, query: Name, document: Name, text: bytes, number: int) -> None:
        if not query or not document:
            self._problems.add(Message("empty-query-document", "empty query or document"), number)
            return
        value = self._parse(text)
        if isinstance(value, str):
            self._problems.add(value, number)
        of_query = self.queries.setdefault(query, Query())
        first = of_query.lines.setdefault(document, number)
        if first != number:
            self._problems.add(
                twice(query, document, Message("first-on-line", " (first on line {first})", first=first)), number
            )
        elif not isinstance(value, str):
            of_query.values.append(value)

    def _check_tag(self, tag: bytes, number: int) -> None:
        if self._tag is None:
            self._tag = tag, number
        elif tag != self._tag[0] and not self._has_tags:
            self._has_tags = True
            first, line = self._tag
            self._problems.add(
                Message(
                    "several-run-tags-line",
                    "several run tags: {first} (line {line}) and {tag} (line {number})",
                    first=shown(first),
                    line=line,
                    tag=shown(tag),
                    number=number,
                ),
                number,
            )


_WITH_BLANKS = Message("more-columns-blanks", "more than 6 columns: names of documents have no blanks")


def _other_columns(n: int, wanted: int, *, is_tabs: bool) -> str:
    """Return what is said of a line with another number of columns.

    >>> _other_columns(2, 3, is_tabs=True)
    '2 columns instead of 3 with tabs between: query, document, value'
    """
    names = _COLUMNS[wanted]
    if n == 1:
        return Message("column-instead", "1 column instead of {wanted}: {names}", wanted=wanted, names=names)
    if is_tabs:
        return Message(
            "columns-instead-tabs-between",
            "{n} columns instead of {wanted} with tabs between: {names}",
            n=n,
            wanted=wanted,
            names=names,
        )
    return Message(
        "columns-instead-blanks-between",
        "{n} columns instead of {wanted} with blanks between: {names}",
        n=n,
        wanted=wanted,
        names=names,
    )


def score(text: bytes) -> float | str:
    """Return a finite number, or what is wrong.

    >>> score(b"-.5e1"), score(b"1_000")
    (-5.0, "score '1_000' is not a finite number")
    """
    value = float(text) if _NUMBER.fullmatch(text) else np.inf
    return (
        value
        if np.isfinite(value)
        else Message(
            "score-not-finite-number",
            "score {text} is not a finite number{hint}",
            text=shown(text),
            hint=number_hint(text.decode()),
        )
    )


def relevance(text: bytes) -> float | str:
    """Return a grade, or what is wrong.

    >>> relevance(b"+2"), relevance(b"0.5"), relevance(b"1001")
    (2.0, "relevance '0.5' is not an integer", 'relevance 1001 is beyond 1000')
    """
    match = _INTEGER.fullmatch(text)
    if not match:
        return Message("relevance-not-integer", "relevance {text} is not an integer", text=shown(text))
    digits = match[1].lstrip(b"0") or b"0"
    sign = -1 if text.startswith(b"-") else 1
    if len(digits) > _MOST_DIGITS or int(digits) > MOST_GRADE:
        return Message(
            "relevance-beyond", "relevance {text} is beyond {sign}", text=shown(text)[1:-1], sign=sign * MOST_GRADE
        )
    return float(sign * int(digits))


def twice(query: Name, document: Name, where: str = "") -> str:
    return Message(
        "document-query-twice",
        "document {document} of query {query} twice{where}",
        document=shown(document),
        query=shown(query),
        where=where,
    )


def _lines(source: Source, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, but for those that are not UTF-8, which are problems."""
    for number, line in numbered_lines(source.content[source.start :], source.first_line):
        if line.isascii() or _is_utf8(line, number, problems):
            yield number, line


def _is_utf8(line: bytes, number: int, problems: Problems) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        problem: Finding = replace(not_decoded(error, None), line=number)
        problems.add(problem.message, number, problem.column)
        return False
    return True


def _floats(values: "array[float]") -> Floats:
    return np.frombuffer(values) if values else np.zeros(0)
