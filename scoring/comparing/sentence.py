"""The sentence above a board: who is first, and from whom the first can be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags
from scoring.scale import Scale

_MOST_NAMED = 5


@dataclass(frozen=True)
class Leaders:
    """The systems that stand first among K systems, best first.

    `numbers` are the systems that none is shown to be better than. No two of them are told apart, since then one would
    be better. Of the `n_others` the first system is shown to be better than `n_worse`.
    """

    numbers: list[int]
    n_others: int
    n_worse: int

    @property
    def is_shared(self) -> bool:
        return len(self.numbers) > 1


def leaders(separated: Flags) -> Leaders:
    """Return the systems that none is better than, of at least one system.

    >>> leaders(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    Leaders(numbers=[0, 1], n_others=1, n_worse=1)
    """
    numbers = np.flatnonzero(~separated.any(axis=0)).tolist()
    return Leaders(numbers, len(separated) - len(numbers), int(separated[0].sum()))


def sentence_on(
    names: Sequence[str],
    scores: Sequence[float],
    separated: Flags,
    n_units: int,
    unit: tuple[str, str],
    *,
    are_too_few: bool,
    lower_is_better: bool = False,
    scale: Scale | None = None,
) -> str:
    """Say what was found of systems, best first; `separated` as `leaders` takes it, `unit` is singular and plural.

    >>> better = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    >>> sentence_on(["A", "B", "C"], [0.7, 0.69, 0.5], better, 90, ("question", "questions"), are_too_few=False)
    'Shared first: A (0.700) and B (0.690). 90 questions cannot tell them apart; A is better than C.'
    """
    if not names:
        return "No system has been scored yet."
    shown = (scale or Scale()).fitted(scores)
    scored = [f"{name} ({shown.text(score)})" for name, score in zip(names, scores, strict=True)]
    if len(names) == 1:
        return f"{scored[0]} is the only system so far."
    units = f"{n_units:,} {unit[n_units != 1]}"
    if are_too_few:
        verb = "is" if n_units == 1 else "are"
        extreme = "Lowest" if lower_is_better else "Highest"
        return f"{extreme} score: {scored[0]}. {units} {verb} too few to tell systems apart."
    first_ones = leaders(separated)
    others = [name for number, name in enumerate(names) if number not in first_ones.numbers]
    if not first_ones.is_shared:
        return f"First: {scored[0]}, better than {_worse(first_ones, others, f'all {first_ones.n_others} others')}."
    first = f"Shared first: {listed([scored[number] for number in first_ones.numbers])}. {units} cannot tell them apart"
    if not first_ones.n_worse:
        return f"{first}."
    return f"{first}; {names[0]} is better than {_worse(first_ones, others, f'the other {first_ones.n_others}')}."


def _worse(first_ones: Leaders, others: Sequence[str], all_others: str) -> str:
    """Say than whom the first system is better, of those that are not first."""
    if first_ones.n_worse < first_ones.n_others:
        return f"{first_ones.n_worse} of the other {first_ones.n_others}"
    return others[0] if len(others) == 1 else all_others


def sentence_over(names: Sequence[str], separated: Flags, n_scenarios: int, smallest: int, *, are_too_few: bool) -> str:
    """Say what was found of teams, best first; `separated` (K, K) says whether the row's team is better.

    >>> better = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    >>> sentence_over(["A", "B", "C"], better, 3, 60, are_too_few=False)
    'Over 3 scenarios, A cannot be told apart from B; it is better than C.'
    """
    if not names:
        return "No system has been scored yet."
    if len(names) == 1:
        return f"{names[0]} is the only system so far."
    scenarios = f"{n_scenarios:,} scenario{'s' if n_scenarios != 1 else ''}"
    if are_too_few:
        units = f"{smallest:,} unit{'s' if smallest != 1 else ''}"
        return f"The smallest of {scenarios} has {units}: too few to tell systems apart."
    ties = [name for place, name in enumerate(names) if place and not separated[0, place]]
    worse = [name for place, name in enumerate(names) if separated[0, place]]
    return f"Over {scenarios}, {_over(names[0], ties, worse)}."


def _over(first: str, ties: Sequence[str], worse: Sequence[str]) -> str:
    """Say of the first system from which it is not separated, and from which it is."""
    if not ties:
        return f"{first} is better than {worse[0] if len(worse) == 1 else f'the other {len(worse)}'}"
    if not worse:
        if len(ties) == 1:
            return f"{first} and {ties[0]} cannot be told apart"
        return f"{first} cannot be told apart from any of the other {len(ties)}"
    others = worse[0] if len(worse) == 1 else f"the other {len(worse)}"
    return f"{first} cannot be told apart from {listed(ties)}; it is better than {others}"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence, five of them at most.

    >>> listed("BCD"), listed("BCDEFGHI")
    ('B, C and D', 'B, C, D, E, F and 3 more')
    """
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
