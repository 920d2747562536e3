"""Stores, keeps waiting, discards and deletes gold, and records it in the audit trail."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.dispatch import Signal
from django.utils import timezone

import scoring
from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.file_names import plain_name
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario, WaitingGold, record
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import sha256_of
from scoring.readers.archive import Named

Remarks = list[list[Any]]  # [heading, list of texts], ready for JSON: what looks odd in an upload of gold
WAITING_LASTS = timedelta(days=1)
# Sent with `gold` and `by` after gold was added or discarded: runs are then scored, or their results deleted.
gold_changed = Signal()


def add_gold(phase: Phase, scenario: Scenario, path: Path, name: str, *, by: User | None, note: str = "") -> Gold:
    """Store the next gold version of (phase, scenario); raise scoring.GoldError if it isn't perfect."""
    file = Named(str(path), plain_name(name))
    return store_gold(phase, scenario, file, check_gold(file, scenario), by=by, note=note)


def store_gold(
    phase: Phase,
    scenario: Scenario,
    file: Named,
    evaluation: scoring.Evaluation,
    *,
    by: User | None,
    note: str = "",
    judge: tuple[str, str] | None = None,
) -> Gold:
    """Store the next gold version of (phase, scenario), whose evaluation against itself is perfect.

    Where runs are judged elsewhere its judge, a name and a version, is the one of before unless another is given.

    It ranks at once as long as nothing has been scored there; otherwise it is a candidate, in place of an earlier one.
    """
    with open(file, "rb") as stream, transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        in_force = gold_in_force(phase, scenario)
        is_candidate = in_force is not None and has_runs(in_force)
        content = File(stream, name=file.name)
        if judge is None:
            judge = (in_force.judge_name, in_force.judge_version) if in_force else ("", "")
        latest = Gold.objects.filter(phase=phase, scenario=scenario).aggregate(latest=Max("version"))["latest"]
        gold = Gold(
            phase=phase,
            scenario=scenario,
            version=(latest or 0) + 1,
            file=content,
            file_name=file.name,
            sha256=sha256_of(content),
            digest=evaluation.gold_digest,
            note=note,
            n_units=len(evaluation.units),
            judge_name=judge[0],
            judge_version=judge[1],
            created_by=by,
            state=Gold.State.CANDIDATE if is_candidate else Gold.State.PUBLISHED,
            published=None if is_candidate else timezone.now(),
            published_by=None if is_candidate else by,
        )
        with removed_on_error(gold.file):
            for earlier in Gold.objects.filter(phase=phase, scenario=scenario, state=Gold.State.CANDIDATE):
                discard_gold(earlier, by=by, reason=_REPLACED % {"version": gold.version})
            gold.save(force_insert=True)
            record(
                phase.task,
                "gold added",
                actor=by,
                subject=gold.pk,
                version=gold.version,
                scenario=scenario.number,
            )
            gold_changed.send(Gold, gold=gold, by=by)
    return gold


_REPLACED = "replaced by version %(version)s"  # stored


def has_runs(gold: Gold) -> bool:
    """Return whether a run is scored on the gold, or is being scored."""
    return gold.scorings.filter(state__in=_LIVING).exists()


# States of a scoring, whose model is in an app above this one.
_LIVING = ("queued", "running", "scored")


def discard_gold(gold: Gold, *, by: User | None, reason: str = "") -> None:
    """Discard a candidate, by which no board has ranked; what was scored on it is removed in the background."""
    with transaction.atomic():
        if Gold.objects.filter(pk=gold.pk, state=Gold.State.CANDIDATE).update(state=Gold.State.DISCARDED):
            about: dict[str, Any] = {"subject": gold.pk, "version": gold.version, "scenario": gold.scenario.number}
            record(gold.phase.task, "gold discarded", actor=by, **about, reason=reason)
            gold_changed.send(Gold, gold=gold, by=by)


def is_used(gold: Gold) -> bool:
    """Return whether a run was scored, or is queued to be scored, on the gold, so that it has to stay."""
    return gold.scorings.exists()


def delete_gold(gold: Gold, *, by: User | None) -> None:
    """Delete gold on which nothing was scored, with its file."""
    with transaction.atomic():
        record(
            gold.phase.task,
            "gold deleted",
            actor=by,
            phase=gold.phase.slug,
            version=gold.version,
            scenario=gold.scenario.number,
            sha256=gold.sha256,
        )
        gold.delete()
        delete_after_commit([gold.file])


def store_waiting(
    phase: Phase, scenarios: Iterable[Scenario], file: Named, *, remarks: Remarks, by: User, note: str = ""
) -> WaitingGold:
    """Keep an upload of gold until an organiser has seen what is odd; abandoned ones are deleted."""
    for old in WaitingGold.objects.filter(created__lt=Now() - WAITING_LASTS):
        delete_waiting(old)
    with open(file, "rb") as stream, transaction.atomic():
        waiting = WaitingGold(
            phase=phase,
            file=File(stream, name=file.name),
            file_name=file.name,
            remarks=remarks,
            note=note,
            created_by=by,
        )
        with removed_on_error(waiting.file):
            waiting.save(force_insert=True)
            waiting.scenarios.set(scenarios)
    return waiting


def delete_waiting(waiting: WaitingGold) -> None:
    with transaction.atomic():
        waiting.delete()
        delete_after_commit([waiting.file])
