"""Nothing at all, nothing of what the scenario scores, or ids that the input does not have."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scoring.describing.contents import Contents, Identifiers, Layer
from scoring.describing.wording import counted, name_of, shown
from scoring.findings import Finding
from scoring.messages import Message
from scoring.spelling.respelling import respelling


def odd_absence(contents: Contents) -> Iterator[Finding]:
    """Yield `empty` where nothing that is scored is there; else `layer` for each scored layer absent everywhere.

    Annotations that were read and left aside, because of their labels, are there: `labels` tells of them.
    """
    scored = [layer for layer in contents.layers if layer.is_scored]
    absent = [layer for layer in scored if not len(layer) and not layer.left_aside]
    units = counted(contents.n_units, contents.unit)
    others = Message.listed([counted(len(layer), layer.name) for layer in contents.layers if len(layer)])
    if scored and len(absent) == len(scored):
        beside: str = ""
        if others:
            beside = Message(
                "others-not-scored", "; there are {others}, which this scenario does not score", others=others
            )
        yield Finding.odd(
            "empty",
            _nothing(scored, is_to=contents.joined_by == "to", units=units, beside=beside),
            n=contents.n_units,
            of=contents.n_units,
            file=scored[0].file or contents.file,
            suggestion=Message("file-meant", "is this the right file?"),
        )
        return
    for layer in absent:
        yield Finding.odd(
            "layer",
            Message(
                "layer-absent",
                "There is no {thing} in any of the {units}, and {things} are scored; there are {others}.",
                thing=Message.word(layer.name[0]),
                units=units,
                things=Message.word(layer.name[1]),
                others=others or Message.word("Nothing"),
            ),
            n=contents.n_units,
            of=contents.n_units,
            file=layer.file or contents.file,
            suggestion=Message(
                "left-out-on-purpose", "were the {things} left out on purpose?", things=Message.word(layer.name[1])
            ),
        )


def _nothing(layers: Sequence[Layer], *, is_to: bool, **values: str) -> Message:
    """Say that there is none of them, such as no answer to any question."""
    if len(layers) > 1:
        *firsts, last = (Message.word(layer.name[1]) for layer in layers)
        values["things"] = Message("one-or-other", "{one} or {other}", one=Message.joined(firsts), other=last)
        if is_to:
            return Message("none-of-several-to", "There are no {things} to any of the {units}{beside}.", **values)
        return Message("none-of-several-in", "There are no {things} in any of the {units}{beside}.", **values)
    values["things"] = Message.word(layers[0].name[0])
    if is_to:
        return Message("nothing-to-any", "There is no {things} to any of the {units}{beside}.", **values)
    return Message("nothing-in-any", "There is no {things} in any of the {units}{beside}.", **values)


# By chance that many units behind the last one of a run have nothing, where others have.
_CHANCE = 1e-6
_SURELY = 0.99  # no unit is sure to have something
_FEWEST, _FEWEST_UNITS = 3, 10  # units without anything, and in all


def odd_gaps(contents: Contents) -> Iterator[Finding]:
    """Yield `partial` where units have nothing that have something in whole runs, or all behind one have nothing."""
    reached = contents.is_reached
    n, n_reached = len(reached), int(np.count_nonzero(reached))
    if not n_reached or n - n_reached < _FEWEST:
        return
    last = int(np.flatnonzero(reached)[-1]) + 1
    share = min(n_reached / last, _SURELY)
    values = {"of": n, "units": Message.word(contents.unit[1])}
    if n - last >= _FEWEST and (n - last) * np.log(1 - share) < np.log(_CHANCE):
        message = Message("nothing-behind", "The last {n:,} of {of:,} {units} are empty.", n=n - last, **values)
        suggestion = Message("broke-off", "did the run break off before its end?")
        yield Finding.odd("partial", message, n=n - last, of=n, file=contents.file, suggestion=suggestion)
    elif n >= _FEWEST_UNITS and n_reached < max(contents.usually_reached, _usually_reached(contents, n_reached)) * n:
        message = Message("nothing-in-some", "{n:,} of {of:,} {units} are empty.", n=n - n_reached, **values)
        suggestion = Message("complete-run", "were all of them given to the system, and written to the file?")
        yield Finding.odd("partial", message, n=n - n_reached, of=n, file=contents.file, suggestion=suggestion)


_MANY, _OF_MANY = 4, 0.6  # annotations of a unit that has any, and the share of units that then have some


def _usually_reached(contents: Contents, n_reached: int) -> float:
    """Return what share of the units has something in whole runs, by how much those have that have any."""
    n = sum(len(layer) for layer in contents.layers if layer.is_scored and layer.is_placed)
    return _OF_MANY if n >= _MANY * n_reached else 0.0


# A run for several scenarios has ids of the others too. It is odd if it reaches less than a tenth of the input.
_FEW = 0.1


def odd_identifiers(contents: Contents) -> Iterator[Finding]:
    """Yield `ids` where none or few of the system's ids occur in the input, and they reach little of it."""
    for ids in contents.identifiers:
        if ids.system and ids.inputs:
            yield from _odd_looks(ids, contents) if ids.by_look else _odd_names(ids, contents)


def _odd_names(ids: Identifiers, contents: Contents) -> Iterator[Finding]:
    unknown = [name for name in ids.system if name not in ids.inputs]
    n, n_found = len(ids.system), len(ids.system) - len(unknown)
    if n_found >= _FEW * n or n_found >= _FEW * len(ids.inputs):
        return
    respelt = respelling(unknown, [*ids.inputs.difference(ids.system)])
    how_many = Message("only", "Only {n:,}", n=n_found) if n_found else Message.word("None")
    yield Finding.odd(
        "ids",
        Message(
            "ids-not-in-input",
            "{found} of the {n:,} {names} occurs in the input: {example} does not, for example, where the input has"
            " {other}.",
            found=how_many,
            n=n,
            names=name_of(n, ids.name),
            example=shown(unknown[0]),
            other=shown(min(ids.inputs)),
        ),
        n=len(unknown),
        of=n,
        file=contents.file,
        suggestion=Message(
            "write-ids-otherwise",
            "write them {steps}; then {n:,} of them fit",
            steps=respelt.steps,
            n=len(respelt.meant),
        )
        if respelt.meant
        else Message(
            "take-ids-from-input",
            "take the {names} from the input; is this a run for another task or phase?",
            names=Message.word(ids.name[1]),
        ),
    )


_MOST_LOOKS = 20  # of the input's; more of them are made by chance, and tell nothing


def _odd_looks(ids: Identifiers, contents: Contents) -> Iterator[Finding]:
    """Yield `ids` where hardly any looks like those of the input."""
    looks = {look_of(name) for name in ids.inputs}
    odd = [name for name in ids.system if look_of(name) not in looks]
    n = len(ids.system)
    if len(looks) > _MOST_LOOKS or n - len(odd) >= _SHARE_ALIKE * n:
        return
    yield Finding.odd(
        "ids",
        Message(
            "ids-look-otherwise",
            "{n:,} of {of:,} {names} do not look like the task's: {example} is one of them, where the task's look like"
            " {look}.",
            n=len(odd),
            of=n,
            names=name_of(n, ids.name),
            example=shown(odd[0]),
            look=shown(min(re.sub("[0-9]", "0", name) for name in ids.inputs)),
        ),
        n=len(odd),
        of=n,
        file=contents.file,
        suggestion=Message("take-names-from-collection", "take their names from the task's collection"),
    )


_SHARE_ALIKE = 0.01


def look_of(name: str) -> str:
    """Return a name with a letter for each run of letters, and a digit for each digit.

    >>> look_of("SE0104"), look_of("corpus/se-12.txt")
    ('A0000', 'a/a-00.a')
    """
    digits = re.sub("[0-9]", "0", name)
    return re.sub(r"[^\W\d_]+", lambda match: "A" if match[0].isupper() else "a", digits)


_LEFT_OVER = 0.1  # of what the files have; fewer are told beside what was read


def odd_leftovers(contents: Contents) -> Iterator[Finding]:
    """Yield `unread` where so much of the files is not scored that it may not be meant."""
    for leftover in contents.left_aside:
        if leftover.suggestion and leftover.n >= _LEFT_OVER * (leftover.of or 0) and leftover.n >= _FEWEST:
            yield replace(leftover, severity="question")
