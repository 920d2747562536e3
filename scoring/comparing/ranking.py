"""Places of systems: ranks, the ranges of ranks that the data allow, groups that cannot be told apart."""

from collections.abc import Iterable, Sequence

import numpy as np

from scoring.columns import Flags, Floats
from scoring.significance.limits import TIE

_MOST_NAMED = 5


def ranks(scores: Floats) -> list[int]:
    """1 + the number of better systems, by falling scores (systems,): 1, 2, 2, 4."""
    return [1 + int(np.count_nonzero(scores > score + TIE)) for score in scores]


def rank_ranges(separated: Flags) -> list[tuple[int, int]]:
    """First and last rank of each system that the tests leave open (Mogstad et al. 2023).

    `separated` (systems, systems) says whether the row's system is better than the column's.
    """
    better, worse = separated.sum(axis=0), separated.sum(axis=1)
    return [(1 + int(above), len(separated) - int(below)) for above, below in zip(better, worse, strict=True)]


def heads(separated: Flags) -> list[int]:
    """For each system, best first, the first system of its group: the latest head that it is not separated from.

    Not to be told apart is not transitive, hence from the head alone.
    """
    found: list[int] = []
    for system in range(len(separated)):
        head = found[-1] if found else system
        found.append(system if separated[head, system] else head)
    return found


def letter(number: int) -> str:
    """0 is a, 25 z, 26 aa."""
    name = ""
    while number >= 0:
        name = chr(ord("a") + number % 26) + name
        number = number // 26 - 1
    return name


def probability_best(draws: Floats) -> Floats:
    """Share of the resamples (systems, B) in which each system is the best, shared equally among ties."""
    if not len(draws):
        return np.empty(0)
    best = draws >= draws.max(axis=0) - TIE
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))


def finding(
    names: Sequence[str], is_worse: Iterable[bool], n_units: int, unit: tuple[str, str], *, are_too_few: bool
) -> str:
    """The sentence above a board: from whom the first system is told apart.

    `is_worse` says it of each of the others; `unit` is singular and plural.
    """
    units = f"{n_units} {unit[n_units != 1]}"
    match names:
        case []:
            return "No system has been scored yet."
        case [only]:
            return f"{only} is the only system so far."
    if are_too_few:
        return f"{units} {'is' if n_units == 1 else 'are'} too few to tell systems apart."
    first, *others = names
    worse: list[str] = []
    alike: list[str] = []
    for name, flag in zip(others, is_worse, strict=True):
        (worse if flag else alike).append(name)
    if not alike:
        return f"With {units}, {first} is better than {_others(worse)}."
    if worse:
        return f"With {units}, {first} cannot be told apart from {listed(alike)}; it is better than {_others(worse)}."
    if len(alike) == 1:
        return f"With {units}, {first} and {alike[0]} cannot be told apart."
    return f"With {units}, {first} cannot be told apart from any of the other {len(alike)}."


def _others(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"the other {len(names)}"


def listed(names: Sequence[str]) -> str:
    """B; B and C; B, C and D; B, C, D, E, F and 7 more."""
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
