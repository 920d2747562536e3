"""Files are there whole and for good, or not at all; and they go with the transaction that wanted them."""

import errno
import os
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from evalsite.challenges.models import Gold
from evalsite.challenges.storage import durable
from evalsite.submissions.lifecycle import transitions
from evalsite.submissions.lifecycle.scorer import score
from evalsite.submissions.models import Result, Submission
from evalsite.submissions.receiving import admission, kept_uploads
from evalsite.submissions.uploads import as_upload
from tests.factories import PARTLY_RIGHT, make_gold, make_submission, zip_upload


def everything() -> set[str]:
    """The stored files, by their names below the storage's folder."""
    top = Path(site.MEDIA_ROOT)
    return {path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file()}


class Breaking(ContentFile):
    """A file whose second half cannot be read, or finds no room."""

    def chunks(self, chunk_size=None):
        yield b"half"
        raise OSError(errno.ENOSPC, "No space left on device")


def test_nothing_stays_of_a_file_that_finds_no_room():
    with pytest.raises(OSError, match="No space left"):
        default_storage.save("submissions/a/run.zip", Breaking(b""))
    assert everything() == set()


def test_nothing_stays_of_a_file_whose_name_does_not_reach_the_disk(monkeypatch):
    monkeypatch.setattr(durable, "sync_folder", lambda folder: os.write(-1, b""))
    with pytest.raises(OSError, match="Bad file descriptor"):
        default_storage.save("submissions/a/run.zip", ContentFile(b"x"))
    assert everything() == set()


def test_a_file_has_its_name_only_once_its_bytes_are_on_the_disk(monkeypatch):
    seen = []
    fsync = os.fsync

    def look(descriptor: int) -> None:
        seen.append(everything())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    default_storage.save("submissions/a/run.zip", ContentFile(b"x"))
    (unfinished,), *with_its_name = seen
    assert unfinished.startswith(f"submissions/a/{durable.UNFINISHED}")
    assert with_its_name == 3 * [{"submissions/a/run.zip"}]  # its folder, the one above, and the storage's own


def test_no_file_takes_the_place_of_another_that_came_since_its_name_was_found_free(monkeypatch):
    default_storage.save("downloads/a.txt", ContentFile(b"first"))
    monkeypatch.setattr(type(default_storage._wrapped), "exists", lambda storage, name: False, raising=False)
    free = iter(["downloads/a.txt", "downloads/a_2.txt"])
    monkeypatch.setattr(
        type(default_storage._wrapped), "get_available_name", lambda storage, name, max_length=None: next(free)
    )
    assert default_storage.save("downloads/a.txt", ContentFile(b"second")) == "downloads/a_2.txt"
    assert Path(default_storage.path("downloads/a.txt")).read_bytes() == b"first"


def test_files_are_stored_where_the_disk_knows_no_links(monkeypatch):
    def refuse(*paths: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert default_storage.save("downloads/a.txt", ContentFile(b"first")) == "downloads/a.txt"
    assert default_storage.save("downloads/a.txt", ContentFile(b"second")) != "downloads/a.txt"
    assert Path(default_storage.path("downloads/a.txt")).read_bytes() == b"first"
    assert len(everything()) == 2


def test_files_and_folders_are_the_sites_own_alone_and_files_are_for_reading():
    path = Path(default_storage.path(default_storage.save("submissions/a/run.zip", ContentFile(b"x"))))
    assert [oct(each.stat().st_mode & 0o777) for each in (path, path.parent)] == ["0o400", "0o700"]


def broken(*args, **kwargs):
    raise IntegrityError("the row is refused")


@pytest.mark.django_db
def test_an_upload_whose_row_is_refused_leaves_no_file(monkeypatch, phase, team, alice):
    before = everything()
    monkeypatch.setattr(admission, "queue", broken)
    with pytest.raises(IntegrityError):
        make_submission(phase, team, alice)
    assert everything() == before
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_a_result_whose_row_is_refused_leaves_no_file_and_is_scored_once_more(monkeypatch, submission):
    before = everything()
    scoring = submission.scorings.get()
    with monkeypatch.context() as patched:
        patched.setattr(transitions, "update_board", broken)
        score(scoring.pk)
    assert everything() == before
    score(scoring.pk)
    assert Result.objects.get().evaluation.size > 0


@pytest.mark.django_db
def test_gold_whose_row_is_refused_leaves_no_file(monkeypatch, phase, scenario):
    before = everything()
    monkeypatch.setattr("evalsite.challenges.gold.services.record", broken)
    with pytest.raises(IntegrityError):
        make_gold(phase, scenario)
    assert everything() == before
    assert Gold.objects.count() == 1


@pytest.mark.django_db
def test_kept_files_whose_row_is_refused_leave_none(monkeypatch, phase, alice):
    before = everything()
    monkeypatch.setattr("evalsite.submissions.models.KeptUpload.save", broken)
    with as_upload([zip_upload(PARTLY_RIGHT)]) as upload, pytest.raises(IntegrityError):
        kept_uploads.keep(alice, phase, upload)
    assert everything() == before


@pytest.mark.django_db
def test_where_the_end_of_the_transaction_breaks_the_file_stays_as_there_may_be_a_row(phase, team, alice):
    def submit_in_a_transaction_that_breaks() -> None:
        with transaction.atomic():
            make_submission(phase, team, alice)
            broken()

    before = everything()
    with pytest.raises(IntegrityError):
        submit_in_a_transaction_that_breaks()
    assert len(everything() - before) == 1
