"""The tables of an eHealth-KD result, and the page of a sentence."""

from collections.abc import Sequence
from typing import Any

from django import template

from evalsite.results.templatetags.label_tables import Record, label_table, worst_units
from evalsite.results.units.ehealthkd import sentence

register = template.Library()

_PHRASES = "correct, incorrect_gold as other label (gold), incorrect_system as other label (system), "
_EXTENTS = "partial_gold as other extent (gold), partial_system as other extent (system), missing, spurious"
_SCORES = "precision, recall, f1 as F1"
PHRASE_COLUMNS = f"label, {_SCORES}, gold, system, {_PHRASES}{_EXTENTS}"
RELATION_COLUMNS = f"label, {_SCORES}, gold, system, correct, missing, spurious"
_SENTENCE = "sentence as place, text as sentence"
_OF_PHRASES = (
    "correct_A as phrases correct, incorrect_A as other label, partial_A as other extent, "
    "missing_A as phrases missing, spurious_A as phrases spurious"
)
_OF_RELATIONS = "correct_B as relations correct, missing_B as relations missing, spurious_B as relations spurious"


@register.inclusion_tag("results/_label_table.html", takes_context=True)
def phrase_labels(
    context: template.Context, records: Sequence[Record], intervals: Any = None, title: str = "", table: str = ""
) -> dict[str, Any]:
    return label_table(context, records, intervals, columns=PHRASE_COLUMNS, title=title, table=table)


@register.inclusion_tag("results/_label_table.html", takes_context=True)
def relation_labels(
    context: template.Context, records: Sequence[Record], intervals: Any = None, title: str = "", table: str = ""
) -> dict[str, Any]:
    return label_table(context, records, intervals, columns=RELATION_COLUMNS, title=title, table=table)


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_sentences(
    context: template.Context, records: Sequence[Record], scores: dict[str, float | None]
) -> dict[str, Any]:
    """Show the counts of what the scenario scores: phrases, relations, or both."""
    named = [record | {"sentence": f"sentence {record['sentence']}"} for record in records]  # as units are called
    parts = [part for part, name in ((_OF_PHRASES, "f1_a"), (_OF_RELATIONS, "f1_b")) if scores.get(name) is not None]
    return worst_units(context, named, columns=", ".join([_SENTENCE, *parts, "f1 as F1"]))


@register.inclusion_tag("results/ehealthkd/_sentence.html", takes_context=True)
def sentence_of(context: template.Context, record: Record, show: str = "") -> dict[str, Any]:
    """Return the sentence, filtered by the kind and the label that the page was asked for."""
    request = context["request"]
    return {
        "request": request,
        "task": context.get("task"),
        "sentence": sentence(record, show, request.GET.get("label", "")),
    }
