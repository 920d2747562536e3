"""Makes a task's drawer in a background job, and keeps the newest one."""

import tempfile
from collections.abc import Iterable, Iterator

from django.core.files import File
from django.db import transaction

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job, start_job
from evalsite.background.services import ReportProgress
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.models import Task
from evalsite.challenges.storage.zip_streams import Member, zipped
from evalsite.contrib.drawer.contents import MOST_BYTES, files_of_task, n_bytes

KIND = "paper drawer"
EVERY = 20  # files, after which the progress is stored


def start(task: Task, *, with_uploads: bool, by: User) -> Job | None:
    """Start the job; return None while another one is at work for the task."""
    return start_job(KIND, subject=task.pk, task=task, by=by, arguments={"with_uploads": with_uploads})


def drawer_of(task: Task) -> Job | None:
    """Return the newest drawer that is made."""
    made = Job.objects.filter(kind=KIND, subject=task.pk, state=Job.State.DONE).exclude(file="")
    return made.order_by("-created").first()


def work_of(task: Task) -> Job | None:
    """Return the job that is at work, or the one that has failed since the newest drawer was made."""
    job = latest_job(KIND, task.pk)
    return job if job and job.state != Job.State.DONE else None


def make_drawer(job: Job, report: ReportProgress) -> bool:
    """Write the archive into a temporary file, store it, and delete the one before."""
    task = job.task
    if task is None:
        return True
    with_uploads = job.arguments["with_uploads"] and n_bytes(task) <= MOST_BYTES
    with tempfile.TemporaryFile() as archive:
        for chunk in zipped(_counted(files_of_task(task, with_uploads=with_uploads), report, job)):
            archive.write(chunk)
        size = archive.tell()
        archive.seek(0)
        job.file.save("drawer.zip", File(archive), save=False)
    if not job.leased.update(file=job.file.name, result={"size": size, "with_uploads": with_uploads}):
        job.file.storage.delete(job.file.name or "")  # another worker has taken the job over
        return False
    _delete_former(job)
    return True


def _counted(members: Iterable[Member], report: ReportProgress, job: Job) -> Iterator[Member]:
    """Pass the members on, and tell how many they are; how many there will be is known of the drawer before."""
    former = drawer_of(job.task) if job.task else None
    for number, member in enumerate(members, 1):
        if number % EVERY == 0:
            report(number, max(number, former.done if former else 0))
        yield member
    report(number, number)


def _delete_former(job: Job) -> None:
    with transaction.atomic():
        former = Job.objects.filter(kind=KIND, subject=job.subject, created__lt=job.created).exclude(pk=job.pk)
        files = [row.file for row in former if row.file]
        former.delete()
        delete_after_commit(files)
