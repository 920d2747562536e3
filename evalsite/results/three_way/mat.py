"""A document with spans over its text."""

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import Layer, Record, of_pairs
from evalsite.results.units.marked_text import KINDS, TITLES


def layers(record: Record) -> list[Layer]:
    return [Layer(gettext("Spans"), record["text"], of_pairs(record["pairs"], list(KINDS), TITLES))]
