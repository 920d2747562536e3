"""The scores of several columns as one: their mean, for correlations on request by Fisher's transformation."""

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.columns import Floats
from scoring.families.numbers.names import CORRELATIONS, JOINT, OF_GROUPS, column_keys
from scoring.family import Options

_CERTAIN = 1e-12  # so near to 1 or −1 a correlation has no finite transform


def over_columns(scores: Sequence[Mapping[str, Floats]], options: Options) -> dict[str, Floats]:
    """Make one score of each column's: of equal shapes, in the order of the columns.

    A score is the mean of its values; NaN if one of them is.
    """
    if len(scores) == 1:
        return dict(scores[0])
    is_fisher = options["column_mean"] == "fisher"
    combined = {}
    for name in scores[0]:
        values = np.stack([of_column[name] for of_column in scores])
        combined[name] = (
            fisher_mean(values) if is_fisher and name in (*CORRELATIONS, *OF_GROUPS) else values.mean(axis=0)
        )
    for column, of_column in zip(column_keys(options), scores, strict=True):
        combined |= {f"{column}_{name}": values for name, values in of_column.items()}
    if "mse" in scores[0]:
        with np.errstate(over="ignore"):
            joint = np.sqrt(np.stack([of_column["mse"] for of_column in scores]).sum(axis=0))
        combined[JOINT] = np.where(np.isfinite(joint), joint, np.nan)
    return combined


def fisher_mean(correlations: Floats) -> Floats:
    """Compute tanh of the mean of artanh (Fisher 1921) over the first axis: (columns, ...) to (...).

    A correlation of 1 or −1 makes the mean 1 or −1; with both there is none.

    >>> fisher_mean(np.array([[0.9, 1, 1], [0.5, 0.5, -1]])).round(6)
    array([0.766077, 1.      ,      nan])
    """
    up, down = (correlations >= 1 - _CERTAIN).any(axis=0), (correlations <= _CERTAIN - 1).any(axis=0)
    inside = np.where(np.abs(correlations) >= 1 - _CERTAIN, 0, correlations)
    mean = np.tanh(np.arctanh(inside).mean(axis=0))
    certain = np.where(up & down, np.nan, np.where(up, 1.0, -1.0))
    value = np.where(up | down, certain, mean)
    return np.where(np.isnan(correlations).any(axis=0), np.nan, value)
