"""The numbers of an item: what each run gives beside the gold, and how far it is off.

Two numbers are seldom right or wrong. With a tolerance those within it are right; without one only the gold's own
number is, and the page tells how far above or below each run lies.
"""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record
from evalsite.results.units.values import signed_value, value


def layers(record: Record) -> list[Layer]:
    """Return a layer for each item of the unit."""
    return [Layer(item["id"], "", list(_outcomes(item))) for item in record["rows"]]


def _outcomes(item: Record) -> Iterator[Outcome]:
    for number in item["numbers"]:
        kind, title = _kind(number)
        label = number["column"] if len(item["numbers"]) > 1 else ""
        gold, system = Annotation(label, value(number["gold"])), Annotation(label, value(number["system"]))
        # Runs with other numbers differ, also where both are near enough.
        yield Outcome(number["column"], kind, title, gold, system, system)


def _kind(number: Record) -> tuple[str, str]:
    """Return whether a number is right, and in words how it lies to the gold's."""
    difference = number["difference"]
    if number["is_missing"]:
        return "missing", gettext("Not in the run")
    if difference == 0:
        return RIGHT, gettext("The gold's number")
    said = {"difference": signed_value(difference)}
    if number["near"]:
        return RIGHT, gettext("Near: %(difference)s") % said
    return "incorrect", gettext("Off by %(difference)s") % said
