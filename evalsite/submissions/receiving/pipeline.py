"""The way of files that somebody sends to a phase, the same for the page and for programs:

rate limit, slot -> admission -> quick check -> oddities -> queue
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import Any

import structlog
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, InterfaceError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evalsite.accounts.models import Team, User
from evalsite.accounts.rates import charge, rate_of, refund, seconds_to_wait
from evalsite.base.faults import RETRY_AFTER, Fault, fault_of, upload_refusal
from evalsite.challenges.access import role_of, sees_kept
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.uploads import most_bytes
from evalsite.jobs.slots import Busy, BusyWithYou, slot
from evalsite.submissions.checking.quick_check import Checked, check, is_in_order, is_odd
from evalsite.submissions.lifecycle.enqueueing import send
from evalsite.submissions.mails import mail_machine_fault
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import admission, kept_uploads
from evalsite.submissions.receiving.refusals import count_refusal
from evalsite.submissions.runs.mending import newest_golds, open_mends
from evalsite.submissions.uploads import Upload, as_upload
from evalsite.wording import duration, relative

log = structlog.get_logger()


@dataclass(frozen=True)
class IncomingUpload:
    """Files that a person sends to a phase: new ones, or else an upload that was kept."""

    phase: Phase
    user: User
    offered: list[Scenario]  # what the phase takes
    chosen: list[Scenario]  # by the sender; empty: all whose files are found
    files: Sequence[UploadedFile]
    kept: KeptUpload | None
    arrived: datetime  # when their last byte had come
    keeps_refused: bool = True  # for an hour, as odd files are kept
    golds: Mapping[Scenario, Gold] | None = None  # the newest of the phase, where they have been looked up

    @property
    def n_bytes(self) -> int:
        """Return the size of the files as they came."""
        return sum(file.size or 0 for file in self.files) if self.files or not self.kept else self.kept.size

    @property
    def file_name(self) -> str:
        """Return the name of the first file, or of the upload that was kept."""
        return ((self.files[0].name if self.files else None) or (self.kept.name if self.kept else ""))[:255]

    @property
    def is_too_large(self) -> bool:
        return self.n_bytes > most_bytes(self.phase)


@dataclass(frozen=True)
class Run:
    """The run that the files are to become: a team's, or without a team one of the organisers'."""

    team: Team | None
    method: str
    description: str = ""
    link: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # answers to the fact sheet, by key of its fields
    is_sure: bool = False  # whether they are meant, however odd they look
    reference: str = ""  # the kind of a run of the organisers


@dataclass(frozen=True)
class Outcome:
    """What became of the files: a run, or an answer to their sender."""

    checked: Sequence[Checked] = ()
    submission: Submission | None = None  # queued now, or an earlier one of the same bytes
    is_repeated: bool = False
    is_asked_back: bool = False  # whether the files can be scored, and look as if they were not meant so
    rejection: admission.Rejection | None = None
    kept: KeptUpload | None = None  # the files, if they have become no run, for another attempt

    @property
    def is_refused(self) -> bool:
        return self.rejection is not None or not is_in_order(self.checked)

    @property
    def reason(self) -> str:
        """Return why it is refused: what the sender was told, or the first problem with its place."""
        if self.rejection:
            return str(self.rejection)
        return next((problem.placed for part in self.checked for problem in part.problems), "")


class RetryLater(Exception):
    """The files were not checked; the message tells the participant why, and `again_in` when to try again."""

    def __init__(self, words: str, again_in: int, status: HTTPStatus = HTTPStatus.TOO_MANY_REQUESTS) -> None:
        super().__init__(words)
        self.again_in = again_in  # seconds
        self.status = status


def receive(incoming: IncomingUpload, run: Run) -> Outcome:
    """Queue the run; refuse files with problems, and ask back about those that look odd. Raise RetryLater."""
    outcome = _guarded(incoming, lambda upload: _check_and_queue(incoming, run, upload))
    if outcome.is_refused and run.team:
        with _errors_logged():
            count_refusal(incoming.phase, run.team, incoming.file_name, outcome.reason)
    return outcome


def check_only(incoming: IncomingUpload) -> Outcome:
    """Check the files, or describe what was read of them; queue nothing. Raise RetryLater."""
    _count_check(incoming.user)
    return _guarded(incoming, lambda upload: _check(incoming, upload))


def keep_files(incoming: IncomingUpload) -> Outcome:
    """Keep files whose form has a mistake. Raise RetryLater."""
    return _guarded(incoming, lambda upload: Outcome())


def _guarded(incoming: IncomingUpload, action: Callable[[Upload], Outcome]) -> Outcome:
    """Return the outcome of `action`; a fault of the machine is explained in words, and counts against nobody."""
    try:
        return _limited(incoming, action)
    except RetryLater:
        raise
    except Exception as error:
        fault = fault_of(error)
        if fault is None:
            raise
        log.exception("an upload was not taken", fault=fault)
        raise refuse_for_fault(fault, f"{type(error).__name__}: {error}") from error


def refuse_for_fault(fault: Fault, error: str) -> RetryLater:
    """Return the refusal for the sender; those who run the site get a mail, unless the database is away."""
    if fault != Fault.DATABASE_AWAY:
        with _errors_logged():
            mail_machine_fault(fault, error)
    return RetryLater(upload_refusal(fault), RETRY_AFTER, HTTPStatus.SERVICE_UNAVAILABLE)


def _limited(incoming: IncomingUpload, action: Callable[[Upload], Outcome]) -> Outcome:
    """Return the outcome of `action`, within the rates of a person and the slots of this process."""
    # Counted as refused before it is looked at, since many may come at once.
    if wait := seconds_to_wait("refused_upload", incoming.user.pk):
        raise _throttled(wait)
    try:
        with slot(incoming.user.pk):
            began = monotonic()
            files = kept_uploads.opened(incoming.kept) if incoming.kept else as_upload(list(incoming.files))
            with files as upload:
                outcome = action(upload)
                if outcome.submission is None:
                    outcome = replace(outcome, kept=_keep(incoming, upload, outcome))
            took = monotonic() - began
    except Busy as error:
        refund("refused_upload", incoming.user.pk)
        raise _busy(error) from error
    except Exception:
        refund("refused_upload", incoming.user.pk)
        raise
    if not outcome.is_refused:
        refund("refused_upload", incoming.user.pk)
    if outcome.submission is None:
        charge("refused_upload", incoming.user.pk, took)
    else:
        with _errors_logged():
            _clean_up(incoming)
    return outcome


def _clean_up(incoming: IncomingUpload) -> None:
    """Drop kept files that have become a run."""
    if incoming.kept:
        incoming.kept.delete()


@contextmanager
def _errors_logged() -> Iterator[None]:
    """Log errors of what may be left undone: the run that was queued, or the error on its way, is what counts."""
    try:
        yield
    except (DatabaseError, InterfaceError, OSError):
        log.exception("not tidied up after an upload")


def _throttled(wait: int) -> RetryLater:
    rate, again = rate_of("refused_upload"), timezone.now() + timedelta(seconds=wait)
    words = _(
        "Too many of your uploads in the last %(window)s could not be accepted or took long to check, so we check no "
        "more of them for now. Try again at %(time)s UTC, %(relative)s. Meanwhile, you can check your files on your "
        "own machine."
    )
    values = {
        "window": duration(timedelta(seconds=rate.seconds)),
        "time": f"{again:%H:%M:%S}",
        "relative": relative(again),
    }
    return RetryLater(words % values, wait)


def _count_check(user: User) -> None:
    """Raise RetryLater for one check too many."""
    wait = seconds_to_wait("check", user.pk)
    if not wait:
        return
    words = _(
        "You have checked very many files recently. Try again %(relative)s. Meanwhile, you can check "
        "your files on your own machine."
    )
    raise RetryLater(words % {"relative": relative(timezone.now() + timedelta(seconds=wait))}, wait)


def _busy(error: Busy) -> RetryLater:
    if isinstance(error, BusyWithYou):
        words = _("Another upload of yours is being checked. Wait for its answer, then send this one again.")
        return RetryLater(words, settings.CHECK_SECONDS)
    words = _(
        "More uploads are arriving than can be checked at the moment. Try again shortly: this attempt was not counted."
    )
    return RetryLater(words, settings.CHECK_SECONDS, HTTPStatus.SERVICE_UNAVAILABLE)


def _keep(incoming: IncomingUpload, upload: Upload, outcome: Outcome) -> KeptUpload | None:
    """Keep files that became no run, if they may be needed again."""
    if incoming.kept is None and (incoming.keeps_refused or outcome.is_asked_back):
        return kept_uploads.keep(incoming.user, incoming.phase, upload)
    return incoming.kept


def _check_and_queue(incoming: IncomingUpload, run: Run, upload: Upload) -> Outcome:
    try:
        if run.team:
            # First what the site knows: it costs nothing, and better files would not help.
            admission.admit(
                incoming.phase, run.team, incoming.user, upload.sha256, incoming.chosen, arrived=incoming.arrived
            )
        checked = _run_check(incoming, upload, [run.team] if run.team else [], describes=not run.is_sure)
        if not is_in_order(checked):
            return Outcome(checked)
        if is_odd(checked):
            _count_check(incoming.user)  # or files could be checked without limit
            return Outcome(checked, is_asked_back=True)
        made = _submit(incoming, run, upload, checked)
    except admission.Rejection as rejection:
        return Outcome(rejection=rejection)
    except admission.Repetition as repetition:
        return Outcome(submission=repetition.submission, is_repeated=True)
    log.info("upload taken", submission=str(made.pk), scorings=[str(pk) for pk in made.queued])
    send(made.queued[:1])
    return Outcome(checked, submission=made)


def _submit(incoming: IncomingUpload, run: Run, upload: Upload, checked: Sequence[Checked]) -> Submission:
    scenarios = [part.scenario for part in checked if part.scenario]
    is_sample = all(part.is_sample for part in checked)
    if run.team is None:
        submit = partial(admission.submit_for_house, incoming.phase, run.reference)
    else:
        submit = partial(admission.submit, incoming.phase, run.team)
    details = admission.RunDetails(run.method, run.description, run.link, run.facts, is_sample)
    return submit(incoming.user, upload, scenarios, details, arrived=incoming.arrived, is_enqueued=True)


def _check(incoming: IncomingUpload, upload: Upload) -> Outcome:
    if incoming.arrived < incoming.phase.opens:
        return Outcome(rejection=admission.Rejection(_("Files of this phase can be checked as soon as it has opened.")))
    task = incoming.phase.task
    if incoming.phase.is_for_members and not sees_kept(role_of(incoming.user, task), incoming.phase):
        words = _("Files of this phase are checked for teams that take part.")
        remedy = admission.Remedy(_("Take part"), reverse("enter", args=[task.slug]))
        return Outcome(rejection=admission.Rejection(words, remedy))
    return Outcome(_run_check(incoming, upload, admission.teams_of(incoming.user, task), describes=True))


def _run_check(incoming: IncomingUpload, upload: Upload, teams: Sequence[Team], *, describes: bool) -> list[Checked]:
    """Check the files beside the gold in force; where that has no answers yet and teams have a run to mend, beside the
    one that refused it."""
    phase, golds = incoming.phase, incoming.golds
    lacks_answers = golds is None or any(gold.is_input for gold in golds.values())
    if lacks_answers and open_mends(phase, teams, incoming.arrived):
        golds = newest_golds(phase)
    return check(phase, upload, incoming.offered, incoming.chosen, describes=describes, golds=golds)
