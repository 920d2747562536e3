"""Ids that the input does not have, where that is no reason to refuse."""

from collections.abc import Iterator

from scoring.describing.contents import Contents
from scoring.describing.description import Oddity
from scoring.describing.wording import name_of, number, shown

# A run for several scenarios has ids of the others too. It is odd if it reaches less than a tenth of the input.
_FEW = 0.1


def odd_identifiers(contents: Contents) -> Iterator[Oddity]:
    """`ids` where none or few of the system's ids occur in the input, and they reach little of it."""
    ids = contents.identifiers
    if ids is None or not ids.given or not ids.known:
        return
    unknown = [name for name in ids.given if name not in ids.known]
    n, n_found = len(ids.given), len(ids.given) - len(unknown)
    if n_found >= _FEW * n or n_found >= _FEW * len(ids.known):
        return
    found = "None" if not n_found else f"Only {number(n_found)}"
    yield Oddity(
        "ids",
        f"{found} of the {number(n)} {name_of(n, ids.name)} occurs in the input: {shown(unknown[0])} does not, for"
        f" example, where the input has {shown(min(ids.known))}.",
        n=len(unknown),
        of=n,
        file=contents.file,
        suggestion=f"take the {ids.name[1]} from the input; is this a run for another task or phase?",
    )
