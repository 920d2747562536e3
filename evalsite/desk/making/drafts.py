"""A new task: a draft of whoever makes it, under an address of its own."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from evalsite.accounts.models import User
from evalsite.challenges.models import FormerAddress, Organiser, Scenario, Task, record
from evalsite.desk.scenarios.uses import Way

LONGEST_SLUG = 44  # leaves room for a number behind it


def empty_task(title: str, summary: str, way: Way | None, *, by: User) -> Task:
    """With a scenario of usual options, if it is known what systems do."""
    with transaction.atomic():
        task = draft(title, summary=summary, by=by)
        record(task, "task created", actor=by, subject=task.pk)
        if way:
            named = {"name": way.title, "family": way.family.name, "use": way.use.key}
            Scenario.objects.create(task=task, number=1, options=dict(way.use.options), **named)
    return task


def draft(title: str, *, by: User, **fields: Any) -> Task:
    """Inside a transaction; who makes it owns it."""
    for slug in _slugs(title):
        if (
            Task.objects.filter(slug=slug).exists()
            or FormerAddress.objects.filter(slug=slug, **dict.fromkeys(FormerAddress.PARTS)).exists()
        ):
            continue
        try:
            with transaction.atomic():
                task = Task.objects.create(title=title, slug=slug, is_published=False, **fields)
        except IntegrityError:
            continue  # somebody took it just now
        task.organiser_rows.create(user=by, role=Organiser.Role.OWNER, added_by=by)
        return task
    raise AssertionError("there is always another number")


def _slugs(title: str) -> Iterator[str]:
    base = slugify(title)[:LONGEST_SLUG].strip("-") or "task"
    yield base
    yield from (f"{base}-{number}" for number in count(2))
