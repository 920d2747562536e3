"""Makes archives and static pages in background jobs, and keeps the newest of each."""

import tempfile
from collections.abc import Iterable

from django.core.files import File
from django.db import transaction

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job, start_job
from evalsite.background.services import ReportProgress
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.models import Task, record
from evalsite.challenges.storage.zip_streams import Member, zipped
from evalsite.contrib.archives.pages import StaticPages
from evalsite.contrib.archives.writing import Archive

ARCHIVE, PAGES = "archive", "static pages"
_EVENTS = {ARCHIVE: "archive made", PAGES: "static pages made"}


def start(kind: str, task: Task, *, by: User, shows_all: bool = False) -> Job | None:
    """Start the job; return None while another one of the kind is at work for the task."""
    return start_job(kind, subject=task.pk, task=task, by=by, arguments={"shows_all": shows_all})


def made_of(kind: str, task: Task) -> Job | None:
    """Return the newest that is made."""
    made = Job.objects.filter(kind=kind, subject=task.pk, state=Job.State.DONE).exclude(file="")
    return made.order_by("-created").first()


def work_of(kind: str, task: Task) -> Job | None:
    """Return the job that is at work, or the one that has failed since the newest was made."""
    job = latest_job(kind, task.pk)
    return job if job and job.state != Job.State.DONE else None


def make_archive(job: Job, report: ReportProgress) -> bool:
    assert job.task is not None
    return _write_zip(job, Archive(job.task, shows_all=job.arguments["shows_all"]).members(report))


def make_pages(job: Job, report: ReportProgress) -> bool:
    assert job.task is not None
    return _write_zip(job, StaticPages(job.task, report).members())


def _write_zip(job: Job, members: Iterable[Member]) -> bool:
    """Write a zip into a temporary file, store it, and delete the one before."""
    with tempfile.TemporaryFile() as archive:
        for chunk in zipped(members):
            archive.write(chunk)
        size = archive.tell()
        archive.seek(0)
        job.file.save(f"{job.kind}.zip", File(archive), save=False)
    if not job.leased.update(file=job.file.name, result={"size": size}):
        job.file.storage.delete(job.file.name or "")  # another worker has taken the job over
        return False
    with transaction.atomic():
        former = Job.objects.filter(kind=job.kind, subject=job.subject, created__lt=job.created).exclude(pk=job.pk)
        files = [row.file for row in former if row.file]
        former.delete()
        delete_after_commit(files)
        assert job.task is not None
        record(job.task, _EVENTS[job.kind], actor=job.made_by)
    return True
