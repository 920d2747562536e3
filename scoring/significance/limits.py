"""The limits of the statistics: what callers may ask for, and from where on a number means nothing."""

from scoring.errors import ConfigurationError
from scoring.messages import Message

MOST_RESAMPLES = 1_000_000
# With fewer units the spread of the bootstrap resamples is too small to be trusted: a comparison separates nothing.
FEWEST_UNITS = 20
# Below this number of units percentiles are too narrow, and BCa corrects them; it takes a jackknife, which costs time.
CORRECTED_BELOW = 50
# Scores that differ by no more than this are equal. Sums of the same counts in another order, or of the same scores
# from another processor, differ by some 1e-16; different counts of fewer than 10**6 items by more than 1e-12.
TIE = 1e-12
# A score may be undefined on a resample, as precision is where nothing was found. Where it is undefined on a larger
# share of the resamples than this, the others are too special a choice to say anything about it.
UNDEFINED_SHARE = 0.1
# A row of a table that rests on fewer items of the gold has no interval: a label that was right three times of three
# says next to nothing about the fourth. Nor has a row that is resampled and has items in fewer units.
FEWEST_ITEMS = 10
USUAL_POWER = 0.8  # how often a difference that is there should be found: four times out of five
# Why a score has no interval.
RESAMPLES_AGREE = Message("all-resamples-agree", "all resamples agree")
ENDS_AGREE = Message("both-ends-agree", "both ends agree")
FEW_ITEMS = Message("few-items", "few items")
FEW_UNITS = Message("few-units", "few units")
NO_DECISIONS = Message("no-decisions", "no decisions")
METHODS = ("bootstrap", "randomisation")  # of a comparison; the first is the default


def undefined_in(n: int, of: int) -> Message:
    """Return that a score is undefined in some resamples."""
    return Message("undefined", "undefined in {n} of {of} resamples", n=n, of=of)


def without_interval(score: str, reason: str) -> Message:
    """Return the warning that a score has no interval."""
    return Message("score-without-interval", "{score}: no interval: {reason}", score=score, reason=reason)


def check_resampling(n_resamples: object, confidence_level: object, seed: object, *, fewest: int = 0) -> None:
    """Raise ConfigurationError unless all three are of the kind and size that they have to be."""
    if not _is_integer(n_resamples, fewest, MOST_RESAMPLES):
        raise ConfigurationError(
            Message(
                "n-resamples-range",
                "n_resamples must be an integer from {fewest} to {most}",
                fewest=fewest,
                most=MOST_RESAMPLES,
            )
        )
    if not (isinstance(confidence_level, int | float) and 0 < confidence_level < 1):
        raise ConfigurationError(Message("confidence-level-range", "confidence_level must lie between 0 and 1"))
    if seed is not None and not _is_integer(seed, 0, 2**64 - 1):
        raise ConfigurationError(Message("seed-range", "seed must be an integer from 0 to 2**64 - 1"))


def check_power(power: object) -> None:
    """Raise ConfigurationError unless it lies between a half and 1, where a test is worth its name."""
    if not (isinstance(power, int | float) and 0.5 <= power < 1):
        raise ConfigurationError(Message("power-range", "power must be at least 0.5 and below 1"))


def _is_integer(value: object, smallest: int, largest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and smallest <= value <= largest
