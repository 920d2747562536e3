"""Imports scores: first it shows what is in the table, then asks whose each run is; nothing is stored before."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.files import File
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

import scoring
from evalsite.background.models import Job
from evalsite.background.requesting import request_job
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.scores.forms import RunsForm, TableForm
from evalsite.desk.scores.job import KIND
from evalsite.desk.scores.reading import RunPreview, example, read, scenarios_with_gold
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.uploads import as_upload


@desk_page()
def scores(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Show the form for the table; store one that was sent, and redirect to its preview."""
    phase_row = phase_of(task, phase)
    golds = scenarios_with_gold(phase_row)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = TableForm(*sent, scenarios=list(golds))
    if request.method == "POST" and form.is_valid():
        with as_upload([form.cleaned_data["table"]]) as upload:
            kept = kept_uploads.keep(signed_in(request), phase_row, upload)
        if kept:
            scenario = int(form.cleaned_data["scenario"])
            return redirect("desk_runs_scores_preview", task.slug, phase_row.slug, scenario, str(kept.pk))
        form.add_error("table", gettext("There is no room for it at the moment. Try again in an hour."))
    context = {"phase": phase_row, "form": form, "golds": golds, "example": example()}
    return render(request, "desk/scores/table.html", context, status=422 if form.errors else 200)


@desk_page()
def preview(request: HttpRequest, task: Task, phase: str, scenario: int, kept: str) -> HttpResponse:
    """Show what is known, missing and new in the stored table, and ask whose each run is."""
    phase_row, upload = phase_of(task, phase), kept_uploads.find(signed_in(request), kept)
    golds = {scenario.number: (scenario, gold) for scenario, gold in scenarios_with_gold(phase_row).items()}
    if upload is None or upload.phase_id != phase_row.pk or scenario not in golds:
        raise Http404(gettext("The table is no longer kept. Send it again."))
    chosen, gold = golds[scenario]
    problems, previews = _run_previews(upload, chosen, gold)
    form = RunsForm(request.POST if request.method == "POST" else None, previews=previews, task=task)
    if request.method == "POST" and not problems and form.is_valid():
        whose = {preview.run.name: form.cleaned_data[f"run-{number}"] for number, preview in enumerate(previews)}
        if any(whose.values()):
            _enqueue(request, phase_row, chosen, upload, whose)
            messages.success(request, gettext("The runs are being made and scored. They appear here one by one."))
            return redirect("desk_runs", task.slug)
        form.add_error(None, gettext("No run is assigned: choose whose they are."))
    context: dict[str, Any] = {
        "phase": phase_row,
        "scenario": chosen,
        "form": form,
        "previews": [(preview, form[f"run-{number}"]) for number, preview in enumerate(previews)],
        "problems": problems,
        "n_refused": sum(not preview.is_in_order for preview in previews),
        "n_units": previews[0].run.n_units + previews[0].run.n_missing if previews else 0,
    }
    status = 422 if problems or (form.is_bound and form.errors) else 200
    return render(request, "desk/scores/preview.html", context, status=status)


def _run_previews(upload: KeptUpload, scenario: Scenario, gold: Gold) -> tuple[Sequence[Any], list[RunPreview]]:
    """Return all problems of the table, or its runs."""
    with kept_uploads.opened(upload) as opened:
        try:
            runs = read(opened.named, scenario, gold)
        except scoring.SubmissionError as error:
            return error.problems, []
    return [], [RunPreview(run, scenario) for run in runs.runs]


def _enqueue(request: HttpRequest, phase: Phase, scenario: Scenario, upload: KeptUpload, whose: dict[str, str]) -> None:
    """Enqueue the job with the table as its file, once all of it is stored."""
    arguments = {"phase": str(phase.pk), "scenario": str(scenario.pk), "whose": whose}
    with kept_uploads.opened(upload) as opened, opened.path.open("rb") as stream, transaction.atomic():
        job = request_job(KIND, subject=upload.pk, task=phase.task, by=signed_in(request))
        Job.objects.filter(pk=job.pk).update(arguments=arguments)
        job.arguments = arguments
        job.file.save(opened.name, File(stream), save=False)
        Job.objects.filter(pk=job.pk).update(file=job.file.name)
