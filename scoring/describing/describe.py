"""The way from what was read to what is said of it: a sentence, its numbers, and what looks odd."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.describing.beside import odd_beside
from scoring.describing.contents import Contents
from scoring.describing.description import KINDS, Description
from scoring.describing.direction import odd_direction
from scoring.describing.edges import odd_edges
from scoring.describing.encoding import odd_encoding
from scoring.describing.labels import odd_labels
from scoring.describing.missing import odd_absence, odd_gaps, odd_identifiers, odd_leftovers
from scoring.describing.numbers import odd_numbers
from scoring.describing.offsets import odd_offsets
from scoring.describing.repetition import odd_repetition
from scoring.describing.traces import odd_traces
from scoring.describing.wording import counted, name_of
from scoring.findings import Finding
from scoring.messages import Message

_LOOKS = (
    odd_absence,
    odd_gaps,
    odd_identifiers,
    odd_offsets,
    odd_edges,
    odd_numbers,
    odd_labels,
    odd_direction,
    odd_encoding,
    odd_traces,
    odd_repetition,
    odd_beside,
)


def described(contents: Contents, *, gold_is_open: bool = False, hides_labels: bool = False) -> Description:
    """Return the sentence, the counts and the oddities of what was read.

    With `hides_labels` nothing is told by labels that only the gold names.
    """
    if hides_labels:
        layers = [replace(layer, inventory=layer.public, is_declared=True, left_aside={}) for layer in contents.layers]
        contents = replace(contents, layers=layers)
    if not gold_is_open:
        contents = replace(contents, beside=None, further_beside=None)
    seen = [oddity for look in _LOOKS for oddity in look(contents)]
    if any(oddity.kind == "offsets" for oddity in contents.further):  # the family knows its formats best
        seen = [oddity for oddity in seen if oddity.kind != "offsets"]
    oddities = [*contents.further, *odd_leftovers(contents), *seen]
    return Description(
        summary=_with_leftovers(_summary(contents), contents),
        counts=_counts(contents),
        oddities=sorted(_causes(oddities), key=lambda oddity: KINDS.index(oddity.kind)),
    )


# {kind: kinds that explain it}: texts with traces stand nowhere as they are, ids or offsets that are wrong do not reach
# all units, and what is not read is not there.
_EXPLAINED = {
    "span-text": {"traces"},
    "partial": {"ids", "offsets", "unread"},
    "unread": {"offsets", "ids"},
    "words": {"ids", "encoding", "traces", "constant"},
    "empty": {"unread"},
    "layer": {"unread"},
}


def _causes(oddities: Sequence[Finding]) -> list[Finding]:
    """Return those that no other one explains."""
    kinds = {oddity.kind for oddity in oddities}
    return [oddity for oddity in oddities if not kinds & _EXPLAINED.get(oddity.kind, set())]


def _summary(contents: Contents) -> Message:
    """Return what is there of all that is scored, and how many units have any of it."""
    named = [layer for layer in contents.layers if layer.is_scored]
    things = Message.listed([counted(len(layer), layer.name) for layer in named]) or Message.word("Nothing")
    values = {
        "things": things,
        "reached": int(np.count_nonzero(contents.is_reached)),
        "of": contents.n_units,
        "units": name_of(contents.n_units, contents.unit),
    }
    # Whole sentences, so that they can be translated as such.
    if contents.joined_by == "to":
        return Message("things-to-units", "{things} to {reached:,} of {of:,} {units}.", **values)
    return Message("things-in-units", "{things} in {reached:,} of {of:,} {units}.", **values)


def _with_leftovers(summary: Message, contents: Contents) -> Message:
    """Add what the files have and is not scored, however little it is."""
    leftovers = [leftover.message for leftover in contents.left_aside if leftover.n]
    if beside := [counted(len(layer), layer.name) for layer in contents.layers if len(layer) and not layer.is_scored]:
        leftovers.append(Message("not-scored-here", "Not scored here: {things}.", things=Message.listed(beside)))
    return Message.joined([summary, *leftovers], " ") if leftovers else summary


def _counts(contents: Contents) -> dict[str, int]:
    """Return the counts by the names that the sentence has; those of units with annotations end in "_reached"."""
    plural = contents.unit[1].replace(" ", "_")
    reached = int(np.count_nonzero(contents.is_reached))
    counts = {layer.name[1].replace(" ", "_"): len(layer) for layer in contents.layers if layer.is_scored or len(layer)}
    return counts | {plural: contents.n_units, f"{plural}_reached": reached} | dict(contents.more)
