"""What one annotator scores against the others, where a gold has the ratings of several.

A background job computes it when gold comes in; its row stands below the board if an organiser puts it there.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job, request_job
from evalsite.background.services import ReportProgress, handles
from evalsite.challenges.gold.services import gold_changed
from evalsite.challenges.models import Gold, Scenario, Task
from evalsite.challenges.storage.files import named
from evalsite.desk.access import desk_page
from evalsite.jobs import sandbox
from evalsite.jobs.sandbox import LimitBroken
from evalsite.leaderboard.imported import COMPUTED, ImportedRow, computed_tables, remove_table, store_rows
from evalsite.submissions import engine_jobs
from evalsite.submissions.access import signed_in
from evalsite.submissions.checking import limits
from evalsite.translating.engine import from_engine
from scoring.scale import rounded_ends

KIND = "annotators"


@dataclass(frozen=True)
class Annotators:
    """What is known of the annotators of a gold, by the options that its scenario has now."""

    job: Job | None  # None where nobody has asked, or long ago
    agreement: dict[str, Any] = field(default_factory=dict)  # of a `scoring.cli.annotators.OneAnnotator`
    title: str = ""  # of the score
    may_be_shown: bool = False


@receiver(gold_changed)
def compute(sender: Any, gold: Gold, by: User | None, **kwargs: Any) -> None:
    """Have a gold looked at that has just been added."""
    if gold.state != Gold.State.DISCARDED and not gold.part and may_be_rated(gold.scenario):
        request_job(KIND, subject=gold.pk, task=gold.phase.task, by=by)


def may_be_rated(scenario: Scenario) -> bool:
    files = scenario.engine_family.files
    return files.without_annotators is not None and files.may_be_rated(scenario.configured)


@handles(KIND)
def score_annotators(job: Job, report: ReportProgress) -> bool:
    """Score each annotator in a child with the limits of an upload, and keep the mean."""
    gold = Gold.objects.select_related("scenario__task").filter(pk__in=[job.subject]).first()
    if gold is None:  # it was deleted
        return True
    scenario = gold.scenario
    result = {"options": scenario.options}
    with named(gold.file) as file:
        arguments = {
            "family": scenario.family,
            "options": scenario.options,
            "n_resamples": settings.N_RESAMPLES,
            "gold": file,
        }
        try:
            result["found"] = sandbox.run(
                engine_jobs.annotators,
                arguments,
                limits.of_scoring(),
                loads=[scenario.family],
                reads=[file.path],
            )
        except LimitBroken:
            result["is_too_large"] = True
    job.leased.update(result=result)
    return True


def annotators_of(gold: Gold) -> Annotators | None:
    """Return what the page of a gold says of its annotators; None where there is nothing to say."""
    scenario = gold.scenario
    if gold.part or not may_be_rated(scenario):
        return None
    job = latest_job(KIND, gold.pk)
    if job is None or job.state != Job.State.DONE or job.result.get("is_too_large"):
        return Annotators(job)
    if job.result.get("options") != scenario.options:
        return Annotators(None)
    if not (stored := job.result.get("found")):
        return None
    may_be_shown = stored["value"] is not None and gold.is_in_force
    return Annotators(job, stored, scenario.score_titles[stored["score"]], may_be_shown)


@require_POST
@desk_page()
def annotators(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Put the row of a gold below the board, or compute what it says once more."""
    gold_row = get_object_or_404(
        Gold.objects.filter(phase__task=task).select_related("phase__task", "scenario"), pk=gold
    )
    gold_row.scenario.task = task
    scored, by = annotators_of(gold_row), signed_in(request)
    if "show" in request.POST and scored and scored.may_be_shown:
        if _is_shown(gold_row, scored, by):
            messages.success(request, gettext("The row is shown below the board."))
        else:
            messages.error(request, gettext("A row of this name was imported, or there is no room for another."))
    elif "compute" in request.POST and scored:
        request_job(KIND, subject=gold_row.pk, task=task, by=by)
    return redirect("desk_gold_version", task.slug, gold_row.pk)


def _is_shown(gold: Gold, annotators: Annotators, by: User) -> bool:
    """Store the row in place of one of an earlier version; return whether the board has room for it."""
    with transaction.atomic():
        for table in computed_tables(gold.phase, gold.scenario):
            remove_table(table, by=by)
        is_stored = store_rows(gold.phase, gold.scenario, *_table(gold, annotators), by=by)
        transaction.set_rollback(not is_stored)
    return is_stored


def _table(gold: Gold, annotators: Annotators) -> tuple[list[str], list[ImportedRow]]:
    """Return headings and the row, in the task's language, with as many digits as pages tell."""
    value, ends = annotators.agreement["value"], annotators.agreement["interval"]
    scale = gold.scenario.scale_of(annotators.agreement["score"]).fitted([value], [ends])
    with translation.override(gold.phase.task.language):
        title = from_engine(annotators.title) + (" (%)" if scale.is_percent else "")
        columns = [title, gettext("Interval from"), gettext("Interval to")] if ends else [title]
        name = gettext("One annotator against the others")
    numbers = [value, *rounded_ends(ends)] if ends else [value]
    scores = [scale.number(number).replace("−", "-").replace(",", "") for number in numbers]
    return columns, [ImportedRow(name, scores, str(timezone.now().date()), f"{COMPUTED}{gold.version}")]
