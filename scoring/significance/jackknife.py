"""The grouped jackknife: an interval for a score that is known as a whole and without each of some blocks of units.

Quenouille (1956) and Tukey (1958) made it; Shao & Tu (1995), The Jackknife and Bootstrap, chapter 2, say when it holds.
"""

import math

import numpy as np

from scoring.columns import Floats
from scoring.significance.distributions import student_quantile


def pseudo_values(whole: float, without: Floats) -> Floats:
    """Return θ̂ + (g − 1)(θ̄ − θ̂₍₋ᵦ₎) of each of g blocks: Tukey's pseudo-values, moved so that their mean is θ̂.

    >>> pseudo_values(0.5, np.array([0.4, 0.5, 0.5])).round(3)
    array([0.633, 0.433, 0.433])
    """
    return np.asarray(whole + (len(without) - 1) * (without.mean() - without))


def jackknife_interval(values: Floats, confidence_level: float) -> tuple[float, float]:
    """Return mean ± t · s / √g of g pseudo-values, with Student's quantile for g − 1 degrees of freedom.

    >>> [round(end, 4) for end in jackknife_interval(np.array([0.68, 0.59, 0.65, 0.56]), 0.95)]
    [0.5328, 0.7072]
    """
    # Other intervals need no SciPy, which takes longer to load than they to make.
    quantile = student_quantile(len(values) - 1, (1 + confidence_level) / 2)
    half = float(quantile) * float(values.std(ddof=1)) / math.sqrt(len(values))
    centre = math.fsum(values.tolist()) / len(values)
    return centre - half, centre + half
