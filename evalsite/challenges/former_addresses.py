"""Redirects from former addresses: what a task, or a part of it, was called in addresses before."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.apps import apps
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from evalsite.challenges.access import Visitor, visible_tasks
from evalsite.challenges.models import FormerAddress, Page, Phase, Scenario, Task

Addressed = Task | Phase | Page | Scenario
_OF_TASKS: dict[str, Any] = dict.fromkeys(FormerAddress.PARTS)


def slug_of(owner: Addressed) -> str:
    """Return the slug that stands for it in addresses."""
    return str(owner.number) if isinstance(owner, Scenario) else owner.slug


def redirect_from(owner: Addressed, slug: str) -> None:
    """Redirect from this slug, until something else is called so."""
    if isinstance(owner, Task):
        former = FormerAddress(task=owner, slug=slug)
        among = FormerAddress.objects.filter(**_OF_TASKS)
    else:
        former = FormerAddress(task=owner.task, slug=slug)
        setattr(former, part := str(owner._meta.model_name), owner)
        among = owner.task.former_addresses.filter(**{f"{part}__isnull": False})
    among.filter(slug__in=(slug, slug_of(owner))).delete()
    former.save()


def present_address(user: Visitor, named: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the address names by its present slugs, or None if it is unknown or unchanged for this visitor."""
    task = _task_of(user, named)
    if task is None:
        return None
    now = named | ({"task": task.slug} if "task" in named else {})
    parts: dict[str, QuerySet[Any]] = {
        "phase": task.phases.all(),
        "page": task.pages.all(),
        "scenario": task.scenarios.all(),
    }
    for part, rows in parts.items():
        # The desk's addresses have the keys of pages, which are numbers.
        if part in named and isinstance(named[part], int if part == "scenario" else str):
            now[part] = _present_slug(rows, named[part])
    return None if now == named else now


def _present_slug(rows: QuerySet[Any], name: str | int) -> str | int:
    """Return the present slug; the given one if something is called so."""
    field = "number" if rows.model is Scenario else "slug"
    if rows.filter(**{field: name}).exists():
        return name
    row = rows.filter(former_addresses__slug=str(name)).first()
    return getattr(row, field) if row else name


def _task_of(user: Visitor, named: dict[str, Any]) -> Task | None:
    """Return the task by its present or former slug, or by the run that the address names."""
    tasks = visible_tasks(user)
    if "task" in named:
        former = tasks.filter(former_addresses__slug=named["task"])
        former = former.filter(**{f"former_addresses__{part}": None for part in FormerAddress.PARTS})
        return tasks.filter(slug=named["task"]).first() or former.first()
    runs = apps.get_model("submissions", "Submission").objects
    return tasks.filter(phases__in=runs.filter(pk=named["pk"]).values("phase")).first()


class FormerAddressMiddleware:
    """Redirects from former addresses; only where nothing is found, so that other pages cost no query more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != HTTPStatus.NOT_FOUND or request.method not in ("GET", "HEAD") or match is None:
            return response
        is_of_run = "scenario" in match.kwargs and "pk" in match.kwargs
        if not is_of_run and not isinstance(match.kwargs.get("task"), str):
            return response
        now = present_address(request.user, match.kwargs)
        if now is None:
            return response
        query = request.META.get("QUERY_STRING", "")
        # A temporary redirect, as something else may be called so one day.
        return redirect(reverse(match.view_name, kwargs=now) + (f"?{query}" if query else ""))
