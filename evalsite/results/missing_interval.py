"""Why a score that is there has no interval."""


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
