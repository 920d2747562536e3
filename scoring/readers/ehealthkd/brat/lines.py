r"""Single lines of the brat files of 2020 and 2021, and what is wrong with those that are malformed.

    T1 TAB Concept 4 8;9 22 TAB vías respiratorias      a phrase; the text is for readers only
    R1 TAB part-of Arg1:T1 Arg2:T2                      a relation
    * TAB same-as T1 T2 T3                              relations of the first phrase with each of the others
    E1 TAB Action:T3 Subject:T1 Target2:T4              the older form: relations of T3, named by the roles

Attributes (A), notes (#), modifications (M) and normalisations (N) say nothing that is scored and are ignored, and so
are blank lines.
"""

import re
from dataclasses import dataclass

from scoring.messages import Message
from scoring.readers.ehealthkd.lines import (
    MalformedLine,
    PhraseLine,
    RelationLine,
    parsed_span,
    shown,
)

_IGNORED = "A#MN"
_REFERENCE = re.compile(r"([TE])([0-9]+)")
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True)
class EventLine:
    """Relations in the older form: from the phrase `reference` to one phrase for each role."""

    id: int  # of the event itself, as `reference_of` gives it
    reference: int
    relations: list[RelationLine]


def reference_of(text: str) -> int:
    """Return the number of a phrase, or for an event a negative number: of E0 -1, of E1 -2.

    >>> reference_of("T12"), reference_of("E0")
    (12, -1)
    """
    match = _REFERENCE.fullmatch(text)
    if not match:
        raise MalformedLine(
            Message("no-reference-phrase-such", "{text} is no reference to a phrase, such as T1.", text=shown(text))
        )
    number = _integer(match[2], Message.word("number"))
    return number if match[1] == "T" else -1 - number


def _integer(digits: str, what: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise MalformedLine(
            Message("too-long", "The {what} {digits} is too long.", what=what, digits=shown(digits))
        ) from None


def name_of(reference: int) -> str:
    """Return the name as it stands in the file.

    >>> name_of(12), name_of(-1)
    ('T12', 'E0')
    """
    return f"T{reference}" if reference >= 0 else f"E{-1 - reference}"


def parse_annotation(line: str) -> PhraseLine | EventLine | list[RelationLine]:
    """Return what a line says; an empty list where it says nothing that is scored.

    >>> parse_annotation("T1\\tConcept 4 8;9 22\\tvías respiratorias")
    PhraseLine(id=1, spans=[(4, 8), (9, 22)], label='Concept')
    >>> parse_annotation("R1\\tpart-of Arg1:T1 Arg2:T2")
    [RelationLine(label='part-of', source=1, target=2)]
    >>> [(each.source, each.target) for each in parse_annotation("*\\tsame-as T1 T2 T3")]
    [(1, 2), (1, 3)]
    >>> parse_annotation("E1\\tAction:T3 Subject2:T1")
    EventLine(id=-2, reference=3, relations=[RelationLine(label='subject', source=3, target=1)])
    """
    kind = line[:1]
    if not line.strip() or kind in _IGNORED:
        return []
    if kind == "T":
        return _phrase(line)
    if kind == "R":
        return [_relation(line)]
    if kind == "*":
        return _equal(line)
    if kind == "E":
        return _event(line)
    raise MalformedLine(
        Message(
            "line-begins-phrases-begin",
            "Line begins with {kind}; phrases begin with T, relations with R or *.",
            kind=shown(kind),
        )
    )


def _phrase(line: str) -> PhraseLine:
    number, *rest = line.split("\t")
    if not rest:
        raise MalformedLine(
            Message(
                "line-column-needed-id-tabs",
                "Line has 1 column, 3 are needed (ID, label and spans, text). Separate them by single tabs.",
            )
        )
    label, _, spans = rest[0].partition(" ")
    if not label:
        raise MalformedLine(Message("there-no-label-front", "There is no label in front of the spans."))
    return PhraseLine(_own_id(number, "T"), [parsed_span(piece) for piece in spans.split(";")], label)


def _relation(line: str) -> RelationLine:
    parts = line.split()
    if len(parts) != 4:
        raise MalformedLine(
            Message("relation-not-written-r1-tab", "The relation is not written R1, tab, label Arg1:T1 Arg2:T2.")
        )
    _, label, source, target = parts
    return RelationLine(label, reference_of(_behind_colon(source)), reference_of(_behind_colon(target)))


def _equal(line: str) -> list[RelationLine]:
    parts = line[1:].split()
    if len(parts) < 2:
        raise MalformedLine(Message("relation-not-written-tab", "The relation is not written *, tab, label T1 T2."))
    label, source, *targets = parts
    return [RelationLine(label, reference_of(source), reference_of(target)) for target in targets]


def _event(line: str) -> EventLine:
    number, _, content = line.strip().partition("\t")
    parts = content.split()
    if not parts:
        raise MalformedLine(Message("event-not-written-e1-tab", "The event is not written E1, tab, label:T1 role:T2."))
    reference = reference_of(_behind_colon(parts[0]))
    # Of two targets with one role the program keeps the later; brat numbers them, so that roles differ.
    roles = {part.partition(":")[0]: reference_of(_behind_colon(part)) for part in parts[1:]}
    relations = [RelationLine(_DIGITS.sub("", role).lower(), reference, target) for role, target in roles.items()]
    return EventLine(-1 - _own_id(number, "E"), reference, relations)


def _own_id(text: str, sign: str) -> int:
    match = _REFERENCE.fullmatch(text)
    if not match or match[1] != sign:
        raise MalformedLine(
            Message("id-not-number", "The ID {text} is not {sign} and a number.", text=shown(text), sign=sign)
        )
    return _integer(match[2], Message.word("ID"))


def _behind_colon(part: str) -> str:
    role, colon, reference = part.partition(":")
    if not colon:
        raise MalformedLine(
            Message(
                "no-colon-between-role", "{role} has no colon between role and phrase, as in Arg1:T1.", role=shown(role)
            )
        )
    return reference
