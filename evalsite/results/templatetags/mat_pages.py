"""The page of a document with the spans of both sides."""

from collections.abc import Mapping
from typing import Any

from django import template

from evalsite.results.units.marked_text import KINDS, TITLES, marked_text
from scoring.families import FAMILIES
from scoring.readers.mat import names_of_columns
from scoring.readers.tables import list_and_key, list_of

register = template.Library()


@register.filter
def example_labels(options: Mapping[str, Any]) -> tuple[str, str]:
    """Return two labels for an example: of those that are scored, the one that is like a person and one like a place
    first, or made up."""
    labels = [*(options["content_annotations"] or ("PER", "LOC"))]
    person = next((label for label in labels if label.upper().startswith("PER")), labels[0])
    others = [label for label in labels if label != person] or [person]
    place = next((label for label in others if label.upper().startswith(("LOC", "PLACE", "GPE"))), others[0])
    return person, place


@register.simple_tag
def span_columns(options: dict[str, Any]) -> dict[str, Any]:
    """Return what a table of spans calls its columns, the list that they lead into, and an example."""
    names = names_of_columns(options)
    keys: dict[str, Any] = {
        field: [list_and_key(part)[1] for part in name] if isinstance(name, tuple) else name and list_and_key(name)[1]
        for field, name in names._asdict().items()
    }
    files = FAMILIES["mat"].example({**options, "gold_format": "brat"})
    return keys | {"list": list_of(names.in_order), "example": b"".join(files.values()).decode()}


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
