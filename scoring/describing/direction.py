"""Relations the wrong way round."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags
from scoring.describing.contents import Contents, Layer, Relations
from scoring.describing.wording import shown
from scoring.findings import Finding
from scoring.messages import Message

# Of the relations that can be decided. Ordinary runs reach half, because labels of phrases are wrong as well.
_MOST = 2 / 3
_FEWEST = 10


def odd_direction(contents: Contents) -> Iterator[Finding]:
    """Yield `direction` where most relations have at their target what the task puts at the source, and not there."""
    for layer in contents.layers:
        if layer.relations is not None and layer.label is not None and len(layer):
            yield from _odd(layer, layer.relations)


def _odd(layer: Layer, relations: Relations) -> Iterator[Finding]:
    assert layer.label is not None
    fits, fits_turned = (_fits(layer, relations, turned=turned) for turned in (False, True))
    turned = np.flatnonzero(fits_turned & ~fits)
    decided = len(turned) + int(np.count_nonzero(fits & ~fits_turned))
    if len(turned) < _FEWEST or len(turned) <= _MOST * decided:
        return
    k = int(turned[0])
    name = layer.labels[layer.label[k]]
    file, line = layer.place_of(k)
    source, target = (relations.labels[ends[k]] for ends in (relations.source, relations.target))
    allowed = Message.listed([shown(label) for label in sorted(relations.sources[name])])
    yield Finding.odd(
        "direction",
        Message(
            "turned-round",
            "{n:,} of {of:,} {things} look turned round: {name} leads from {allowed}, and here from {source} to"
            " {target}, for example.",
            n=len(turned),
            of=decided,
            things=Message.word(layer.name[1]),
            name=shown(name),
            allowed=allowed,
            source=shown(source),
            target=shown(target),
        ),
        n=len(turned),
        of=decided,
        file=file,
        line=line,
        suggestion=Message("exchange-ends", "exchange source and target"),
    )


def _fits(layer: Layer, relations: Relations, *, turned: bool) -> Flags:
    """Return whether each relation (n,) has at its source, or if `turned` at its target, what its label wants there."""
    ends = relations.target if turned else relations.source
    fits = np.zeros(len(layer), dtype=np.bool_)
    # Only labels of the task want anything: their number is small, whatever else a run invents.
    for code, label in enumerate(layer.labels):
        if label in relations.sources:
            with_label = np.flatnonzero(layer.label == code)
            allowed = np.array([end in relations.sources[label] for end in relations.labels], dtype=np.bool_)
            fits[with_label] = allowed[ends[with_label]]
    return fits
