"""The page of an item of a classification, or of a group of items."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

register = template.Library()

Item = dict[str, Any]
_MOST_ITEMS = 200  # of a group; a user may have written thousands


@register.filter
def shown_first(items: Sequence[Item]) -> list[Item]:
    """Return those that are wrong before the others, as many as a page can hold."""
    return sorted(items, key=lambda item: item["correct"])[:_MOST_ITEMS]


@register.filter
def labels_to_show(options: Mapping[str, Any]) -> tuple[str, str]:
    """Return two labels for an example: of the organiser's list, or made up."""
    listed = options["labels"]
    return ("positive", "neutral") if isinstance(listed, str) else (listed[0], listed[-1])


@register.filter
def with_missing(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put None for no label into a confusion, as its template has it."""
    return [record | {"system": record["system"] or None} for record in records]


@register.filter
def n_not_shown(items: Sequence[Item]) -> int:
    return max(0, len(items) - _MOST_ITEMS)
