"""The records of a csv or tsv text one by one, with what is wrong with each.

Quoting is that of RFC 4180: a field that begins with a quote ends at the next lone one, two stand for one, and
delimiters and line ends between are data. A quote elsewhere in a field is data, too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scoring.messages import Message

NOT_CLOSED = Message("quote-not-closed", "the quote is not closed")
BEHIND_QUOTE = Message("text-after-closing-quote", "text after the closing quote")
# `*+` gives no character back: a file of a million quotes must not be tried in a million ways.
_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')
_REST_OF_LINE = re.compile(r"[^\n]*")


class Record(NamedTuple):
    """One row as written."""

    line: int  # of its first character, from 1
    cells: list[str] | None  # None where it cannot be read
    problem: str | None  # why it cannot
    at: int  # line of the problem
    end: int  # where the next record begins


@dataclass(frozen=True)
class Records:
    r"""The records of a text whose lines end at a line feed; empty lines are none.

    >>> [record.cells for record in Records('1,"a, ""b"" c"\n\n2,5" disk', ",", quotes=True)]
    [['1', 'a, "b" c'], ['2', '5" disk']]
    """

    text: str
    sign: str  # the delimiter
    quotes: bool
    first_line: int = 1

    def __iter__(self) -> Iterator[Record]:
        text, end = self.text, len(self.text)
        at, line = 0, self.first_line
        has_quotes = self.quotes and '"' in text
        while at < end:
            stop = text.find("\n", at)
            stop = end if stop < 0 else stop
            if has_quotes and text.find('"', at, stop) >= 0:
                record = self._quoted(at, line)
                if record.cells is None or not is_empty(record.cells):
                    yield record
                if record.problem == NOT_CLOSED:
                    # Everything behind it would be inside or outside of quotes by chance.
                    return
                line += text.count("\n", at, record.end)
                at = record.end
                continue
            cells = text[at:stop].split(self.sign)
            if len(cells) == 1 and is_empty(cells):
                blanks = _BLANK_LINES[self.sign].match(text, at)
                # All lines that end among the blanks are empty; what follows the last end is the next line's.
                stop = text.rfind("\n", stop, blanks.end()) if blanks and stop < end else stop
                line += text.count("\n", at, stop)
            else:
                yield Record(line, cells, None, line, stop + 1)
            at = stop + 1
            line += 1

    def _quoted(self, start: int, line: int) -> Record:
        """Read the record at `start`, field by field."""
        text, sign = self.text, self.sign
        unquoted = _UNQUOTED[sign]
        cells: list[str] = []
        at, current, problem, problem_line = start, line, None, line
        while True:
            match = _QUOTED.match(text, at)
            if match is None and text.startswith('"', at):
                return Record(line, None, NOT_CLOSED, current, len(text))
            if match is None:
                match = unquoted.match(text, at)
                assert match is not None  # the pattern takes the empty text, too
                cells.append(match[0])
            else:
                cells.append(match[1].replace('""', '"'))
                current += match[0].count("\n")
            at = match.end()
            if text.startswith(sign, at):
                at += 1
                continue
            if at < len(text) and text[at] != "\n":
                problem, problem_line = BEHIND_QUOTE, current
                rest = _REST_OF_LINE.match(text, at)
                at = rest.end() if rest else at
            return Record(line, None if problem else cells, problem, problem_line, at + 1)


_UNQUOTED = {sign: re.compile(rf"[^{re.escape(sign)}\n]*") for sign in ",\t;|"}


_BLANK_LINES = {sign: re.compile(rf"[^\S{re.escape(sign)}]*+") for sign in _UNQUOTED}


def are_blank(cells: list[str]) -> bool:
    """Return whether no cell of a record holds anything."""
    return not "".join(cells).strip()


def is_empty(cells: list[str]) -> bool:
    """Return whether a record is an empty line."""
    return len(cells) == 1 and not cells[0].strip()
