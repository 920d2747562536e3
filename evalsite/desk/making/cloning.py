"""Clones a task, such as last year's, with all its times moved, and without anybody's runs."""

import re
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import models, transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.base.validation import require_valid
from evalsite.challenges.forms.zones import zone_called
from evalsite.challenges.gold.services import hold_ranked_part
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import (
    Download,
    EntryRules,
    FactSheet,
    Gold,
    GoldSplit,
    Page,
    Part,
    Phase,
    Picture,
    Scenario,
    Task,
    record,
)
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.desk.making.answers import reasons_to_leave
from evalsite.desk.making.drafts import draft
from evalsite.leaderboard.models import Combined

YEAR = timedelta(weeks=52)  # keeps the days of the week
# Fields that a clone does not copy; all others are copied, also those that are new.
OF_THE_NEW_ROW = {"id", "title", "slug", "task", "phase", "scenario", "decided_by", "version"}
OF_WHO_CLONES = {"created", "created_by", "by", "published", "published_by", "note"}
# What a site notes of a row by itself: no copy of any kind has it.
NOTED_BY_THE_SITE: dict[type[models.Model], set[str]] = {
    Task: {"house", "is_published", "publish_at", "archived", "revision", "news"},
    EntryRules: {"secret", "terms_version", "entered_with"},
    Combined: {"basis", "made", "board"},
    Gold: {
        *("judge_name", "judge_version", "engine", "engine_since", "engine_note", "keeps", "candidate_engine"),
        *("split", "n_other_units"),  # a copy has a split of its own, which is the same
    },
}
HAPPENED_TO_THE_OLD_TASK: dict[type[models.Model], set[str]] = {
    Task: NOTED_BY_THE_SITE[Task] | {"members_frozen", "doi"},
    Scenario: set(),
    Phase: {
        *("gold_released", "gold_released_since", "gold_due", "results_released"),  # a new task begins hidden
        *("is_former_season", "is_paused", "pause_reason", "former_closings", "doi"),
    },
    Page: set(),
    Picture: set(),
    Download: set(),
    EntryRules: NOTED_BY_THE_SITE[EntryRules] | {"listed"},  # the people of last year
    FactSheet: set(),
    Combined: NOTED_BY_THE_SITE[Combined],
    Gold: NOTED_BY_THE_SITE[Gold] | {"state", "public_note", "part", "n_units"},
    GoldSplit: set(),
}
# Of these models the title or the slug is no name of the task, and has to be unique in the task alone.
NAMED_WITHIN_THE_TASK: dict[type[models.Model], set[str]] = {
    Phase: {"slug"},
    Page: {"title", "slug"},
    Download: {"title"},
}


def _copied(model: type[models.Model]) -> tuple[str, ...]:
    left = (OF_THE_NEW_ROW | OF_WHO_CLONES | HAPPENED_TO_THE_OLD_TASK[model]) - NAMED_WITHIN_THE_TASK.get(model, set())
    return tuple(field.name for field in model._meta.concrete_fields if field.name not in left)


COPIED = {model: _copied(model) for model in HAPPENED_TO_THE_OLD_TASK}


@dataclass(frozen=True)
class Shift:
    """Moves times so that clocks in the task's zone show the same time of day, also after they were changed."""

    by: timedelta
    zone: str

    def __call__(self, moment: datetime) -> datetime:
        zone = zone_called(self.zone)
        local = moment.astimezone(zone).replace(tzinfo=None)
        try:
            return (local + self.by).replace(tzinfo=zone).astimezone(UTC)
        except OverflowError:
            raise ValidationError(gettext("This year is out of range.")) from None


def first_opening(task: Task) -> datetime | None:
    opening: datetime | None = task.phases.aggregate(first=models.Min("opens"))["first"]
    return opening


def next_opening(task: Task) -> datetime | None:
    """Return the same day of the week as many whole years later as lead into the future."""
    first = first_opening(task)
    if first is None:
        return None
    n_years = max(1, -((first - timezone.now()) // YEAR))
    return Shift(n_years * YEAR, task.zone)(first)


def next_title(task: Task) -> str:
    """Return the title for the next year, if it names one: MED-KD 2026 becomes MED-KD 2027."""
    title = re.sub(r"\b(20\d\d)\b", lambda year: str(int(year[1]) + 1), task.title, count=1)
    return title if title != task.title else gettext("%(task)s, again") % {"task": task.title}


def clone(
    source: Task,
    title: str,
    opens: datetime | None,
    *,
    with_gold: bool,
    by: User,
    phases_copied: Collection[Phase] | None = None,
    files_copied: Collection[Download] | None = None,
) -> Task:
    """Return a draft that belongs to `by`; the first phase opens at `opens`, and the others keep their distance.

    It has the given phases (all, where none are given), with what belongs to them; gold and results are hidden there.
    Of the files for participants it has the given ones; where none are given, all that can't hold the answers.
    Files are copied before the transaction begins, so that nobody who waits for its locks waits for them too.
    """
    chosen = list(source.phases.all() if phases_copied is None else phases_copied)
    if files_copied is None:
        files_copied = [row for row, reason in reasons_to_leave(source).items() if not reason]
    with ExitStack() as files:
        copier = Copier(_shift(chosen, opens, source.zone), files)
        scenarios = {scenario.pk: copier.copy(scenario) for scenario in source.scenarios.all()}
        phases = {phase.pk: copier.copy(phase) for phase in chosen}
        for phase in chosen:
            phases[phase.pk].decided_by = phase.decided_by_id and scenarios[phase.decided_by_id]
        texts = map(copier.copy, (*source.pages.all(), *source.pictures.all()))
        downloads = [
            copier.copy(row, phase=row.phase_id and phases[row.phase_id])
            for row in files_copied
            if row.phase_id is None or row.phase_id in phases
        ]
        settings = [
            copier.copy(row) for model in (EntryRules, FactSheet) for row in model._default_manager.filter(task=source)
        ]
        of_task = [*scenarios.values(), *phases.values(), *texts, *downloads, *settings]
        combined = Combined.objects.filter(phase__in=chosen)
        of_phases = [copier.copy(row, phase=phases[row.phase_id]) for row in combined]
        in_force = [gold for phase in chosen for gold in golds_in_force(phase).values()] if with_gold else []
        golds = [_copy_of_gold(gold, copier, phases, scenarios, by) for gold in in_force]
        with transaction.atomic():
            task = draft(title[: Task._meta.get_field("title").max_length], by=by, **copier.values(source))
            record(task, "task created", actor=by, subject=task.pk, cloned_from=source.slug)
            for row in of_task:
                row.task = task
            for row in (*of_task, *of_phases, *(gold.split for gold in golds if gold.split), *golds):
                row.save(force_insert=True)
            for gold in golds:
                record(task, "gold added", actor=by, subject=gold.pk, version=1, scenario=gold.scenario.number)
                hold_ranked_part(gold, by=by)
    return task


def _shift(phases: Collection[Phase], opens: datetime | None, zone: str) -> Shift:
    if not phases or opens is None:
        return Shift(timedelta(0), zone)
    first = min(phase.opens for phase in phases)
    local = [moment.astimezone(zone_called(zone)).replace(tzinfo=None) for moment in (first, opens)]
    return Shift(local[1] - local[0], zone)


@dataclass(frozen=True)
class Copier:
    shift: Shift
    files: ExitStack  # an error before it is closed removes the copied files

    def copy(self, row: models.Model, **changes: Any) -> Any:
        """Return a row, not stored yet, with the values that are copied, its times moved and its file copied.

        Raise ValidationError where it breaks the rules of its model, as with a year that it was moved to.
        """
        made = type(row)(**self.values(row), **changes)
        for name in COPIED[type(row)]:
            if isinstance(row._meta.get_field(name), models.FileField):
                self._copy_file(getattr(row, name), getattr(made, name))
        require_valid(made)
        return made

    def values(self, row: models.Model) -> dict[str, Any]:
        """Return all values that are copied but files."""
        values = {name: getattr(row, name) for name in COPIED[type(row)]}
        return {
            name: self.shift(value) if isinstance(value, datetime) else value
            for name, value in values.items()
            if not isinstance(value, FieldFile)
        }

    def _copy_file(self, file: FieldFile, made: FieldFile) -> None:
        self.files.enter_context(removed_on_error(made))
        with file.open() as content:
            made.save((file.name or "").rsplit("/", 1)[-1], File(content), save=False)


def _copy_of_gold(
    gold: Gold, copier: Copier, phases: Mapping[UUID, Phase], scenarios: Mapping[UUID, Scenario], by: User
) -> Gold:
    note = gettext("As in %(task)s.") % {"task": gold.phase.task}
    version = 0 if gold.is_input else 1
    values: dict[str, Any] = {"version": version, "published": timezone.now(), "published_by": by}
    values |= {"created_by": by, "note": note[:200]}
    of_board = {"phase": phases[gold.phase_id], "scenario": scenarios[gold.scenario_id]}
    copy: Gold = copier.copy(gold, **of_board, **values, **units_like(gold, copier, **of_board, by=by))
    return copy


def units_like(gold: Gold, copier: Copier, **of_split: Any) -> dict[str, Any]:
    """Return the fields of a copy that say which units it has: its parts are the same, and the ranked one is held
    again."""
    split: GoldSplit | None = copier.copy(gold.split, **of_split) if gold.split else None
    return split.belongs_to(Part.SHOWN) if split else {"n_units": gold.n_units}
