"""The record that a family fills in: what its reader found in a system's files, in words that all families share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Floats, Integers
from scoring.findings import Finding
from scoring.messages import Message

# Stands in `Layer.unit` for a unit that the input does not have.
NO_UNIT = -1

Codes = NDArray[np.integer[Any]]  # indices, of any width
Name = tuple[str, str]  # singular and plural


@dataclass(frozen=True)
class Spans:
    """The places where the n annotations of a layer stand; they have m pieces in all.

    The places are code points, whatever the files count; `in_utf16` says that these count UTF-16 code units.
    """

    texts: Sequence[str]  # the text of each document, as participants have it
    document: Integers  # (n,) index into `texts`
    first: Integers  # (n + 1,) the pieces of annotation k are those from first[k] up to first[k + 1]
    starts: Integers  # (m,) code points from the beginning of the text; may lie outside of it
    ends: Integers  # (m,) end-exclusive, likewise
    stated: Callable[[Integers], list[str]] | None = None  # the text that the system says stands there, of some of them
    sentences: Integers | None = None  # where the sentences of the first text start, if it has several in lines
    in_utf16: bool = False


@dataclass(frozen=True)
class Relations:
    """The ends that each of n relations joins; for those labels alone that say what they join."""

    source: Integers  # (n,) index into `labels`, of the source
    target: Integers  # (n,) likewise, of the target
    labels: Sequence[str]  # of what is joined
    sources: Mapping[str, frozenset[str]]  # {label of a relation: what its source bears}, where the task says so


@dataclass(frozen=True)
class Layer:
    """The n annotations of one kind that a system gives."""

    name: Name  # what people call one of them, and several
    unit: Codes  # (n,) index of the unit that each stands in; NO_UNIT for none
    is_scored: bool = True  # whether the scenario's score depends on them
    labels: Sequence[str] = ()  # the text of each code
    label: Codes | None = None  # (n,) index into `labels`; None where there are none
    inventory: frozenset[str] | None = None  # labels that the task has; None where every label is as good
    is_declared: bool = False  # whether the inventory is all there is, and not what occurs in the gold
    # Labels of the inventory that options or rules name, so that everybody knows them; None where the gold names them.
    public: frozenset[str] | None = None
    # {label: share of the annotations}, of those that no whole run lacks, as far as data that everybody has tell.
    usual: Mapping[str, float] = field(default_factory=dict)
    # {label: number} of annotations that were read and left aside, because the task does not score their label.
    left_aside: Mapping[str, int] = field(default_factory=dict)
    # (n,) what each says, equal for two that say the same of their units; for those whose repetition tells something.
    content: Integers | None = None
    # (n,) as `content`, but equal only where an annotation repeats another one.
    identity: Integers | None = None
    # Whether `content` tells places in texts: equal ones in many units are then too many duplicates, not one opinion.
    is_placed: bool = False
    spans: Spans | None = None
    # Of some annotations that are spans of tokens, the words of the tokens so many behind their first and their last
    # ones; "" outside of the text.
    edges: Callable[[Integers, int, int], list[tuple[str, str]]] | None = None
    relations: Relations | None = None
    file: str | None = None  # where they stand, if that is one file
    # Where an annotation stands: its file, and its line or that of its document, from 1.
    place: Callable[[int], tuple[str | None, int | None]] | None = None
    answers: Callable[[Integers], list[str]] | None = None  # text that the system wrote itself and that is scored
    is_exact: bool = False  # whether it is compared with its capitals
    is_prose: bool = False  # whether its texts are whole ones, of several words as a rule
    group: Codes | None = None  # (n,) index of the document that the unit of each is a part of

    def __len__(self) -> int:
        return len(self.unit)

    def place_of(self, k: int) -> tuple[str | None, int | None]:
        """Return file and line of an annotation, as far as they are known."""
        return self.place(k) if self.place else (self.file, None)


@dataclass(frozen=True)
class Identifiers:
    """The names by which a system's units find those of the input, where unknown ones are no reason to refuse."""

    name: Name
    system: Sequence[str]
    inputs: frozenset[str]
    # Whether nothing may be told of single ones of the input, but only what they look like: where the gold alone says
    # which of them it has.
    by_look: bool = False


@dataclass(frozen=True)
class Numbers:
    """The n numbers that a system gives, in the order of its file."""

    name: Name
    values: Floats  # (n,)
    unit: Codes  # (n,) index of what each belongs to, in the task's order
    low: float  # of the scale on which the task's numbers lie
    high: float
    is_scaled: bool = True  # whether a score changes where all numbers are multiplied by one number


@dataclass(frozen=True)
class Beside:
    """How well a run of n units fits a gold that is open; nothing is computed of a hidden one."""

    n: int
    # At most 1: how well it fits if the run's unit so many places behind stood for each; 0 as it is.
    fit: Callable[[int], float]
    # How many units fit others of the gold far better, and of how many.
    elsewhere: Callable[[], tuple[int, int]] | None = None
    chance: float = 0.0  # how far the fit of a run that fits nowhere may lie from that of another, one standard error
    # How many words of the run are none of the gold's, of how many, and one of them.
    strange: Callable[[], tuple[int, int, str]] | None = None
    reversed: Callable[[], float] | None = None  # as `fit`, of the run's units from the last to the first
    # As `fit`, if each label stood for the one beside which it stands most often, and {label: that one} of those that
    # differ; no two may stand for the same.
    exchanged: Callable[[], tuple[float, Mapping[str, str]]] | None = None
    # The share of the units that fit better so many places behind than at their own; where one fits for all, 1.
    better: Callable[[int], float] | None = None
    are_sets: bool = False  # whether these are sets of labels, of which a run may have what the gold has not


def of_unknown_units(n: int, of: int, things: Name, units: Name) -> Finding:
    """Return what belongs to units that the task does not have, in the files of a task that allows it."""
    return Finding.aside(
        n,
        of,
        Message(
            "of-unknown-units",
            "{n:,} of {of:,} {things} are of {units} that the task does not have, and do not count.",
            n=n,
            of=of,
            things=Message.word(things[of != 1]),
            units=Message.word(units[1]),
        ),
    )


@dataclass(frozen=True)
class Contents:
    """All that was read of a system."""

    unit: Name  # what people call a unit: a sentence, a document, a question
    n_units: int  # of the input
    layers: Sequence[Layer]
    # Share of the units that have annotations in every whole run; 0 where any number of them may have none.
    usually_reached: float = 0.0
    identifiers: Sequence[Identifiers] = ()
    # Of the task, to tell what is odd in a system's text and not in the task's: of the input, or else of references.
    texts: Sequence[str] = ()
    numbers: Sequence[Numbers] = ()
    written: Layer | None = None  # the system's whole texts, where annotations are parts of them
    more: Mapping[str, int] = field(default_factory=dict)  # further counts, for `Description.counts`
    file: str | None = None  # the system's file, if that is one
    beside: Beside | None = None
    joined_by: Literal["in", "to"] = "in"  # "answers to questions", "phrases in sentences"
    left_aside: Sequence[Finding] = ()  # items in the files are those that are scored and these
    further: Sequence[Finding] = ()  # what the family alone can tell of its formats
    # Likewise, told where the gold is open: it is looked at for these.
    further_beside: Callable[[], Iterable[Finding]] | None = None

    @property
    def is_reached(self) -> Flags:
        """Return whether each unit (n_units,) has an annotation that counts."""
        # NO_UNIT is the last entry, which does not count.
        reached = np.zeros(self.n_units + 1, dtype=np.bool_)
        for layer in self.layers:
            if layer.is_scored:
                reached[layer.unit] = True
        return reached[:-1]
