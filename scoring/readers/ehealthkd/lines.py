"""One line of phrases or of relations: what it says, or what is wrong with it."""

from dataclasses import dataclass

# Nobody's text is longer: what lies beyond is cut to this, so that sums of offsets stay in 64 bits.
FARTHEST = 2**40
_SHOWN = 40


class MalformedLine(Exception):
    """Its text tells what was found and what is needed."""


@dataclass(frozen=True)
class PhraseLine:
    id: int
    spans: list[tuple[int, int]]
    label: str


@dataclass(frozen=True)
class RelationLine:
    label: str
    source: int
    target: int


def parse_phrase(line: str) -> PhraseLine:
    """Four columns: ID, spans, label, text. The text is required, and otherwise ignored."""
    number, spans, label, _ = _columns(line, "ID, spans, label, text")
    return PhraseLine(_integer(number, "the ID"), [_span(piece) for piece in spans.split(";")], label)


def parse_relation(line: str) -> RelationLine:
    """Three columns: label, source ID, target ID; case is no part of the label."""
    label, source, target = _columns(line, "label, source ID, target ID")
    return RelationLine(label.lower(), _integer(source, "the source ID"), _integer(target, "the target ID"))


def _columns(line: str, names: str) -> list[str]:
    columns = line.strip().split("\t")
    needed = names.count(",") + 1
    if columns == [""]:
        raise MalformedLine(f"Line is empty, {needed} columns are needed ({names}). Remove the line.")
    if len(columns) != needed:
        found = f"{len(columns)} column" + ("s" if len(columns) > 1 else "")
        raise MalformedLine(f"Line has {found}, {needed} are needed ({names}). Separate them by single tabs.")
    return columns


def _integer(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MalformedLine(f"{name[0].upper()}{name[1:]} {_shown(text)} is not an integer.") from None


def _span(piece: str) -> tuple[int, int]:
    try:
        start, end = map(int, piece.split())
    except ValueError:
        raise MalformedLine(
            f"In the spans, {_shown(piece)} is not two integers. Write START END, and ; between spans."
        ) from None
    return _near(start), _near(end)


def _near(offset: int) -> int:
    return max(-FARTHEST, min(offset, FARTHEST))


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
