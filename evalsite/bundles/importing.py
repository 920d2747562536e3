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
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.accounts.rates import refund, seconds_to_wait
from evalsite.background.models import Job
from evalsite.background.requesting import start_job
from evalsite.background.services import ReportProgress, handles
from evalsite.base.after_commit import delete_after_commit
from evalsite.bundles.competitions import read_competition
from evalsite.bundles.problems import SETTINGS, BundleError
from evalsite.bundles.rows import Plan, read_plan
from evalsite.bundles.storing import Imported, store
from evalsite.bundles.unpacked import Unpacked, limits_of_check, unpacked
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import local_path
from evalsite.desk.making.drafts import TitleTaken
from evalsite.desk.scenarios.uses import way
from evalsite.jobs.sandbox import Limits
from evalsite.submissions.receiving.rooms import require_room_in_drafts, require_room_on_disk
from evalsite.wording import relative
from scoring.errors import Problem

KIND = "import of a task"


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


def enqueue_import(path: Path, name: str, *, by: User, use: str = "") -> Job:
    """Start the job that imports a bundle, one of a person at a time; its file is the job's until it has ended.

    Nothing of the bundle is read here. Raise NotNow, NoRoom or KnownFault.
    """
    n_bytes = path.stat().st_size
    require_room_on_disk(n_bytes)
    require_room_in_drafts(by, n_bytes)
    if wait := seconds_to_wait("import_bundle", by.pk):
        words = _("You have sent as many bundles as is possible in such a time. Try again %(relative)s.")
        raise NotNow(words % {"relative": relative(timezone.now() + timedelta(seconds=wait))}, wait)
    with path.open("rb") as stream, transaction.atomic():
        arguments = {"name": name, "use": use, "language": get_language() or settings.LANGUAGE_CODE}
        job = start_job(KIND, subject=by.pk, arguments=arguments, by=by)
        if job is None:
            refund("import_bundle", by.pk)
            raise NotNow(_("Another bundle of yours is being imported. Send this one when that has ended."), 60)
        with removed_on_error(job.file):
            job.file.save(name, File(stream), save=False)
            Job.objects.filter(pk=job.pk).update(file=job.file.name)
    return job


@handles(KIND)
def import_in_background(job: Job, report: ReportProgress) -> bool:
    """Store the task, or what is wrong with the bundle; whoever is called again finds either.

    One bundle of all is imported at a time, so that the other processes of these queues are there for mail.
    """
    if _is_another_at_work(job):
        return False
    if not job.result and job.made_by is not None:
        try:
            with override(job.arguments["language"]), local_path(job.file) as path:
                _import(job, path, report)
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
        job.own.update(task=imported.task, result={"slug": imported.task.slug, "notes": imported.notes})

    assert job.made_by is not None
    try:
        name, use = job.arguments["name"], job.arguments["use"]
        import_bundle(path, name, by=job.made_by, use=use, report=report, stored=store_result)
    except BundleError as error:
        job.own.update(result={"problems": list(map(_as_data, error.problems))})
    except TitleTaken as error:
        job.own.update(result={"problems": [{"message": str(error)}]})


def _as_data(problem: Problem) -> dict[str, Any]:
    return {"message": str(problem.message), "file": problem.file, "line": problem.line}


def _drop_file(job: Job) -> None:
    """Delete the bundle: it has hidden gold, which lies with the task by now, or nowhere."""
    if job.file:
        with transaction.atomic():
            job.own.update(file="")
            delete_after_commit([job.file])
