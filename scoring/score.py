"""Scores as a family declares them, each once: name for people, direction, and the way in which it is said."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.scale import Scale


@dataclass(frozen=True)
class Score:
    """One of a family's scores."""

    key: str  # as in `Evaluation.scores`
    title: str  # its name for people
    is_loss: bool = False  # whether less is better
    scale: Scale = Scale()  # a share from 0 to 1, unless it says otherwise


def titles_of(scores: Iterable[Score]) -> dict[str, str]:
    """Return the names for people, in the order of the declaration: {key: title}."""
    return {score.key: score.title for score in scores}


def losses_of(scores: Iterable[Score]) -> frozenset[str]:
    """Return the keys of the scores of which less is better."""
    return frozenset(score.key for score in scores if score.is_loss)


def scales_of(scores: Iterable[Score]) -> dict[str, Scale]:
    """Return how the scores are said that are no shares: {key: scale}.

    >>> [*scales_of([Score("accuracy", "Accuracy"), Score("mae", "Mean absolute error", scale=Scale(decimals=None))])]
    ['mae']
    """
    return {score.key: score.scale for score in scores if score.scale != Scale()}


def titled(title: str, *, lower_is_better: bool) -> str:
    """Return the title of a score, which says so where less of it is better.

    >>> titled("Root mean squared error", lower_is_better=True)
    'Root mean squared error (lower is better)'
    """
    return f"{title} (lower is better)" if lower_is_better else title
