"""Nothing at all, nothing of what the scenario scores, or ids that the input does not have."""

from collections.abc import Iterator
from functools import reduce

from scoring.describing.contents import Contents
from scoring.describing.description import Oddity
from scoring.describing.wording import counted, name_of, shown
from scoring.messages import Message


def odd_absence(contents: Contents) -> Iterator[Oddity]:
    """`empty` where nothing is there that is scored; else `layer` for each scored layer that is absent everywhere.

    Annotations that were read and left aside, because of their labels, are there: `labels` tells of them.
    """
    scored = [layer for layer in contents.layers if layer.is_scored]
    absent = [layer for layer in scored if not len(layer) and not layer.left_aside]
    units = counted(contents.n_units, contents.unit)
    others = Message.listed([counted(len(layer), layer.name) for layer in contents.layers if len(layer)])
    if scored and len(absent) == len(scored):
        things = reduce(_and_no, (Message.word(layer.name[0]) for layer in scored))
        beside: str = ""
        if others:
            beside = Message(
                "others-not-scored", "; there are {others}, which this scenario does not score", others=others
            )
        values = {"things": things, "units": units, "beside": beside}
        yield Oddity(
            "empty",
            Message("nothing-to-any", "There is no {things} to any of the {units}{beside}.", **values)
            if contents.joined_by == "to"
            else Message("nothing-in-any", "There is no {things} in any of the {units}{beside}.", **values),
            n=contents.n_units,
            of=contents.n_units,
            file=scored[0].file or contents.file,
            suggestion=Message("file-meant", "is this the file that was meant?"),
        )
        return
    for layer in absent:
        yield Oddity(
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


def _and_no(one: Message, other: Message) -> Message:
    return Message("and-no", "{one} and no {other}", one=one, other=other)


# A run for several scenarios has ids of the others too. It is odd if it reaches less than a tenth of the input.
_FEW = 0.1


def odd_identifiers(contents: Contents) -> Iterator[Oddity]:
    """`ids` where none or few of the system's ids occur in the input, and they reach little of it."""
    ids = contents.identifiers
    if ids is None or not ids.system or not ids.inputs:
        return
    unknown = [name for name in ids.system if name not in ids.inputs]
    n, n_found = len(ids.system), len(ids.system) - len(unknown)
    if n_found >= _FEW * n or n_found >= _FEW * len(ids.inputs):
        return
    found = Message("only", "Only {n:,}", n=n_found) if n_found else Message.word("None")
    yield Oddity(
        "ids",
        Message(
            "ids-not-in-input",
            "{found} of the {n:,} {names} occurs in the input: {example} does not, for example, where the input has"
            " {other}.",
            found=found,
            n=n,
            names=name_of(n, ids.name),
            example=shown(unknown[0]),
            other=shown(min(ids.inputs)),
        ),
        n=len(unknown),
        of=n,
        file=contents.file,
        suggestion=Message(
            "take-ids-from-input",
            "take the {names} from the input; is this a run for another task or phase?",
            names=Message.word(ids.name[1]),
        ),
    )
