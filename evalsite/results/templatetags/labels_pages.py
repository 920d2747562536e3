"""What pages say of the labels of a classification."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

register = template.Library()


@register.filter
def labels_to_show(options: Mapping[str, Any]) -> tuple[str, str]:
    """Return two labels for an example: of the organiser's list, or made up."""
    listed = options["labels"]
    return ("positive", "neutral") if isinstance(listed, str) else (listed[0], listed[-1])


@register.filter
def with_missing(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put None for no label into a confusion, as its template has it."""
    return [record | {"system": record["system"] or None} for record in records]
