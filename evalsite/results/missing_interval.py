"""Why a score that is there has no interval."""

from scoring.significance.limits import FEWEST_ITEMS, FEWEST_RESAMPLES

FEW_ITEMS = "(few items)", f"Fewer than {FEWEST_ITEMS} in the gold: too few to say how far the score could move."


def absence(
    value: float, unit: tuple[str, str], *, n_units: int, n_resamples: int, confidence_level: float
) -> tuple[str, str]:
    """What to show in brackets, and what to explain in the title."""
    singular, plural = unit
    if n_units == 1:
        return f"(one {singular})", str(value)
    if value not in (0, 1) or not n_resamples:
        return "(no interval)", str(value)
    # If a share p of such units disagreed, n units would all agree with probability (1 - p)^n.
    share = 100 * (1 - (1 - confidence_level) ** (1 / n_units))
    return "(no interval)", (
        f"All {n_units} {plural} agree; with {100 * confidence_level:g} % confidence fewer than {share:.1f} % "
        f"of such {plural} would not."
    )


def absence_in_row(reason: str) -> tuple[str, str]:
    """The same for a score in a row of a table, from the engine's reason."""
    match reason:
        case "few items":
            return FEW_ITEMS
        case "all resamples agree" | "both ends agree":
            return "(no interval)", "The same on all resamples, which cannot tell how far the score could move."
        case _ if reason.startswith("in fewer than"):
            return "(rare)", f"In fewer than {FEWEST_RESAMPLES} resamples: too few to say how far the score could move."
        case _ if reason.startswith("undefined"):
            return "(no interval)", f"The score is {reason}."
        case _:
            return "(no interval)", ""
