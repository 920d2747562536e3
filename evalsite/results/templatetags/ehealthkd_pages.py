"""The tables of an eHealth-KD result."""

from collections.abc import Sequence
from typing import Any

from django import template

from evalsite.results.templatetags.label_tables import Record, worst_units

register = template.Library()

SENTENCE_COLUMNS = (
    "sentence as line, text as sentence, correct_A, incorrect_A, partial_A, missing_A, spurious_A, "
    "correct_B, missing_B, spurious_B, f1"
)


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_sentences(context: template.Context, records: Sequence[Record]) -> dict[str, Any]:
    return worst_units(context, records, columns=SENTENCE_COLUMNS)
