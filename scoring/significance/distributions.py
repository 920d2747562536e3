"""Functions of the normal and of Student's distribution, whose libraries are loaded when the first is asked for.

SciPy takes longer to load than most runs to score. An interval has the normal distribution of Python's own library,
which a run without intervals does without.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from scoring import lazy

if TYPE_CHECKING:
    from statistics import NormalDist


@cache
def normal() -> "NormalDist":
    """Return the standard normal distribution, for single numbers."""
    distribution: NormalDist = lazy.load("statistics", "NormalDist")()
    return distribution


def normal_cdf(x: Any) -> Any:
    return lazy.load("scipy.special", "ndtr")(x)


def normal_quantile(p: Any) -> Any:
    return lazy.load("scipy.special", "ndtri")(p)


def student_cdf(degrees: Any, t: Any) -> Any:
    return lazy.load("scipy.special", "stdtr")(degrees, t)


def student_quantile(degrees: Any, p: Any) -> Any:
    return lazy.load("scipy.special", "stdtrit")(degrees, p)
