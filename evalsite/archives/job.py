"""Makes archives and static pages in the background: written to a file of this machine, and stored when it is whole."""

import tempfile
from collections.abc import Iterable
from datetime import timedelta

from django.core.files import File
from django.db import transaction

from evalsite.accounts.models import User
from evalsite.archives.writing import Archive
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job, start_job
from evalsite.background.services import ReportProgress, handles
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.models import Task, record
from evalsite.challenges.storage.zip_streams import zipped

ARCHIVE = "archive"
KEPT = timedelta(days=30)  # a finished archive; it can be made again at any time


def request_archive(task: Task, *, by: User, shows_all: bool) -> Job | None:
    """Return a new job; None while one of the task is at work."""
    return start_job(ARCHIVE, subject=task.pk, task=task, by=by, arguments={"shows_all": shows_all})


def latest_archive(task: Task) -> Job | None:
    return latest_job(ARCHIVE, task.pk)


@handles(ARCHIVE)
def make_archive(job: Job, report: ReportProgress) -> bool:
    """Make the archive, and delete the one before it."""
    assert job.task is not None
    archive = Archive(job.task, shows_all=job.arguments["shows_all"])
    store(job, zipped(archive.members(report)), f"{job.task.slug}-archive.zip")
    return True


def store(job: Job, chunks: Iterable[bytes], name: str) -> None:
    """Store the chunks as the file of the job, and delete those of earlier ones of its kind and task."""
    with tempfile.TemporaryFile() as file:
        for chunk in chunks:
            file.write(chunk)
        file.seek(0)
        job.file.save(name, File(file), save=False)
    with transaction.atomic():
        job.own.update(file=job.file.name, result={"bytes": job.file.size})
        earlier = Job.objects.filter(kind=job.kind, subject=job.subject).exclude(pk=job.pk).exclude(file="")
        delete_after_commit(each.file for each in earlier)
        earlier.update(file="")
        assert job.task is not None
        record(job.task, "archive made", actor=job.made_by)
