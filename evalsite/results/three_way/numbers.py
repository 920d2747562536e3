"""The numbers of an item: what each run gives beside the gold, and how far it is off.

Two numbers are seldom right or wrong. With a tolerance those within it are right; without one only the gold's own
number is, nothing is wrong, and the page tells how far above or below each run lies.
"""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import OFF, RIGHT, Annotation, Layer, Outcome, Record
from evalsite.results.units.values import signed_value, value
from evalsite.wording import exact


def layers(record: Record) -> list[Layer]:
    """Return a layer for each item of the unit."""
    return [Layer(item["id"], "", list(_outcomes(item)), list(_facts(item))) for item in record["rows"]]


def _facts(item: Record) -> Iterator[tuple[str, str]]:
    """Yield what people read of an item, its slice, and from which distance on a number of it is wrong."""
    for cell in item["text"]:
        yield cell["name"], cell["text"]
    if item["slice"] is not None:
        yield gettext("Slice"), item["slice"]
    if item["has_tolerance"]:
        yield gettext("Tolerance"), f"± {value(item['numbers'][0]['tolerance'])}"


def _outcomes(item: Record) -> Iterator[Outcome]:
    for number in item["numbers"]:
        kind, title = _kind(number)
        gold, system = (
            Annotation(number["column"], value(number[side]), exact=exact(number[side])) for side in ("gold", "system")
        )
        # Runs with other numbers differ, also where both are near enough.
        yield Outcome(number["column"], kind, title, gold, system, Annotation("", system.content))


def _kind(number: Record) -> tuple[str, str]:
    """Return whether a number is right, and in words how it lies to the gold's."""
    difference = number["difference"]
    if number["is_missing"]:
        return "missing", gettext("Not in the run")
    if difference == 0:
        return RIGHT, gettext("The gold's number")
    values = {"difference": signed_value(difference)}
    if number["near"]:
        return RIGHT, gettext("Near: %(difference)s") % values
    return OFF if number["near"] is None else "incorrect", gettext("Off by %(difference)s") % values
