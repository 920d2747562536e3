"""What is said of several scenarios together: the fields of signatures, and the sentence above a board."""

from collections.abc import Collection, Mapping, Sequence

from scoring.columns import Flags
from scoring.combining.formula import Component
from scoring.comparing.finding import listed
from scoring.evaluation import Evaluation
from scoring.scale import Scale
from scoring.signature import __version__


def facts_of(beginning: Mapping[str, object], parts: Mapping[str, Evaluation]) -> dict[str, object]:
    """The fields of a signature that say what was combined; `parts` is an evaluation of each scenario."""
    return {
        **beginning,
        "scenarios": list(parts),
        "units": [len(part.units) for part in parts.values()],
        "gold": [part.gold_digest[:12] for part in parts.values()],
        "engine": __version__,
    }


def all_are_lower(chosen: Collection[Component], parts: Mapping[str, Evaluation]) -> bool:
    """Whether less is better for each of these scores."""
    return bool(chosen) and all(
        each.scenario in parts and each.score in parts[each.scenario].lower_is_better for each in chosen
    )


def common_scale(chosen: Collection[Component], parts: Mapping[str, Evaluation]) -> Scale:
    """How a formula's values are said: as its scores are if all are said alike, else with the digits that they need."""
    scales = {parts[each.scenario].scale(each.score) for each in chosen if each.scenario in parts}
    return scales.pop() if len(scales) == 1 else Scale(decimals=None)


def finding_over(names: Sequence[str], separated: Flags, n_scenarios: int, smallest: int, *, are_too_few: bool) -> str:
    """What was found of teams, best first; `separated` (K, K) says whether the row's team is better.

    >>> import numpy as np
    >>> better = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    >>> finding_over(["A", "B", "C"], better, 3, 60, are_too_few=False)
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
    return f"Over {scenarios}, {_told(names[0], ties, worse)}."


def _told(first: str, ties: Sequence[str], worse: Sequence[str]) -> str:
    """Of the first system, those not separated from it, and those that are."""
    if not ties:
        return f"{first} is better than {worse[0] if len(worse) == 1 else f'the other {len(worse)}'}"
    if not worse:
        if len(ties) == 1:
            return f"{first} and {ties[0]} cannot be told apart"
        return f"{first} cannot be told apart from any of the other {len(ties)}"
    others = worse[0] if len(worse) == 1 else f"the other {len(worse)}"
    return f"{first} cannot be told apart from {listed(ties)}; it is better than {others}"
