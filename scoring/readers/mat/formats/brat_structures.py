"""BRAT's lines about annotations: relations, events and attributes, as annotations that can be counted themselves.

    R1<TAB>Origin Arg1:T3 Arg2:T4
    E1<TAB>Move:T5 Agent:T1 Theme2:E2
    A1<TAB>Certainty E1 Low

Each becomes an annotation of its type with a shape that says what it is made of. Two are equal if their shapes are:

    relation     the two roles, and of what stands in each the label and the place
    event        the place of the trigger, and the same of its arguments, in any order; a role is one without its number
    attribute    the value, and what it is about

An event that another line refers to is known by its type and the place of its trigger alone, so that nothing nests.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from scoring.messages import Message
from scoring.readers.mat.collecting import MalformedDocument, Shape

# How a line begins that can be counted; M is how older files mark attributes.
STRUCTURE = re.compile(r"[REAM][0-9]")
_LINE = re.compile(r"([REAM][^\s:]+)\t(\S+(?: \S+)*) *(?:\t.*)?", re.DOTALL)
_PAIR = re.compile(r"([^\s:]+):([^\s:]+)")
_NUMBER = re.compile(r"[0-9]+$")
_MOST_SHOWN = 40

Part = tuple[int, int]


@dataclass(frozen=True)
class TextBound:
    """A line that begins with T, placed in the text."""

    label: str
    parts: tuple[Part, ...]  # in code points, ascending

    @property
    def extent(self) -> Part:
        return self.parts[0][0], max(end for _, end in self.parts)

    @cached_property
    def place(self) -> bytes:
        """Return the parts in short: very many lines may refer to an annotation of very many parts."""
        return blake2b(repr(self.parts).encode(), digest_size=16).digest()


@dataclass(frozen=True)
class Structure:
    """A line that begins with R, E, A or M."""

    number: int  # of its line, from 1
    id: str
    type: str
    trigger: str  # of an event the ID of its trigger, else empty
    arguments: tuple[tuple[str, str], ...]  # role and ID; of an attribute its target alone, with the value as role


def read_structure(row: str, number: int) -> Structure:
    """Read a structure; MalformedDocument says what is wrong with the line."""
    fields = _LINE.fullmatch(row)
    if fields is None:
        raise MalformedDocument(
            Message(
                "not-valid-brat-expected-tab-type",
                "not valid BRAT: expected {row}1<TAB>type and what it is about",
                row=row[0],
            )
        )
    id_, (type_, *rest) = fields[1], fields[2].split(" ")
    if id_[0] in "AM":
        if len(rest) not in (1, 2):
            raise MalformedDocument(
                Message(
                    "not-valid-brat-expected-a1-tab",
                    "not valid BRAT: expected A1<TAB>type, the ID of an annotation, perhaps a value",
                )
            )
        return Structure(number, id_, type_, "", (("".join(rest[1:]), rest[0]),))
    if id_[0] == "E":
        type_, trigger = _pair(type_)
        return Structure(number, id_, type_, trigger, tuple(map(_pair, rest)))
    if len(rest) != 2:
        raise MalformedDocument(
            Message(
                "not-valid-brat-expected-r1-tab", "not valid BRAT: expected R1<TAB>type and two arguments, ROLE:ID each"
            )
        )
    return Structure(number, id_, type_, "", tuple(map(_pair, rest)))


def _pair(text: str) -> tuple[str, str]:
    pair = _PAIR.fullmatch(text)
    if pair is None:
        raise MalformedDocument(
            Message("not-valid-brat-not", "not valid BRAT: {text!r} is not ROLE:ID", text=text[:_MOST_SHOWN])
        )
    return pair[1], pair[2]


class Structures:
    """The structures of one document, and the annotations that they are about."""

    def __init__(self, spans: Mapping[str, TextBound], structures: Mapping[str, Structure]) -> None:
        self._spans = spans
        self._structures = structures

    def placed(self, one: Structure) -> tuple[Part, Shape]:
        """Return first start and last end, and the shape; MalformedDocument if it refers to what is not there."""
        if one.trigger:
            trigger = self._span(one.trigger)
            arguments = sorted((_NUMBER.sub("", role), self._label_and_place(id_)) for role, id_ in one.arguments)
            return trigger.extent, ("E", trigger.place, *arguments)
        if one.id[0] == "R":
            return self._related(one)
        ((value, target),) = one.arguments
        relation = self._structures.get(target) if target.startswith("R") else None
        if relation is None:
            return self._anchor(target).extent, ("A", value, self._label_and_place(target))
        extent, shape = self._related(relation)
        return extent, ("A", value, relation.type, *shape)

    def _related(self, one: Structure) -> tuple[Part, Shape]:
        extents = [self._anchor(id_).extent for _, id_ in one.arguments]
        extent = min(start for start, _ in extents), max(end for _, end in extents)
        return extent, ("R", *sorted((role, self._label_and_place(id_)) for role, id_ in one.arguments))

    def _label_and_place(self, id_: str) -> tuple[str, bytes]:
        """Return label or type, and place, of an annotation or an event that another line refers to."""
        event = self._event(id_)
        label = event.type if event else self._span(id_).label
        return label, self._anchor(id_).place

    def _anchor(self, id_: str) -> TextBound:
        """Return the annotation itself, of an event its trigger."""
        event = self._event(id_)
        return self._span(event.trigger if event else id_)

    def _event(self, id_: str) -> Structure | None:
        one = self._structures.get(id_)
        return one if one and one.trigger else None

    def _span(self, id_: str) -> TextBound:
        if id_ not in self._spans:
            raise MalformedDocument(
                Message("not-valid-brat-no", "not valid BRAT: no annotation {id!r} in this file", id=id_[:_MOST_SHOWN])
            )
        return self._spans[id_]
