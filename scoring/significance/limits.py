"""What callers may ask of the resampling."""

from scoring.errors import ConfigurationError

MOST_RESAMPLES = 1_000_000
# Of fewer units the spread on bootstrap resamples is not to be trusted: a comparison separates nothing.
FEWEST_UNITS = 20
METHODS = ("bootstrap", "randomisation")  # of a comparison


def check_resampling(n_resamples: object, confidence_level: object, seed: object, *, fewest: int = 0) -> None:
    """A ConfigurationError unless all three are of the kind and size that they have to be."""
    if not _is_integer(n_resamples, fewest, MOST_RESAMPLES):
        raise ConfigurationError(f"n_resamples must be an integer from {fewest} to {MOST_RESAMPLES}")
    if not (isinstance(confidence_level, int | float) and 0 < confidence_level < 1):
        raise ConfigurationError("confidence_level must lie between 0 and 1")
    if seed is not None and not _is_integer(seed, 0, 2**64 - 1):
        raise ConfigurationError("seed must be an integer from 0 to 2**64 - 1")


def _is_integer(value: object, smallest: int, largest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and smallest <= value <= largest
