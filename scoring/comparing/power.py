"""The power of a comparison: the differences that it finds, and the units that a given one needs."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.comparing.comparison import Comparison
from scoring.comparing.sizes import DIFFERENCES
from scoring.errors import ConfigurationError
from scoring.messages import Message
from scoring.significance.limits import FEWEST_UNITS, USUAL_POWER, check_power
from scoring.significance.power import critical_value_among, factor, units_needed

FIRST = 10  # systems of a board among which it matters most which is better


@dataclass(frozen=True)
class Power:
    """The power of a test of `n_units` on two systems whose difference has the standard error `se`."""

    se: float  # of the paired difference, in the unit of the score
    n_units: int
    n_systems: int  # all of whose pairs are tested together
    critical_value: float  # of all these pairs, in normal deviates
    confidence_level: float  # 1 − this is the level of the tests
    power: float = USUAL_POWER  # how often `detectable` and `needed` mean

    @property
    def threshold(self) -> float:
        """Return the true difference that is declared real about half of the time."""
        return factor(self.critical_value, self.n_units) * self.se

    @property
    def detectable(self) -> float:
        """Return the true difference that is declared real in a share `power` of all cases."""
        return factor(self.critical_value, self.n_units, self.power) * self.se

    def needed(self, difference: float) -> int:
        """Return the units that find a true difference of this size in a share `power` of all cases, if like these.

        Raises ConfigurationError unless it is positive.
        """
        if not difference > 0:
            raise ConfigurationError(Message("difference-not-above-0", "a difference to be found must be above 0"))
        return units_needed(difference, self.se, self.n_units, self.critical_value, self.power)

    def on(self, n_units: int) -> "Power":
        """Return the same on another number of units, if they are like these."""
        return replace(self, n_units=n_units, se=self.se * float(np.sqrt(self.n_units / n_units)))

    def among(self, n_systems: int) -> "Power":
        """Return the same where all pairs of so many systems are tested together, which resemble each other alike."""
        if n_systems < 2:
            raise ConfigurationError(Message("board-of-one", "a board needs two systems at least"))
        critical_value = critical_value_among(n_systems, self.confidence_level)
        return replace(self, n_systems=n_systems, critical_value=critical_value)

    def as_dict(self, differences: tuple[float, ...] = DIFFERENCES) -> dict[str, Any]:
        """Return plain values, ready for JSON; `needed` is a list of (difference, units)."""
        return {
            "se": self.se,
            "n_units": self.n_units,
            "n_systems": self.n_systems,
            "critical_value": self.critical_value,
            "confidence_level": self.confidence_level,
            "power": self.power,
            "threshold": self.threshold,
            "detectable": self.detectable,
            "needed": [[difference, self.needed(difference)] for difference in differences],
        }


def power_of(comparison: Comparison, *, power: float = USUAL_POWER) -> Power | None:
    """Return what a comparison tells of systems that stand next to each other among its first ten.

    Its spread is the median over these pairs. Those that score alike on every resample are left out: copies of one run
    say nothing about the spread of two. None where nothing is told apart at all: without two systems that differ,
    below 20 units, or by exchanges of units, which have no joint critical value. Raises ConfigurationError.
    """
    check_power(power)
    spreads = np.diagonal(comparison.se, offset=1)[: FIRST - 1]
    spreads = spreads[spreads > 0]
    if not len(spreads) or comparison.critical_value is None or comparison.n_units < FEWEST_UNITS:
        return None
    return Power(
        se=float(np.median(spreads)),
        n_units=comparison.n_units,
        n_systems=len(comparison.se),
        critical_value=comparison.critical_value,
        confidence_level=comparison.confidence_level,
        power=power,
    )
