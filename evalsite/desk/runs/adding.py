"""Uploads a run of the organisers: a baseline, a human run or a trial, at any time, checked like all others."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evalsite.base.moment import database_now
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.storage.uploads import fault_of_files, is_too_large, most_bytes
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.runs.forms import HouseRunForm
from evalsite.desk.scores.reading import takes_table
from evalsite.submissions.access import signed_in
from evalsite.submissions.checking.quick_check import Checked, is_in_order, is_odd
from evalsite.submissions.forms import tick_sound
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads, pipeline
from evalsite.wording import size


@require_safe
@desk_page()
def choose_phase(request: HttpRequest, task: Task) -> HttpResponse:
    context = {
        "task": task,
        "phases": list(task.phases.all()),
        "kind": request.GET.get("kind", ""),
        "takes_tables": any(takes_table(scenario) for scenario in task.scenarios.all()),
    }
    return render(request, "desk/runs/choose_phase.html", context)


@desk_page()
def add(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    page = _Page(request, phase_of(task, phase))
    if request.method != "POST":
        return page.answer()
    if fault := fault_of_files(request):
        page.form.errors.pop("files", None)
        return _retry_later_response(page, pipeline.refuse_for_fault(*fault))
    return _submit(page)


def _submit(page: "_Page") -> HttpResponse:
    is_valid = page.form.is_valid()
    sending = page.sending
    if is_too_large(page.request) or sending.is_too_large:
        most = min(most_bytes(page.phase), settings.MAX_UPLOAD_BYTES)
        page.form.add_error("files", _("Your files are larger than %(most)s.") % {"most": size(most)})
        return page.answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if not is_valid and not sending.files and not sending.kept:
        return page.answer(HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        if not is_valid:
            page.kept = pipeline.keep_files(sending).kept
            return page.answer(HTTPStatus.UNPROCESSABLE_ENTITY)
        outcome = pipeline.receive(sending, page.run)
    except pipeline.RetryLater as error:
        return _retry_later_response(page, error)
    page.kept = outcome.kept
    if outcome.submission:
        return redirect(outcome.submission)
    if outcome.rejection:
        page.form.reject(str(outcome.rejection))
    return page.answer(422 if outcome.is_refused else 200, outcome.checked)


def _retry_later_response(page: "_Page", error: pipeline.RetryLater) -> HttpResponse:
    page.form.reject(str(error))
    answer = page.answer(error.status)
    answer["Retry-After"] = str(error.again_in)
    return answer


class _Page:
    """The form, empty or as it was sent."""

    def __init__(self, request: HttpRequest, phase: Phase) -> None:
        self.request, self.phase, self.user = request, phase, signed_in(request)
        self.golds = golds_in_force(phase)
        self.offered = list(self.golds)
        self.kept = self._kept_upload()
        self.form = HouseRunForm(
            *((request.POST, request.FILES) if request.method == "POST" else ()),
            phase=phase,
            scenarios=self.offered,
            has_kept=self.kept is not None,
            initial={"reference": request.GET.get("kind", "baseline")},
        )

    def _kept_upload(self) -> KeptUpload | None:
        key = self.request.POST.get("kept", "")
        kept = kept_uploads.find(self.user, key) if key else None
        return kept if kept and kept.phase_id == self.phase.pk else None

    @property
    def sending(self) -> pipeline.IncomingUpload:
        files = self.form.cleaned_data.get("files") or []
        chosen = list(self.form.cleaned_data.get("scenarios", []))
        kept = None if files else self.kept
        return pipeline.IncomingUpload(
            self.phase, self.user, self.offered, chosen, files, kept, database_now(), golds=self.golds
        )

    @property
    def run(self) -> pipeline.Run:
        fields = {name: self.form.cleaned_data[name] for name in ("method", "description", "link", "reference")}
        return pipeline.Run(team=None, is_sure="anyway" in self.request.POST, **fields)

    def answer(self, status: int = 200, checked: Sequence[Checked] = ()) -> HttpResponse:
        most = min(most_bytes(self.phase), settings.MAX_UPLOAD_BYTES)
        context: dict[str, Any] = {
            "task": self.phase.task,
            "phase": self.phase,
            "scenarios": self.offered,
            "form": self.form,
            "checked": checked,
            "sound": tick_sound(self.form, checked),
            "is_in_order": is_in_order(checked),
            "is_odd": is_odd(checked),
            "may_send": True,
            "kept": self.kept,
            "fills_all": len(self.offered) > 1,
            "max_bytes": most,
            "max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        }
        return render(self.request, "desk/runs/add.html", context, status=status)
