"""How sizes that are known roughly are said, apart from the tests, which need SciPy."""

from math import floor, log10

DIFFERENCES = (0.005, 0.01, 0.02, 0.05)  # of scores, where nobody says which


def two_digits(value: float) -> str:
    """Return two significant digits, never as a power of ten.

    >>> two_digits(0.0613), two_digits(0.00996), two_digits(12.3), two_digits(0.0)
    ('0.061', '0.010', '12', '0')
    """
    if not value:
        return "0"
    # Rounded first: 0.00996 becomes 0.01, which has one place less.
    size = floor(log10(abs(float(f"{value:.1e}"))))
    return f"{value:.{max(0, 1 - size)}f}"


def rounded_up(number: int) -> int:
    """Return a number of units to plan with: two significant digits, never fewer units than it takes.

    >>> rounded_up(2341), rounded_up(2400), rounded_up(87)
    (2400, 2400, 87)
    """
    step = int(10 ** max(0, len(str(number)) - 2))
    return -(-number // step) * step
