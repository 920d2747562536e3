"""The page of a question, or of a series of questions."""

from typing import Any

from django import template

register = template.Library()


@register.filter
def first_met(outputs: list[dict[str, Any]], number: int) -> int | None:
    """The rank of the first output that is right with the answer of this number."""
    return next((row["rank"] for row in outputs if row["correct"] and row["number"] == number), None)
