"""Correlation and error from sums: Pearson, Lin, the coefficient of determination, absolute and squared errors."""

import numpy as np

from scoring.columns import Array, Flags, Floats
from scoring.families.numbers.pairs import CONSTANT

# Comparisons square scores: what is larger has no value, or one absurd run would make a whole board incomparable.
LARGEST = 1e145


def scores_of_sums(sums: Array, *, zero_if_constant: bool) -> dict[str, Floats]:
    """Compute the scores (...) of sums (..., kinds), in the order of SUMS.

    * `pearson`: SciPy's `pearsonr`; NaN where a column is constant, or 0 where only the system's is and the option
      asks for it.
    * `ccc`: Lin (1989), A concordance correlation coefficient to evaluate reproducibility, with moments over N.
    * `r2`, `mae`, `mse`, `rmse`: scikit-learn's `r2_score` (with its `force_finite`) and errors.

    >>> x, y = np.array([1, 2, 2, 3, 4, 5.0]), np.array([1.5, 1, 2.5, 2.5, 3.5, 5.5])
    >>> from scoring.families.numbers.pairs import sum_columns
    >>> found = scores_of_sums(sum_columns(x, y, x.mean(), y.mean()).sum(axis=1), zero_if_constant=False)
    >>> {name: round(float(value), 6) for name, value in found.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'pearson': 0.910236, 'ccc': 0.905263, 'mae': 0.583333, 'mse': 0.375, 'rmse': 0.612372, 'r2': 0.792308}
    """
    n, x, y, xx, yy, xy, difference, absolute, squared = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s_xx, s_yy, s_xy = xx - x * x / n, yy - y * y / n, xy - x * y / n
        gold_constant, system_constant = s_xx <= CONSTANT * xx, s_yy <= CONSTANT * yy
        pearson = correlation(s_xy, s_xx, s_yy, gold_constant, system_constant, zero_if_constant=zero_if_constant)
        mse = squared / n
        return {
            "pearson": pearson,
            "ccc": _concordance(s_xy, s_xx, s_yy, difference * difference / n, gold_constant, system_constant),
            "mae": _finite(absolute / n),
            "mse": _finite(mse),
            "rmse": np.sqrt(_finite(mse)),
            "r2": _determination(n, squared, s_xx, gold_constant),
        }


def correlation(
    s_xy: Floats, s_xx: Floats, s_yy: Floats, gold_constant: Flags, system_constant: Flags, *, zero_if_constant: bool
) -> Floats:
    """Compute s_xy / √(s_xx s_yy) within [−1, 1]; NaN for a constant column, or 0 if only the system's is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # Two roots, not the root of a product: that would leave the range of doubles twice as soon.
        value = np.clip(s_xy / (np.sqrt(np.maximum(s_xx, 0)) * np.sqrt(np.maximum(s_yy, 0))), -1.0, 1.0)
    value = np.where(gold_constant | system_constant, np.nan, value)
    return np.where(system_constant & ~gold_constant, 0.0, value) if zero_if_constant else value


def _concordance(
    s_xy: Floats, s_xx: Floats, s_yy: Floats, shift: Floats, gold_constant: Flags, system_constant: Flags
) -> Floats:
    """Compute 2 s_xy / (s_xx + s_yy + N (x̄ − ȳ)²); `shift` is the last term. 0 beside a constant, NaN for 0/0."""
    x_squares, y_squares = np.where(gold_constant, 0, s_xx), np.where(system_constant, 0, s_yy)
    covariation = np.where(gold_constant | system_constant, 0, s_xy)
    return _finite(2 * covariation / (x_squares + y_squares + shift))


def _determination(n: Floats, squared: Floats, s_xx: Floats, gold_constant: Flags) -> Floats:
    """Compute 1 − Σd² / s_xx. Of a constant gold 1 if all is right, else 0; NaN of fewer than two rows."""
    of_constant = np.where(np.isnan(squared), np.nan, squared == 0)
    value = np.where(gold_constant, of_constant, 1 - squared / s_xx)
    return _finite(np.where(n < 2, np.nan, value))


def _finite(values: Floats) -> Floats:
    """Replace by NaN those whose squares, over a million resamples, would leave the range of doubles."""
    return np.where(np.abs(values) <= LARGEST, values, np.nan)
