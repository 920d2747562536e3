"""Stores, keeps waiting, discards and deletes gold, and records it in the audit trail."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext

import scoring
from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.file_names import plain_name
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, GoldSplit, Part, Phase, Scenario, WaitingGold, record
from evalsite.challenges.soft_drafts import is_soft
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import sha256_of
from scoring.budget import GoldSize
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

    It ranks at once in a draft without teams, and as long as nothing has been scored there; otherwise it is a
    candidate, in place of an earlier one.
    """
    with open(file, "rb") as stream, transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        in_force = gold_in_force(phase, scenario)
        is_candidate = in_force is not None and becomes_candidate(in_force)
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
            size=GoldSize.of(evaluation, scenario.engine_family).as_dict(),
            judge_name=judge[0],
            judge_version=judge[1],
            created_by=by,
            state=Gold.State.CANDIDATE if is_candidate else Gold.State.PUBLISHED,
            published=None if is_candidate else timezone.now(),
            published_by=None if is_candidate else by,
        )
        if in_force and in_force.split:
            follow_split(gold, in_force.split, in_force.part, evaluation.units)
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
            if not is_candidate:
                hold_ranked_part(gold, by=by)
    return gold


_REPLACED = "replaced by version %(version)s"  # stored


def becomes_candidate(in_force: Gold) -> bool:
    """Return whether a gold that comes after this one waits until organisers publish it."""
    return has_runs(in_force) and (in_force.is_input or not is_soft(in_force.phase.task))


def has_runs(gold: Gold) -> bool:
    """Return whether a run is scored on the gold, or is being scored."""
    return gold.scorings.filter(state__in=_LIVING).exists()


# States of a scoring, whose model is in an app above this one.
_LIVING = ("queued", "running", "scored")


def discard_gold(gold: Gold, *, by: User | None, reason: str = "") -> None:
    """Discard a candidate, by which no board has ranked; what was scored on it is removed in the background."""
    with transaction.atomic():
        waiting = (Gold.State.CANDIDATE, Gold.State.HELD)
        if Gold.objects.filter(pk=gold.pk, state__in=waiting).update(state=Gold.State.DISCARDED):
            about: dict[str, Any] = {"subject": gold.pk, "version": gold.version, "scenario": gold.scenario.number}
            record(gold.phase.task, "gold discarded", actor=by, **about, reason=reason)
            gold_changed.send(Gold, gold=gold, by=by)


def is_used(gold: Gold) -> bool:
    """Return whether a run was scored, or is queued to be scored, on the gold, or the gold is split: it has to stay."""
    return gold.split_id is not None or gold.scorings.exists()


def follow_split(gold: Gold, split: GoldSplit, part: str, units: Sequence[str]) -> None:
    """Let a new version of a split gold have the same split, in memory; raise scoring.GoldError for other units."""
    if list(units) != list(split.names):
        raise scoring.GoldError(unlike(split, units))
    for name, value in split.belongs_to(part).items():
        setattr(gold, name, value)


def unlike(split: GoldSplit, units: Sequence[str]) -> str:
    """Return in words how units differ from those that were split."""
    old, new = set(split.names), set(units)
    odd = next((name for name in (*units, *split.names) if name not in old or name not in new), units[0])
    text = gettext(
        "The gold is split into parts, and a new version has to have the same units in the same order: “%(unit)s” is "
        "not in both. Where no run was scored yet, put the parts together first."
    )
    return text % {"unit": odd}


def hold_ranked_part(shown: Gold, *, by: User | None) -> Gold | None:
    """Add the ranked part of a gold whose shown part was published, in place of one that is held already.

    It has a copy of the file of its own, as each version has. None where the gold is whole or its ranked part decides.
    """
    if shown.part != Part.SHOWN:
        return None
    with transaction.atomic():
        versions = Gold.objects.filter(phase=shown.phase_id, scenario=shown.scenario_id)
        for earlier in versions.filter(state=Gold.State.HELD).select_related("phase__task", "scenario"):
            discard_gold(earlier, by=by, reason=f"replaced with version {shown.version}")
        latest = versions.aggregate(latest=Max("version"))["latest"]
        split = shown.split
        assert split is not None
        with shown.file.open("rb") as stream:
            held = Gold(
                phase=shown.phase,
                scenario=shown.scenario,
                version=latest + 1,
                file=File(stream, name=shown.file_name),
                **{name: getattr(shown, name) for name in ("file_name", "sha256", "digest", "note", "size")},
                created_by=by,
                state=Gold.State.HELD,
                **split.belongs_to(Part.RANKED),
            )
            with removed_on_error(held.file):
                held.save(force_insert=True)
        gold_changed.send(Gold, gold=held, by=by)
    return held


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
    phase: Phase,
    scenarios: Iterable[Scenario],
    file: Named,
    *,
    remarks: Remarks,
    by: User,
    note: str = "",
    problems: Sequence[str] = (),
) -> WaitingGold:
    """Keep an upload of gold until an organiser has seen what is odd; abandoned ones are deleted.

    What came with a bundle and has `problems` stays until somebody decides: nobody has it at hand.
    """
    for old in WaitingGold.objects.filter(created__lt=Now() - WAITING_LASTS, problems=[]):
        delete_waiting(old)
    with open(file, "rb") as stream, transaction.atomic():
        waiting = WaitingGold(
            phase=phase,
            file=File(stream, name=file.name),
            file_name=file.name,
            remarks=remarks,
            problems=list(problems),
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
