"""The page on which anybody has files checked without an account, and scored where the gold is open.

Nothing is stored. The answer tells what the check of an upload tells, but which labels hidden gold has, and what
everybody could compute from open gold.
"""

from collections.abc import Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from evalsite.base import moment
from evalsite.board_pages.board.visibility import visibility_of
from evalsite.challenges.access import role_of, sees_kept, visible_phase
from evalsite.challenges.models import Phase
from evalsite.challenges.scenarios import sampled_scenarios
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.challenges.views import for_members
from evalsite.challenges.wording import notice_of_brought
from evalsite.submissions.checking.quick_check import Checked, check, is_in_order, is_odd
from evalsite.submissions.forms import CheckForm
from evalsite.submissions.uploads import Upload, as_upload
from evalsite.trials.guests import Refused, as_guest
from evalsite.trials.trial import Trial, is_open, try_out
from evalsite.wording import size

_PATIENCE = 5.0  # seconds after which no further scenario is scored


@require_http_methods(["GET", "HEAD", "POST"])
def open_check(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    entered = visible_phase(request.user, task, phase)
    if entered.is_for_members and not sees_kept(role_of(request.user, entered.task), entered):
        return for_members(request, entered.task)
    page = _Page(request, entered)
    if request.method != "POST":
        return page.answer()
    if page.is_brought:
        return page.rejected(notice_of_brought())
    if moment.now() < entered.opens:
        return page.rejected(_("Files of this phase can be checked as soon as it has opened."))
    if not page.form.is_valid() and not is_too_large(request):
        return page.answer(HTTPStatus.UNPROCESSABLE_ENTITY)
    files: list[UploadedFile] = page.form.cleaned_data.get("files", [])
    if is_too_large(request) or sum(file.size or 0 for file in files) > settings.MAX_OPEN_CHECK_BYTES:
        page.form.errors.pop("files", None)
        page.form.add_error("files", page.too_large)
        return page.answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return _rated(page, files)


def _rated(page: "_Page", files: list[UploadedFile]) -> HttpResponse:
    try:
        with as_guest(page.request), as_upload(files) as upload:
            checked, trials = _looked_at(page, upload)
    except Refused as refused:
        return page.rejected(refused.words, refused.status, refused.wait)
    return page.answer(200 if is_in_order(checked) else 422, checked, trials)


def _looked_at(page: "_Page", upload: Upload) -> tuple[list[Checked], dict[Any, Trial]]:
    """Return what was read, scenario by scenario, and by scenario the score where the gold is open."""
    began = monotonic()
    chosen = list(page.form.cleaned_data.get("scenarios", []))
    checked = check(page.phase, upload, page.offered, chosen, describes=True, is_stranger=True)
    trials: dict[Any, Trial] = {}
    for part in checked:
        if part.scenario and part.description and monotonic() - began < _PATIENCE:
            trial = try_out(page.phase, part.scenario, upload, visibility_of(page.request.user, page.phase))
            if trial:
                trials[part.scenario.pk] = trial
    return checked, trials


class _Page:
    def __init__(self, request: HttpRequest, phase: Phase) -> None:
        self.request = request
        self.phase = phase
        self.offered = sampled_scenarios(phase)
        self.is_brought = not self.offered and phase.golds.exists()
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        self.form = CheckForm(*sent, phase=phase, scenarios=self.offered)

    @property
    def too_large(self) -> str:
        words = _("Your files are larger than %(most)s, the limit for checks here. Log in to upload larger ones.")
        return words % {"most": size(settings.MAX_OPEN_CHECK_BYTES)}

    def rejected(self, words: str, status: int = HTTPStatus.UNPROCESSABLE_ENTITY, wait: int = 0) -> HttpResponse:
        self.form.is_valid()
        self.form.add_error(None, words)
        answer = self.answer(status)
        if wait:
            answer["Retry-After"] = str(wait)
        return answer

    def answer(
        self, status: int = 200, checked: Sequence[Checked] = (), trials: dict[Any, Trial] | None = None
    ) -> HttpResponse:
        context = {
            "phase": self.phase,
            "task": self.phase.task,
            "scenarios": self.offered,
            "is_brought": self.is_brought,
            "form": self.form,
            "checked": checked,
            "answers": [
                (part, (trials or {}).get(part.scenario and part.scenario.pk)) for part in checked if not part.problems
            ],
            "has_trials": bool(trials),
            "n_resamples": settings.N_RESAMPLES_OF_TRIALS,
            "is_in_order": is_in_order(checked),
            "is_odd": is_odd(checked),
            "scores": any(is_open(self.phase, scenario) for scenario in self.offered),
            "max_bytes": settings.MAX_OPEN_CHECK_BYTES,
            "max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        }
        return render(self.request, "leaderboard/open_check.html", context, status=status)
