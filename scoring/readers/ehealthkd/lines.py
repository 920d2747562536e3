"""Single lines of phrases and of relations, and what is wrong with those that are malformed."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.problems import PHRASE_COLUMNS, RELATION_COLUMNS, Problems

Line = TypeVar("Line")

# Offsets beyond this bound are cut to it, so that sums of offsets stay in 64 bits. No text is as long as that.
FARTHEST = 2**40
N_PHRASE_COLUMNS, N_RELATION_COLUMNS = 4, 3
_SHOWN = 40
_ID, _SOURCE, _TARGET = Message.word("ID"), Message.word("source ID"), Message.word("target ID")


class MalformedLine(Exception):
    """Its text tells what the line holds and what is needed."""


class PhraseLine(NamedTuple):
    id: int
    spans: list[tuple[int, int]]  # (start, end) in the order listed, in code points of the whole text
    label: str


class RelationLine(NamedTuple):
    label: str  # in lower case but for brat files
    source: int  # ID of a phrase
    target: int  # ID of a phrase


def parse_lines(text: str, parse: Callable[[str], Line], problems: Problems) -> list[tuple[int, Line]]:
    r"""Return the well-formed lines of a text as `parse` reads them, with their numbers; others become problems.

    >>> problems = Problems("b.txt")
    >>> parse_lines("Is-A\t+1\t02\nis-a", parse_relation, problems)
    [(1, RelationLine(label='is-a', source=1, target=2))]
    >>> print(*problems.listed())
    b.txt:2: Line has 1 column, 3 are needed (label, source ID, target ID). Separate them by single tabs.
    """

    def add_blank_lines(number: int, n_lines: int) -> None:
        try:
            parse("")
        except MalformedLine as error:
            problems.add_lines(error.args[0], range(number, number + n_lines))

    parsed = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    for number, line in numbered_lines(lines, left_out=add_blank_lines) if text else ():
        try:
            parsed.append((number, parse(line)))
        except MalformedLine as error:
            problems.add(error.args[0], number)
    return parsed


def parse_phrase(line: str) -> PhraseLine:
    """Parse four columns: ID, spans, label, text. The text is required, and otherwise ignored.

    >>> parse_phrase("1\\t4 8; 9  22\\tConcept\\tvías respiratorias")
    PhraseLine(id=1, spans=[(4, 8), (9, 22)], label='Concept')
    """
    number, spans, label, _ = _columns(line, N_PHRASE_COLUMNS, PHRASE_COLUMNS)
    return PhraseLine(
        integer(number, _ID),
        [parsed_span(piece) for piece in spans.split(";")],
        label,
    )


def parse_relation(line: str) -> RelationLine:
    """Parse three columns: label, source ID, target ID.

    Relation labels lose their case, as in the challenge's program; labels of phrases keep it.
    """
    label, source, target = _columns(line, N_RELATION_COLUMNS, RELATION_COLUMNS)
    return RelationLine(
        label.lower(),
        integer(source, _SOURCE),
        integer(target, _TARGET),
    )


def _columns(line: str, needed: int, names: str) -> list[str]:
    # Stripping the line first, as the challenge's program does, takes a blank last column away with its tab.
    columns = line.strip().split("\t")
    if columns == [""]:
        raise MalformedLine(
            Message(
                "line-empty-columns-needed",
                "Line is empty, {needed} columns are needed ({names}). Remove the line.",
                needed=needed,
                names=names,
            )
        )
    if len(columns) != needed:
        number = Message.counted("columns", "{n} column", "{n} columns", len(columns))
        raise MalformedLine(
            Message(
                "columns-needed-tabs",
                "Line has {number}, {needed} are needed ({names}). Separate them by single tabs.",
                number=number,
                needed=needed,
                names=names,
            )
        )
    return columns


def integer(text: str, what: str) -> int:
    """Return what Python takes for an integer, as the challenge's program does: `+1`, `01` and `1_000` too."""
    try:
        return int(text)
    except ValueError:
        raise MalformedLine(
            Message("not-integer", "The {what} {text} is not an integer.", what=what, text=shown(text))
        ) from None


def parsed_span(piece: str) -> tuple[int, int]:
    try:
        start, end = map(int, piece.split())
    except ValueError:
        raise MalformedLine(
            Message(
                "spans-not-two-integers",
                "In the spans, {piece} is not two integers. Write START END, and ; between spans.",
                piece=shown(piece),
            )
        ) from None
    if abs(start) > FARTHEST or abs(end) > FARTHEST:
        return _bounded(start), _bounded(end)
    return start, end


def _bounded(offset: int) -> int:
    return max(-FARTHEST, min(offset, FARTHEST))


def shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
