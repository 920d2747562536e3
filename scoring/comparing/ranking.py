"""Ranks of systems, the ranges of ranks that the data allow, and groups that cannot be told apart."""

import numpy as np

from scoring.columns import Flags, Floats
from scoring.significance.limits import TIE


def ranks(scores: Floats, *, lower_is_better: bool = False) -> list[int]:
    """Return 1 + the number of systems that are better by more than a tie, for scores (systems,) in any order.

    >>> ranks(np.array([0.5, 0.7, 0.7, 0.4])), ranks(np.array([0.5, 0.7, 0.7, 0.4]), lower_is_better=True)
    ([3, 1, 1, 4], [2, 3, 3, 1])
    """
    rising = np.sort(scores)
    if lower_is_better:
        return [1 + int(number) for number in np.searchsorted(rising, scores - TIE, side="left")]
    n_better = len(scores) - np.searchsorted(rising, scores + TIE, side="right")
    return [1 + int(number) for number in n_better]


def rank_ranges(separated: Flags) -> list[tuple[int, int]]:
    """Return the first and last rank of each system that the tests leave open.

    `separated` (systems, systems) says whether the row's system is better than the column's. All pairs are tested
    together, so that all ranges hold at once with the confidence of the test (Mogstad, Romano, Shaikh & Wilhelm 2024,
    Inference for Ranks, Review of Economic Studies 91(1)). Percentiles of the ranks on resamples would not.

    >>> rank_ranges(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))  # only the last one is told apart
    [(1, 2), (1, 2), (3, 3)]
    """
    better, worse = separated.sum(axis=0), separated.sum(axis=1)
    return [(1 + int(above), len(separated) - int(below)) for above, below in zip(better, worse, strict=True)]


def heads(separated: Flags) -> list[int]:
    """Return for each system, best first, the number of the first system of its group, its head.

    A system joins the latest group unless it is separated from the head; then it becomes the next head. The others of
    a group do not matter, because "not separated" is not transitive: of three systems the outer two may differ.

    >>> heads(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    [0, 0, 2]
    """
    head_of: list[int] = []
    for system in range(len(separated)):
        head = head_of[-1] if head_of else system
        head_of.append(system if separated[head, system] else head)
    return head_of


def letter(number: int) -> str:
    """Return the name of a group by its number from 0 on.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'aa')
    """
    name = ""
    while number >= 0:
        name = chr(ord("a") + number % 26) + name
        number = number // 26 - 1
    return name


def probability_best(draws: Floats, *, lower_is_better: bool = False) -> Floats:
    """Return the share of resamples in which each system is best: (systems, B) to (systems,). Ties share equally.

    >>> probability_best(np.array([[0.9, 0.8, 0.7, 0.9], [0.8, 0.8, 0.9, 0.7]]))
    array([0.625, 0.375])
    """
    if not len(draws):
        return np.empty(0)
    best = draws <= draws.min(axis=0) + TIE if lower_is_better else draws >= draws.max(axis=0) - TIE
    n_best = best.sum(axis=0)
    # One by one: the shares of a thousand systems at once would be 80 MB.
    return np.array([(is_best / n_best).mean() for is_best in best])
