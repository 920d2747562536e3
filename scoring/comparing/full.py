"""In which units everything is right."""

from math import isfinite

import numpy as np

from scoring.columns import Flags, Floats
from scoring.scale import Scale
from scoring.significance.limits import TIE


def is_full(scores: Floats, scale: Scale, *, lower_is_better: bool) -> Flags:
    """Whether a unit has full marks, of scores of any shape; False where it has no score (NaN).

    >>> is_full(np.array([1.0, 0.5, np.nan]), Scale(), lower_is_better=False)
    array([ True, False, False])
    >>> is_full(np.array([0.2, 0.0]), Scale(), lower_is_better=True)
    array([False,  True])
    """
    full = scale.perfect(lower_is_better=lower_is_better)
    slack = TIE * max(1.0, abs(full)) if isfinite(full) else 0.0
    return np.asarray(scores <= full + slack if lower_is_better else scores >= full - slack)
