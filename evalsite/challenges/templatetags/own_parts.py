"""Pieces of a page that are its visitor's own: the rest can be made once for all who have the same rights."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from evalsite.accounts.models import User
from evalsite.challenges.models import Task
from evalsite.challenges.sketches import AnyReader, leave_open, mark
from evalsite.challenges.ties import Ties, ties_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_part(context: template.Context, name: str, task: Task, **given: Any) -> SafeString:
    """The template, which gets the visitor's `user` and those of the own `teams` that take part in the task."""
    request = context["request"]
    if not isinstance(request.user, AnyReader):
        if not hasattr(request, "ties"):
            request.ties = ties_of(request.user) if isinstance(request.user, User) else None
        return _rendered(name, task, request.ties, given)
    part = f"part {len(getattr(request, 'fills_sketch', ()))}"
    leave_open(request, lambda ties: {part: _rendered(name, task, ties, given)})
    return mark(part)


def _rendered(name: str, task: Task, ties: Ties | None, given: dict[str, Any]) -> SafeString:
    user, teams = (ties.user, ties.entered.get(task.pk, [])) if ties else (None, [])
    return render_to_string(name, {"task": task, "user": user, "teams": teams, **given})
