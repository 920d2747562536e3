"""Functions of the normal and of Student's distribution, by SciPy, which is loaded when the first of them is asked for.

It takes longer to load than most runs to score, and a run is scored without it.
"""

from typing import Any

from scoring import lazy


def normal_cdf(x: Any) -> Any:
    return lazy.load("scipy.special", "ndtr")(x)


def normal_quantile(p: Any) -> Any:
    return lazy.load("scipy.special", "ndtri")(p)


def student_cdf(degrees: Any, t: Any) -> Any:
    return lazy.load("scipy.special", "stdtr")(degrees, t)


def student_quantile(degrees: Any, p: Any) -> Any:
    return lazy.load("scipy.special", "stdtrit")(degrees, p)
