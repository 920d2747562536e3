"""The way from what was read to what is said of it: a sentence, its numbers, and what looks odd."""

from collections.abc import Sequence

import numpy as np

from scoring.describing.contents import Contents, Layer
from scoring.describing.description import KINDS, Description
from scoring.describing.direction import odd_direction
from scoring.describing.encoding import odd_encoding
from scoring.describing.labels import odd_labels
from scoring.describing.missing import odd_absence, odd_identifiers
from scoring.describing.offsets import odd_offsets
from scoring.describing.repetition import odd_repetition
from scoring.describing.wording import counted, name_of
from scoring.messages import Message

_LOOKS = (odd_absence, odd_identifiers, odd_offsets, odd_labels, odd_direction, odd_encoding, odd_repetition)


def described(contents: Contents) -> Description:
    """Return the sentence, the counts and the oddities of what was read."""
    oddities = [*contents.further, *(oddity for look in _LOOKS for oddity in look(contents))]
    return Description(
        summary=_summary(contents),
        counts=_counts(contents),
        oddities=sorted(oddities, key=lambda oddity: KINDS.index(oddity.kind)),
    )


def _summary(contents: Contents) -> Message:
    """Return what is there of all that is scored, and how many units have any of it.

    Layers that do not count are not named.
    """
    named = [layer for layer in contents.layers if layer.is_scored]
    things = Message.listed([counted(len(layer), layer.name) for layer in named]) or Message.word("Nothing")
    values = {
        "things": things,
        "reached": _n_reached(contents.layers, contents.n_units),
        "of": contents.n_units,
        "units": name_of(contents.n_units, contents.unit),
    }
    # Whole sentences, so that they can be translated as such.
    if contents.joined_by == "to":
        return Message("things-to-units", "{things} to {reached:,} of {of:,} {units}.", **values)
    return Message("things-in-units", "{things} in {reached:,} of {of:,} {units}.", **values)


def _counts(contents: Contents) -> dict[str, int]:
    """Return the counts by the names that the sentence has; those of units with annotations end in "_reached"."""
    plural = contents.unit[1].replace(" ", "_")
    reached = _n_reached(contents.layers, contents.n_units)
    counts = {layer.name[1].replace(" ", "_"): len(layer) for layer in contents.layers if layer.is_scored or len(layer)}
    return counts | {plural: contents.n_units, f"{plural}_reached": reached} | dict(contents.more)


def _n_reached(layers: Sequence[Layer], n_units: int) -> int:
    """Return how many units have an annotation that counts."""
    has = np.zeros(n_units + 1, dtype=np.bool_)
    for layer in filter(lambda layer: layer.is_scored, layers):
        # NO_UNIT is the last entry, which does not count.
        has[layer.unit] = True
    return int(np.count_nonzero(has[:-1]))
