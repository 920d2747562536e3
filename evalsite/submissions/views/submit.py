"""The page of a phase's upload form: files are checked, asked back about where they look odd, and queued."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from evalsite.accounts.models import Team, User
from evalsite.base import moment
from evalsite.base.cache_keys import cache_key
from evalsite.base.moment import database_now
from evalsite.challenges.access import Role, oversees, sees_board, visible_phase
from evalsite.challenges.gold.versions import golds_in_force, golds_to_show
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.uploads import fault_of_files, is_too_large, most_bytes
from evalsite.challenges.taking_part.own_fields import own_fields
from evalsite.submissions.access import signed_in
from evalsite.submissions.checking.quick_check import Checked, is_in_order, is_odd
from evalsite.submissions.forms import SubmissionForm, tick_sound
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.quotas import teams_bound_to
from evalsite.submissions.receiving import admission, kept_uploads, pipeline
from evalsite.submissions.runs.describing import sheet_of
from evalsite.submissions.runs.mending import open_mends
from evalsite.submissions.wording import left_aside
from evalsite.wording import size


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    entered = visible_phase(request.user, task, phase, "task__entry_rules")
    page = _Page(request, entered)
    if request.method != "POST":
        return page.answer()
    if page.is_brought:
        return page.answer(HTTPStatus.FORBIDDEN)
    if fault := fault_of_files(request):
        page.form.errors.pop("files", None)  # the participant did send files
        return _retry_later_response(page, pipeline.refuse_for_fault(*fault))
    return _for_scripts(request, _handle_post(page, database_now()))


def _handle_post(page: "_Page", arrived: datetime) -> HttpResponse:
    """Answer a form whose last byte arrived at this time."""
    is_check = "check" in page.request.POST
    if is_check:
        page.form.ask_for_files_alone()
    is_valid = page.form.is_valid()
    sending = page.sending(arrived)
    if is_too_large(page.request) or sending.is_too_large:
        page.form.blame_files(_too_large(page))
        return page.answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if not page.has_files:
        if page.lacks_kept:
            page.form.blame_files(_("The files that were kept for you have expired: choose them again."))
        return page.answer(HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        if not is_valid:
            # Files are kept although the form has a mistake.
            page.kept = pipeline.keep_files(sending).kept
            return page.answer(HTTPStatus.UNPROCESSABLE_ENTITY)
        outcome = pipeline.check_only(sending) if is_check else pipeline.receive(sending, page.run)
    except pipeline.RetryLater as error:
        return _retry_later_response(page, error)
    return _render_outcome(page, outcome)


def _retry_later_response(page: "_Page", error: pipeline.RetryLater) -> HttpResponse:
    page.form.reject(" ".join([str(error), _("What you typed was kept.")]))
    answer = page.answer(error.status)
    answer["Retry-After"] = str(error.again_in)
    return answer


def _render_outcome(page: "_Page", outcome: pipeline.Outcome) -> HttpResponse:
    page.kept = outcome.kept
    if outcome.submission:
        if outcome.is_repeated:
            words = _("Your team has already uploaded exactly these files. Here is the result.")
            messages.info(page.request, words)
        elif words := left_aside(outcome.checked):
            messages.info(page.request, words)
        return redirect(outcome.submission)
    if outcome.rejection:
        page.form.reject(str(outcome.rejection), outcome.rejection.remedy)
    return page.answer(422 if outcome.is_refused else 200, outcome.checked)


def _too_large(page: "_Page") -> str:
    words = _(
        "Your files are larger than %(most)s, the limit for one upload. Leave out what the layout does "
        "not name; single files become much smaller in a zip archive. What you typed was kept: choose "
        "the files again."
    )
    return words % {"most": size(most_bytes(page.phase))}


class _Page:
    """The page of a phase's upload form, as it is requested or was sent."""

    def __init__(self, request: HttpRequest, phase: Phase) -> None:
        self.request = request
        self.phase = phase
        self.golds = (golds_in_force if request.method == "POST" else golds_to_show)(phase)
        self.offered = [scenario for scenario in self.golds if scenario.takes_uploads]
        self.kept = self._asked_for()
        self.form = SubmissionForm(
            *((request.POST, request.FILES) if request.method == "POST" else ()),
            phase=phase,
            scenarios=self.offered,
            likely=self._likely,
            has_kept=self.kept is not None,
            teams=self.teams,
            questions=own_fields(sheet_of(phase.task).own),
        )

    @property
    def is_brought(self) -> bool:
        """Return True if the organisers bring all that the phase scores."""
        return bool(self.golds) and not self.offered

    @cached_property
    def user(self) -> User:
        return signed_in(self.request)

    @cached_property
    def teams(self) -> list[Team]:
        return admission.teams_of(self.user, self.phase.task)

    @cached_property
    def standings(self) -> list[admission.Standing]:
        """Return the standings for the page; an upload is checked against them only when it is admitted."""
        return admission.standings(self.phase, self.user, moment.now(), self.teams, self._bound)

    @cached_property
    def _bound(self) -> list[Team]:
        return teams_bound_to(self.phase, self.user)

    @property
    def _likely(self) -> Team | None:
        return self.standings[0].team if self.request.method != "POST" and self.standings else None

    def _asked_for(self) -> KeptUpload | None:
        """Return the kept files that the address or the form names."""
        named = self.request.POST if self.request.method == "POST" else self.request.GET
        return kept_uploads.find(self.user, named.get("kept", "")) if named.get("kept") else None

    @property
    def has_files(self) -> bool:
        return bool(self._sent) or (self.kept is not None and "files" not in self.form.errors)

    @property
    def lacks_kept(self) -> bool:
        """Return True if the form names files that are no longer kept."""
        return bool(self.request.POST.get("kept")) and self.kept is None and not self.request.FILES

    def sending(self, arrived: datetime) -> pipeline.IncomingUpload:
        """Return the files that were sent, or else those that were kept."""
        chosen = list(self.form.cleaned_data.get("scenarios", []))
        kept = None if self._sent else self.kept
        return pipeline.IncomingUpload(
            self.phase, self.user, self.offered, chosen, self._sent, kept, arrived, golds=self.golds
        )

    @property
    def run(self) -> pipeline.Run:
        return pipeline.Run(**self.form.told, is_sure="anyway" in self.request.POST)

    @property
    def _sent(self) -> list[UploadedFile]:
        return self.form.cleaned_data.get("files") or []

    def answer(self, status: int = 200, checked: Sequence[Checked] = ()) -> HttpResponse:
        """Render the form once more."""
        return render(self.request, "submissions/submit.html", self._context(checked), status=status)

    @property
    def _made_of(self) -> str:
        """Return the versions of what the page shows; the cached part about files depends on them."""
        parts: list[Phase | Scenario | Gold] = [self.phase, *self.golds, *self.golds.values()]
        return " ".join(f"{part.pk} {part.version}" for part in parts)

    @property
    def _fields(self) -> tuple[int, str]:
        """Return for how long the empty fields are kept, and the name of what they depend on.

        What somebody has typed or sent before is kept for nobody: then for no time.
        """
        is_empty = not self.form.is_bound and self.kept is None
        task = self.phase.task
        return 60 * is_empty, cache_key("fields", self.phase.pk, task.revision, get_language(), is_empty)

    def _context(self, checked: Sequence[Checked]) -> dict[str, Any]:
        prefetch_related_objects([self.phase.task], "scenarios")  # several parts of the page look through them
        chosen = str(self.form["team"].value())
        possible = [standing for standing in self.standings if not standing.reason]
        quotas = {standing.key: standing.quota for standing in self.standings}
        mends = open_mends(self.phase, self.teams, moment.now())
        return {
            "phase": self.phase,
            "task": self.phase.task,
            "scenarios": self.offered,
            "is_brought": self.is_brought,
            "shows_boards": sees_board(Role.PARTICIPANT, self.phase) or oversees(self.user),
            "made_of": self._made_of,
            "fields": self._fields,
            "form": self.form,
            "checked": checked,
            "sound": tick_sound(self.form, checked),
            "is_in_order": is_in_order(checked),
            "is_odd": is_odd(checked),
            "standings": self.standings,
            "possible": possible,
            "may_send": bool(possible) and (self.phase.takes_uploads or bool(mends)),
            "mends": mends,
            "is_collecting": self.phase.takes_uploads and any(gold.is_input for gold in self.golds.values()),
            "chosen": chosen,
            "left": quotas[chosen].left if chosen in quotas else None,
            "binds": self.phase.is_limited and not self._bound,  # the person's first upload, to its team
            "fills_all": len(self.offered) > 1,
            "kept": self.kept,
            "max_bytes": most_bytes(self.phase),
            "max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        }


def _for_scripts(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Tell a script that sends the form where to go, or it would load the page twice."""
    if isinstance(answer, HttpResponseRedirect) and request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return JsonResponse({"location": answer.url})
    return answer
