"""Imports a bundle: by the command at once, and from the desk as a background job."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.utils.translation import get_language, override

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import start_job
from evalsite.background.services import ReportProgress, handles
from evalsite.base.after_commit import delete_after_commit
from evalsite.bundles.competitions import NAMES, read_competition
from evalsite.bundles.format import SETTINGS
from evalsite.bundles.parsing import BundleError
from evalsite.bundles.reading import Archive
from evalsite.bundles.rows import Plan, read_plan
from evalsite.bundles.storing import Imported, store
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import local_path
from evalsite.desk.making.drafts import TitleTaken
from evalsite.desk.scenarios.uses import way
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
    report: ReportProgress = _ignore,
    stored: Callable[[Imported], None] = _ignore,
) -> Imported:
    """Return the task that was made of a bundle; raise BundleError, or TitleTaken, and leave nothing behind.

    `stored` is called within the transaction that stores the task.
    """
    with opened(path, name, use) as (archive, plan):
        return store(archive, plan, by=by, report=report, stored=stored)


@contextmanager
def opened(path: Path, name: str, use: str = "") -> Iterator[tuple[Archive, Plan]]:
    """Yield a bundle that is in order but for what takes longer: its gold, scored against itself.

    One of another site is scored as the key `use` says.
    """
    with Archive.opened(path, name, (SETTINGS, *NAMES)) as archive:
        archive.check_digests()
        yield archive, read_plan(archive) if archive.settings == SETTINGS else read_competition(archive, way(use))


def enqueue_import(path: Path, name: str, *, by: User, use: str = "") -> Job:
    """Start the job that imports a bundle; its file is the job's until it has ended."""
    with path.open("rb") as stream, transaction.atomic():
        arguments = {"name": name, "use": use, "language": get_language() or settings.LANGUAGE_CODE}
        job = start_job(KIND, subject=uuid.uuid4(), arguments=arguments, by=by)
        assert job is not None  # no other job has this subject
        with removed_on_error(job.file):
            job.file.save(name, File(stream), save=False)
            Job.objects.filter(pk=job.pk).update(file=job.file.name)
    return job


@handles(KIND)
def import_in_background(job: Job, report: ReportProgress) -> bool:
    """Store the task, or what is wrong with the bundle; whoever is called again finds either."""
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
