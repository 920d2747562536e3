"""Puts the files of several runs into an archive."""

from collections.abc import Iterator

import structlog
from django.db.models import QuerySet
from django.utils.text import slugify

from evalsite.base.file_names import stored_name
from evalsite.base.spreadsheets import spreadsheet
from evalsite.challenges.storage.zip_streams import Member, chunks_of
from evalsite.submissions.models import Submission

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


def members_of(runs: QuerySet[Submission], folder: str = "") -> Iterator[Member]:
    """Yield the file of each run, in a folder that ends with a slash; the last member is a table of them."""
    lines: list[tuple[object, ...]] = []
    ordered = runs.select_related("team", "phase").order_by("phase__opens", "team__name", "created", "pk")
    for run in ordered.iterator(chunk_size=200):
        name = _name(run)
        try:
            stream = run.file.open("rb")
        except OSError:
            log.exception("a file is missing in an archive of runs", submission=str(run.pk))
            lines.append(_line(run, ""))
            continue
        yield f"{folder}{name}", chunks_of(stream)
        lines.append(_line(run, name))
    yield f"{folder}{INDEX}", [spreadsheet(HEADINGS, lines).encode()]


def _name(run: Submission) -> str:
    """Return a path of phase, team and method, with enough of the key to be unique."""
    team = slugify(run.team.name)[:40] or "team"
    method = slugify(run.method)[:40] or "run"
    stem = f"{run.created:%Y-%m-%d}-{method}-{str(run.pk)[:8]}"
    return f"{run.phase.slug}/{team}/{stored_name(stem, run.file_name)}"


def _line(run: Submission, name: str) -> tuple[object, ...]:
    texts = (name, run.phase.slug, run.team.name, run.method, run.reference)
    marks = (run.is_late, run.is_beyond_limit, run.is_reported, run.withdrawn)
    return (*texts, *("true" if mark else "" for mark in marks), run.created.isoformat(), run.sha256)
