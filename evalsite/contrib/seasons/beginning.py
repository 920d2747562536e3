"""Begins the next season of a task: a new phase like the one before, whose board stays as it is."""

from contextlib import ExitStack
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.base.moment import database_now
from evalsite.challenges.audit_trail import change
from evalsite.challenges.gold.services import hold_ranked_part
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase, Task, record
from evalsite.contrib.seasons.forms import SeasonForm
from evalsite.desk.making.cloning import Copier, Shift, units_like
from evalsite.desk.sections import created

# What the new phase does not take from the one before.
OWN = {"slug", "name", "opens", "closes", "late_until"}


class NoSeason(Exception):
    """The next season has begun already, or the phase has not opened; the message says which."""


def new_season(former: Phase) -> Phase:
    """Return the phase of the next season, not stored yet: it opens now, and hides its gold and its results."""
    settings = Copier(_unmoved(former.task), ExitStack()).values(former)
    values = {name: value for name, value in settings.items() if name not in OWN}
    return Phase(task=former.task, opens=database_now(), decided_by=former.decided_by, **values)


def begin(former: Phase, form: SeasonForm, *, by: User) -> Phase:
    """Close the season before and store the new phase of the valid form, with copies of gold and files if it says so.

    Files are copied before the transaction begins.
    """
    with_gold = form.cleaned_data["with_gold"]
    with ExitStack() as files:
        copier = Copier(_unmoved(former.task), files)
        golds = [_copy_of(gold, copier, by) for gold in golds_in_force(former).values()] if with_gold else []
        downloads = (
            [copier.copy(download, task=former.task) for download in former.downloads.all()] if with_gold else []
        )
        combined = [copier.copy(former.combined)] if hasattr(former, "combined") else []
        with transaction.atomic():
            _end(former, by, releases_results=form.cleaned_data["releases_results"])
            created(form, by=by)
            for row in (*(gold.split for gold in golds if gold.split), *golds, *downloads, *combined):
                row.phase = form.instance
                row.save(force_insert=True)
            for gold in golds:
                about = {"version": 1, "scenario": gold.scenario.number}
                record(former.task, "gold added", actor=by, subject=gold.pk, changes=None, **about)
                hold_ranked_part(gold, by=by)
    return form.instance


def _end(former: Phase, by: User, *, releases_results: bool) -> None:
    stored = Phase.objects.select_for_update(of=("self",)).get(pk=former.pk)
    if stored.is_former_season:
        raise NoSeason(gettext("A colleague has begun the next season already."))
    now = database_now()
    if stored.opens >= now:
        raise NoSeason(gettext("This phase has not opened yet, so there is nothing to continue."))
    values: dict[str, Any] = {"is_former_season": True}
    if stored.closes is None or stored.closes > now:
        values |= {"closes": now, "late_until": None}
    elif stored.late_until and stored.late_until > now:
        values["late_until"] = None
    if releases_results and not stored.is_released:
        values["results_released"] = now
    change(former, values, by=by)


def _copy_of(gold: Gold, copier: Copier, by: User) -> Gold:
    note = f"{gold.phase.name}, version {gold.version}"[:200]
    version = 0 if gold.is_input else 1
    values: dict[str, Any] = {"version": version, "published": database_now(), "published_by": by}
    values |= {"created_by": by, "note": note}
    units = units_like(gold, copier, scenario=gold.scenario, by=by)
    copy: Gold = copier.copy(gold, scenario=gold.scenario, **values, **units)
    return copy


def _unmoved(task: Task) -> Shift:
    return Shift(timedelta(0), task.zone)
