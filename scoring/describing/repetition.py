"""One answer, label or set of annotations nearly everywhere."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Integers, hashed, is_first, sampled, starts_run, summed
from scoring.describing.contents import Codes, Contents, Layer
from scoring.describing.wording import name_of, shown
from scoring.findings import Finding
from scoring.messages import Message

# Annotations that repeat another one of their unit: ordinary runs reach a fifth.
_REPEATED = 0.3
_FEWEST_REPEATED = 10
# Units that all say the same, and labels of which all annotations but these few have one.
_SAME_UNITS = 0.9
_FEWEST_UNITS = 10
_SAME_LABEL = 0.99
_FEWEST_LABELLED = 50


def odd_repetition(contents: Contents) -> Iterator[Finding]:
    """Yield `duplicates` within units and over all of them, and `constant` labels and answers."""
    for layer in contents.layers:
        yield from _repeated(layer, contents)
        yield from _same_everywhere(layer, contents)
        yield from _one_label(layer, contents)
        yield from _same_sets(layer, contents)
        yield from _few_texts(layer, contents)
        yield from _same_in_groups(layer, contents)


def _repeated(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield annotations that an earlier one has stated."""
    if layer.identity is None or not len(layer):
        return
    again = np.flatnonzero(~is_first(layer.identity))
    if len(again) < max(_FEWEST_REPEATED, _REPEATED * len(layer)):
        return
    file, line = layer.place_of(int(again[0]))
    yield Finding.odd(
        "duplicates",
        Message(
            "repeats-earlier",
            "{n:,} of {of:,} {things} repeat an earlier one word for word.",
            n=len(again),
            of=len(layer),
            things=Message.word(layer.name[1]),
        ),
        n=len(again),
        of=len(layer),
        file=file or contents.file,
        line=line,
        suggestion=Message("write-once", "write each once"),
    )


def _same_everywhere(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield `duplicates` or `constant` where nearly all units say the same."""
    if layer.content is None or not len(layer):
        return
    units, content = _content_of_units(layer.unit, layer.content)
    values, sizes = np.unique(content, return_counts=True)
    n, of = int(sizes.max(initial=0)), len(units)
    if of < _FEWEST_UNITS or n < _SAME_UNITS * of:
        return
    kind = "duplicates" if layer.is_placed else "constant"
    unit = units[content == values[sizes.argmax()]][0]
    whole = contents.written or layer
    k = int(np.flatnonzero(whole.unit == unit)[0])
    filled = {"n": n, "of": of, "units": name_of(of, contents.unit), "things": Message.word(layer.name[1])}
    message = Message("all-the-same", "{n:,} of {of:,} {units} have the very same {things}.", **filled)
    if whole.answers is not None:
        what = shown(whole.answers(np.array([k]))[0])
        message = Message(
            "all-the-same-answer", "{n:,} of {of:,} {units} have the very same {things}: {what}.", **filled, what=what
        )
    yield Finding.odd(
        kind,
        message,
        n=n,
        of=of,
        file=layer.file or contents.file,
        suggestion=Message("same-written-for-each", "was the same result written for each of them?"),
    )


def _content_of_units(unit: Codes, content: Integers) -> tuple[Codes, Integers]:
    """Return the units that have annotations, and a number for what each has, equal where two have the same.

    >>> units, content = _content_of_units(np.array([4, 4, 7, 9, 9]), np.array([1, 2, 1, 2, 1]))
    >>> units, content[0] == content[2], content[0] == content[1]
    (array([4, 7, 9]), np.True_, np.False_)
    """
    order = np.argsort(unit, kind="stable")
    begins = np.flatnonzero(starts_run(unit[order]))
    return unit[order][begins], summed(hashed(content[order]), begins)


def _one_label(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield `constant` where nearly all annotations of a layer of several labels have one."""
    task_labels = layer.inventory or frozenset()
    if layer.label is None or len(task_labels) < 2 or len(layer) < _FEWEST_LABELLED:
        return
    sizes = np.bincount(layer.label)
    code = int(sizes.argmax())
    n = int(sizes[code])
    if n < _SAME_LABEL * len(layer):
        return
    yield Finding.odd(
        "constant",
        Message(
            "one-label",
            "{n:,} of {of:,} {things} have the label {label}; the task has {n_known:,} labels.",
            n=n,
            of=len(layer),
            things=Message.word(layer.name[1]),
            label=shown(layer.labels[code]),
            n_known=len(task_labels),
        ),
        n=n,
        of=len(layer),
        file=layer.file or contents.file,
        suggestion=Message("other-labels-lost", "were the other labels lost on the way?"),
    )


_FEWEST_ALIKE = 20  # units
_IN_A_SET, _WORDS = 2, 4  # labels of a unit, and words of a text, on average
_FEW_TEXTS = 0.05  # of the units
_LOOKED_AT = 100  # texts


def _same_sets(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield `constant` where nearly all units have the same several labels."""
    if layer.label is None or layer.content is not None or not len(layer):
        return
    units, content = _content_of_units(layer.unit, layer.label.astype(np.int64))
    n, of = int(np.unique(content, return_counts=True)[1].max()), len(units)
    if of < _FEWEST_ALIKE or n < _SAME_UNITS * of or len(layer) < _IN_A_SET * of:
        return
    message = Message(
        "same-labels",
        "{n:,} of {of:,} {units} have the very same labels.",
        n=n,
        of=of,
        units=name_of(of, contents.unit),
    )
    suggestion = Message("same-written-for-each", "was the same result written for each of them?")
    yield Finding.odd("constant", message, n=n, of=of, file=layer.file or contents.file, suggestion=suggestion)


def _few_texts(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield `constant` where a few sentences stand for all units, none of them nearly everywhere."""
    if layer.content is None or layer.answers is None or not layer.is_exact or len(layer) < _FEWEST_ALIKE:
        return
    sizes = np.unique(layer.content, return_counts=True)[1]
    if len(sizes) < 2 or len(sizes) > _FEW_TEXTS * len(layer) or sizes.max() >= _SAME_UNITS * len(layer):
        return
    texts = layer.answers(sampled(len(layer), _LOOKED_AT))
    if sum(len(text.split()) for text in texts) < _WORDS * len(texts):
        return
    message = Message(
        "few-texts",
        "{of:,} {things} are {n:,} different ones, over and over.",
        n=len(sizes),
        of=len(layer),
        things=Message.word(layer.name[1]),
    )
    suggestion = Message("same-written-for-each", "was the same result written for each of them?")
    yield Finding.odd("constant", message, len(layer), len(layer), layer.file or contents.file, suggestion=suggestion)


_FEWEST_GROUPS = 5  # of two texts and more


def _same_in_groups(layer: Layer, contents: Contents) -> Iterator[Finding]:
    """Yield `constant` where nearly all groups, such as documents, have one text for all their units."""
    if layer.content is None or layer.group is None or not len(layer):
        return
    order = np.argsort(layer.group, kind="stable")
    begins = np.flatnonzero(starts_run(layer.group[order]))
    sizes = np.diff([*begins.tolist(), len(order)])
    content = layer.content[order]
    are_same = np.logical_and.reduceat(content == np.repeat(content[begins], sizes), begins)
    of, n = int(np.count_nonzero(sizes > 1)), int(np.count_nonzero(are_same & (sizes > 1)))
    if of < _FEWEST_GROUPS or n < _SAME_UNITS * of or are_same.all() and len(np.unique(content)) == 1:
        return
    message = Message(
        "one-text-in-each-group",
        "In {n:,} of {of:,} documents all {units} have the same text.",
        n=n,
        of=of,
        units=Message.word(contents.unit[1]),
    )
    suggestion = Message("text-of-each-unit", "was the text of the whole document written for each of them?")
    yield Finding.odd("constant", message, n, of, layer.file or contents.file, suggestion=suggestion)
