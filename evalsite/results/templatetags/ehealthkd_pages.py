"""The tables of an eHealth-KD result, and the page of a sentence."""

from collections.abc import Sequence
from typing import Any

from django import template

from evalsite.results.templatetags.label_tables import Record, worst_units
from evalsite.results.units.ehealthkd import sentence

register = template.Library()


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_sentences(context: template.Context, records: Sequence[Record]) -> dict[str, Any]:
    """List sentences by their F1, named as units are called."""
    named = [record | {"sentence": f"sentence {record['sentence']}"} for record in records]
    return worst_units(context, named, table="sentences")


@register.inclusion_tag("results/ehealthkd/_sentence.html", takes_context=True)
def sentence_of(context: template.Context, record: Record, show: str = "") -> dict[str, Any]:
    """Return the sentence, filtered by the kind and the label that the page was asked for."""
    request = context["request"]
    return {
        "request": request,
        "task": context.get("task"),
        "sentence": sentence(record, show, request.GET.get("label", "")),
    }
