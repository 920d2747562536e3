"""Imports a bundle: by the command at once, and from the desk as a background job."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.accounts.rates import refund, seconds_to_wait
from evalsite.background.models import Job
from evalsite.background.requesting import start_job
from evalsite.background.services import Postponed, ReportProgress
from evalsite.background.tasks import enqueue
from evalsite.base.after_commit import after_commit, delete_after_commit
from evalsite.base.leases import LeasedQuerySet
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import local_path
from evalsite.contrib.bundles.competitions import WayNeeded, read_competition
from evalsite.contrib.bundles.problems import SETTINGS, BundleError
from evalsite.contrib.bundles.rows import Plan, read_plan
from evalsite.contrib.bundles.storing import Imported, store
from evalsite.contrib.bundles.unpacked import Unpacked, limits_of_check, unpacked
from evalsite.desk.making.drafts import TitleTaken
from evalsite.desk.scenarios.uses import way
from evalsite.jobs.sandbox import Limits
from evalsite.submissions.receiving.rooms import require_room_in_drafts, require_room_on_disk
from evalsite.wording import relative
from scoring.findings import Finding

KIND = "import of a task"
_ASKS = {"asks": "use"}  # result of a job that waits until its sender has chosen how runs are scored


def _ignore(*arguments: object) -> None:
    return None


def import_bundle(
    path: Path,
    name: str,
    *,
    by: User,
    use: str = "",
    within: Limits | None = None,
    report: ReportProgress = _ignore,
    stored: Callable[[Imported], None] = _ignore,
) -> Imported:
    """Return the task that was made of a bundle; raise BundleError, or TitleTaken, and leave nothing behind.

    A child that is `within` these limits, or those of a check, opens it. `stored` is called within the transaction that
    stores the task.
    """
    with opened(path, name, use, within) as (archive, plan):
        return store(archive, plan, by=by, report=report, stored=stored)


@contextmanager
def opened(path: Path, name: str, use: str = "", within: Limits | None = None) -> Iterator[tuple[Unpacked, Plan]]:
    """Yield a bundle that is in order but for what takes longer: its gold, scored against itself.

    One of another site is scored as the key `use` says.
    """
    with unpacked(path, name, within or limits_of_check()) as archive:
        yield archive, read_plan(archive) if archive.settings == SETTINGS else read_competition(archive, way(use))


class NotNow(Exception):
    """No bundle of this person is taken at the moment; the message says why, and `again_in` seconds it may be."""

    def __init__(self, words: str, again_in: int) -> None:
        super().__init__(words)
        self.again_in = again_in


def enqueue_import(path: Path, name: str, *, by: User) -> Job:
    """Start the job that imports a bundle, one of a person at a time; its file is the job's until it has ended.

    Nothing of the bundle is read here. Raise NotNow, NoRoom or KnownFault.
    """
    n_bytes = path.stat().st_size
    require_room_on_disk(n_bytes)
    require_room_in_drafts(by, n_bytes)
    if wait := seconds_to_wait("import_bundle", by.pk):
        words = _("You have sent too many bundles recently. Try again %(relative)s.")
        raise NotNow(words % {"relative": relative(timezone.now() + timedelta(seconds=wait))}, wait)
    with path.open("rb") as stream, transaction.atomic():
        arguments = {"name": name, "use": "", "language": get_language() or settings.LANGUAGE_CODE}
        _drop_undecided(by)
        job = start_job(KIND, subject=by.pk, arguments=arguments, by=by)
        if job is None:
            refund("import_bundle", by.pk)
            raise NotNow(_("Another bundle of yours is being imported. Send this one when that is done."), 60)
        with removed_on_error(job.file):
            job.file.save(name, File(stream), save=False)
            Job.objects.filter(pk=job.pk).update(file=job.file.name)
    return job


def undecided(by: User) -> LeasedQuerySet:
    """Return the person's job that waits until they have chosen how runs are scored."""
    return Job.objects.filter(kind=KIND, made_by=by, state=Job.State.QUEUED, result=_ASKS)


def choose_use(job: Job, use: str, *, by: User) -> None:
    """Go on with the import of a competition, whose file is still here; do nothing where its hour is over."""
    arguments = job.arguments | {"use": use}
    with transaction.atomic():
        if undecided(by).filter(pk=job.pk).update(arguments=arguments, result={}, not_before=None):
            after_commit(enqueue, [job.pk])


def _drop_undecided(by: User) -> None:
    """End the import of before that waits for an answer, since another bundle takes its place."""
    for job in undecided(by):
        ended = {"state": Job.State.DONE, "finished": Now(), "result": {"problems": _not_chosen()}, "file": ""}
        if undecided(by).filter(pk=job.pk).end(**ended):
            delete_after_commit([job.file])


def _not_chosen() -> list[dict[str, Any]]:
    return [{"message": _("You have not chosen what its systems do. Send the bundle again.")}]


def import_in_background(job: Job, report: ReportProgress) -> bool:
    """Store the task, or what is wrong with the bundle; whoever is called again finds either.

    One bundle of all is imported at a time, so that the other processes of these queues are there for mail.
    """
    if _is_another_at_work(job):
        return False
    if job.result == _ASKS:  # its hour is over
        job.leased.update(result={"problems": _not_chosen()})
    elif not job.result and job.made_by is not None:
        try:
            with override(job.arguments["language"]), local_path(job.file) as path:
                _import(job, path, report)
        except Postponed:
            raise
        except Exception:
            if job.attempts >= settings.MAX_ATTEMPTS:
                _drop_file(job)
            raise
    _drop_file(job)
    return True


def _is_another_at_work(job: Job) -> bool:
    others = Job.objects.filter(kind=KIND, state=Job.State.RUNNING).exclude(pk=job.pk)
    return others.filter(Q(started__lt=job.started) | Q(started=job.started, pk__lt=job.pk)).exists()


def _import(job: Job, path: Path, report: ReportProgress) -> None:
    def store_result(imported: Imported) -> None:
        job.leased.update(task=imported.task, result={"slug": imported.task.slug, "notes": imported.notes})

    assert job.made_by is not None
    try:
        name, use = job.arguments["name"], job.arguments["use"]
        import_bundle(path, name, by=job.made_by, use=use, report=report, stored=store_result)
    except WayNeeded:
        raise Postponed("waits for a choice", settings.KEPT_FOR, result=_ASKS) from None
    except BundleError as error:
        job.leased.update(result={"problems": list(map(_as_data, error.problems))})
    except TitleTaken as error:
        job.leased.update(result={"problems": [{"message": str(error)}]})


def _as_data(problem: Finding) -> dict[str, Any]:
    return {"message": str(problem.message), "file": problem.file, "line": problem.line}


def _drop_file(job: Job) -> None:
    """Delete the bundle: it has hidden gold, which lies with the task by now, or nowhere."""
    if job.file:
        with transaction.atomic():
            job.leased.update(file="")
            delete_after_commit([job.file])
