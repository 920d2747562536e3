"""Checks and takes uploads, by the same form, limits and services as the page."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import File, Form, Router, Schema, Status, UploadedFile
from pydantic import Field

from evalsite.accounts.models import User
from evalsite.api.auth import Uploading, owner
from evalsite.api.endpoints.submissions import described
from evalsite.api.problems import Refusal, form_errors, invalid_upload, odd_upload, oddities_of
from evalsite.api.schemas import CheckedUpload, Problem, SubmissionDescribed
from evalsite.base.moment import database_now
from evalsite.challenges.access import visible_phase
from evalsite.challenges.forms.own_fields import name_of
from evalsite.challenges.scenarios import open_scenarios
from evalsite.challenges.storage.uploads import fault_of_files, is_too_large, most_bytes
from evalsite.challenges.taking_part.own_fields import OwnField, own_fields
from evalsite.challenges.wording import notice_of_brought
from evalsite.submissions.checking.quick_check import Checked
from evalsite.submissions.forms import SubmissionForm
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import admission, kept_uploads, pipeline
from evalsite.submissions.runs.describing import sheet_of
from evalsite.submissions.wording import left_aside
from evalsite.translating.engine import from_engine
from evalsite.wording import size

router = Router(tags=["Runs"])
LONGEST_SHOWN = 80  # characters of what was sent, in a message
REFUSALS = {status: Problem for status in (401, 403, 404, 409, 413, 422, 429, 503)}


class _Choice(Schema):
    scenarios: list[int] = Field(
        [], description=gettext_noop("Numbers. Leave out to enter every scenario whose files are found.")
    )
    kept: str = Field("", description=gettext_noop("Instead of files: the ID of an upload that the site has kept."))


class _Run(_Choice):
    method: str = Field("", description=gettext_noop("Shown on the board."))
    team: str = Field(
        "",
        description=gettext_noop("ID or name of one of your teams. Leave it out to use the team that you upload for."),
    )
    description: str = Field("", description=gettext_noop("For you and the organisers."))
    link: str = Field("", description=gettext_noop("To a paper or to code."))
    facts: list[str] = Field([], description=gettext_noop("Answers to the fact sheet, each as `field=answer`."))
    anyway: bool = Field(False, description=gettext_noop("To have files scored although they look odd (409)."))


@router.post(
    "/tasks/{task}/{phase}/submissions",
    response={201: SubmissionDescribed, 200: SubmissionDescribed, **REFUSALS},
    auth=Uploading(),
    url_name="upload",
    summary=gettext_noop("Upload a run"),
    description=gettext_noop(
        "The files, or one zip archive of them, are checked, then queued. If your team has sent "
        "the same bytes before, the earlier run is returned (200). Files with problems cost "
        "nothing (422), nor do files that look odd until you send `anyway` (409)."
    ),
)
def upload(
    request: HttpRequest, task: str, phase: str, form: Form[_Run], files: File[list[UploadedFile] | None] = None
) -> Status[Any]:
    sent = _UploadRequest(request, task, phase, form.kept)
    filled = sent.form(form.scenarios, _team(owner(request), form.team), form.facts)
    run = pipeline.Run(**filled.told, is_sure=form.anyway)
    outcome = sent.answered(lambda: pipeline.receive(sent.sending(filled), run))
    if outcome.submission is None:
        raise odd_upload(outcome)
    submission = Submission.objects.select_related("phase__task", "team").get(pk=outcome.submission.pk)
    status, record = (200 if outcome.is_repeated else 201), described(request, submission)
    return Status(status, record | {"is_repeated": outcome.is_repeated})


@router.post(
    "/tasks/{task}/{phase}/check",
    response={200: CheckedUpload, **REFUSALS},
    auth=Uploading(),
    url_name="check",
    summary=gettext_noop("Check a run"),
    description=gettext_noop(
        "What is wrong with the files (422), or what was read from them. Nothing is stored and no upload is used up."
    ),
)
def check_only(
    request: HttpRequest, task: str, phase: str, form: Form[_Choice], files: File[list[UploadedFile] | None] = None
) -> Status[Any]:
    sent = _UploadRequest(request, task, phase, form.kept)
    filled = sent.form(form.scenarios, None, for_check=True)
    outcome = sent.answered(lambda: pipeline.check_only(sent.sending(filled)))
    words = [_("No problem found. Nothing was stored."), left_aside(outcome.checked)]
    return Status(
        200, {"detail": " ".join(filter(None, words)), "scenarios": [_read(part) for part in outcome.checked]}
    )


class _UploadRequest:
    """A request that sends files to a phase, or names kept ones by their ID."""

    def __init__(self, request: HttpRequest, task: str, phase: str, kept: str) -> None:
        self.request = request
        self.user = owner(request)
        self.phase = visible_phase(self.user, task, phase)
        self.offered = open_scenarios(self.phase)
        if not self.offered and self.phase.golds.exists():
            raise Refusal(403, notice_of_brought())
        self.kept = self._find_kept(kept) if kept else None

    def _find_kept(self, kept: str) -> KeptUpload:
        upload = kept_uploads.find(self.user, kept)
        if upload is None:
            words = _("These files are no longer kept, or never were. Send them again.")
            raise Refusal(422, words, errors={"kept": [words]})
        return upload

    def form(
        self, numbers: list[int], team: str | None, facts: Sequence[str] = (), *, for_check: bool = False
    ) -> SubmissionForm:
        """Return the page's form, filled in; raises Refusal with its errors."""
        if is_too_large(self.request):
            raise self._too_large()
        if fault := fault_of_files(self.request):
            raise _retry_later_refusal(pipeline.refuse_for_fault(*fault))
        data = self.request.POST.copy()
        data.setlist("scenarios", [str(pk) for pk in self._keys(numbers)])
        standings = admission.standings(self.phase, self.user, timezone.now())
        likely = standings[0].team if standings else None
        data["team"] = team or (str(likely.pk) if likely else "")
        fields = own_fields(sheet_of(self.phase.task).own)
        for field, answer in _answers(facts, fields):
            data[name_of(field)] = answer
        form = SubmissionForm(
            QueryDict(data.urlencode()),
            self.request.FILES,
            phase=self.phase,
            teams=[standing.team for standing in standings],
            scenarios=self.offered,
            likely=likely,
            questions=fields,
            has_kept=self.kept is not None,
        )
        if for_check:
            form.ask_for_files_alone()
        if not form.is_valid():
            texts = {name_of(field): field.text for field in fields}
            raise form_errors({texts.get(name, name): errors for name, errors in form.errors.items()})
        return form

    def _keys(self, numbers: list[int]) -> list[Any]:
        by_number = {scenario.number: scenario.pk for scenario in self.offered}
        if unknown := [number for number in numbers if number not in by_number]:
            words = _("Scenario %(number)d takes no submissions in this phase.") % {"number": unknown[0]}
            raise Refusal(422, words, errors={"scenarios": [words]})
        return [by_number[number] for number in numbers]

    def sending(self, form: SubmissionForm) -> pipeline.IncomingUpload:
        """Return what is sent; raises Refusal if it is more than the phase takes."""
        files = form.cleaned_data["files"]
        kept = None if files else self.kept
        chosen = list(form.cleaned_data.get("scenarios", []))
        sending = pipeline.IncomingUpload(
            self.phase, self.user, self.offered, chosen, files, kept, arrived=database_now(), keeps_refused=False
        )
        if sending.is_too_large:
            raise self._too_large()
        return sending

    def _too_large(self) -> Refusal:
        words = _("The files are larger than %(most)s, the limit for one upload.")
        return Refusal(413, words % {"most": size(most_bytes(self.phase))})

    def answered(self, look: Callable[[], pipeline.Outcome]) -> pipeline.Outcome:
        """Return the outcome; raises Refusal with what the page would say."""
        try:
            outcome = look()
        except pipeline.RetryLater as error:
            raise _retry_later_refusal(error) from error
        if outcome.rejection:
            raise Refusal(403, str(outcome.rejection))
        if outcome.is_refused:
            raise invalid_upload(outcome.checked)
        return outcome


def _retry_later_refusal(error: pipeline.RetryLater) -> Refusal:
    return Refusal(error.status, str(error), again_in=error.again_in)


def _answers(facts: Sequence[str], fields: Sequence[OwnField]) -> Iterator[tuple[OwnField, str]]:
    """Yield what is answered, such as "Track=open"; raises Refusal where there is no such field."""
    for fact in facts:
        field = next((field for field in fields if fact.startswith(f"{field.text}=")), None)
        if field is None:
            words = _("“%(fact)s” answers no field of the fact sheet. Write field=answer; the fields are: %(fields)s.")
            words %= {"fact": fact[:LONGEST_SHOWN], "fields": ", ".join(field.text for field in fields) or _("none")}
            raise Refusal(422, words, errors={"facts": [words]})
        yield field, fact.removeprefix(f"{field.text}=")


def _team(user: User, name_or_id: str) -> str | None:
    """Return the key of the team with this ID or name; what is neither is left to the form to refuse."""
    by_name = {team.name: str(team.pk) for team in user.teams.all()} if name_or_id else {}
    return by_name.get(name_or_id, name_or_id) or None


def _read(part: Checked) -> dict[str, Any]:
    read = part.description
    return {
        "scenario": part.scenario.number if part.scenario else None,
        "name": part.scenario.name if part.scenario else "",
        "summary": from_engine(read.summary) if read else "",
        "counts": dict(read.counts) if read else {},
        "oddities": [oddity | {"scenario": part.scenario and part.scenario.number} for oddity in oddities_of(part)],
    }
