"""Streams the files of several runs as one archive."""

import csv
import io
import zipfile
from collections.abc import Generator, Iterable, Iterator

import structlog
from django.db.models import QuerySet
from django.utils.text import slugify

from evalsite.base.file_names import stored_name
from evalsite.challenges.storage.zip_streams import CHUNK, Buffer
from evalsite.submissions.models import Submission
from scoring.display.tables import harmless

log = structlog.get_logger()
INDEX = "runs.csv"
HEADINGS = (
    "file",
    "phase",
    "team",
    "method",
    "reference",
    "is_late",
    "is_beyond_limit",
    "is_reported",
    "withdrawn",
    "uploaded",
    "sha256",
)


def archive_of(runs: QuerySet[Submission]) -> Iterator[bytes]:
    """Yield the archive in chunks, never a whole file at once; its last member is a table of its files."""
    buffer = Buffer()
    lines: list[tuple[object, ...]] = []
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:  # uploads are archives themselves, mostly
        found = runs.select_related("team", "phase").order_by("phase__opens", "team__name", "created", "pk")
        for run in found.iterator(chunk_size=200):
            name = _name(run)
            is_there = yield from _member(archive, buffer, name, run)
            lines.append(_line(run, name if is_there else ""))
        archive.writestr(INDEX, _table(lines))
        yield buffer.take()
    yield buffer.take()


def _member(archive: zipfile.ZipFile, buffer: Buffer, name: str, run: Submission) -> Generator[bytes, None, bool]:
    """Yield the run's file in chunks; return whether it is there."""
    try:
        stream = run.file.open("rb")
    except OSError:
        log.exception("a file is missing in an archive of runs", submission=str(run.pk))
        return False
    member = zipfile.ZipInfo(name, date_time=run.created.timetuple()[:6])
    with stream, archive.open(member, "w", force_zip64=True) as target:
        while chunk := stream.read(CHUNK):
            target.write(chunk)
            yield buffer.take()
    return True


def _name(run: Submission) -> str:
    """Return a path of phase, team and method, with enough of the key to be unique."""
    team = slugify(run.team.name)[:40] or "team"
    method = slugify(run.method)[:40] or "run"
    stem = f"{run.created:%Y-%m-%d}-{method}-{str(run.pk)[:8]}"
    return f"{run.phase.slug}/{team}/{stored_name(stem, run.file_name)}"


def _line(run: Submission, name: str) -> tuple[object, ...]:
    texts = (name, run.phase.slug, run.team.name, run.method, run.reference)
    marks = (run.is_late, run.is_beyond_limit, run.is_reported, run.withdrawn)
    return (*map(harmless, texts), *("true" if mark else "" for mark in marks), run.created.isoformat(), run.sha256)


def _table(lines: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([HEADINGS, *lines])
    return text.getvalue()
