"""A new task that is like another one: last year's, with all its times moved, and without anybody's runs."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.core.files import File
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.challenges.golds import golds_in_force
from evalsite.challenges.models import Gold, Phase, Scenario, Task, record
from evalsite.challenges.storing import removed_on_error
from evalsite.challenges.zones import zone_called
from evalsite.desk.making.drafts import draft

YEAR = timedelta(weeks=52)  # keeps the days of the week
# What is the new task's own, or tells what happened in the old one.
_OF_TASK = {"title", "slug", "is_published", "publish_at", "archived"}
_OF_HISTORY = {"version", "created", "extended_from", "extended_on", "gold_released_since", "is_paused", "pause_reason"}


@dataclass(frozen=True)
class Shift:
    """Moves times so that clocks in the task's zone show the same time of day, also after they were changed."""

    by: timedelta
    zone: str

    def __call__(self, moment: datetime) -> datetime:
        zone = zone_called(self.zone)
        local = moment.astimezone(zone).replace(tzinfo=None)
        return (local + self.by).replace(tzinfo=zone).astimezone(UTC)


def first_opening(task: Task) -> datetime | None:
    found: datetime | None = task.phases.aggregate(first=models.Min("opens"))["first"]
    return found


def next_opening(task: Task) -> datetime | None:
    """The same day of the week as many whole years later as lead into the future."""
    first = first_opening(task)
    if first is None:
        return None
    n_years = max(1, -((first - timezone.now()) // YEAR))
    return Shift(n_years * YEAR, task.zone)(first)


def next_title(task: Task) -> str:
    """With the next year where it names one: MED-KD 2026 becomes MED-KD 2027."""
    title = re.sub(r"\b(20\d\d)\b", lambda year: str(int(year[1]) + 1), task.title, count=1)
    return title if title != task.title else gettext("%(task)s, again") % {"task": task.title}


def clone(source: Task, title: str, opens: datetime | None, *, with_gold: bool, by: User) -> Task:
    """A draft of whoever clones; the first phase opens at `opens`, and the others keep their distance."""
    shift = _shift(source, opens)
    with transaction.atomic():
        task = draft(title[: Task._meta.get_field("title").max_length], by=by, **_values(source, _OF_TASK, shift))
        record(task, "task created", actor=by, subject=task.pk, cloned_from=source.slug)
        scenarios = {each.pk: _copy(each, shift, task=task) for each in source.scenarios.all()}
        phases = {each.pk: _copy(each, shift, task=task) for each in source.phases.all()}
        for related in (source.pages, source.pictures, source.downloads):
            for row in related.all():
                _copy(row, shift, task=task)
        if with_gold:
            for phase in source.phases.all():
                for scenario, gold in golds_in_force(phase).items():
                    _copy_gold(gold, phases[phase.pk], scenarios[scenario.pk], by)
    return task


def _shift(source: Task, opens: datetime | None) -> Shift:
    first = first_opening(source)
    if first is None or opens is None:
        return Shift(timedelta(0), source.zone)
    zone = zone_called(source.zone)
    local = [moment.astimezone(zone).replace(tzinfo=None) for moment in (first, opens)]
    return Shift(local[1] - local[0], source.zone)


def _copy(row: Any, shift: Shift, **related: Any) -> Any:
    """A row with the same values, its times moved and its file copied; history stays behind."""
    made = type(row)(**_values(row, set(related), shift), **related)
    for field in (each for each in row._meta.concrete_fields if isinstance(each, models.FileField)):
        _copy_file(row, made, field.name)
    made.save(force_insert=True)
    return made


def _copy_file(row: Any, made: Any, name: str) -> None:
    file = getattr(row, name)
    with file.open() as content, removed_on_error(getattr(made, name)):
        getattr(made, name).save(file.name.rsplit("/", 1)[-1], File(content), save=False)


def _values(row: models.Model, without: set[str], shift: Callable[[datetime], datetime]) -> dict[str, Any]:
    found = {}
    for field in row._meta.concrete_fields:
        is_own = field.primary_key or field.name in without | _OF_HISTORY or isinstance(field, models.FileField)
        if not is_own:
            value = getattr(row, field.attname)
            found[field.attname] = shift(value) if isinstance(value, datetime) else value
    return found


def _copy_gold(gold: Gold, phase: Phase, scenario: Scenario, by: User) -> None:
    note = gettext("As in %(task)s.") % {"task": gold.phase.task}
    values = {name: getattr(gold, name) for name in ("file_name", "sha256", "digest", "n_units")}
    values |= {"published": timezone.now(), "published_by": by, "created_by": by, "note": note[:200]}
    copy = Gold(pk=uuid4(), phase=phase, scenario=scenario, version=1, **values)
    _copy_file(gold, copy, "file")
    copy.save(force_insert=True)
    record(phase.task, "gold added", actor=by, subject=copy.pk, version=1, scenario=scenario.number)
