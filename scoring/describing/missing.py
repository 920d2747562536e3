"""Nothing at all, nothing of what the scenario scores, or ids that the input does not have."""

from collections.abc import Iterator
from functools import reduce

from scoring.describing.contents import Contents, Layer
from scoring.describing.description import Oddity
from scoring.describing.wording import enumerated, name_of, number, shown


def odd_absence(contents: Contents) -> Iterator[Oddity]:
    """`empty` where nothing is there that is scored; else `layer` for each scored layer that is absent everywhere.

    Annotations that were read and left aside, because of their labels, are there: `labels` tells of them.
    """
    scored = [layer for layer in contents.layers if layer.is_scored]
    absent = [layer for layer in scored if not len(layer) and not layer.left_aside]
    units = f"{number(contents.n_units)} {name_of(contents.n_units, contents.unit)}"
    if scored and len(absent) == len(scored):
        things = reduce(lambda one, other: f"{one} and no {other}", (layer.name[0] for layer in scored))
        others = enumerated(_there(contents))
        beside = f"; there are {others}, which this scenario does not score" if others != "Nothing" else ""
        yield Oddity(
            "empty",
            f"There is no {things} to any of the {units}{beside}."
            if contents.joined_by == "to"
            else f"There is no {things} in any of the {units}{beside}.",
            n=contents.n_units,
            of=contents.n_units,
            file=scored[0].file or contents.file,
            suggestion="is this the file that was meant?",
        )
        return
    others = enumerated(_there(contents))
    for layer in absent:
        yield Oddity(
            "layer",
            f"There is no {layer.name[0]} in any of the {units}, and {layer.name[1]} are scored; there are {others}.",
            n=contents.n_units,
            of=contents.n_units,
            file=layer.file or contents.file,
            suggestion=f"were the {layer.name[1]} left out on purpose?",
        )


def _there(contents: Contents) -> list[str]:
    return [_counted(layer) for layer in contents.layers if len(layer)]


def _counted(layer: Layer) -> str:
    return f"{number(len(layer))} {name_of(len(layer), layer.name)}"


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
    found = "None" if not n_found else f"Only {number(n_found)}"
    yield Oddity(
        "ids",
        f"{found} of the {number(n)} {name_of(n, ids.name)} occurs in the input: {shown(unknown[0])} does not, for"
        f" example, where the input has {shown(min(ids.inputs))}.",
        n=len(unknown),
        of=n,
        file=contents.file,
        suggestion=f"take the {ids.name[1]} from the input; is this a run for another task or phase?",
    )
