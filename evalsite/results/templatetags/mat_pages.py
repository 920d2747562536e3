"""The page of a document with the spans of both sides."""

from typing import Any

from django import template

from evalsite.results.units.marked_text import KINDS, TITLES, marked_text
from scoring.families import FAMILIES
from scoring.readers.mat import names_of_columns
from scoring.readers.tables import list_and_key, list_of

register = template.Library()

SPANS = "reftotal as gold, hyptotal as system, match, refclash as clash (gold), hypclash as clash (system)"
# For each table of the result what `label_table` and `worst_units` are to show.
COLUMNS = {
    "by_tag": f"tag, fmeasure as F1, fbeta as Fβ, precision, recall, {SPANS}, missing, spurious",
    "by_token": "tag, fmeasure as F1, fbeta as Fβ, precision, recall, tag_sensitive_accuracy, tag_blind_accuracy, "
    f"{SPANS}, missing, spurious",
    "partial": "schema, f1 as F1, fbeta as Fβ, precision, recall, correct, incorrect, partial, missing, spurious, "
    "possible, actual",
    "overlap": "tag, character_f1 as F1, character_fbeta as Fβ, character_precision as precision, "
    "character_recall as recall, proportional_f1 as proportional F1, proportional_fbeta as proportional Fβ, "
    "paired_f1 as F1 of best matches, paired_fbeta as Fβ of best matches, "
    "gold_characters as gold, system_characters as system, shared_characters as shared",
    "continuous": "tag, continuous_f1 as F1, continuous_fbeta as Fβ, continuous_precision as precision, "
    "continuous_recall as recall, gold_tuples as gold, system_tuples as system, credit",
    "by_document": f"document, fmeasure as F1, fbeta as Fβ, precision, recall, {SPANS}, missing, spurious",
}


@register.simple_tag
def span_columns(options: dict[str, Any]) -> dict[str, Any]:
    """Return what a table of spans calls its columns, the list that they lead into, and an example."""
    names = names_of_columns(options)
    keys: dict[str, Any] = {
        field: [list_and_key(each)[1] for each in name] if isinstance(name, tuple) else name and list_and_key(name)[1]
        for field, name in names._asdict().items()
    }
    files = FAMILIES["mat"].example({**options, "gold_format": "brat"})
    return keys | {"list": list_of(names.in_order), "example": b"".join(files.values()).decode()}


@register.simple_tag
def mat_columns() -> dict[str, str]:
    return COLUMNS


@register.inclusion_tag("results/_marked_text.html", takes_context=True)
def side_by_side(context: template.Context, record: dict[str, Any], show: str = "") -> dict[str, Any]:
    """Return gold and system text beside each other, with the pairs of spans below; `show` as in marked_text."""
    text = marked_text(record, show)
    n_errors = sum(number for kind, number in text.counts.items() if kind != "match")
    return {
        "request": context["request"],
        "task": context.get("task"),
        "text": text,
        "kinds": [(kind, str(TITLES[kind]), text.counts[kind]) for kind in KINDS if text.counts[kind]],
        "n_pairs": len(record["pairs"]),
        "n_errors": n_errors,
    }
