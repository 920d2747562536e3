"""Why a score that is there has no interval."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext

from evalsite.translating.engine import from_engine
from evalsite.wording import amount, exact, in_digits
from scoring.messages import Message
from scoring.significance import limits
from scoring.significance.limits import FEWEST_ITEMS


def absence(
    value: float, unit: tuple[str, str], reason: str = "", *, n_units: int, n_resamples: int, confidence_level: float
) -> tuple[str, str]:
    """Return what to show in brackets, and what to explain in the title.

    `reason` is the engine's, "" if it gave none.
    """
    singular, plural = map(from_engine, unit)
    if n_units == 1:
        return gettext("(one %(unit)s)") % {"unit": singular}, exact(value)
    if value not in (0, 1) or not n_resamples:
        return absence_in_row(reason) if reason else (gettext("(no interval)"), exact(value))
    # If a share p of such units disagreed, n units would all agree with probability (1 - p)^n.
    share = 100 * (1 - (1 - confidence_level) ** (1 / n_units))
    sentence = gettext(
        "All %(n)s %(units)s agree; with %(level)s confidence fewer than %(share)s of such %(units)s would not."
    )
    shares = {"level": in_digits(f"{100 * confidence_level:g} %"), "share": in_digits(f"{share:.1f} %")}
    return gettext("(no interval)"), sentence % {"n": amount(n_units), "units": plural, **shares}


def reasons_of(warnings: Iterable[str]) -> dict[str, str]:
    """Return why each score has no interval."""
    missing = (
        warning for warning in warnings if isinstance(warning, Message) and warning.kind == "score-without-interval"
    )
    return {warning.values["score"]: warning.values["reason"] for warning in missing}


def absence_in_row(reason: str) -> tuple[str, str]:
    """Return the same for a score in a row of a table, from the engine's reason."""
    match reason:
        case limits.FEW_ITEMS:
            why = gettext("Fewer than %(n)s in the gold: too few to say how far the score could move.")
            return gettext("(few items)"), why % {"n": FEWEST_ITEMS}
        case limits.RESAMPLES_AGREE | limits.ENDS_AGREE:
            why = gettext("The same on all resamples, which cannot tell how far the score could move.")
            return gettext("(no interval)"), why
        case _ if reason.startswith("in fewer than"):  # of evaluations from before proportions had Wilson's intervals
            why = gettext("In fewer than %(n)s resamples: too few to say how far the score could move.")
            return gettext("(rare)"), why % {"n": 500}
        case limits.FEW_UNITS:
            why = gettext("In fewer than %(n)s units: too few to say how far the score could move.")
            return gettext("(few items)"), why % {"n": FEWEST_ITEMS}
        case limits.NO_DECISIONS:
            return gettext("(no interval)"), gettext(
                "There is nothing in the data that this score could be computed from."
            )
        case _ if reason.startswith("undefined"):
            n, of = (amount(int(number)) for number in re.findall("[0-9]+", reason))
            why = gettext("The score is undefined in %(n)s of %(of)s resamples.")
            return gettext("(no interval)"), why % {"n": n, "of": of}
        case _:
            words = from_engine(reason)
            return gettext("(no interval)"), f"{words[:1].upper()}{words[1:]}."
