"""Creates a task: a draft that belongs to its creator, under an address of its own."""

from collections.abc import Iterator
from itertools import chain, count, islice
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.base.validation import require_valid
from evalsite.challenges.models import FormerAddress, Organiser, Scenario, Task, record
from evalsite.desk.scenarios.uses import Way

LONGEST_SLUG = 44  # leaves room for a number behind it
MOST_TRIES = 100  # of addresses that were free a moment ago


class TitleTaken(Exception):
    """Somebody else takes each address that is made of the title first; the message says so to the organiser."""


def empty_task(title: str, summary: str, way: Way | None, *, by: User) -> Task:
    """Create a task, with a scenario of default options if it is known what systems do."""
    with transaction.atomic():
        task = draft(title, summary=summary, by=by)
        record(task, "task created", actor=by, subject=task.pk)
        if way:
            named = {"name": way.title, "family": way.family.name, "use": way.use.key, "is_judged": way.use.is_judged}
            Scenario.objects.create(task=task, number=1, options=dict(way.use.options), **named)
    return task


def draft(title: str, *, by: User, slug: str = "", **fields: Any) -> Task:
    """Make a draft, inside a transaction, at `slug` if that is free; who makes it owns it.

    Raise TitleTaken; ValidationError for values that no task can have.
    """
    require_valid(Task(title=title, **fields), without={"slug"})
    wanted = [slug] if slug and not Task.objects.filter(slug=slug).exists() else []
    for address in islice(chain(wanted, _free_slugs(slug or title)), MOST_TRIES):
        try:
            with transaction.atomic():
                task = Task.objects.create(title=title, slug=address, is_published=False, **fields)
        except IntegrityError:
            if not Task.objects.filter(slug=address).exists():
                raise  # it was not the address that violated a constraint
            continue  # somebody took it just now
        task.organiser_rows.create(user=by, role=Organiser.Role.OWNER, added_by=by)
        return task
    raise TitleTaken(
        gettext("Other tasks with this title are being created at this moment. Try again, or choose another title.")
    )


def _free_slugs(title: str) -> Iterator[str]:
    base = slugify(title)[:LONGEST_SLUG].strip("-") or "task"
    former = FormerAddress.objects.filter(**dict.fromkeys(FormerAddress.PARTS))
    rows = (Task.objects.all(), former)
    taken = {
        slug for queryset in rows for slug in queryset.filter(slug__startswith=base).values_list("slug", flat=True)
    }
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return (slug for slug in slugs if slug not in taken)
